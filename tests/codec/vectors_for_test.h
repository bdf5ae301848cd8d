// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/core/random.h"

namespace kakeya::test {

/// Specs that between them reach every codec, rule, scale and index width.
inline const std::vector<std::string> kSpecs = {"identity",
                                                "e8:q=10",
                                                "e8:q=38",
                                                "e8:q=1023",
                                                "e8:q=10,rule=published",
                                                "e8:q=4,rule=published",
                                                "d4:q=38",
                                                "d4:q=1",
                                                "d4:q=4,rule=published",
                                                "d4:q=1023,rule=published",
                                                "tq:b=2",
                                                "tq:b=4",
                                                "tq:b=8",
                                                "fp8",
                                                "fp8:scale=fp16",
                                                "fp8:block=8",
                                                "fp8:block=32,scale=e8m0"};

inline std::vector<float> normals(std::size_t values, std::uint64_t seed, double sigma = 1.0) {
  const Random random(seed);
  std::vector<float> x(values);
  for (std::size_t i = 0; i < values; ++i) x[i] = static_cast<float>(sigma * random.normal(i));
  return x;
}

inline std::vector<std::byte> encode(const Codec& codec, Rows<const float> x) {
  std::vector<std::byte> frame(codec.encoded_bound(x.count));
  frame.resize(codec.encode(x, frame));
  return frame;
}

inline std::vector<float> decode(const Codec& codec, std::span<const std::byte> frame,
                                 std::size_t count) {
  std::vector<float> y(count * codec.dim());
  codec.decode(frame, dense_rows(y.data(), count, codec.dim()));
  return y;
}

inline std::vector<float> roundtrip(const Codec& codec, const std::vector<float>& x) {
  const std::size_t count = x.size() / codec.dim();
  return decode(codec, encode(codec, dense_rows(x.data(), count, codec.dim())), count);
}

inline double rel_mse(std::span<const float> x, std::span<const float> y) {
  double error = 0.0, energy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error += (double{x[i]} - y[i]) * (double{x[i]} - y[i]);
    energy += double{x[i]} * x[i];
  }
  return energy == 0.0 ? error : error / energy;
}

}  // namespace kakeya::test
