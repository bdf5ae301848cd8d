// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace kakeya {

// What attention sees of an error e of a key or value, to second order: e^T M e, M [dim, dim],
// row-major, symmetric.

/// The two coordinates that RoPE turns together as pair i. Every coordinate is in one pair.
using RopePairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// The pairs of heads of `dim`, which is even, by ModelFacts::rope_layout: "rotate-half": i and i + dim / 2;
/// "interleaved": 2 i and 2 i + 1; "rotate-half of W": i and i + W / 2, and behind the first W coordinates
/// neighbours, which RoPE leaves. Throws InputError of another layout.
RopePairs rope_pairs_of(std::string_view layout, std::size_t dim);

/// The metric of keys stored before RoPE: the mean over relative positions d = 0 .. farthest of
/// R(d) Q R(d)^T, `queries` Q the mean of q q^T before RoPE, R(d) the rotation of pair i by d
/// frequencies[i] radians. A key at distance d is seen by a query turned by as much.
std::vector<double> rotated_metric(std::span<const double> queries,
                                   std::span<const double> frequencies, double farthest,
                                   const RopePairs& pairs);

/// The metric of the values of one KV head: the sum of W_h^T W_h over its query heads h in [first,
/// first + count), W_h the columns [h dim, (h + 1) dim) of the output matrix `output` ([hidden,
/// columns], row-major).
std::vector<double> value_metric(std::span<const float> output, std::size_t columns,
                                 std::size_t dim, std::size_t first, std::size_t count);

}  // namespace kakeya
