// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/thresholds.h"

#include <algorithm>
#include <numeric>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

void require_same(std::span<const double> losses, std::span<const double> reference) {
  if (losses.size() == reference.size() && !losses.empty()) return;
  throw InputError("thresholds: " + std::to_string(losses.size()) + " passages, expected the " +
                   std::to_string(reference.size()) + " of the reference, and at least one");
}

double mean_of(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

/// Places of the settings from few bits to many.
std::vector<std::size_t> by_bits(const LossStream& stream) {
  std::vector<std::size_t> places(stream.settings.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return stream.settings[a].bits < stream.settings[b].bits;
  });
  return places;
}

/// Of the settings chosen in each stream.
void weigh(std::span<const LossStream> streams, JointThreshold& joint) {
  double weights = 0;
  joint.bits = joint.reference_bits = 0;
  bool paired = true;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const LossStream& stream = streams[i];
    weights += stream.weight;
    joint.bits += stream.weight * stream.settings[joint.settings[i]].bits;
    joint.reference_bits += stream.weight * stream.reference_bits;
    paired = paired && stream.reference.size() == streams.front().reference.size() &&
             std::all_of(stream.reference.begin(), stream.reference.end(),
                         [](double loss) { return loss > 0; });
  }
  joint.bits /= weights;
  joint.reference_bits /= weights;
  if (!paired) return;
  std::vector<double> ratios(streams.front().reference.size(), 0.0);
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const LossStream& stream = streams[i];
    const std::vector<double>& losses = stream.settings[joint.settings[i]].losses;
    for (std::size_t p = 0; p < ratios.size(); ++p) {
      ratios[p] += stream.weight / weights * losses[p] / stream.reference[p];
    }
  }
  joint.ratio = t_interval(ratios);
}

void require_streams(std::span<const LossStream> streams) {
  if (streams.empty()) throw InputError("thresholds: no stream, expected at least one");
  for (const LossStream& stream : streams) {
    if (!(stream.weight > 0)) {
      throw InputError("thresholds: " + stream.name + ": weight " + std::to_string(stream.weight) +
                       ", expected above 0");
    }
  }
}

}  // namespace

const char* rule_name(WithinRule rule) { return rule == WithinRule::point ? "point" : "safe"; }

Interval excess_over(std::span<const double> losses, std::span<const double> reference,
                     double factor, double confidence) {
  require_same(losses, reference);
  std::vector<double> excess;
  for (std::size_t i = 0; i < losses.size(); ++i)
    excess.push_back(losses[i] - factor * reference[i]);
  return t_interval(excess, confidence);
}

bool is_within(std::span<const double> losses, std::span<const double> reference, double factor,
               WithinRule rule, double confidence) {
  const Interval excess = excess_over(losses, reference, factor, confidence);
  return (rule == WithinRule::point ? excess.mean : excess.high()) <= 0;
}

LossRatio loss_ratio(std::span<const double> losses, std::span<const double> reference,
                     double confidence) {
  require_same(losses, reference);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (!(reference[i] > 0)) {
      throw InputError("thresholds: the reference loses nothing on passage " + std::to_string(i) +
                       ": expected a lossy codec");
    }
    ratios.push_back(losses[i] / reference[i]);
  }
  return {mean_of(losses) / mean_of(reference), t_interval(ratios, confidence)};
}

Threshold find_threshold(const LossStream& stream, double factor, WithinRule rule) {
  Threshold threshold;
  for (const std::size_t place : by_bits(stream)) {
    const bool within = is_within(stream.settings[place].losses, stream.reference, factor, rule);
    if (within && !threshold.setting) threshold.setting = place;
    if (!within && threshold.setting) threshold.fails_above.push_back(place);
  }
  return threshold;
}

JointThreshold one_setting_for_all(std::span<const LossStream> streams, double factor,
                                   WithinRule rule) {
  require_streams(streams);
  JointThreshold best;
  for (std::size_t first = 0; first < streams.front().settings.size(); ++first) {
    const std::string& name = streams.front().settings[first].name;
    JointThreshold candidate;
    for (const LossStream& stream : streams) {
      const auto at = std::find_if(stream.settings.begin(), stream.settings.end(),
                                   [&](const LossSetting& each) { return each.name == name; });
      if (at == stream.settings.end()) break;
      if (!is_within(at->losses, stream.reference, factor, rule)) break;
      candidate.settings.push_back(static_cast<std::size_t>(at - stream.settings.begin()));
    }
    if (candidate.settings.size() != streams.size()) continue;
    candidate.found = true;
    weigh(streams, candidate);
    if (!best.found || candidate.bits < best.bits) best = candidate;
  }
  return best;
}

JointThreshold a_setting_a_stream(std::span<const LossStream> streams, double factor,
                                  WithinRule rule) {
  require_streams(streams);
  JointThreshold joint;
  for (const LossStream& stream : streams) {
    const Threshold threshold = find_threshold(stream, factor, rule);
    if (!threshold.setting) return {};
    joint.settings.push_back(*threshold.setting);
  }
  joint.found = true;
  weigh(streams, joint);
  return joint;
}

}  // namespace kakeya
