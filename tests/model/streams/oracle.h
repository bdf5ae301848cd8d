// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/model/streams/kv_streams.h"
#include "kakeya/store/arrays.h"

namespace kakeya::testing {

/// A tiny random model and the streams that transformers has of it (scripts/v4_oracle.py).
struct Oracle {
  static constexpr std::size_t kTokens = 2 * 128 + 7;
  std::string folder = KAKEYA_SOURCE_DIR "/tests/model/streams/tiny";
  Array hidden = read_array(folder + "/hidden.npy", 0);

  /// What the attention of `layer` is given.
  Rows<const float> input(int layer) const {
    return hidden.rows().slice(static_cast<std::size_t>(layer) * kTokens, kTokens);
  }
};

/// Root of the squared difference over that of `wanted`, of the first vectors that `wanted` has.
inline double relative_error(const KvStream& stream, const Array& wanted) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < wanted.values.size(); ++i) {
    const double difference = stream.values.at(i) - wanted.values[i];
    error += difference * difference;
    size += static_cast<double>(wanted.values[i]) * wanted.values[i];
  }
  return std::sqrt(error / size);
}

/// The largest difference over the largest value.
inline double largest_error(const KvStream& stream, const Array& wanted) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < wanted.values.size(); ++i) {
    error = std::max(error, std::abs(double{stream.values.at(i)} - wanted.values[i]));
    size = std::max(size, std::abs(double{wanted.values[i]}));
  }
  return error / size;
}

}  // namespace kakeya::testing
