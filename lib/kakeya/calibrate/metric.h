// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace kakeya {

// What attention sees of an error e of a key or value, to second order: e^T M e, M [dim, dim],
// row-major, symmetric.

/// Which coordinates RoPE turns together as pair i.
enum class RopePairs {
  halves,     ///< i and i + dim / 2: ModelFacts::rope_layout "rotate-half"
  neighbours  ///< 2 i and 2 i + 1: "interleaved"
};

/// The pairs of a layout. Throws InputError of another than those two.
RopePairs rope_pairs_of(std::string_view layout);

/// The metric of keys stored before RoPE: the mean over relative positions d = 0 .. farthest of
/// R(d) Q R(d)^T, `queries` Q the mean of q q^T before RoPE, R(d) the rotation of pair i by d
/// frequencies[i] radians. A key at distance d is seen by a query turned by as much.
std::vector<double> rotated_metric(std::span<const double> queries,
                                   std::span<const double> frequencies, double farthest,
                                   RopePairs pairs = RopePairs::halves);

/// The metric of the values of one KV head: the sum of W_h^T W_h over its query heads h in [first,
/// first + count), W_h the columns [h dim, (h + 1) dim) of the output matrix `output` ([hidden,
/// columns], row-major).
std::vector<double> value_metric(std::span<const float> output, std::size_t columns,
                                 std::size_t dim, std::size_t first, std::size_t count);

}  // namespace kakeya
