// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/builtin.h"

#include "kakeya/codec/spec.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr KeyHelp kLatticeKeys[] = {
    {"q", "", "range of the lattice coordinates, a whole number in [1, 1023]; must be given"},
    {"rule", "bounded",
     "bounded: nearest point inside the box, a valid fixed-rate code; published: nearest point, "
     "then clamped, as the "
     "published round trip"},
};
constexpr KeyHelp kTqKeys[] = {
    {"b", "", "bits a coordinate, a whole number in [2, 8]: 2^b - 1 levels; must be given"},
};
constexpr KeyHelp kFp8Keys[] = {
    {"block", "64",
     "coordinates that share a scale, a power of two; must divide dim (dim itself where dim is "
     "below 64)"},
    {"scale", "fp32", "how a scale is stored: fp32 (as published), fp16, or e8m0 (a power of two)"},
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
     "e8:q=10", kLatticeKeys, make_e8},
    {"d4",
     "nearest point of the lattice D4 in blocks of 4, after norm, Hadamard rotation and maximum",
     "d4:q=38", kLatticeKeys, make_d4},
    {"tq",
     "uniform levels a coordinate, after the same norm, rotation and maximum: the published "
     "baseline",
     "tq:b=4", kTqKeys, make_tq},
    {"fp8", "FP8 E4M3FN with a scale a block of coordinates, without rotation", "fp8:block=64",
     kFp8Keys, make_fp8},
};

std::string known_names() {
  std::string names;
  for (const CodecEntry& entry : kCodecs) {
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  return names;
}

// The codec that a frame names, the frame checked against it.
std::unique_ptr<Codec> codec_of(const FrameView& view) {
  std::unique_ptr<Codec> codec;
  try {
    codec = make_codec(view.spec, {view.dim});
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

FrameInfo frame_info(std::span<const std::byte> frame) {
  const FrameView view = parse_frame(frame);
  codec_of(view);
  return summary_of(view);
}

std::unique_ptr<Codec> codec_of_frame(std::span<const std::byte> frame) {
  return codec_of(parse_frame(frame));
}

}  // namespace kakeya
