// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/by_position.h"

#include <bit>

namespace kakeya {

std::vector<PositionSample> by_position(const Sample& sample, std::size_t first) {
  std::vector<PositionSample> octaves;
  for (std::size_t i = 0; i < sample.nll_tokens.size(); ++i) {
    if (octaves.empty() || first + i == end_of_octave(octaves.back().first))
      octaves.push_back({first + i});
    PositionSample& sums = octaves.back();
    ++sums.tokens;
    sums.nll_reference += sample.nll_reference_tokens[i];
    sums.nll += sample.nll_tokens[i];
    sums.kld += sample.kld_tokens[i];
    sums.top1 += sample.top1_tokens[i];
  }
  for (PositionSample& octave : octaves) {
    for (double PositionSample::*sum : {&PositionSample::nll_reference, &PositionSample::nll,
                                        &PositionSample::kld, &PositionSample::top1}) {
      octave.*sum /= static_cast<double>(octave.tokens);
    }
  }
  return octaves;
}

std::uint64_t end_of_octave(std::uint64_t position) {
  constexpr std::uint64_t kFirstOctaveEnds = 64;
  return position < kFirstOctaveEnds ? kFirstOctaveEnds : 2 * std::bit_floor(position);
}

}  // namespace kakeya
