// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/report/number.h"
#include "kakeya/stats/quantile.h"

namespace kakeya {
namespace {

using Value = std::optional<double>;

constexpr Better kLower = Better::lower, kHigher = Better::higher, kZero = Better::nearer_zero;
constexpr Summary kMean = Summary::mean, kMaximum = Summary::maximum, kTokens = Summary::token_p99;

Value tail(std::vector<double> tokens) {
  if (tokens.empty()) return {};
  std::sort(tokens.begin(), tokens.end());
  return quantile(tokens, kTail);
}

constexpr Metric kMetrics[] = {
    // name, heading, unit, better, summary, likelihood, interval, scale, digits, value, note
    {"kld_mean", "KL divergence, nats", "nats", kLower, kMean, true, true, 1, 3,
     [](const Sample& s) -> Value { return s.kld_mean; }},
    {"kld_p99", "KL p99", "nats", kLower, kTokens, true, false, 1, 3,
     [](const Sample& s) { return tail(s.kld_tokens); }},
    {"kld_max", "KL max", "nats", kLower, kMaximum, true, false, 1, 3,
     [](const Sample& s) -> Value { return s.kld_max; }},
    {"delta_p_max", "|Δp| max, %", "fraction", kLower, kMaximum, true, false, 100, 3,
     [](const Sample& s) -> Value { return s.delta_p_max; },
     "|Δp| max: no word of the vocabulary became likelier or less likely by more"},
    {"delta_ppl", "Δppl, %", "fraction", kZero, kMean, true, true, 100, 3,
     [](const Sample& s) -> Value { return s.delta_ppl; }},
    {"abs_delta_ppl", "|Δppl|, %", "fraction", kLower, kMean, true, true, 100, 3,
     [](const Sample& s) -> Value {
       return s.delta_ppl ? Value(std::fabs(*s.delta_ppl)) : Value();
     }},
    {"top1", "top-1, %", "fraction", kHigher, kMean, true, false, 100, -2,
     [](const Sample& s) -> Value { return s.top1; }},
    {"rel_mse_k", "rel-MSE K", "1", kLower, kMean, false, false, 1, 3,
     [](const Sample& s) -> Value { return s.rel_mse_k; }},
    {"rel_mse_v", "rel-MSE V", "1", kLower, kMean, false, false, 1, 3,
     [](const Sample& s) -> Value { return s.rel_mse_v; }},
    {"cosine_k", "", "1", kHigher, kMean, false, false, 1, 5,
     [](const Sample& s) -> Value { return s.cosine_k; }},
    {"cosine_v", "", "1", kHigher, kMean, false, false, 1, 5,
     [](const Sample& s) -> Value { return s.cosine_v; }},
};

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

const Metric& metric(std::string_view name) {
  std::string names;
  for (const Metric& known : kMetrics) {
    if (known.name == name) return known;
    names.append(names.empty() ? "" : ", ").append(known.name);
  }
  throw SpecError(fmt::format("metric {}: expected one of {}", name, names));
}

std::string metric_text(const Metric& metric, const Interval& interval) {
  Interval scaled = interval;
  scaled.mean *= metric.scale;
  scaled.half_width *= metric.scale;
  scaled.standard_error *= metric.scale;
  if (metric.with_interval) return with_interval(scaled, metric.better == Better::nearer_zero);
  if (metric.digits < 0) return fmt::format("{:.{}f}", scaled.mean, -metric.digits);
  return significant(scaled.mean, metric.digits);
}

}  // namespace kakeya
