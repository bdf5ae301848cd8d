// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace kakeya {

/// Philox4x32-10: 128 random bits as a function of a counter and a key, so that any number of a
/// sequence can be had on its own, in any order, on any thread. Salmon et al., "Parallel random
/// numbers: as easy as 1, 2, 3", SC 2011.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

/// A double in the open interval (0, 1) from 64 random bits: (k + 1/2) 2^-53, k their upper 53,
/// rounded to a double: from 1/2 on to an even multiple of 2^-53. Only the largest k, which would
/// round to 1, gives 1 - 2^-53.
double open_unit(std::uint64_t bits);

/// The numbers of one seed. `stream` tells independent uses of a seed apart.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  /// 64 random bits; `index` counts from 0.
  std::uint64_t bits(std::uint64_t index) const;

  /// Uniform in the open interval (0, 1): open_unit() of bits(index), so neither end occurs.
  double uniform(std::uint64_t index) const;

  /// Standard normal by the Box-Muller transform of bits(index). The last bits depend on the C
  /// library's log and cos.
  double normal(std::uint64_t index) const;

 private:
  std::array<std::uint32_t, 4> block(std::uint64_t index) const;
  std::uint64_t seed_, stream_;
};

}  // namespace kakeya
