// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/cache_shape.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "kakeya/codec/codec.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr double kLongContext = 131072;  // tokens, of the published storage tables
constexpr std::size_t kMost = 65536;     // layers, heads, dims: beyond any model

/// `number` as a whole number in [least, most]; `row` and `name` are for the message.
std::size_t whole_of(double number, std::size_t least, std::size_t most, const PublishedRow& row,
                     const std::string& name) {
  if (!(number >= static_cast<double>(least) && number <= static_cast<double>(most)) ||
      number != std::floor(number)) {
    throw InputError(fmt::format("{}: {}: {}, expected a whole number in [{}, {}]", to_text(row),
                                 name, number, least, most));
  }
  return static_cast<std::size_t>(number);
}

/// One number a layer; a single one goes for all.
std::vector<std::size_t> by_layer(const PublishedRow& run, const std::string& name,
                                  std::size_t layers) {
  const std::vector<double>& numbers = numbers_of(run, name);
  if (numbers.size() != 1 && numbers.size() != layers) {
    throw InputError(fmt::format("{}: {}: {} numbers, expected 1 or {}, one a layer", to_text(run),
                                 name, numbers.size(), layers));
  }
  std::vector<std::size_t> result;
  for (const double number : numbers) result.push_back(whole_of(number, 1, kMost, run, name));
  if (result.size() == 1) result.resize(layers, result.front());
  return result;
}

}  // namespace

double published_bits(const std::string& codec, std::size_t dim) {
  if (codec == "bf16") return 16.0 * static_cast<double>(dim);
  // Every variant of the ablation counts as the full codec.
  const std::string spec = codec.starts_with("ablation-") ? "d4:q=38" : codec;
  const std::optional<double> bits =
      make_codec(spec, CodecInput{.dim = dim})->account().rates().nominal_bits_per_vector;
  if (!bits) throw InputError(codec + ": no formula of its bits was published");
  return *bits;
}

PublishedCacheShape::PublishedCacheShape(const PublishedRow& run) {
  const std::size_t layers = whole_of(number_of(run, "layers"), 1, kMost, run, "layers");
  head_dim_ = by_layer(run, "head_dim", layers);
  kv_heads_ = by_layer(run, "kv_heads", layers);
  exact_.resize(layers);
  for (const double layer : numbers_of(run, "boundary")) {
    exact_[whole_of(layer, 0, layers - 1, run, "boundary")] = true;
  }
}

double PublishedCacheShape::bytes(const std::string& codec, bool keys, bool values) const {
  double sum = 0;
  for (std::size_t i = 0; i < exact_.size(); ++i) {
    const double plain = 2.0 * static_cast<double>(head_dim_[i]);
    const double coded = exact_[i] ? plain : std::floor(published_bits(codec, head_dim_[i]) / 8);
    sum += static_cast<double>(kv_heads_[i]) * ((keys ? coded : plain) + (values ? coded : plain));
  }
  return kLongContext * sum;
}

}  // namespace kakeya
