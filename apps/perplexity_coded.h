// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/codec_device.h"
#include "kakeya/measure/grid.h"
#include "kakeya/model/model.h"
#include "kakeya/model/windows.h"
#include "kakeya/store/provenance.h"
#include "policy_options.h"

namespace kakeya {

/// A text made ready to be scored.
struct ScoringTask {
  std::vector<std::int32_t> tokens;
  std::vector<Window> windows;      ///< those that are asked for
  std::size_t first_window = 0;     ///< the number of the first of them in the text
  std::optional<std::int32_t> bos;  ///< first token of each window
  std::size_t context = 0, stride = 0;
};

/// Of a window and between windows where a codec is given and they are not.
inline constexpr std::size_t kCodedContext = 2048, kCodedStride = 512;

/// What kakeya-perplexity is told of codecs.
struct CodedFlags {
  GridRequest grid;
  std::vector<std::string> profiles, plugins;
  PolicyFlags policy;
  LayerChoice layers;
  std::vector<std::string> plans;
  std::optional<std::string> tap, codec_device, out;
  bool noise_floor = false;

  bool asked() const { return !grid.empty() || !plans.empty(); }
};

/// Declares their flags.
void define_coded(CLI::App& app, CodedFlags& flags);

/// Throws SpecError naming a flag that needs a codec beside it, where there is none, and where
/// codecs are given to only tokenize.
void refuse_useless(const CodedFlags& flags, bool tokenize);

/// A run with codecs before its text is known: pairs that make sense, threads, where codecs work.
struct CodedRun {
  std::vector<PluginRecord> plugins;
  std::vector<CodecPair> pairs;
  std::unique_ptr<WorkerPool> pool;
  ModelOptions options;
  CodecPlaces places;
  std::unique_ptr<Model> model;  ///< for the caller to load, from model_path
  std::string model_path;
};

/// Throws SpecError on codecs and devices that make no sense beside `model`, as --model names it,
/// before anything is read.
CodedRun prepare_coded(const CodedFlags& flags, const ModelOptions& options,
                       const std::string& model);

/// The text, and how the answer is given.
struct CodedAnswer {
  std::string convention, file;
  bool token_file = false, per_token = false, json = false;
};

/// Scores the text with every codec and prints the answer. Throws what measure_text(), profiles and
/// the store throw.
void score_coded(const CodedAnswer& answer, const CodedFlags& flags, CodedRun& run,
                 const ScoringTask& task, const std::vector<std::string>& arguments);

}  // namespace kakeya
