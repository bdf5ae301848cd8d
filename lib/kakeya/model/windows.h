// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kakeya {

/// One forward of a long text: tokens [begin, end), of which [first_scored, end) are scored.
struct Window {
  std::size_t begin = 0, end = 0, first_scored = 0;
};

/// Windows that score each of tokens 1 .. count - 1 exactly once. Window i begins at i * stride and
/// has at most `context` tokens; it scores those that no window before it has, each given at least
/// context - stride tokens (except in the first window). The last one ends with the text. Throws
/// InputError when count < 2, SpecError when context < 2 or stride is not in [1, context - 1].
std::vector<Window> sliding_windows(std::size_t count, std::size_t context, std::size_t stride);

/// llama.cpp's perplexity: windows of `context` tokens side by side, a rest that fills none left
/// out. Of each, the tokens after its first context / 2 + 1 are scored. (There, the first token of
/// each window is replaced by the BOS where the model has one; that is left to the caller.) Throws
/// InputError when count < context, SpecError when context < 4.
/// https://github.com/ggml-org/llama.cpp/blob/master/tools/perplexity/perplexity.cpp, perplexity()
std::vector<Window> fixed_windows(std::size_t count, std::size_t context);

}  // namespace kakeya
