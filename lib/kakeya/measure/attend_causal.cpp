// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/attend_causal.h"

#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/model/attend_rows.h"

namespace kakeya {
namespace {

// Rows as attend_rows.h wants them: `stride` apart, zeros from dim on, and sixteen rows of zeros behind,
// which products of sixteen keys may read.
std::vector<float> padded(Rows<const float> rows, std::size_t stride) {
  std::vector<float> made((rows.count + kAttendLanes) * stride);
  for (std::size_t row = 0; row < rows.count; ++row)
    std::ranges::copy(rows[row], made.begin() + static_cast<std::ptrdiff_t>(row * stride));
  return made;
}

// Scores become weights exp(scale (score - largest)); returns their sum.
double weigh(std::span<float> scores, double scale) {
  const double largest = *std::ranges::max_element(scores);
  double sum = 0;
  for (float& score : scores) {
    score = static_cast<float>(std::exp(scale * (static_cast<double>(score) - largest)));
    sum += score;
  }
  return sum;
}

}  // namespace

std::vector<float> attend_causal(std::span<const float> queries, std::size_t group,
                                 Rows<const float> keys, Rows<const float> values,
                                 const AttentionPattern& pattern) {
  const std::size_t tokens = keys.count, dim = keys.dim;
  if (values.count != tokens || values.dim != dim || group == 0 ||
      queries.size() != tokens * group * dim) {
    throw InputError("attention: " + std::to_string(queries.size()) + " scalars of queries and " +
                     std::to_string(values.count) + " values of " + std::to_string(values.dim) +
                     ", expected " + std::to_string(tokens) + " tokens of " +
                     std::to_string(group) + " query heads and of values, of " +
                     std::to_string(dim) + " scalars each");
  }
  const std::size_t stride = attend_stride(dim), room = attend_stride(tokens);
  const std::vector<float> k = padded(keys, stride), v = padded(values, stride),
                           q = padded(dense_rows(queries.data(), tokens * group, dim), stride);
  std::vector<float> scores(group * room), sums(group * stride), begun(sums.size()),
      made(queries.size());
  for (std::size_t t = 0; t < tokens; ++t) {
    const std::size_t first =
        pattern.window == 0 || t < pattern.window ? 0 : t + 1 - pattern.window;
    const std::size_t seen = t + 1 - first;
    score_rows(q.data() + t * group * stride, group, k.data() + first * stride, seen, stride,
               scores.data(), room);
    std::ranges::fill(sums, 0.0F);
    std::vector<double> totals(group);
    for (std::size_t g = 0; g < group; ++g)
      totals[g] = weigh(std::span(scores).subspan(g * room, seen), pattern.scale);
    weigh_rows(scores.data(), room, group, v.data() + first * stride, 0, seen, stride, sums.data(),
               begun.data());
    add_begun(seen, group, stride, sums.data(), begun.data());
    for (std::size_t g = 0; g < group; ++g) {
      for (std::size_t i = 0; i < dim; ++i) {
        made[(t * group + g) * dim + i] =
            static_cast<float>(static_cast<double>(sums[g * stride + i]) / totals[g]);
      }
    }
  }
  return made;
}

}  // namespace kakeya
