// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/attention_facts.h"

#include <cmath>
#include <optional>

#include "kakeya/core/error.h"
#include "kakeya/core/index_set.h"
#include "kakeya/store/h5.h"

namespace kakeya {
namespace {

constexpr char kScale[] = "attention_scale", kWindow[] = "attention_window",
               kWindowLayers[] = "attention_window_layers";
constexpr int kMostTokens = 1 << 24;

/// What is wrong with it; nothing if it can be that of a model of `layers` layers.
std::optional<std::string> fault(const AttentionFacts& facts, int layers) {
  if (!std::isfinite(facts.scale) || facts.scale < 0) {
    return std::string(kScale) + " " + std::to_string(facts.scale) + ", expected a number above 0";
  }
  if (facts.windows.empty()) return std::nullopt;
  if (facts.windows.tokens < 1 || facts.windows.tokens > kMostTokens) {
    return std::string(kWindow) + " " + std::to_string(facts.windows.tokens) + ", expected 1 to " +
           std::to_string(kMostTokens);
  }
  const IndexSet which = IndexSet::of(facts.windows.layers);
  if (which.last() >= layers) {
    return std::string(kWindowLayers) + " " + which.text() + ", expected some of the " +
           std::to_string(layers) + " layers";
  }
  return std::nullopt;
}

}  // namespace

void put_attention(h5::File& file, const std::string& path, const AttentionFacts& facts,
                   int layers) {
  if (const auto wrong = fault(facts, layers)) throw InputError(path + ": " + *wrong);
  if (facts.scale > 0) file.set_real("/", kScale, facts.scale);
  if (facts.windows.empty()) return;
  file.set_integer("/", kWindow, facts.windows.tokens);
  file.set_text("/", kWindowLayers, IndexSet::of(facts.windows.layers).text());
}

AttentionFacts get_attention(const h5::File& file, const std::string& path, int layers) {
  AttentionFacts facts;
  if (file.has("/", kScale)) facts.scale = file.real("/", kScale);
  if (file.has("/", kWindow) || file.has("/", kWindowLayers)) {
    const std::int64_t tokens = file.integer("/", kWindow);
    facts.windows.tokens = tokens < 1 || tokens > kMostTokens ? 0 : static_cast<int>(tokens);
    try {
      facts.windows.layers =
          IndexSet::parse(file.text("/", kWindowLayers), kWindowLayers).numbers();
    } catch (const SpecError& error) {
      throw CorruptStream(path + ": " + error.what());
    }
  }
  if (const auto wrong = fault(facts, layers)) throw CorruptStream(path + ": " + *wrong);
  return facts;
}

}  // namespace kakeya
