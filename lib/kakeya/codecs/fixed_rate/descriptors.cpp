// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/codec/stages.h"
#include "kakeya/codecs/fixed_rate/fixed_rate.h"
#include "kakeya/codecs/published/published.h"
#include "kakeya/codecs/published/published_wrapper.h"

namespace kakeya {
namespace {

constexpr std::string_view kRules[] = {"bounded", "published"};
constexpr std::string_view kPackings[] = {"block", "joint", "rans"};
constexpr std::string_view kClassKinds[] = {"one", "channel"};
constexpr std::string_view kScaleKinds[] = {"two", "one", "log8"};
constexpr std::string_view kRotations[] = {"hadamard", "none", "signed"};

constexpr CodecKey kRange = rate_key(
    whole_key("q", 1, 1023, "",
              "range of the lattice coordinates, a whole number in [1, 1023]; must be given"));
constexpr CodecKey kRule = choice_key(
    "rule", kRules,
    "bounded: nearest point inside the box, a valid fixed-rate code; published: nearest point, "
    "then clamped, as the published round trip (takes none of the keys from pack on)");
constexpr CodecKey kAblate = choice_key(
    "ablate", kAblations,
    "with rule=published, a codec of the published ablation, with the nominal bits of the whole "
    "one. no-unit-norm: no norm (16 bits a vector less); no-hadamard: no rotation; "
    "no-per-vec-qmax: max instead of each vector's maximum (16 bits less), larger coordinates "
    "clamped; per-block-qmax: a maximum for every 4 coordinates (16 bits each); scalar-quantise: "
    "coordinates rounded by themselves (a bit a block more)");
constexpr CodecKey kMax =
    real_key("max", 0.01, 1.0, "",
             "of ablate=no-per-vec-qmax: the one maximum of all rotated unit vectors, in [0.01, "
             "1]; must be given");
constexpr CodecKey kPack = choice_key(
    "pack", kPackings,
    "how points become bits. block: a field of fixed width a block; joint: one mixed-radix number "
    "a vector, less than a bit above log2 of the codebook; rans: entropy-coded pages");
constexpr CodecKey kClasses = choice_key(
    "classes", kClassKinds,
    "with pack=rans, the scale class that picks the tables: one for all coordinates, or one a "
    "channel; chosen on the first page, a byte each");
constexpr CodecKey kScales = choice_key(
    "scales", kScaleKinds,
    "what is stored of a vector's size. two: norm and maximum, 16 bits each, as published; one: "
    "their product, 16 bits; log8: its logarithm, 8 bits, at most 4.4 % too large (9 % for one in "
    "256)");
constexpr CodecKey kRotate = choice_key(
    "rotate", kRotations,
    "before quantising: hadamard; none (any dim that is a multiple of 8); signed: random "
    "signs, then Hadamard");
constexpr CodecKey kPage = whole_key(
    "page", 32, int{kLargestPage}, "1024",
    "with pack=rans or center=mean: vectors a page, a multiple of 32 up to 4096: what decodes "
    "alone, and what means and classes are taken from");

constexpr CodecKey kE8Keys[] = {kRange,       kRule,   kPack,          kClasses,
                                kScales,      kRotate, kSeedKey,       kCenterKey,
                                kOutliersKey, kPage,   kBiasProfileKey};
constexpr CodecKey kD4Keys[] = {kRange,       kRule,   kAblate,        kMax,     kPack,
                                kClasses,     kScales, kRotate,        kSeedKey, kCenterKey,
                                kOutliersKey, kPage,   kBiasProfileKey};
constexpr CodecKey kTqKeys[] = {
    rate_key(whole_key("b", 2, 8, "",
                       "bits a coordinate, a whole number in [2, 8]: 2^b - 1 levels; must be "
                       "given")),
    kPack,
    kClasses,
    kScales,
    kRotate,
    kSeedKey,
    kCenterKey,
    kOutliersKey,
    kPage,
    kBiasProfileKey,
};

// "codes" are the fields of tq; rule=published has "escapes".
constexpr CodecSection kSections[] = {
    {"scales", Booked::scales},    {"indices", Booked::payload}, {"codes", Booked::payload},
    {"windows", Booked::scales},   {"escapes", Booked::payload}, {"classes", Booked::table},
    {"pages", Booked::header},     {"streams", Booked::payload}, {"centre", Booked::table},
    {"outliers", Booked::payload}, {"owindows", Booked::scales}, {"site", Booked::header},
    {"padding", Booked::padding},
};

constexpr CodecSource kLatticePaper = {
    "KakeyaLattice (FluffyAIcode/LLM-KV--Cache-compress), v1.4 and v1.5", Faithful::exact,
    "with rule=published; rule=bounded keeps points inside the box, so that the index has the "
    "nominal width"};

// Ranges of the published operating points, and what lies between and below.
constexpr std::string_view kRanges = "1 2 3 4 6 10 15 22 38 76 152", kFewRanges = "1 2 4 10 38 152";
constexpr std::string_view kPlanRanges = "3 4 6 10 22 38";
constexpr std::string_view kWidths = "2 3 4 5 6 7 8", kFewWidths = "2 3 4 6 8";
constexpr LadderRung kE8Ladder[] = {
    {"q=@", kRanges},
    {"q=@,pack=joint,scales=one", kRanges},
    {"q=@,pack=rans,scales=one", kRanges},
};
constexpr LadderRung kD4Ladder[] = {
    {"q=@", kRanges},
    {"q=@,pack=joint,scales=one", kFewRanges, false},
    {"q=@,pack=rans,scales=one", kFewRanges, false},
};
constexpr LadderRung kTqLadder[] = {
    {"b=@", kWidths},
    {"b=@,pack=joint,scales=one", kFewWidths, false},
    {"b=@,pack=rans,scales=one", kFewWidths, false},
};

constexpr PreferredFamily kE8References[] = {{"rule=published", 1}, {"", 2}};
constexpr PreferredFamily kE8Baselines[] = {{"rule=published", 2}, {"", 3}};
constexpr PreferredFamily kD4Baselines[] = {{"", 1}};

// A step s at most |y| / levels (log8: 4.5 % more); a block ends at most its covering radius (1/2 a
// scalar, 1 for D4 and E8), twice that at the box's edge, away; the rotation spreads it over all
// coordinates; norm and scale add 2^-11 each. Clamping to a maximum that is not the vector's own
// errs by no more than what is there.
double bound(const Spec& spec, double levels, double covering, double blocks, double reach) {
  const double step = 1.045 / levels;
  if (spec.find("max") != nullptr) reach *= 1 + 1 / (2 * step * std::sqrt(blocks));
  return reach * (2 * covering * step * std::sqrt(blocks) * 1.01 + 2e-3) + 1e-43;
}

template <int kBlock>
double lattice_bound(const Spec& spec, std::span<const float> x, double reach, const CodecInput&) {
  return bound(spec, rate_of(spec), 1.0, static_cast<double>(x.size()) / kBlock, reach);
}

double tq_bound(const Spec& spec, std::span<const float> x, double reach, const CodecInput&) {
  const double levels = std::exp2(rate_of(spec) - 1) - 1;
  return bound(spec, levels, 0.5, static_cast<double>(x.size()), reach);
}

std::optional<PublishedRoundTrip> lattice_roundtrip(const Spec& spec) {
  if (spec.find("ablate") != nullptr) return std::nullopt;  // the whole codec was composed
  const int q = static_cast<int>(rate_of(spec));
  return PublishedRoundTrip{q, spec.name() + ":q=" + std::to_string(q) + ",rule=published"};
}

std::optional<PublishedRoundTrip> tq_roundtrip(const Spec& spec) {
  const int bits = static_cast<int>(rate_of(spec));
  return PublishedRoundTrip{(1 << (bits - 1)) - 1, spec.name() + ":b=" + std::to_string(bits)};
}

double blocks_of(const CodecInput& input, int block) {
  const std::size_t blocks = input.dim / static_cast<std::size_t>(block);
  return static_cast<double>(blocks);
}

FixedRateOptions lattice_options(Lattice lattice, int q, double blocks) {
  FixedRateOptions options;
  options.lattice = lattice;
  options.q = q;
  options.nominal_bits = blocks * published_block_bits(lattice, q) + 32.0;
  return options;
}

std::unique_ptr<Codec> make_d4(SpecArgs& args, const CodecInput& input) {
  const int q = args.whole("q");
  if (args.word("rule") == "published") return make_published_d4(args, input, q);
  return make_fixed_rate(args, input, lattice_options(Lattice::d4, q, blocks_of(input, 4)));
}

std::unique_ptr<Codec> make_e8(SpecArgs& args, const CodecInput& input) {
  const int q = args.whole("q");
  if (args.word("rule") == "published") return make_published_e8(args, input, q);
  return make_fixed_rate(args, input, lattice_options(Lattice::e8, q, blocks_of(input, 8)));
}

std::unique_ptr<Codec> make_tq(SpecArgs& args, const CodecInput& input) {
  const int bits = args.whole("b");
  FixedRateOptions options;
  options.q = (1 << (bits - 1)) - 1;
  options.nominal_bits = static_cast<double>(input.dim) * bits + 32.0;
  return make_fixed_rate(args, input, options);
}

}  // namespace

extern const CodecDescriptor kE8 = {
    .name = "e8",
    .summary =
        "nearest point of the lattice E8 in blocks of 8, after norm, Hadamard rotation and maximum",
    .example = "e8:q=10",
    .keys = kE8Keys,
    .sections = kSections,
    .source = kLatticePaper,
    .looks = {0, "#0072B2", 0},
    .ladder = kE8Ladder,
    .plan_rates = kPlanRanges,
    .references = kE8References,
    .baselines = kE8Baselines,
    .error_bound = {lattice_bound<8>},
    .roundtrip = lattice_roundtrip,
    .make = make_e8,
};

extern const CodecDescriptor kD4 = {
    .name = "d4",
    .summary =
        "nearest point of the lattice D4 in blocks of 4, after norm, Hadamard rotation and maximum",
    .example = "d4:q=38",
    .keys = kD4Keys,
    .sections = kSections,
    .source = kLatticePaper,
    .looks = {1, "#D55E00", 2},
    .ladder = kD4Ladder,
    .plan_rates = kPlanRanges,
    .baselines = kD4Baselines,
    .error_bound = {lattice_bound<4>},
    .roundtrip = lattice_roundtrip,
    .make = make_d4,
};

// The published "TurboQuant-style" baseline: 2^b - 1 uniform mid-tread levels a coordinate.
extern const CodecDescriptor kTq = {
    .name = "tq",
    .summary =
        "uniform levels a coordinate, after the same norm, rotation and maximum: the published "
        "baseline",
    .example = "tq:b=4",
    .keys = kTqKeys,
    .sections = kSections,
    .source = {"KakeyaLattice's \"TurboQuant-style\" baseline", Faithful::exact,
               "neither random rotation nor Lloyd-Max levels: not the published TurboQuant"},
    .looks = {2, "#009E73", 4},
    .ladder = kTqLadder,
    .plan_rates = "2 3 4 5 6",
    .error_bound = {tq_bound},
    .roundtrip = tq_roundtrip,
    .make = make_tq,
};

}  // namespace kakeya
