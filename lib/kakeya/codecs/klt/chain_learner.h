// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kakeya/codecs/klt/layer_chain.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

struct ChainSeeds;

/// What a profile says of groups of layers before a token is seen, as second moments of u, whose means
/// are 0: those that its predictors and rotations are the best for. The same numbers on every machine.
/// Immutable.
struct ChainPrior {
  struct Group {
    std::vector<float> own;               ///< [n, n]: of u u^T
    std::vector<float> cross;             ///< [n, n]: of w u^T, w of the group before; or none
    std::vector<float> rotation;          ///< [n, n] of the profile,
    std::vector<std::int8_t> deviations;  ///< [n] of its coordinates, falling,
    std::vector<std::uint8_t> classes;    ///< [n], and their classes at the steps in use
  };
  std::size_t width = 0;
  Lattice lattice = Lattice::e8;
  double shaping = 0;
  int fineness = 0;
  double noise = 0;  ///< variance that decoding adds to each coordinate of w
  std::vector<Group> groups;
};

/// Of the layers that a chain of order 0 or 1 codes.
std::shared_ptr<const ChainPrior> make_chain_prior(const Profile& profile, const KltChoice& choice,
                                                   LayerRange layers, int order, int fineness);

/// Learns from decoded tokens how those after them are best coded: means, predictors, rotations and
/// classes of each group, from their moments and a prior that counts as so many tokens, for means as 64 at
/// most (the posterior means of a normal-inverse-Wishart and a matrix-normal prior). Encoder and decoder
/// learn the same to the last bit: from the same tokens in the same order, by sums of whole numbers and sums
/// of one order (fixed_order.h), groups at once by spare_threads() of who first works with it. Where it learns scales alone, predictors
/// and rotations stay the profile's, and means and variances are those of its coordinates v: no moments, no
/// eigenvectors. Takes 24 n^2 bytes a group of width n and 512 n for tokens that wait, and its prior 12 n^2.
class ChainLearner {
 public:
  ChainLearner(std::shared_ptr<const ChainPrior> prior, double prior_tokens,
               bool scales_only = false);

  /// Before any token: the prior's second moments become larger by those of the directions of `seeds`, its means theirs,
  /// and `chain` is made anew of them.
  void begin(const ChainSeeds& seeds, LayerChain& chain);

  /// Adds the tokens that `tiles` of a chain with keep_decoded() has, but for those that are kept
  /// beside the code. Multiples of 32, but for the last there are.
  void add(const TokenTiles& tiles, std::size_t vectors, const bool* kept);

  /// Codes what follows in `chain`, which coded all that was added since the last update, by what was
  /// learnt. A group of which no finite coding can be learnt stays as it is.
  void update(LayerChain& chain);

  /// Bytes of the numbers that a copy has of its own.
  std::size_t held_bytes() const;

 private:
  struct Group {
    std::vector<double> own, cross;  // [n, n], sums of what is decoded: of `own` the upper triangle
    std::vector<float> lost;         // [n, n], what rounding took from `own`
    std::vector<std::int32_t>
        waiting;                 // [n, kSummedTogether / 2] pairs of the last tokens, in grains
    std::vector<float> grains;   // [n], grain_of(): what is far beyond a deviation counts as nearer
    std::vector<double> sum;     // [n], of what is decoded; of v where scales alone are learnt
    std::vector<double> points;  // [n], sums of the points' coordinates since the last update,
    std::vector<double> squares;    // [n], and of their squares
    std::vector<double> energy;     // [n], sums of the squares of v, where scales alone are learnt,
    std::vector<double> offset;     // [n], and what is added to v now
    std::vector<double> variances;  // [n], of v, as last learnt
    std::vector<std::int8_t> deviations;
    std::vector<std::uint8_t> classes;
    std::vector<float> rotation;  // in use, as GroupCoding; none: the profile's
  };

  // What the profile's means count as: few tokens tell a mean.
  double mean_tokens() const { return std::min(prior_tokens_, 64.0); }
  void for_each_group(const std::function<void(std::size_t)>& work);
  void add_waiting();
  double step_of(const Group& group, std::size_t j) const;
  std::vector<double> variances_of_points(Group& group) const;
  void add_lost(std::size_t index);
  void rescale(std::size_t index, LayerChain& chain);
  void set_scale(Group& group, std::size_t index, std::size_t j, double variance) const;
  std::vector<float> decoded_of(std::size_t index) const;
  std::vector<float> cross_of(std::size_t index) const;
  void recode(std::size_t index, std::vector<float> before, std::vector<float> own,
              LayerChain& chain);
  void recode_all(LayerChain& chain);

  std::shared_ptr<const ChainPrior> prior_;
  bool scales_only_;
  double prior_tokens_, tokens_ = 0, recent_ = 0;  // all, and since the last update
  std::size_t width_, waiting_ = 0;
  std::vector<Group> groups_;
  // Where there are groups and threads enough, made by whom it works for; a copy makes its own.
  struct Pool {
    Pool() = default;
    Pool(const Pool&) {}
    Pool& operator=(const Pool&) { return *this; }
    Pool(Pool&&) = default;
    Pool& operator=(Pool&&) = default;
    std::unique_ptr<WorkerPool> workers;
  };
  Pool pool_;
};

}  // namespace kakeya
