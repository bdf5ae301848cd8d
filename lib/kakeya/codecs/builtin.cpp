// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/builtin.h"

#include <algorithm>

#include "kakeya/codec/spec.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr KeyHelp kPack = {
    "pack", "block",
    "how points become bits. block: a field of fixed width a block; joint: one mixed-radix number "
    "a "
    "vector, less than a bit above the exact count; rans: entropy-coded pages"};
constexpr KeyHelp kFixedClasses = {
    "classes", "one",
    "with pack=rans, the scale class that picks the tables: one for all coordinates, or one a "
    "channel; chosen on the first page, a byte each"};
constexpr KeyHelp kFixedScales = {
    "scales", "two",
    "what is stored of a vector's size. two: norm and maximum, 16 bits each, as published; one: "
    "their product, 16 bits; log8: its logarithm, 8 bits, at most 4.4 % too "
    "large (9 % for one in 256)"};
constexpr KeyHelp kRotate = {"rotate", "hadamard",
                             "before quantising: hadamard; none (any dim that is a multiple of 8); "
                             "signed: random signs, then "
                             "Hadamard"};
constexpr KeyHelp kSeed = {"seed", "0", "of the random signs of rotate=signed"};
constexpr KeyHelp kCenter = {
    "center", "none",
    "mean: subtract the mean of each channel over the first page (16 bits a channel a frame; not "
    "causal within that page)"};
constexpr KeyHelp kOutliers = {"outliers", "0",
                               "largest coordinates of each vector kept as binary16 beside the "
                               "code, up to 64 and half of dim"};
constexpr KeyHelp kPage = {"page", "1024",
                           "vectors a page, a multiple of 32 up to 4096: what decodes alone, and "
                           "what means and classes are "
                           "taken from"};

constexpr KeyHelp kFixedPage = {
    "page", "1024",
    "with pack=rans or center=mean: vectors a page, a multiple of 32 up "
    "to 4096: what decodes alone, and what means and classes are taken "
    "from"};

constexpr KeyHelp kRange = {
    "q", "", "range of the lattice coordinates, a whole number in [1, 1023]; must be given"};
constexpr KeyHelp kRule = {
    "rule", "bounded",
    "bounded: nearest point inside the box, a valid fixed-rate code; published: nearest point, "
    "then clamped, as the published round trip (takes none of the keys from pack on)"};
constexpr KeyHelp kAblate = {
    "ablate", "none",
    "with rule=published, a codec of the published ablation, always charged as the whole one. "
    "no-unit-norm: no norm (16 bits a vector less); no-hadamard: no rotation; no-per-vec-qmax: max "
    "instead of each vector's maximum (16 bits less), larger coordinates clamped; per-block-qmax: "
    "a maximum for every 4 coordinates (16 bits each); scalar-quantise: coordinates rounded by "
    "themselves (a bit a block more)"};
constexpr KeyHelp kMax = {
    "max", "",
    "of ablate=no-per-vec-qmax: the one maximum of all rotated unit vectors, in [0.01, 1]; must be "
    "given"};

