// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/audit/null_distribution.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/stats/quantile.h"

namespace kakeya {

double NullDistribution::share_above(Measure measure, double gate) const {
  const std::vector<double>& values = of(measure);
  const auto first = std::upper_bound(values.begin(), values.end(), gate);
  return static_cast<double>(values.end() - first) / static_cast<double>(values.size());
}

double NullDistribution::departure(const MeasureFacts& facts, double value) const {
  return facts.two_sided ? std::fabs(value - quantile(of(facts.measure), 0.5)) : value;
}

double NullDistribution::p_value(const MeasureFacts& facts, double value) const {
  const std::vector<double>& values = of(facts.measure);
  const auto all = static_cast<double>(values.size() + 1);
  const auto at_least = values.end() - std::lower_bound(values.begin(), values.end(), value);
  const double upper = static_cast<double>(1 + at_least) / all;
  if (!facts.two_sided) return upper;
  const auto at_most = std::upper_bound(values.begin(), values.end(), value) - values.begin();
  return std::min(1.0, 2 * std::min(upper, static_cast<double>(1 + at_most) / all));
}

NullDistribution simulate_null(const PartMeter& meter, std::size_t replicates, std::uint64_t seed,
                               WorkerPool& pool, const std::function<void(std::size_t)>& told) {
  if (replicates == 0) throw InputError("null distribution: 0 replicates, expected at least one");
  NullDistribution null;
  null.shape = meter.shape();
  null.seed = seed;
  null.replicates = replicates;
  for (std::vector<double>& values : null.sorted) values.resize(replicates);
  const AuditShape& shape = null.shape;
  std::mutex telling;
  std::size_t done = 0;
  pool.run(replicates, [&](std::size_t replicate) {
    const Random random(seed, replicate);
    std::vector<float> drawn(shape.vectors * shape.heads * shape.dim);
    for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] = static_cast<float>(random.normal(i));
    const PartAudit audit = meter.measure(drawn).value();  // drawn, they vary
    for (std::size_t m = 0; m < kMeasures; ++m) null.sorted[m][replicate] = audit.values[m];
    const std::lock_guard lock(telling);
    ++done;
    if (told) told(done);
  });
  for (std::vector<double>& values : null.sorted) std::sort(values.begin(), values.end());
  return null;
}

}  // namespace kakeya
