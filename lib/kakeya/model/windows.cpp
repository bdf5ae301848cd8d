// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/windows.h"

#include <algorithm>
#include <cmath>

#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"

namespace kakeya {

std::vector<Window> sliding_windows(std::size_t count, std::size_t context, std::size_t stride) {
  if (count < 2) throw InputError(std::to_string(count) + " tokens, expected at least 2");
  if (context < 2) throw SpecError("ctx " + std::to_string(context) + ": expected at least 2");
  if (stride < 1 || stride >= context) {
    throw SpecError("stride " + std::to_string(stride) + ": expected 1 to " +
                    std::to_string(context - 1) + ", below ctx");
  }
  std::vector<Window> windows;
  std::size_t scored_to = 1;
  for (std::size_t begin = 0; scored_to < count; begin += stride) {
    const std::size_t end = std::min(begin + context, count);
    windows.push_back({begin, end, scored_to});
    scored_to = end;
  }
  return windows;
}

namespace {

// Of windows side by side, of which `unscored` tokens come first.
std::vector<Window> side_by_side(std::size_t count, std::size_t context, std::size_t least,
                                 std::size_t unscored) {
  if (context < least) {
    throw SpecError("ctx " + std::to_string(context) + ": expected at least " +
                    std::to_string(least));
  }
  if (count < context) {
    throw InputError(std::to_string(count) + " tokens, expected at least one window of " +
                     std::to_string(context));
  }
  std::vector<Window> windows;
  for (std::size_t begin = 0; begin + context <= count; begin += context) {
    windows.push_back({begin, begin + context, begin + unscored});
  }
  return windows;
}

}  // namespace

std::vector<Window> fixed_windows(std::size_t count, std::size_t context) {
  return side_by_side(count, context, 4, context / 2 + 1);
}

std::vector<Window> whole_windows(std::size_t count, std::size_t context) {
  return side_by_side(count, context, 2, 1);
}

WindowScores score_windows(
    Model& model, std::span<const std::int32_t> tokens, std::span<const Window> windows,
    std::optional<std::int32_t> bos,
    const std::function<void(const Window& next, const WindowScores& so_far)>& progress) {
  WindowScores scores;
  scores.nll.assign(tokens.size() - 1, std::nan(""));
  for (const Window& window : windows) {
    if (progress) progress(window, scores);
    const auto seen = tokens.subspan(window.begin, window.end - window.begin);
    std::vector<std::int32_t> given(seen.begin(), seen.end());
    if (bos) given.front() = *bos;
    const auto start = Clock::now();
    const std::vector<double> nll = model.nll(given, window.first_scored - window.begin, nullptr);
    scores.seconds += seconds_since(start);
    scores.forwarded += given.size();
    scores.scored += nll.size();
    for (std::size_t i = 0; i < nll.size(); ++i) {
      const std::size_t token = window.first_scored + i;
      if (!std::isfinite(nll[i])) {
        throw Error("token " + std::to_string(token) + ": the likelihood is not finite");
      }
      scores.nll[token - 1] = nll[i];
      scores.sum += nll[i];
    }
  }
  return scores;
}

}  // namespace kakeya
