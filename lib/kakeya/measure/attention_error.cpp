// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/attention_error.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/attend_causal.h"

namespace kakeya {
namespace {

/// One codec of keys and one of values, of the same spec.
struct Pair {
  std::unique_ptr<Codec> keys, values;
};

std::vector<Pair> build_pairs(std::span<const std::string> specs, std::size_t dim) {
  std::vector<LeftOut> left_out;  // told where K and V are measured
  SourceFacts facts;
  facts.dim = dim;
  facts.part = Part::key;
  auto of_keys = build_codecs(specs, facts, left_out);
  facts.part = Part::value;
  auto of_values = build_codecs(specs, facts, left_out);
  std::vector<Pair> pairs;
  for (auto& keys : of_keys) {
    const auto same = std::ranges::find_if(of_values, [&](const auto& values) {
      return values != nullptr && values->spec() == keys->spec();
    });
    if (same != of_values.end()) pairs.push_back({std::move(keys), std::move(*same)});
  }
  return pairs;
}

/// K, V and Q of a layer of a passage, float32 [tokens, heads, dim].
struct LayerParts {
  std::size_t tokens, kv_heads, group, dim;
  std::vector<float> keys, values, queries;

  Rows<const float> head(const std::vector<float>& part, std::size_t of) const {
    return {part.data() + of * dim, tokens, dim, kv_heads * dim};
  }

  /// Queries of the heads that share a KV head, [tokens, group, dim].
  std::vector<float> queries_of(std::size_t kv_head) const {
    std::vector<float> made;
    made.reserve(tokens * group * dim);
    for (std::size_t t = 0; t < tokens; ++t) {
      const auto from =
          queries.begin() + static_cast<std::ptrdiff_t>((t * kv_heads + kv_head) * group * dim);
      made.insert(made.end(), from, from + static_cast<std::ptrdiff_t>(group * dim));
    }
    return made;
  }
};

LayerParts read_parts(const DumpReader& dump, int passage, int layer) {
  const KvShape& shape = dump.head().shape;
  LayerParts parts{
      static_cast<std::size_t>(dump.head().tokens), shape.heads(),
      shape.heads(Part::query) / shape.heads(),     shape.dim(),
      dump.part(passage, {layer, Part::key}),       dump.part(passage, {layer, Part::value}),
      dump.part(passage, {layer, Part::query})};
  for (std::vector<float>* const part : {&parts.keys, &parts.values}) {
    for (float& value : *part) value = bfloat16_to_float(float_to_bfloat16(value));
  }
  return parts;
}

std::vector<float> coded(const Codec& codec, Rows<const float> rows) {
  std::vector<std::byte> frame(codec.encoded_bound(rows.count));
  std::vector<float> decoded(rows.values());
  const std::size_t bytes = codec.encode(rows, frame);
  codec.decode(std::span<const std::byte>(frame).first(bytes),
               dense_rows(decoded.data(), rows.count, rows.dim));
  return decoded;
}

/// One KV head of a layer: what its query heads gather of the captured keys and values.
class Head {
 public:
  Head() = default;
  Head(const LayerParts& parts, std::size_t kv_head, const AttentionPattern& pattern)
      : parts_(&parts),
        kv_head_(kv_head),
        pattern_(pattern),
        queries_(parts.queries_of(kv_head)),
        original_(attend(parts.head(parts.keys, kv_head), parts.head(parts.values, kv_head))) {}

  /// The sum over its query heads of the relative MSE with decoded keys and values.
  double rel_mse_sum(const Pair& codecs) const {
    const LayerParts& parts = *parts_;
    const std::vector<float> keys = coded(*codecs.keys, parts.head(parts.keys, kv_head_)),
                             values = coded(*codecs.values, parts.head(parts.values, kv_head_));
    const std::vector<float> made = attend(dense_rows(keys.data(), parts.tokens, parts.dim),
                                           dense_rows(values.data(), parts.tokens, parts.dim));
    double sum = 0;
    for (std::size_t g = 0; g < parts.group; ++g) {
      Distortion error;
      error.add(of_query_head(original_, g), of_query_head(made, g));
      sum += error.rel_mse();
    }
    return sum;
  }

 private:
  std::vector<float> attend(Rows<const float> keys, Rows<const float> values) const {
    return attend_causal(queries_, parts_->group, keys, values, pattern_);
  }

  Rows<const float> of_query_head(const std::vector<float>& outputs, std::size_t g) const {
    return {outputs.data() + g * parts_->dim, parts_->tokens, parts_->dim,
            parts_->group * parts_->dim};
  }

