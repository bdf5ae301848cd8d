// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace at {
class Tensor;
}
namespace c10 {
struct TensorOptions;
}

namespace kakeya {

/// Cosines and sines of the rotary angles of positions 0 .. tokens - 1, [2, tokens, 1, pairs]
/// float32 on the host; `frequencies`: radians a token, one a pair.
at::Tensor rotary_table(std::span<const double> frequencies, std::int64_t tokens);

/// What is added to the scores of `block` queries in a row over the keys from the first query's on,
/// [block, block]: -inf for later keys, zero elsewhere.
at::Tensor causal_mask(std::int64_t block, const c10::TensorOptions& options);

/// The same where a query sees the last `window` keys only, its own included, over the keys from
/// `window - 1` before the first query's on: [block, window - 1 + block].
at::Tensor window_mask(std::int64_t block, std::int64_t window, const c10::TensorOptions& options);

/// The same of any queries and keys in a row, `size` of each, [queries, keys]: the first query stands
/// `ahead` tokens behind the first key, and sees the last `window` keys, its own included; 0: all.
at::Tensor hidden_keys(std::int64_t ahead, std::array<std::int64_t, 2> size, std::int64_t window,
                       const c10::TensorOptions& options);

/// How many of `tokens` a forward works on at once: `asked` of them, where that is not 0. The
/// length alone decides, never the threads.
std::int64_t rows_at_once(std::int64_t tokens, std::int64_t asked, bool cpu);

}  // namespace kakeya
