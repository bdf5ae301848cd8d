// SPDX-License-Identifier: Apache-2.0
#include "kakeya/generate/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {

void Sampling::check() const {
  if (!(temperature >= 0) || !std::isfinite(temperature)) {
    throw SpecError("temperature " + std::to_string(temperature) + ": expected 0 (greedy) or more");
  }
  if (!(top_p > 0) || top_p > 1) {
    throw SpecError("top-p " + std::to_string(top_p) + ": expected above 0 and at most 1");
  }
}

Sampler::Sampler(const Sampling& sampling) : sampling_(sampling), random_(sampling.seed) {
  sampling.check();
}

std::int32_t likeliest(std::span<const float> logits) {
  std::size_t best = logits.size();
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (std::isnan(logits[i]) || logits[i] == std::numeric_limits<float>::infinity()) {
      throw InputError("logit " + std::to_string(i) + " is " + std::to_string(logits[i]) +
                       ", expected finite ones, or -infinity for what must not come");
    }
    if (std::isfinite(logits[i]) && (best == logits.size() || logits[i] > logits[best])) best = i;
  }
  if (best == logits.size()) {
    throw InputError(std::to_string(logits.size()) + " logits, expected at least one finite one");
  }
  return static_cast<std::int32_t>(best);
}

std::int32_t Sampler::pick(std::span<const float> logits, std::size_t position) {
  const std::int32_t best = likeliest(logits);
  if (sampling_.temperature == 0 || sampling_.top_k == 1) return best;
  order_.resize(logits.size());
  std::iota(order_.begin(), order_.end(), 0);
  const auto likelier = [&](std::int32_t a, std::int32_t b) {
    const float la = logits[static_cast<std::size_t>(a)], lb = logits[static_cast<std::size_t>(b)];
    return la != lb ? la > lb : a < b;
  };
  if (sampling_.top_k != 0 && sampling_.top_k < order_.size()) {
    const auto end = order_.begin() + static_cast<std::ptrdiff_t>(sampling_.top_k);
    std::nth_element(order_.begin(), end, order_.end(), likelier);
    order_.erase(end, order_.end());
  }
  std::sort(order_.begin(), order_.end(), likelier);
  const double most = logits[static_cast<std::size_t>(best)];
  double all = 0;
  weights_.clear();
  for (const std::int32_t id : order_) {
    const double logit = logits[static_cast<std::size_t>(id)];
    weights_.push_back(std::exp((logit - most) / sampling_.temperature));
    all += weights_.back();
  }
  double kept = 0;
  std::size_t count = 0;
  while (count < weights_.size() && (count == 0 || kept < sampling_.top_p * all)) {
    kept += weights_[count++];
  }
  const double drawn = random_.uniform(position) * kept;
  double before = 0;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    before += weights_[i];
    if (drawn < before) return order_[i];
  }
  return order_[count - 1];
}

}  // namespace kakeya