constexpr KeyHelp kE8Keys[] = {
    kRange,  kRule, kPack,   kFixedClasses, kFixedScales,
    kRotate, kSeed, kCenter, kOutliers,     kFixedPage,
};
constexpr KeyHelp kD4Keys[] = {
    kRange,       kRule,   kAblate, kMax,    kPack,     kFixedClasses,
    kFixedScales, kRotate, kSeed,   kCenter, kOutliers, kFixedPage,
};
constexpr KeyHelp kTqKeys[] = {
    {"b", "", "bits a coordinate, a whole number in [2, 8]: 2^b - 1 levels; must be given"},
    kPack,
    kFixedClasses,
    kFixedScales,
    kRotate,
    kSeed,
    kCenter,
    kOutliers,
    kFixedPage,
};
constexpr KeyHelp kEntropyCodedKeys[] = {
    {"bits", "",
     "target rate, bits a value before scales, any number in [0.25, 12]: a normal source costs "
     "this "
     "at high rate, any other less; this or step must be given"},
    {"step", "",
     "the step itself, in the units of the data, instead of a rate; no scales are stored"},
    {"per", "vector",
     "what shares a step. vector: each has its own; head-page: a page, its step from the tokens "
     "before it"},
    {"scales", "log8",
     "a stored scale. log8: its logarithm in 8 bits, neighbours 4.4 % apart; one: 16 bits"},
    {"classes", "one",
     "the scale class that picks the tables: one for all coordinates, or one a channel; chosen on "
     "the "
     "first page, a byte each"},
    {"reconstruct", "point",
     "point: the lattice point; wiener: shrunk to the least squared error of a normal source"},
    {"rotate", "signed",
     "before quantising: signed: random signs, then Hadamard; none (any dim that is a multiple of "
     "8); hadamard"},
    kSeed,
    kCenter,
    kOutliers,
    kPage,
};
constexpr KeyHelp kKltKeys[] = {
    {"bits", "",
     "target rate, bits a value on the mean over a model, any number in [0.5, 8], from 0.25 on "
     "with "
     "scope=layer: what the profile's calibration text costs; must be given"},
    {"weight", "query",
     "query: errors count as attention sees them, by the queries for keys and the output matrix "
     "for "
     "values; none: all alike"},
    {"alloc", "kl",
     "kl: steps of layers and parts by their measured sensitivity; none: one step for all"},
    {"center", "mean", "mean: the calibrated mean is subtracted; none: it is coded"},
    {"lattice", "e8",
     "e8; z: each coordinate rounded by itself; tcq: trellis-coded quantisation, the best path "
     "through eight states"},
    {"scope", "head",
     "head: one head of the keys or values of a layer; layer: whole tokens, all keys and values of "
     "a layer together, layer after layer (for modes snapshot and prefix, and dumps; with "
     "restart=1 for every mode)"},
    {"predict", "0",
     "of scope=layer: decoded layers, or groups of as many as the profile transforms together, "
     "from which the next is predicted, 0 to 2"},
    {"shaping", "0.25",
     "of scope=layer: 0 for errors alike in all coordinates, up to 1, as large as the coordinates"},
    {"restart", "0",
     "of scope=layer: prediction begins anew every so many layers, which decode alone, a "
     "multiple of those that the profile transforms together; 0: never"},
    {"page", "1024",
     "vectors a page, a multiple of 32 up to 4096: what decodes alone; of scope=layer 64 by "
     "default, up to 1048576"},
    {"profile", "",
     "file of kakeya-calibrate, or the first digits of the digest of one that is loaded; the one "
     "of "
     "--profile where it is not given"},
};
constexpr KeyHelp kKvtcKeys[] = {
    {"bits", "",
     "budget, bits a value on the mean over keys and values, scales included, before DEFLATE, any "
     "number in [0.25, 8]: what is written is less; must be given"},
    {"page", "256", "tokens a page, 16 to 1024: what is compressed together and decodes alone"},
    {"profile", "",
     "file of kakeya-calibrate --codec kvtc, or the first digits of the digest of one that is "
     "loaded; the first one of --profile where it is not given"},
};
constexpr KeyHelp kFp8Keys[] = {
    {"block", "64",
     "coordinates that share a scale, a power of two; must divide dim (dim itself where dim is "
     "below 64)"},
    {"scale", "fp32", "how a scale is stored: fp32 (as published), fp16, or e8m0 (a power of two)"},
};

constexpr KeyHelp kKiviKeys[] = {
    {"b", "", "bits a code, a whole number in [1, 8]; must be given"},
    {"group", "32",
     "values that share a zero and a scale, a multiple of 8 up to 1024: tokens of a channel for "
     "keys, channels of a token for values"},
};

// To add a codec: one .cpp, one line in builtin.h, one row here.
constexpr CodecEntry kCodecs[] = {
    {"identity",
     "bfloat16 as it is stored: the reference that measures the harness itself",
     "identity",
     {},
     make_identity},
    {"e8",
     "nearest point of the lattice E8 in blocks of 8, after norm, Hadamard rotation and maximum",
     "e8:q=10", kE8Keys, make_e8},
    {"d4",
     "nearest point of the lattice D4 in blocks of 4, after norm, Hadamard rotation and maximum",
     "d4:q=38", kD4Keys, make_d4},
    {"tq",
     "uniform levels a coordinate, after the same norm, rotation and maximum: the published "
     "baseline",
     "tq:b=4", kTqKeys, make_tq},
    {"ecz",
     "uniform levels, entropy-coded: a step from the bit budget, no range, interleaved rANS pages",
     "ecz:bits=4", kEntropyCodedKeys, make_ecz},
    {"ecd4", "nearest point of the lattice D4, entropy-coded as ecz", "ecd4:bits=4",
     kEntropyCodedKeys, make_ecd4},
    {"ece8", "nearest point of the lattice E8, entropy-coded as ecz", "ece8:bits=4",
     kEntropyCodedKeys, make_ece8},
    {"klt",
     "transform codec: calibrated Karhunen-Loeve coordinates weighted by attention, one step, "
     "nearest point of E8, entropy-coded",
     "klt:bits=3.5", kKltKeys, make_klt, VectorScope::head, true, "scope=layer", read_klt_place},
    {"kvtc",
     "the published transform codec KVTC: principal components of all layers of a token, groups of "
     "int2, int4 and fp8 by dynamic programming, DEFLATE (for modes snapshot and prefix with "
     "boundary 0, and dumps)",
     "kvtc:bits=2",
     kKvtcKeys,
     make_kvtc,
     VectorScope::token,
     true,
     {},
     read_kvtc_place},
    {"fp8", "FP8 E4M3FN with a scale a block of coordinates, without rotation", "fp8:block=64",
     kFp8Keys, make_fp8},
    {"q4_0", "llama.cpp's blocks of 32: 4 bits a coordinate and a binary16", "q4_0", {}, make_q4_0},
    {"q5_0", "llama.cpp's blocks of 32: 5 bits a coordinate and a binary16", "q5_0", {}, make_q5_0},
    {"q8_0", "llama.cpp's blocks of 32: 8 bits a coordinate and a binary16", "q8_0", {}, make_q8_0},
    {"kivi",
     "asymmetric integers, a binary16 zero and scale a group: keys by channel, values by token",
     "kivi:b=4",
     kKiviKeys,
     make_kivi,
     VectorScope::head,
     false,
     {},
     read_kivi_place},
};