  const LayerParts* parts_ = nullptr;
  std::size_t kv_head_ = 0;
  AttentionPattern pattern_;
  std::vector<float> queries_, original_;
};

double mean(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

/// [passage][layer] to a point.
AttentionPoint point_of(std::string spec, const std::vector<std::vector<double>>& errors) {
  AttentionPoint point;
  point.spec = std::move(spec);
  point.layers.resize(errors.front().size());
  for (const std::vector<double>& passage : errors) {
    point.passages.push_back(mean(passage));
    for (std::size_t i = 0; i < passage.size(); ++i)
      point.layers[i] += passage[i] / static_cast<double>(errors.size());
  }
  point.rel_mse = t_interval(point.passages);
  return point;
}

}  // namespace

std::optional<std::string> attention_obstacle(const DumpHead& dump) {
  if (dump.tap == TapPoint::pre_rope) {
    return "its keys and queries are from before RoPE, without which no query meets a key: expected "
           "a dump of kakeya-capture --queries --tap post-rope";
  }
  if (dump.shape.query_heads % dump.shape.kv_heads != 0) {
    return std::to_string(dump.shape.query_heads) + " query heads over " +
           std::to_string(dump.shape.kv_heads) + " KV heads: expected a multiple";
  }
  return std::nullopt;
}

AttentionResult measure_attention(const DumpReader& dump, const std::string& name,
                                  std::span<const std::string> specs, int threads,
                                  const MeasureProgress& progress) {
  const DumpHead& head = dump.head();
  if (!head.queries) {
    throw InputError(name + ": no queries: expected a dump of kakeya-capture --queries");
  }
  AttentionResult result;
  result.name = name;
  result.title = head.origin.model.name;
  result.shape = head.shape;
  result.windows = head.attention.windows;
  result.passages = head.passages;
  result.tokens = head.tokens;
  result.scale_told = head.attention.scale > 0;
  result.scale = result.scale_told ? head.attention.scale
                                   : 1 / std::sqrt(static_cast<double>(head.shape.dim()));
  for (int layer = 0; layer < head.shape.layers; ++layer) {
    if (head.has_layer(layer)) result.layers.push_back(layer);
  }
  if (const auto obstacle = attention_obstacle(head)) {
    result.missing = *obstacle;
    return result;
  }

  const std::vector<Pair> pairs = build_pairs(specs, head.shape.dim());
  const std::size_t kv_heads = head.shape.heads();
  WorkerPool pool(threads);
  std::mutex telling;
  std::size_t done = 0;
  const std::size_t all =
      static_cast<std::size_t>(head.passages) * result.layers.size() * kv_heads * pairs.size();
  // Of each codec, [passage][layer].
  std::vector<std::vector<std::vector<double>>> errors(pairs.size());
  for (int passage = 0; passage < head.passages; ++passage) {
    for (auto& of_codec : errors) of_codec.emplace_back();
    for (const int layer : result.layers) {
      const LayerParts parts = read_parts(dump, passage, layer);
      const AttentionPattern pattern{result.scale,
                                     result.windows.covers(layer)
                                         ? static_cast<std::size_t>(result.windows.tokens)
                                         : std::size_t{0}};
      std::vector<Head> heads(kv_heads);
      pool.run(kv_heads, [&](std::size_t h) { heads[h] = Head(parts, h, pattern); });
      std::vector<double> sums(pairs.size() * kv_heads);
      pool.run(sums.size(), [&](std::size_t task) {
        const Pair& pair = pairs[task / kv_heads];
        try {
          sums[task] = heads[task % kv_heads].rel_mse_sum(pair);
        } catch (const InputError& error) {
          throw InputError(pair.keys->spec() + ": attention of " + name + ", passage " +
                           std::to_string(passage) + ", layer " + std::to_string(layer) + ": " +
                           error.what());
        }
        const std::lock_guard lock(telling);
        if (progress) progress(++done, all, pair.keys->spec());
      });
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto of_codec = std::span(sums).subspan(i * kv_heads, kv_heads);
        errors[i].back().push_back(std::accumulate(of_codec.begin(), of_codec.end(), 0.0) /
                                   static_cast<double>(head.shape.heads(Part::query)));
      }
    }
  }
  for (std::size_t i = 0; i < pairs.size(); ++i)
    result.points.push_back(point_of(pairs[i].keys->spec(), errors[i]));
  return result;
}

void tell_points(const AttentionResult& attention, std::span<SourceResult> results) {
  for (SourceResult& result : results) {
    if (result.facts.name != attention.name + "/k" && result.facts.name != attention.name + "/v")
      continue;
    for (RatePoint& point : result.points) {
      const auto same = std::ranges::find(attention.points, point.spec, &AttentionPoint::spec);
      if (same != attention.points.end()) point.attention_rel_mse = same->rel_mse;
    }
  }
}

}  // namespace kakeya
