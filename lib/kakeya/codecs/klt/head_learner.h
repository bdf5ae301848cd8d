// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kakeya/codecs/klt/head_chain.h"
#include "kakeya/lattice/lattice.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// What the first transform of a head is, and how it is coded.
struct HeadLesson {
  std::shared_ptr<const SiteTransform> known;  ///< the profile's
  Lattice lattice = Lattice::e8;
  int fineness = 0;
  bool exact = false;        ///< product=exact
  double prior_tokens = 0;   ///< that the profile counts as, for means as 64 at most
  bool scales_only = false;  ///< learns means and variances, not the rotation
};

/// Learns from the points of a head how those after them are best coded: with y the profile's coordinates,
/// as many as dim, it learns their means o and the eigenvectors R of their covariance (of what the profile expects and what
/// was decoded, as ChainLearner does), and codes y' = (y - o) R. So a head is coded by one matrix as before:
///
///     mean' = mean + o backward,  forward' = forward R,  backward' = R^T backward,  classes of y'
///
/// Points are whole or half steps: sums of their products are of whole numbers, exact up to 64 steps a
/// deviation, and all else has one order (fixed_order.h), so that encoder and decoder learn the same to the last bit.
/// Takes 26 dim^2 bytes and 512 dim for vectors that wait.
class HeadLearner {
 public:
  explicit HeadLearner(const HeadLesson& lesson);

  /// Adds the vectors whose points `memory` has, but for those that are kept beside the code. Multiples of 32,
  /// but for the last there are.
  void add(const HeadChain::Memory& memory, std::size_t vectors, const bool* kept);

  /// Makes `chain`, which coded all that was added since the last update, one of what was learnt. It stays
  /// as it is where no transform can be learnt.
  void update(HeadChain& chain);

  /// Bytes of the numbers that a copy has of its own.
  std::size_t held_bytes() const;

 private:
  bool rotates() const { return !lesson_.scales_only; }
  void add_waiting();
  void add_points();
  std::vector<float> in_known(const std::vector<double>& squares) const;
  std::vector<float> covariance(const std::vector<double>& means, double seen) const;
  void set_scale(std::size_t j, double variance);

  HeadLesson lesson_;
  std::size_t dim_, waiting_ = 0;
  double step_, tokens_ = 0, recent_ = 0;  // of these: all, and since the last update
  // Of y, sums over all tokens and what the profile counts as: [dim, dim] of products, or [dim] of squares where
  // scales alone are learnt; [dim].
  std::vector<double> products_, sums_;
  // Since the last update, of points in steps: as `products_`, [dim], [dim].
  std::vector<double> point_products_, point_sums_, point_squares_;
  std::vector<std::int32_t> pairs_;  // [dim, kSummedTogether / 2] of the last points, in grains
  std::vector<float> grains_;        // [dim], of half a step at least
  // In use: R^T, none at first, o, and of y' variances and classes of the profile's kind.
  std::vector<float> vectors_;
  std::vector<double> means_, variances_;
  std::vector<std::uint8_t> classes_, shapes_;  // shapes_: of the profile, by falling deviation
};

}  // namespace kakeya
