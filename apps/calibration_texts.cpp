// SPDX-License-Identifier: Apache-2.0
#include "calibration_texts.h"

#include <fmt/format.h>

#include <filesystem>
#include <span>

#include "kakeya/core/error.h"
#include "kakeya/io/digest.h"
#include "progress.h"

namespace kakeya {

namespace fs = std::filesystem;

CalibrationTexts read_texts(const CalibrationOptions& options, const Tokenizer& tokenizer) {
  const auto count = static_cast<std::size_t>(options.passages), texts = options.texts.size();
  if (count < texts) {
    throw SpecError(
        fmt::format("--passages {}: expected at least one for each of {} texts", count, texts));
  }
  CalibrationTexts read;
  std::string digests;
  std::vector<std::vector<Passage>> of_each;
  for (std::size_t t = 0; t < texts; ++t) {
    const std::size_t share = count / texts + (t < count % texts ? 1 : 0);
    of_each.push_back(read_passages(options.texts[t], tokenizer,
                                    static_cast<std::size_t>(options.context), share));
    read.name += (t == 0 ? "" : " + ") +
                 fs::absolute(options.texts[t] + "/").parent_path().filename().string();
    digests += sha256_path(options.texts[t]) + "\n";
  }
  for (std::size_t round = 0; read.passages.size() < count; ++round) {
    for (std::vector<Passage>& passages : of_each) {
      if (round < passages.size()) read.passages.push_back(std::move(passages[round]));
    }
  }
  read.sha256 = texts == 1 ? sha256_path(options.texts[0])
                           : sha256(std::as_bytes(std::span(digests.data(), digests.size())));
  return read;
}

ProfileOrigin origin_of(const CalibrationOptions& options, const CalibrationTexts& texts,
                        const std::string& path, const Model& model) {
  ProfileOrigin origin;
  origin.model_name = model.facts().name;
  origin.model_sha256 = sha256_path(path);
  origin.text_name = texts.name;
  origin.text_sha256 = texts.sha256;
  origin.tap = options.tap;
  origin.layers = model.facts().layers;
  origin.kv_heads = model.facts().kv_heads;
  origin.head_dim = model.facts().head_dim;
  origin.passages = options.passages;
  origin.context = options.context;
  origin.sinks = options.sinks;
  return origin;
}

void require_context(const CalibrationOptions& options, const Model& model) {
  if (options.context > model.facts().context) {
    throw InputError(fmt::format("--ctx {}: {} takes at most {} tokens", options.context,
                                 model.facts().name, model.facts().context));
  }
}

void prefill_passages(const char* what, Model& model, const CalibrationTexts& texts, KvTap& tap) {
  Progress progress(what, texts.passages.size());
  for (std::size_t p = 0; p < texts.passages.size(); ++p) {
    progress.update(p, texts.passages[p].origin);
    model.prefill(texts.passages[p].tokens, tap);
  }
  progress.update(texts.passages.size());
}

}  // namespace kakeya