std::string known_names() {
  std::string names;
  for (const CodecEntry& entry : kCodecs) {
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  return names;
}

const CodecEntry* entry_of(std::string_view spec) {
  const std::string_view name = spec.substr(0, spec.find(':'));
  const auto found = std::find_if(std::begin(kCodecs), std::end(kCodecs),
                                  [&](const CodecEntry& entry) { return entry.name == name; });
  return found == std::end(kCodecs) ? nullptr : found;
}

// Whether "key=value" is one of the items of a spec.
bool has_item(std::string_view spec, std::string_view item) {
  for (std::size_t at = spec.find(':'); at != std::string_view::npos; at = spec.find(',', at)) {
    ++at;
    if (spec.substr(at, spec.find(',', at) - at) == item) return true;
  }
  return false;
}

// The value of a key in a spec; nothing where it has none.
std::optional<std::string_view> value_of(std::string_view spec, std::string_view key) {
  for (std::size_t at = spec.find(':'); at != std::string_view::npos; at = spec.find(',', at)) {
    ++at;
    const std::string_view item = spec.substr(at, spec.find(',', at) - at);
    if (item.substr(0, item.find('=')) == key)
      return item.substr(std::min(key.size() + 1, item.size()));
  }
  return std::nullopt;
}

// The codec that a frame names, the frame checked against it.
std::unique_ptr<Codec> codec_of(const FrameView& view, const ProfileSource* profiles) {
  std::unique_ptr<Codec> codec;
  CodecInput input{view.dim, profiles};
  require_stored_spec(view.spec);
  if (is_calibrated(view.spec) && profiles == nullptr) {
    throw InputError("frame of " + view.spec + ": expected the profile that it was made with");
  }
  const CodecEntry* entry = entry_of(view.spec);
  if (entry != nullptr && entry->read_place != nullptr) entry->read_place(view, input);
  try {
    codec = make_codec(view.spec, input);
  } catch (const SpecError& error) {
    throw CorruptStream("frame names a codec that is not known here: " + std::string(error.what()));
  } catch (const InputError& error) {
    throw CorruptStream("frame: " + std::string(error.what()));
  }
  if (codec->spec() != view.spec) {
    throw CorruptStream("frame names codec '" + view.spec + "', which is not canonical: '" +
                        codec->spec() + "'");
  }
  codec->check_frame(summary_of(view));
  return codec;
}

}  // namespace

void Codec::check_frame(const FrameInfo& info) const {
  std::size_t bytes = 0;
  for (const auto& [name, length] : info.sections) bytes += length;
  if (info.count > bytes) {
    throw CorruptStream("frame of " + info.spec + ": " + std::to_string(bytes) +
                        " bytes cannot hold " + std::to_string(info.count) + " vectors");
  }
}

void Codec::decode_page(std::span<const std::byte>, std::size_t, Rows<float>) const {
  throw InputError(spec() + ": its frames have no pages that decode alone");
}

std::span<const CodecEntry> builtin_codecs() { return kCodecs; }

std::unique_ptr<Codec> make_codec(std::string_view spec, const CodecInput& input) {
  SpecArgs args = SpecArgs::parse(spec);
  for (const CodecEntry& entry : kCodecs) {
    if (entry.name != args.name()) continue;
    args.require_known(entry.keys);
    auto codec = entry.make(args, input);
    args.require_used();
    return codec;
  }
  throw SpecError("codec '" + std::string(spec) + "': expected one of " + known_names());
}

void require_stored_spec(std::string_view spec) {
  const auto profile = value_of(spec, "profile");
  if (!profile) return;
  const bool digest = profile->size() == ProfileHead::kShortDigest &&
                      profile->find_first_not_of("0123456789abcdef") == std::string_view::npos;
  if (!digest) {
    throw CorruptStream("codec " + std::string(spec) +
                        ": expected the first 16 digits of a profile's digest");
  }
}

bool is_calibrated(std::string_view spec) {
  const CodecEntry* entry = entry_of(spec);
  return entry != nullptr && entry->calibrated;
}

VectorScope scope_of(std::string_view spec) {
  const CodecEntry* entry = entry_of(spec);
  if (entry == nullptr) return VectorScope::any;
  const bool token = !entry->token_key.empty() && has_item(spec, entry->token_key);
  return token ? VectorScope::token : entry->scope;
}

FrameInfo frame_info(std::span<const std::byte> frame, const ProfileSource* profiles) {
  const FrameView view = parse_frame(frame);
  codec_of(view, profiles);
  return summary_of(view);
}

std::unique_ptr<Codec> codec_of_frame(std::span<const std::byte> frame,
                                      const ProfileSource* profiles) {
  return codec_of(parse_frame(frame), profiles);
}

}  // namespace kakeya
