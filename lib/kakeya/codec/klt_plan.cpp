// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/klt_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/entropy/class_rate.h"

namespace kakeya {
namespace {

constexpr double kNormalEntropy = 2.0470955851806;  // log2(2 pi e) / 2
constexpr int kClasses = kShapes * kDeviations;
constexpr int kUnitPlace = 24;         // of deviation 1 step among the 64 of klt_model()
constexpr int kProfileUnitPlace = 32;  // of deviation 1 unit among those of a profile

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
  static Tables all[] = {Tables(Lattice::z), Tables(Lattice::d4), Tables(Lattice::e8)};
  return all[static_cast<std::size_t>(lattice)];
}

// How many coordinates of each class a part has.
using Counts = std::array<int, kClasses>;

std::vector<Counts> count_classes(const Profile& profile, TransformVariant variant) {
  std::vector<Counts> counts(profile.parts.size());
  for (std::size_t part = 0; part < counts.size(); ++part) {
    counts[part].fill(0);
    for (int head = 0; head < profile.kv_heads; ++head) {
      const CacheSite site{static_cast<int>(part / 2), part % 2 == 0, head};
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
  const double place =
      std::clamp(profile_class % kDeviations - kProfileUnitPlace + kUnitPlace + 4 * octaves, 0.0,
                 kDeviations - 1.0);
  const int low = std::min(static_cast<int>(place), kDeviations - 2);
  return std::lerp(rates.rate(shape + low), rates.rate(shape + low + 1), place - low);
}

double rate_of(const std::vector<Counts>& counts, Tables& rates,
               const std::vector<double>& octaves) {
  double bits = 0, coordinates = 0;
  for (std::size_t part = 0; part < counts.size(); ++part) {
    for (int which = 0; which < kClasses; ++which) {
      const int count = counts[part][static_cast<std::size_t>(which)];
      if (count == 0) continue;
      bits += count * rate_at(rates, which, octaves[part]);
      coordinates += count;
    }
  }
  return bits / coordinates;
}

}  // namespace

std::shared_ptr<const PointModel> klt_model(Lattice lattice) { return tables(lattice).model(); }

std::uint8_t klt_class(std::uint8_t profile_class, int quarters) {
  const int place = profile_class % kDeviations - kProfileUnitPlace + kUnitPlace + quarters;
  return static_cast<std::uint8_t>(profile_class / kDeviations * kDeviations +
                                   std::clamp(place, 0, kDeviations - 1));
}

std::uint8_t profile_class(std::uint8_t klt_class, int quarters) {
  const int place = klt_class % kDeviations - kUnitPlace + kProfileUnitPlace - quarters;
  return static_cast<std::uint8_t>(klt_class / kDeviations * kDeviations +
                                   std::clamp(place, 0, kDeviations - 1));
}

double promised_rate(const Profile& profile, const KltChoice& choice,
                     const std::vector<double>& octaves) {
  return rate_of(count_classes(profile, choice.variant), tables(choice.lattice), octaves);
}

std::vector<double> step_octaves(const Profile& profile, const KltChoice& choice, double bits) {
  const std::vector<Counts> counts = count_classes(profile, choice.variant);
  const std::vector<double> offsets =
      choice.allocate ? profile.rate_offsets() : std::vector<double>(counts.size(), 0.0);
  std::vector<double> octaves(offsets.size());
  const auto rate = [&](double nominal) {
    for (std::size_t part = 0; part < offsets.size(); ++part) {
      octaves[part] = nominal + offsets[part] - kNormalEntropy;
    }
    return rate_of(counts, tables(choice.lattice), octaves);
  };
  double low = -4, high = 16;
  if (rate(low) > bits || rate(high) < bits) {
    throw InputError("klt: the profile of " + profile.model_name + " has no step for " +
                     std::to_string(bits) + " bits a value");
  }
  for (int round = 0; round < 40; ++round) {
    const double middle = (low + high) / 2;
    (rate(middle) < bits ? low : high) = middle;
  }
  rate(high);
  return octaves;
}

}  // namespace kakeya
