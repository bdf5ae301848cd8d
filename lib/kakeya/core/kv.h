// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace kakeya {

enum class Part { key, value, query };

/// Keys are stored before the rotary embedding (after QK-norm, where a model has it) or after it.
enum class TapPoint { pre_rope, post_rope };

struct KvSite {
  int layer = 0;
  Part part = Part::key;
};

/// The K, V or Q of one layer for a run of tokens, float32 on the host, dense [tokens, heads, dim].
/// A tap may overwrite K and V; the model then goes on with what was written. `first_token` is the
/// position of the first row in the sequence.
struct KvView {
  float* data = nullptr;
  std::size_t tokens = 0;
  std::size_t heads = 0;
  std::size_t dim = 0;
  std::size_t first_token = 0;
  /// K and V for a tap with an exact window: a second copy of `data`, shaped as it is, which the
  /// tap may overwrite too. Null without such a window, and for Q.
  float* exact = nullptr;
};

}  // namespace kakeya
