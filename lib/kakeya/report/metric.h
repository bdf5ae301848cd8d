// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kakeya/stats/interval.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// Which way a metric improves.
enum class Better { lower, higher, nearer_zero };

/// How a metric's samples become one number of a codec: of a passage each, or the 99 % quantile of
/// the scored tokens of all passages together.
enum class Summary { mean, maximum, token_p99 };

/// The quantile of which Summary::token_p99 speaks.
inline constexpr double kTail = 0.99;

/// One thing that a sweep measures. The array of metrics() is the only place that knows them:
/// tables, charts and the CSV follow.
struct Metric {
  std::string_view name;     ///< of the CSV and of samples.jsonl
  std::string_view heading;  ///< of markdown tables
  std::string_view unit;     ///< of the stored number: "nats", "fraction"
  Better better;
  Summary summary;
  bool likelihood;     ///< needs a model: absent from distortion-only sweeps
  bool with_interval;  ///< tables show the t interval
  double scale;        ///< from the stored number to the text: 100 for percent
  int digits;          ///< significant digits of the text; negative: that many decimals
  std::optional<double> (*value)(const Sample&);
  std::string_view note = {};  ///< stands above tables that show it, no full stop; may be empty
};

/// In the order of the tables; KL divergence leads.
std::span<const Metric> metrics();

/// Throws SpecError naming the metric.
const Metric& metric(std::string_view name);

/// The metric's text: scaled, with its interval where it has one.
std::string metric_text(const Metric& metric, const Interval& interval);

}  // namespace kakeya
