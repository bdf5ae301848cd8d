// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/stored_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kakeya/core/error.h"

namespace kakeya {

std::vector<StoredStream> streams_of(std::span<const StoredResults> results) {
  std::vector<StoredStream> streams;
  for (const StoredResults& each : results)
    streams.push_back({each.folder, each.plan.origin, each.plan.stream});
  return streams;
}

bool any_stream(std::span<const StoredStream> all) {
  return std::ranges::any_of(all, [](const StoredStream& each) { return each.facts.has_value(); });
}

void require_one_model(std::span<const StoredStream> all) {
  if (all.empty()) throw InputError("streams: expected a KV stream or more, each stored by itself");
  const StoredStream& first = all.front();
  for (const StoredStream& each : all) {
    if (!each.facts) {
      throw InputError(each.path +
                       ": of keys and values, expected of a KV stream (kakeya-capture of a "
                       "DeepSeek-V4, and kakeya-sweep --dump of what it wrote)");
    }
    if (each.origin != first.origin || each.facts->source_tokens != first.facts->source_tokens ||
        each.facts->weights != first.facts->weights) {
      throw InputError(
          fmt::format("{}: of {} on {}, expected the same model, hidden states and "
                      "length as {}",
                      each.path, each.origin.model.name, each.origin.text.name, first.path));
    }
    const auto same = [&](const StoredStream& other) {
      return other.facts && other.facts->name == each.facts->name;
    };
    if (std::ranges::count_if(all, same) > 1)
      throw InputError(each.path + ": stream " + each.facts->name + " is given twice");
  }
}

std::vector<double> stream_weights(std::span<const StoredStream> all) {
  std::vector<double> shares;
  for (const StoredStream& each : all) shares.push_back(each.facts->byte_share);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (!(sum > 0)) throw InputError(all.front().path + ": streams without a share of the values");
  for (double& share : shares) share /= sum;
  return shares;
}

void require_same_passages(const std::string& what, const std::string& stream,
                           std::span<const int> passages, const std::string& first,
                           std::span<const int> expected) {
  const auto lacks = [&](const std::string& who, std::span<const int> has, const std::string& other,
                         std::span<const int> wanted) {
    for (const int passage : wanted) {
      if (std::ranges::count(has, passage) > 0) continue;
      throw InputError(
          fmt::format("{}: stream {} has no passage {} of the reference: expected the {} passages "
                      "that stream {} has (finish the sweeps)",
                      what, who, passage, wanted.size(), other));
    }
  };
  lacks(stream, passages, first, expected);
  lacks(first, expected, stream, passages);
}

std::string made_of_text(const StoredStream& stream) {
  const std::string& weights = stream.facts->weights;
  const std::string hidden = fmt::format(
      " Hidden states are those of `{}`, which another program computed: no forward of the model was "
      "run, and its predictions are not measured.",
      stream.origin.text.name);
  if (weights.starts_with("random")) {
    return fmt::format(
               "**The weights are not the model's: {}.** Shapes, norms, RoPE and pooling are those of "
               "its configuration; how a codec fares on what the trained model caches is not known "
               "from this.",
               weights) +
           hidden;
  }
  return fmt::format("Weights of the model's files ({}).", weights) + hidden;
}

}  // namespace kakeya
