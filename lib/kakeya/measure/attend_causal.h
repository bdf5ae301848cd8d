// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kakeya/core/rows.h"

namespace kakeya {

/// How the queries of a layer look at its keys.
struct AttentionPattern {
  double scale = 1;        ///< of q k^T
  std::size_t window = 0;  ///< tokens that a query sees, its own included; 0: all up to its own
};

/// Causal attention softmax(scale q K^T) V of the `group` query heads that share a KV head, over a
/// passage: the query of token t sees the keys and values of tokens 0 to t, of a window its last ones.
///   queries  float32 [tokens, group, dim], dense
///   keys, values  a row of dim scalars a token
/// Returns float32 [tokens, group, dim]. Products are float32 in the order of model/attend_rows.h,
/// the same bits on every processor; exp and the sum of weights are double, by ascending token.
/// Throws InputError where the shapes do not fit.
std::vector<float> attend_causal(std::span<const float> queries, std::size_t group,
                                 Rows<const float> keys, Rows<const float> values,
                                 const AttentionPattern& pattern);

}  // namespace kakeya
