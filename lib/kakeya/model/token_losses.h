// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

// All that predictions tell is defined in this file: what is taken over the vocabulary, for a host and
// for a GPU at once, and what a sample keeps of it.

/// What two passes make of the same tokens, one entry a token.
struct TokenLosses {
  std::vector<double> nll_reference, nll;  ///< -log p(token), nats
  std::vector<double> kld;                 ///< KL(reference || coded) over the vocabulary, nats
  std::vector<double> delta_p;             ///< largest |q - p| over the vocabulary, a fraction
  std::vector<std::uint8_t> top1;          ///< 1 where the most likely token is the same
};

/// Words of the vocabulary as the reference (p) and the coded pass (q) predict them. T is double, of
/// one word, or at::Tensor, of as many as there are: whoever has the predictions says which.
template <typename T>
struct WordPair {
  T p, q;          ///< probabilities
  T log_p, log_q;  ///< nats
};

/// What a loss takes of the terms of a token's vocabulary. Each way says it twice: of(words, target, term)
/// for a host, where term(i) is that of word i of `words`, and of_rows(all, target, term) for at::Tensor, whose
/// terms are [tokens, words] of `all` and [tokens, 1] of the tokens that came. A further one is a struct
/// beside these.
struct SumOverWords {
  /// term(0) + ... + term(words - 1), in order.
  template <typename Term>
  static double of(std::size_t words, std::size_t /*target*/, const Term& term) {
    double sum = 0;
    for (std::size_t word = 0; word < words; ++word) sum += term(word);
    return sum;
  }
  template <typename Words, typename Term>
  static auto of_rows(const Words& all, const Words& /*target*/, const Term& term) {
    return term(all).sum(1);
  }
};

/// The largest term of all, none of which is negative.
struct LargestWord {
  template <typename Term>
  static double of(std::size_t words, std::size_t /*target*/, const Term& term) {
    std::array<double, 8> largest{};  // of every eighth word: none waits for the one before it
    std::size_t word = 0;
    for (; word + largest.size() <= words; word += largest.size()) {
      for (std::size_t lane = 0; lane < largest.size(); ++lane)
        largest[lane] = std::max(largest[lane], term(word + lane));
    }
    for (; word < words; ++word) largest[0] = std::max(largest[0], term(word));
    return *std::max_element(largest.begin(), largest.end());
  }
  template <typename Words, typename Term>
  static auto of_rows(const Words& all, const Words& /*target*/, const Term& term) {
    return term(all).amax(1);
  }
};

/// The term of the token that came.
struct TargetWord {
  template <typename Term>
  static double of(std::size_t /*words*/, std::size_t target, const Term& term) {
    return term(target);
  }
  template <typename Words, typename Term>
  static auto of_rows(const Words& /*all*/, const Words& target, const Term& term) {
    return term(target);
  }
};

inline double where(bool which, double yes, double no) { return which ? yes : no; }

/// p (e^u - 1 - u) for q = p e^u: the term of one word in KL(p || q), u = log q - log p; the added sum of
/// q - p is 0, and no term is negative. Where u is small the difference would cancel, so its series is
/// summed (relative error below u^5 / 2520); elsewhere q - p - p u loses at most 5 digits of 16, and
/// cannot overflow as e^u could.
template <typename T>
T divergence_term(const WordPair<T>& word) {
  using std::abs;
  const T& p = word.p;
  const T u = word.log_q - word.log_p;
  const T series =
      p * u * u * (0.5 + u * (1.0 / 6 + u * (1.0 / 24 + u * (1.0 / 120 + u * (1.0 / 720)))));
  return where(abs(u) < 0.01, series, word.q - p - p * u);
}

/// Calls visit(values, over, term) for every loss but top1: what `over` takes of term(pair) is an entry
/// of `values`.
template <typename Losses, typename Visit>
void for_each_loss(Losses& losses, const Visit& visit) {
  // 0 - x: that of a certain word is 0, not -0.
  visit(losses.nll_reference, TargetWord{}, [](const auto& word) { return 0.0 - word.log_p; });
  visit(losses.nll, TargetWord{}, [](const auto& word) { return 0.0 - word.log_q; });
  visit(losses.kld, SumOverWords{}, [](const auto& word) { return divergence_term(word); });
  visit(losses.delta_p, LargestWord{}, [](const auto& word) {
    using std::abs;
    return abs(word.q - word.p);
  });
}

/// The arithmetic mean, summed in order. Throws InputError on no values.
inline double mean_of(std::span<const double> values) {
  if (values.empty()) throw InputError("mean: no values");
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// (perplexity - reference) / reference = exp(nll - nll_reference) - 1, a signed fraction;
/// arguments are means in nats.
inline double relative_perplexity_change(double nll, double nll_reference) {
  return std::expm1(nll - nll_reference);
}

/// A sample with all that predictions tell, of at least one token, and nothing else.
inline Sample sample_of(TokenLosses losses) {
  Sample sample;
  sample.nll_reference = mean_of(losses.nll_reference);
  sample.nll = mean_of(losses.nll);
  sample.delta_ppl = relative_perplexity_change(*sample.nll, *sample.nll_reference);
  sample.kld_mean = mean_of(losses.kld);
  sample.kld_max = *std::max_element(losses.kld.begin(), losses.kld.end());
  sample.delta_p_max = *std::max_element(losses.delta_p.begin(), losses.delta_p.end());
  const auto stayed = std::count(losses.top1.begin(), losses.top1.end(), 1);
  sample.top1 = static_cast<double>(stayed) / static_cast<double>(losses.top1.size());
  sample.nll_reference_tokens = std::move(losses.nll_reference);
  sample.nll_tokens = std::move(losses.nll);
  sample.kld_tokens = std::move(losses.kld);
  sample.top1_tokens = std::move(losses.top1);
  return sample;
}

}  // namespace kakeya
