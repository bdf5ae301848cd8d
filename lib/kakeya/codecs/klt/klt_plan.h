// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/entropy/point_model.h"
#include "kakeya/lattice/lattice.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

inline constexpr double kNormalEntropy = 2.0470955851806;  ///< log2(2 pi e) / 2

// The rates of the codec klt. At a nominal rate b every (layer, part) has the step 2^-o in units of
// its transform, o = b + a - h octaves: a its allocation (Profile::rate_offsets()), h =
// log2(2 pi e) / 2. At that step a normal source of variance 1 costs b + a bits at high rate.

/// The place of deviation 1 unit among the kDeviations of a profile's classes.
inline constexpr int kProfileUnitPlace = 32;

/// What the key `lattice` takes, and what the name at `index` means.
inline constexpr std::string_view kKltLattices[] = {"e8", "z", "tcq"};
Lattice klt_lattice(std::size_t index);

/// The tables of klt, one set for all models, rates and sites: four shapes times 64 deviations
/// 2^((k - 24) / 4) in steps. Made once in a process and for each lattice.
std::shared_ptr<const PointModel> klt_model(Lattice lattice);

/// The class in klt_model() of a coordinate whose class in a profile is `profile_class`, coded with
/// a step of 2^(-quarters / 4) units. The nearest there is; whole numbers alone decide.
std::uint8_t klt_class(std::uint8_t profile_class, int quarters);

/// The step, in units, that a frame's n means; and the quarter octaves of n, for klt_class().
inline constexpr int kFinenessAnOctave = 64;
float step_of_fineness(int fineness);
int quarters_of_fineness(int fineness);

/// The way back of klt_class(), clamped to the classes that a profile knows.
std::uint8_t profile_class(std::uint8_t klt_class, int quarters);

/// What a codec of one profile codes with.
struct KltChoice {
  TransformVariant variant;
  Lattice lattice = Lattice::e8;
  bool allocate = true;
  double shaping = 0;  ///< of whole layers (shaping_gain())
};

/// o of each part [KvSite::index()], such that the profile's classes promise `bits` a
/// value on the mean over all sites. Throws InputError when no nominal rate in [-4, 16] does.
std::vector<double> step_octaves(const Profile& profile, const KltChoice& choice, double bits);

/// The nominal rate b at which the profile's classes of whole layers promise `bits` a value on the
/// mean over all of them: each group predicted from up to `order` before it, from none before layer
/// 0 and, where `restart`, a multiple of Profile::layer_group, is not 0, every `restart`-th. Throws
/// as step_octaves().
double nominal_rate_of_layers(const Profile& profile, const KltChoice& choice, int order,
                              int restart, double bits);

/// How a coordinate of LayerTransform::deviations `deviation` is coded at a nominal rate.
struct ShapedStep {
  int gain = 0;          ///< shaping_gain()
  std::size_t rate = 0;  ///< which of kLayerRates has its class: the nearest to its own rate
};
ShapedStep shaped_step(const Profile& profile, const KltChoice& choice, std::int8_t deviation,
                       double nominal);

/// The mean rate in bits a value that the profile's classes promise for these steps.
double promised_rate(const Profile& profile, const KltChoice& choice,
                     const std::vector<double>& octaves);

}  // namespace kakeya
