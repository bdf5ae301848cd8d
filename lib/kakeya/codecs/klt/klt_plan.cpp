// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/klt_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/entropy/class_rate.h"

namespace kakeya {
namespace {

constexpr int kClasses = kShapes * kDeviations;
constexpr int kUnitPlace = 24;  // of deviation 1 step among the 64 of klt_model()

// The models of one lattice and what their classes cost, both made when they are asked for.
class Tables {
 public:
  explicit Tables(Lattice lattice)
      : lattice_(lattice), model_(std::make_shared<PointModel>(lattice, classes())) {}

  std::shared_ptr<const PointModel> model() const { return model_; }

  double rate(int which) {
    const auto index = static_cast<std::size_t>(which);
    std::call_once(once_[index],
                   [&] { rates_[index] = class_rate(lattice_, model_->models(index)); });
    return rates_[index];
  }

 private:
  static std::vector<CoordinateShape> classes() {
    constexpr std::array<CoordinateShape, kShapes> kForms = kCoordinateShapes;
    std::vector<CoordinateShape> classes;
    for (CoordinateShape shape : kForms) {
      for (int k = 0; k < kDeviations; ++k) {
        shape.deviation = quarter_octaves(k - kUnitPlace);
        classes.push_back(shape);
      }
    }
    return classes;
  }

