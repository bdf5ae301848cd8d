// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/core/rows.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// The profile's class of every coordinate: those that cost least for the vectors `y`, in units,
/// rounded to points of E8 with a step of 2^(-quarters / 4) units.
std::vector<std::uint8_t> choose_classes(Rows<const float> y, int quarters);

/// How far decoded points lean towards 0, class by class.
class GainSums {
 public:
  void add(std::size_t klt_class, double coordinate, double point) {
    product_[klt_class] += coordinate * point;
    square_[klt_class] += coordinate * coordinate;
    if (point != 0) ++points_[klt_class];
  }
  void merge(const GainSums& other);

  /// Profile::gains: E[y^2] / E[y z], at most 1.5; 1 where a class has few points that are not 0.
  std::vector<float> gains() const;

 private:
  std::array<double, kShapes * kDeviations> product_{}, square_{}, points_{};
};

/// Codes `y`, in units, as klt does with a step of 2^(-quarters / 4) units, puts what is decoded in
/// its place and adds to `sums` unless that is null. `classes` are the profile's.
void code_samples(std::span<const std::uint8_t> classes, int quarters, Rows<float> y,
                  GainSums* sums);

}  // namespace kakeya
