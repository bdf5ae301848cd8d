// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/budget_pages.h"
#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/stages.h"
#include "kakeya/codecs/entropy_coded/entropy_coded.h"

namespace kakeya {
namespace {

constexpr std::string_view kGranularities[] = {"vector", "head-page"};
constexpr std::string_view kFormats[] = {"log8", "one"};
constexpr std::string_view kClassKinds[] = {"one", "channel"};
constexpr std::string_view kReconstructions[] = {"point", "wiener"};
constexpr std::string_view kRotations[] = {"signed", "none", "hadamard"};

constexpr CodecKey kKeys[] = {
    // At 12 bits the widest class of D4 deviates by 15,858 steps, and a model takes 16,384
    // (entropy/point_model.h).
    rate_key(real_key("bits", 0.25, 12.0, "",
                      "target rate, bits a value before scales, any number in [0.25, 12]: a normal "
                      "source costs this at high rate, any other less; this or step must be "
                      "given")),
    rate_key(real_key("step", 0x1p-20, 0x1p20, "",
                      "the step itself, in the units of the data, instead of a rate; no scales are "
                      "stored")),
    choice_key("per", kGranularities,
               "what shares a step. vector: each has its own; head-page: a page, its step from the "
               "tokens before it"),
    choice_key("scales", kFormats,
               "a stored scale. log8: its logarithm in 8 bits, neighbours 4.4 % apart; one: 16 "
               "bits"),
    choice_key("classes", kClassKinds,
               "the scale class that picks the tables: one for all coordinates, or one a channel; "
               "chosen on the first page, a byte each"),
    choice_key(
        "reconstruct", kReconstructions,
        "point: the lattice point; wiener: shrunk to the least squared error of a normal source"),
    choice_key("rotate", kRotations,
               "before quantising: signed: random signs, then Hadamard; none (any dim that is a "
               "multiple of 8); hadamard"),
    kSeedKey,
    kCenterKey,
    kOutliersKey,
    whole_key("page", 32, int{kLargestPage}, "1024",
              "vectors a page, a multiple of 32 up to 4096: what decodes alone, and what means and "
              "classes are taken from"),
    kBudgetKey,
    kBiasProfileKey,
};

constexpr CodecSection kSections[] = {
    {"scales", Booked::scales},   {"classes", Booked::table},    {"pages", Booked::header},
    {"streams", Booked::payload}, {"windows", Booked::scales},   {"exact", Booked::payload},
    {"centre", Booked::table},    {"outliers", Booked::payload}, {"owindows", Booked::scales},
    {"site", Booked::header},     {"padding", Booked::padding},  {"pool", Booked::header},
};

// Measured beside each other at the published operating points, and between and below them.
constexpr std::string_view kTargets = "1 1.5 2 2.5 3 3.5 4 5 6 7 8", kFewTargets = "1 2 3 4 6 8";
constexpr std::string_view kPlanTargets = "1.5 2 3 4 5";
constexpr LadderRung kLadder[] = {
    {"bits=@", kFewTargets, false},
    {"bits=@,per=head-page", kFewTargets, false},
    {"bits=@,per=head-page,reconstruct=wiener", kTargets},
};
constexpr LadderRung kE8Ladder[] = {
    {"bits=@", kTargets},
    {"bits=@,center=mean", kTargets},
    {"bits=@,per=head-page", kFewTargets, false},
    {"bits=@,per=head-page,reconstruct=wiener", kTargets},
    {"bits=@,per=head-page,rotate=none", kTargets},
    {"bits=@,per=head-page,classes=channel,rotate=none,center=mean", kTargets},
};

// Points lie within the covering radius (1/2 a scalar, 1 for D4 and E8) times a step that is a
// fixed part of a root mean square (scale codes are up to 2.2 % off), or given; with a budget 256 times that at most.
template <int kBlock>
double bound(const Spec& spec, std::span<const float> x, double reach, const CodecInput&) {
  const auto dim = static_cast<double>(x.size());
  const double rate = rate_of(spec), covering = kBlock == 1 ? 0.5 : 1.0;
  const bool given = spec.find("step") != nullptr;
  const double step = given ? rate : 4.1328 * std::exp2(-rate) * reach / std::sqrt(dim) * 1.03;
  const bool budget = spec.find("budget") != nullptr;
  const double shrunk =
      spec.has("reconstruct", "wiener") ? (budget ? 1.0 : 0.02) * norm_of(x) : 0.0;
  return covering * (budget ? 256 * step : step) * std::sqrt(dim / kBlock) * 1.01 + shrunk +
         1e-3 * norm_of(x) + 1e-43;
}

template <Lattice kOf>
std::unique_ptr<Codec> make(SpecArgs& args, const CodecInput& input) {
  return make_entropy_coded(args, input, kOf);
}

}  // namespace

extern const CodecDescriptor kEcz = {
    .name = "ecz",
    .summary =
        "uniform levels, entropy-coded: a step from the bit budget, no range, interleaved rANS "
        "pages",
    .example = "ecz:bits=4",
    .keys = kKeys,
    .sections = kSections,
    .looks = {6, "#56B4E9", 4},
    .ladder = kLadder,
    .plan_rates = kPlanTargets,
    .error_bound = {bound<1>},
    .make = make<Lattice::z>,
};

extern const CodecDescriptor kEcd4 = {
    .name = "ecd4",
    .summary = "nearest point of the lattice D4, entropy-coded as ecz",
    .example = "ecd4:bits=4",
    .keys = kKeys,
    .sections = kSections,
    .looks = {5, "#E69F00", 2},
    .ladder = kLadder,
    .plan_rates = kPlanTargets,
    .error_bound = {bound<4>},
    .make = make<Lattice::d4>,
};

extern const CodecDescriptor kEce8 = {
    .name = "ece8",
    .summary = "nearest point of the lattice E8, entropy-coded as ecz",
    .example = "ece8:bits=4",
    .keys = kKeys,
    .sections = kSections,
    .looks = {4, "#000000", 0},
    .ladder = kE8Ladder,
    .plan_rates = kPlanTargets,
    .error_bound = {bound<8>},
    .make = make<Lattice::e8>,
};

}  // namespace kakeya