  Lattice lattice_;
  std::shared_ptr<const PointModel> model_;
  std::array<std::once_flag, kClasses> once_;
  std::array<double, kClasses> rates_{};
};

Tables& tables(Lattice lattice) {
  static Tables all[] = {Tables(Lattice::z), Tables(Lattice::d4), Tables(Lattice::e8),
                         Tables(Lattice::trellis)};
  return all[static_cast<std::size_t>(lattice)];
}

// How many coordinates of each class a part has.
using Counts = std::array<int, kClasses>;

std::vector<Counts> count_classes(const Profile& profile, TransformVariant variant) {
  std::vector<Counts> counts(profile.parts.size());
  for (std::size_t part = 0; part < counts.size(); ++part) {
    counts[part].fill(0);
    for (int head = 0; head < profile.shape.kv_heads; ++head) {
      const KvSite site{static_cast<int>(part / 2), part % 2 == 0 ? Part::key : Part::value, head};
      for (const std::uint8_t which : profile.transform(site, variant).classes) {
        ++counts[part][which];
      }
    }
  }
  return counts;
}

// The rate between two classes: on the line between theirs.
double rate_at(Tables& rates, int profile_class, double octaves) {
  const int shape = profile_class / kDeviations * kDeviations;
  double place = profile_class % kDeviations - kProfileUnitPlace + kUnitPlace + 4 * octaves;
  place = std::clamp(place, 0.0, kDeviations - 1.0);
  const int low = std::min(static_cast<int>(place), kDeviations - 2);
  return std::lerp(rates.rate(shape + low), rates.rate(shape + low + 1), place - low);
}

// The sum over the coordinates of a part.
double bits_of(const Counts& counts, const KltChoice& choice, double octaves) {
  double bits = 0;
  for (int which = 0; which < kClasses; ++which) {
    const int count = counts[static_cast<std::size_t>(which)];
    if (count != 0) bits += count * rate_at(tables(choice.lattice), which, octaves);
  }
  return bits;
}

double rate_of(const std::vector<Counts>& counts, const KltChoice& choice,
               const std::vector<double>& octaves) {
  double bits = 0, coordinates = 0;
  for (std::size_t part = 0; part < counts.size(); ++part) {
    bits += bits_of(counts[part], choice, octaves[part]);
    coordinates += std::accumulate(counts[part].begin(), counts[part].end(), 0);
  }
  return bits / coordinates;
}

// The argument at which a rising function is `bits`. Throws InputError.
template <typename Rate>
double solve(const Profile& profile, double bits, const Rate& rate) {
  double low = -4, high = 16;
  if (rate(low) > bits || rate(high) < bits) {
    throw InputError("klt: the profile of " + profile.origin.model.name + " has no step for " +
                     std::to_string(bits) + " bits a value");
  }
  for (int round = 0; round < 40; ++round) {
    const double middle = (low + high) / 2;
    (rate(middle) < bits ? low : high) = middle;
  }
  return high;
}

}  // namespace

Lattice klt_lattice(std::size_t index) {
  constexpr Lattice kLattices[] = {Lattice::e8, Lattice::z, Lattice::trellis};
  static_assert(std::size(kLattices) == std::size(kKltLattices));
  return kLattices[index];
}

std::shared_ptr<const PointModel> klt_model(Lattice lattice) { return tables(lattice).model(); }

std::uint8_t klt_class(std::uint8_t profile_class, int quarters) {
  const int place = profile_class % kDeviations - kProfileUnitPlace + kUnitPlace + quarters;
  return static_cast<std::uint8_t>(profile_class / kDeviations * kDeviations +
                                   std::clamp(place, 0, kDeviations - 1));
}

float step_of_fineness(int fineness) { return static_cast<float>(std::exp2(-fineness / 64.0)); }

int quarters_of_fineness(int fineness) { return (fineness + 8 + (1 << 14)) / 16 - (1 << 10); }

std::uint8_t profile_class(std::uint8_t klt_class, int quarters) {
  const int place = klt_class % kDeviations - kUnitPlace + kProfileUnitPlace - quarters;
  return static_cast<std::uint8_t>(klt_class / kDeviations * kDeviations +
                                   std::clamp(place, 0, kDeviations - 1));
}

double promised_rate(const Profile& profile, const KltChoice& choice,
                     const std::vector<double>& octaves) {
  return rate_of(count_classes(profile, choice.variant), choice, octaves);
}

std::vector<double> step_octaves(const Profile& profile, const KltChoice& choice, double bits) {
  const std::vector<Counts> counts = count_classes(profile, choice.variant);
  const std::vector<double> offsets =
      choice.allocate ? profile.rate_offsets() : std::vector<double>(counts.size(), 0.0);
  const auto octaves_at = [&](double nominal) {
    std::vector<double> octaves;
    octaves.reserve(offsets.size());
    for (const double offset : offsets) octaves.push_back(nominal + offset - kNormalEntropy);
    return octaves;
  };
  return octaves_at(solve(
      profile, bits, [&](double nominal) { return rate_of(counts, choice, octaves_at(nominal)); }));
}

ShapedStep shaped_step(const Profile& profile, const KltChoice& choice, std::int8_t deviation,
                       double nominal) {
  // Row r of the classes is of coordinates with the gains of the profile's own shaping.
  const int gain = shaping_gain(deviation, choice.shaping),
            usual = shaping_gain(deviation, profile.layer_shaping);
  const double rate = nominal + (gain - usual) / 4.0;
  const auto nearer = [&](double a, double b) { return std::abs(a - rate) < std::abs(b - rate); };
  const auto* nearest = std::min_element(std::begin(kLayerRates), std::end(kLayerRates), nearer);
  return {gain, static_cast<std::size_t>(nearest - kLayerRates)};
}

double nominal_rate_of_layers(const Profile& profile, const KltChoice& choice, int order,
                              int restart, double bits) {
  const std::size_t width = profile.group_width();
  // By deviation, and then by rate of kLayerRates.
  constexpr std::size_t kRates = std::size(kLayerRates);
  std::map<std::int8_t, std::array<Counts, kRates>> counts;
  for (int i = 0; i < profile.layer_groups(); ++i) {
    const int before = restart == 0 ? i : i % (restart / profile.layer_group);
    const LayerTransform& group = profile.layer_transform(std::min(before, order), i);
    for (std::size_t at = 0; at < group.classes.size(); ++at) {
      ++counts[group.deviations[at % width]][at / width][group.classes[at]];
    }
  }
  const double coordinates =
      static_cast<double>(profile.layer_groups()) * static_cast<double>(width);
  return solve(profile, bits, [&](double nominal) {
    double sum = 0;
    for (const auto& [deviation, rates] : counts) {
      const ShapedStep step = shaped_step(profile, choice, deviation, nominal);
      sum += bits_of(rates[step.rate], choice, nominal + step.gain / 4.0);
    }
    return sum / coordinates;
  });
}

}  // namespace kakeya
