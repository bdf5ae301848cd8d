// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kakeya/codec/budget_pages.h"
#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codecs/klt/klt.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/profile/profile.h"

namespace kakeya {
namespace {

constexpr std::string_view kWeights[] = {"query", "none"};
constexpr std::string_view kAllocations[] = {"kl", "none"};
constexpr std::string_view kCentres[] = {"mean", "none"};
constexpr std::string_view kScopes[] = {"head", "layer"};

constexpr std::string_view kBitsHelp =
    "target rate, bits a value on the mean over a model, any number in [0.5, 8], from 0.25 on with "
    "scope=layer: what the profile's calibration text costs; must be given";
constexpr std::string_view kWeightHelp =
    "query: errors count as attention sees them, by the queries for keys and the output matrix for "
    "values; none: all alike";
constexpr std::string_view kAllocHelp =
    "kl: steps of layers and parts by their measured sensitivity; none: one step for all";
constexpr std::string_view kCenterHelp =
    "mean: the calibrated mean is subtracted; none: it is coded";
constexpr std::string_view kPageHelp =
    "vectors a page, a multiple of 32 up to 4096: what decodes alone; of scope=layer 64 by "
    "default, up to 1048576";

constexpr CodecKey kLattice = choice_key(
    "lattice", kKltLattices,
    "e8; z: each coordinate rounded by itself; tcq: trellis-coded quantisation, the best "
    "path through eight states");
constexpr CodecKey kScope = choice_key(
    "scope", kScopes,
    "head: one head of the keys or values of a layer; layer: whole tokens, all keys and values of "
    "a layer together, layer after layer (for modes snapshot and prefix, and dumps; with "
    "restart=1 for every mode)");
constexpr CodecKey kPredict =
    whole_key("predict", 0, kMostOrder, "0",
              "of scope=layer: decoded layers, or groups of as many as the profile transforms "
              "together, from which the next is predicted, 0 to 2");
constexpr CodecKey kShaping = real_key(
    "shaping", 0.0, 1.0, "0.25",
    "of whole layers: 0 for errors alike in all coordinates, up to 1, as large as the coordinates");
constexpr CodecKey kRestart =
    whole_key("restart", 0, 1024, "0",
              "of scope=layer: prediction begins anew every so many layers, which decode alone, a "
              "multiple of those that the profile transforms together; 0: never");
constexpr CodecKey kAdapt = whole_key(
    "adapt", 0, 1 << 20, "0",
    "the transform (of scope=layer with predict=0 or 1) is made anew after 256, 512, 1024, ... tokens "
    "(whole pages; see grow), from those that are coded by then and the profile, which counts as so many "
    "tokens; then no page decodes alone; 0: never");
constexpr CodecKey kGrow = whole_key(
    "grow", 2, 16, "2",
    "where the transform learns: it is made anew after 256 tokens, and whenever they are so many times as "
    "many, as 256, 512, 1024, ... with 2");
constexpr std::string_view kLessons[] = {"all", "scales"};
constexpr CodecKey kLearn = choice_key(
    "learn", kLessons,
    "of adapt: what is learnt. all: means, variances, rotations and predictors; scales: means and "
    "variances alone, at next to no cost");
constexpr std::string_view kPriors[] = {"layers", "heads"};
constexpr CodecKey kPrior = choice_key(
    "prior", kPriors,
    "of adapt: what the profile knows at first. layers: all that it has; heads: its transforms of single "
    "heads, of any profile, as if it had no others");
constexpr CodecKey kGroup = whole_key(
    "group", 1, 64, "1",
    "so many consecutive layers are transformed together, of at most 4096 scalars a token; of scope=layer with "
    "prior=heads, a divisor of the model's layers (other profiles have groups of their own)");
constexpr std::string_view kSends[] = {"0", "8", "32", "128", "512", "auto"};
constexpr CodecKey kSend = choice_key(
    "send", kSends,
    "of adapt, whole layers: along how many directions at most a frame says, in int8, that its whole cache has more "
    "than was known, from which learning begins; auto: as many as make the frame the smallest, layer "
    "by layer (encoding takes seven to nine times as long)");
constexpr std::string_view kProducts[] = {"float", "exact"};
constexpr CodecKey kProduct = choice_key(
    "product", kProducts,
    "float: sums of rounded products in one order; exact: in whole numbers of 8 and 16 bits, whose sums "
    "are the same in any order, so that tensor cores can compute them");
constexpr std::string_view kPages[] = {"rans", "fixed", "prefix", "tiles"};
constexpr CodecKey kPagesKey = choice_key(
    "pages", kPages,
    "rans: entropy-coded, the fewest bytes; fixed: fields of a fixed width a coordinate, the same for "
    "all vectors of a page, which attention reads where they are, and lists of what exceeds them; prefix: prefix codes of two or "
    "four coordinates, a string for each of 32 lanes (lattice=z); tiles: fields and lists in an order with "
    "which attention takes the fewest instructions (lattice=z, page a multiple of 128, up to about 5 bits)");
constexpr CodecKey kProfile =
    text_key("profile",
             "file of kakeya-calibrate, or the first digits of the digest of one that is loaded; "
             "the one of --profile where it is not given");

constexpr CodecKey kHeadKeys[] = {
    rate_key(real_key("bits", 0.5, 8.0, "", kBitsHelp)),
    choice_key("weight", kWeights, kWeightHelp),
    choice_key("alloc", kAllocations, kAllocHelp),
    choice_key("center", kCentres, kCenterHelp),
    kLattice,
    kScope,
    kPredict,
    kShaping,
    kRestart,
    kAdapt,
    kGrow,
    kLearn,
    whole_key("page", 32, 4096, "1024", kPageHelp),
    kProduct,
    kPagesKey,
    kBudgetKey,
    kProfile,
};

// Layers are always weighted, allocated and centred.
constexpr CodecKey kLayerKeys[] = {
    rate_key(real_key("bits", 0.25, 8.0, "", kBitsHelp)),
    choice_key("weight", std::span(kWeights).first(1), kWeightHelp),
    choice_key("alloc", std::span(kAllocations).first(1), kAllocHelp),
    choice_key("center", std::span(kCentres).first(1), kCenterHelp),
    kLattice,
    kScope,
    kPredict,
    kShaping,
    kRestart,
    kAdapt,
    kGrow,
    kLearn,
    kPrior,
    kGroup,
    kSend,
    whole_key("page", 32, 1 << 20, "64", kPageHelp),
    kProfile,
};

constexpr std::string_view kNone[] = {"none"};

constexpr CodecKey kProfilelessKeys[] = {
    rate_key(real_key(
        "bits", 0.25, 12.0, "",
        "the step: what white noise as large as the keys, or the values, of a layer would take at it, "
        "bits a value; a long cache takes fewer, a short one may take more; must be given")),
    kLattice,
    whole_key("predict", 0, 1, "1",
              "1: layers are predicted from those before them; 0: they are not"),
    kShaping,
    whole_key("adapt", 1, 1 << 20, "32",
              "what the first tokens say counts as so many tokens where the transform learns"),
    kGrow,
    kGroup,
    kSend,
    whole_key("page", 32, 1 << 20, "64", "tokens a page, a multiple of 32"),
    choice_key("profile", kNone, "none: it is what tells this codec from the others"),
};

constexpr CodecSection kHeadSections[] = {
    {"site", Booked::header},   {"pages", Booked::header},    {"streams", Booked::payload},
    {"exact", Booked::payload}, {"padding", Booked::padding}, {"pool", Booked::header},
};
constexpr CodecSection kLayerSections[] = {
    {"layers", Booked::header},   {"seeds", Booked::table},   {"pages", Booked::header},
    {"streams", Booked::payload}, {"exact", Booked::payload}, {"padding", Booked::padding},
};

constexpr CodecSection kProfilelessSections[] = {
    {"layers", Booked::header},   {"look", Booked::table},      {"seeds", Booked::table},
    {"pages", Booked::header},    {"streams", Booked::payload}, {"exact", Booked::payload},
    {"padding", Booked::padding},
};

// For profiles with mild spectra, such as tests make. A point lies within its covering radius, at a
// step of at most 0.85 units of 0.5, with a budget 256 times that; or the vector is bfloat16 beside the code.
double head_bound(const Spec& spec, std::span<const float> x, double, const CodecInput&) {
  const auto dim = static_cast<double>(x.size());
  const double norm = norm_of(x);
  const double step = spec.find("budget") == nullptr ? 0.85 : 0.85 * 256;
  return std::max(0x1p-8 * norm, 0.5 * step * std::sqrt(dim / 8) * 1.5 + 1e-3 * norm + 1e-2);
}

// Of z at most 0.25 units of 0.5 2^0.5, and rotations in binary16.
double layer_bound(const Spec& spec, std::span<const float> x, double reach,
                   const CodecInput& input) {
  if (!spec.has("lattice", "z")) return head_bound(spec, x, reach, input);
  const auto dim = static_cast<double>(x.size());
  const double norm = norm_of(x);
  return std::max(0x1p-8 * norm, 0.5 * 0.25 * std::sqrt(dim / 2) * 1.5 + 2e-3 * norm + 1e-2);
}

// The step of a strong coordinate is at most four times that of the size of its part, which is at most
// the largest norm there was.
double profileless_bound(const Spec& spec, std::span<const float> x, double reach,
                         const CodecInput&) {
  const double rate = rate_of(spec), norm = norm_of(x);
  return std::max(0x1p-8 * norm, 5 * std::exp2(2.1 - rate) * reach + 1e-3 * norm) + 1e-40;
}

}  // namespace

extern const CodecDescriptor kKlt = {
    .name = "klt",
    .summary =
        "transform codec: calibrated Karhunen-Loeve coordinates weighted by attention, one step, "
        "nearest point of E8, entropy-coded",
    .example = "klt:bits=3.5",
    .keys = kHeadKeys,
    .sections = kHeadSections,
    .looks = {100, "#CC0000", 8},
    .scope = VectorScope::head,
    .profile = Profile::kKind,
    .plan_rates = "1 1.5 2 3 4",
    .error_bound = {head_bound},
    .make = make_klt,
    .read_place = read_klt_place,
};

extern const CodecDescriptor kKltLayers = {
    .name = "klt",
    .summary =
        "the transform codec over whole tokens: all keys and values of a layer, or of some layers, "
        "together, predicted from those decoded before",
    .example = "klt:bits=2,scope=layer",
    .keys = kLayerKeys,
    .sections = kLayerSections,
    .selector = {"scope", "layer"},
    .scope = VectorScope::token,
    .profile = Profile::kKind,
    .plan_rates = "1 1.5 2 3 4",
    .error_bound = {layer_bound},
    .make = make_klt_layers,
    .read_place = read_klt_layers_place,
};

extern const CodecDescriptor kKltProfileless = {
    .name = "klt",
    .summary =
        "the transform codec without any calibration: it begins with what the first tokens say of each "
        "coordinate, and learns from the tokens that it has coded",
    .example = "klt:bits=4,profile=none",
    .keys = kProfilelessKeys,
    .sections = kProfilelessSections,
    .selector = {"profile", "none"},
    .scope = VectorScope::token,
    .error_bound = {profileless_bound},
    .make = make_klt_profileless,
    .read_place = read_klt_layers_place,
};

}  // namespace kakeya
