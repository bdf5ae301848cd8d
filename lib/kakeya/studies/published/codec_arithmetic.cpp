// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/codec_arithmetic.h"

#include <cmath>

#include "kakeya/codec/codec.h"
#include "kakeya/lattice/lattice.h"
#include "kakeya/studies/published/equal_nominal.h"

namespace kakeya {
namespace {

constexpr int kD4[] = {2, 4, 5, 6, 10, 15, 19, 22, 38, 76, 152};
constexpr int kE8[] = {1, 2, 3, 4, 6, 8, 10, 14, 19, 24, 38, 44, 50, 56, 62, 68, 76, 152};

}  // namespace

std::vector<OperatingCost> operating_costs() {
  std::vector<OperatingCost> costs;
  const auto add = [&](const std::string& family, int block, int q) {
    constexpr double kScaleBits = 32;
    OperatingCost cost{family + ":q=" + std::to_string(q), block};
    const auto rates = [&](const std::string& more) {
      return make_codec(cost.spec + more, CodecInput{.dim = 128})->account().rates();
    };
    const double blocks = 128.0 / block;
    cost.codebook_block_bits = (*rates("").codebook_bits_per_vector - kScaleBits) / blocks;
    cost.nominal_block_bits = (*rates("").nominal_bits_per_vector - kScaleBits) / blocks;
    cost.written_block_bits =
        (*rates(",rule=published").codebook_bits_per_vector - kScaleBits) / blocks;
    cost.free_q = largest_q(family, nominal_bits_of(cost.spec, 128), 128);
    costs.push_back(cost);
  };
  for (int q : kD4) add("d4", 4, q);
  for (int q : kE8) add("e8", 8, q);
  return costs;
}

double predicted_mse_ratio(int q, int bits) {
  const double range = std::pow(2.0, bits - 1) - 1;
  return range * range / (q * q) * cell_second_moment(Lattice::d4) / cell_second_moment(Lattice::z);
}

}  // namespace kakeya
