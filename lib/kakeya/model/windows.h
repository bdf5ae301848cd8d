// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/model/model.h"

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

/// The same windows, of each all tokens but the first scored. Throws as fixed_windows(), SpecError when
/// context < 2.
std::vector<Window> whole_windows(std::size_t count, std::size_t context);

/// How likely a model finds the scored tokens of some windows.
struct WindowScores {
  std::vector<double> nll;                ///< nats, of token i + 1; NaN where it was not scored
  std::size_t scored = 0, forwarded = 0;  ///< tokens
  double sum = 0;                         ///< of nll
  double seconds = 0;                     ///< of the forwards

  double mean() const { return sum / static_cast<double>(scored); }
};

/// A forward a window. `bos`, where there is one, stands in place of the first token of each.
/// `progress`, if set, is called before each window. Throws Error on a likelihood that is not
/// finite, naming the token.
WindowScores score_windows(
    Model& model, std::span<const std::int32_t> tokens, std::span<const Window> windows,
    std::optional<std::int32_t> bos = {},
    const std::function<void(const Window& next, const WindowScores& so_far)>& progress = {});

}  // namespace kakeya
