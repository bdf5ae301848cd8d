// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/core/layer_choice.h"
#include "kakeya/measure/grid.h"

namespace kakeya {

/// What is asked of a sweep, by a file, by flags, or by both. Empty: not said.
struct SweepConfig {
  std::optional<std::string> model;      ///< as resolve_model() of the programs takes it
  std::optional<std::string> tokenizer;  ///< where the model's own is not to be used
  std::optional<std::string> text;       ///< a file or a folder
  std::optional<std::string>
      dump;  ///< in place of model and text: distortion of captured K and V only
  std::optional<std::string> replace;  ///< a dump whose K and V are judged as a codec's are
  std::optional<double> claim_bits;    ///< what its author says they take, bits a value
  GridRequest grid;
  std::vector<std::string> plugins;  ///< files with codecs that are not ours
  std::vector<std::string> modes;
  std::optional<int> passages, first_passage, context, scored, threads;
  std::array<std::optional<int>, kPolicyNumbers> policy;  ///< in the order of policy_numbers()
  LayerChoice layers;                                     ///< in place of skipped edge layers
  std::vector<std::string> plans;                         ///< files
  std::optional<bool> layer_study;
  std::vector<std::string> profiles;  ///< files of kakeya-calibrate
  std::optional<std::string> cut, split, splits, tap, device, codec_device, dtype;
  std::optional<std::uint64_t> seed;
  std::optional<bool> batch_invariant;  ///< ModelOptions::batch_invariant
  std::optional<bool> noise_floor;      ///< controls beside the cells (noise_floor.h)
};

/// Reads a sweep from JSON: an object with any of the keys of sweep_config_keys(). Strict: a key
/// that is unknown or given twice, or a value of another kind, is an error. Files are relative to
/// the folder of the configuration; a model without a slash and without ".gguf" is a short name, and
/// "transformers:NAME" a folder where there is one.
/// Throws IoError, CorruptStream (no JSON), or InputError naming the file, the key and what was
/// expected.
SweepConfig read_sweep_config(const std::string& path);

/// The keys of a configuration, in the order of the documentation; named after the flags of
/// kakeya-sweep.
std::vector<std::string> sweep_config_keys();

/// `flags` over `file`: what flags say replaces what the file says, key by key; codecs and modes
/// are replaced as a whole. Plans alone, without a codec, replace which layers the file chooses too:
/// they say it themselves.
SweepConfig override_config(SweepConfig file, const SweepConfig& flags);

}  // namespace kakeya
