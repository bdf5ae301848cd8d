// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/bootstrap.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/stats/quantile.h"

namespace kakeya {
namespace {

void require_confidence(double confidence) {
  if (!(confidence > 0 && confidence < 1)) {
    throw InputError("bootstrap: confidence " + std::to_string(confidence) +
                     ": expected a number between 0 and 1");
  }
}

double mean(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

constexpr std::size_t kKeptDraws = std::size_t{1} << 22;  // numbers, 16 MiB

/// The draws of one size and seed, from number 0 on, as far as they were asked for. A report asks for
/// the same ones hundreds of times, and making them cost a third of it.
struct Draws {
  std::size_t subjects = 0;
  std::uint64_t seed = 0;
  std::vector<std::uint32_t> kept;
};

/// Of those sizes and seeds that this thread asked for last.
Draws& draws_of(std::size_t subjects, std::uint64_t seed) {
  thread_local std::array<Draws, 4> last;
  thread_local std::size_t oldest = 0;
  for (Draws& each : last) {
    if (each.subjects == subjects && each.seed == seed) return each;
  }
  Draws& made = last[oldest];
  oldest = (oldest + 1) % last.size();
  made = {subjects, seed, {}};
  return made;
}

/// Efron's a: a sixth of the skewness of the jackknife, turned round.
double acceleration(std::span<const double> jackknife) {
  const double centre = mean(jackknife);
  double squares = 0, cubes = 0;
  for (const double each : jackknife) {
    const double below = centre - each;
    squares += below * below;
    cubes += below * below * below;
  }
  return squares == 0 ? 0 : cubes / (6 * std::pow(squares, 1.5));
}

}  // namespace

std::vector<std::size_t> resample(std::size_t subjects, std::uint64_t seed, std::uint64_t number) {
  std::vector<std::size_t> drawn(subjects);
  if (subjects == 0) return drawn;
  std::vector<std::uint32_t>& kept = draws_of(subjects, seed).kept;
  const std::uint64_t made = kept.size() / subjects;  // whole draws
  if (number < made) {
    std::copy_n(kept.begin() + static_cast<std::ptrdiff_t>(number * subjects), subjects,
                drawn.begin());
    return drawn;
  }
  const Random random(seed, number);
  for (std::size_t i = 0; i < subjects; ++i) {
    // The top 32 bits as a fraction of the subjects, whole numbers only: never `subjects` itself.
    drawn[i] = ((random.bits(i) >> 32) * subjects) >> 32;
  }
  if (number == made && subjects <= kKeptDraws - kept.size()) {
    for (const std::size_t i : drawn) kept.push_back(static_cast<std::uint32_t>(i));
  }
  return drawn;
}

Range percentile_interval(std::vector<double> statistics, double confidence) {
  if (statistics.empty()) throw InputError("bootstrap: expected at least one statistic");
  require_confidence(confidence);
  for (const double statistic : statistics) {
    if (std::isnan(statistic)) throw InputError("bootstrap: a statistic is not a number");
  }
  std::sort(statistics.begin(), statistics.end());
  const double tail = (1 - confidence) / 2;
  return {quantile(statistics, tail), quantile(statistics, 1 - tail)};
}

Range bca_interval(std::vector<double> replicates, double estimate,
                   std::span<const double> jackknife, double confidence) {
  if (replicates.empty() || jackknife.empty()) {
    throw InputError("bootstrap: expected at least one replicate and one jackknife value");
  }
  require_confidence(confidence);
  const auto finite = [](double number) { return std::isfinite(number); };
  if (!std::all_of(replicates.begin(), replicates.end(), finite) ||
      !std::all_of(jackknife.begin(), jackknife.end(), finite) || !finite(estimate)) {
    throw InputError("bootstrap: a replicate, a jackknife value or the estimate is not finite");
  }
  std::sort(replicates.begin(), replicates.end());
  if (replicates.front() == replicates.back() && replicates.front() == estimate) {
    return {estimate, estimate};
  }
  const auto [first, last] = std::equal_range(replicates.begin(), replicates.end(), estimate);
  const double count = static_cast<double>(replicates.size());
  const double share =
      static_cast<double>((first - replicates.begin()) + (last - replicates.begin())) / (2 * count);
  const boost::math::normal normal;
  const double bias =
      boost::math::quantile(normal, std::clamp(share, 0.5 / count, 1 - 0.5 / count));
  const double a = acceleration(jackknife);
  const auto cut = [&](double tail) {
    const double z = bias + boost::math::quantile(normal, tail), shrink = 1 - a * z;
    if (shrink <= 0) return z > 0 ? replicates.back() : replicates.front();
    return quantile(replicates, boost::math::cdf(normal, bias + z / shrink));
  };
  const double tail = (1 - confidence) / 2;
  return {cut(tail), cut(1 - tail)};
}

Range bca_mean_interval(std::span<const double> samples, std::uint64_t resamples,
                        std::uint64_t seed, double confidence) {
  if (samples.size() < 2) {
    throw InputError("bootstrap: " + std::to_string(samples.size()) +
                     " samples: expected at least 2");
  }
  const double count = static_cast<double>(samples.size()), estimate = mean(samples);
  std::vector<double> jackknife, replicates;
  for (const double each : samples) jackknife.push_back((count * estimate - each) / (count - 1));
  if (std::all_of(samples.begin(), samples.end(), [&](double x) { return x == samples[0]; })) {
    return {samples[0], samples[0]};  // exactly, where the mean may differ in its last bit
  }
  for (std::uint64_t number = 0; number < resamples; ++number) {
    double sum = 0;
    for (const std::size_t i : resample(samples.size(), seed, number)) sum += samples[i];
    replicates.push_back(sum / count);
  }
  return bca_interval(std::move(replicates), estimate, jackknife, confidence);
}

}  // namespace kakeya
