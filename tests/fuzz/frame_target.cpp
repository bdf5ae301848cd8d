// SPDX-License-Identifier: Apache-2.0
#include "fuzz/frame_target.h"

#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "fuzz/allocation.h"
#include "fuzz/decoding.h"
#include "fuzz/finding.h"
#include "fuzz/mending.h"
#include "fuzz/seed_vectors.h"
#include "fuzz/specs.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/codec.h"
#include "kakeya/core/error.h"

namespace kakeya::fuzz {
namespace {

constexpr std::size_t kSmallestFrame = 36;
// What a codec builds once, whatever the frame: the rows of its classes and its tables.
constexpr std::size_t kCodecBytes = 65536;
constexpr std::size_t kMostKept = 256;

// The codec that reads frames like this one: kept, because the tables of an entropy coder take
// longer to build than a thousand frames to decode.
const Codec& kept(std::unique_ptr<Codec> codec) {
  static std::map<std::pair<std::string, std::size_t>, std::unique_ptr<Codec>> all;
  if (all.size() == kMostKept) all.clear();
  const std::pair key(codec->spec(), codec->dim());
  return *all.try_emplace(key, std::move(codec)).first->second;
}

// The profile that a frame of a calibrated codec is read with.
const ProfileSource* profile_for(std::span<const std::byte> frame) {
  try {
    const FrameView view = parse_frame(frame);
    return profile_of(view.spec, view.dim == 8 || view.dim == 64 ? view.dim : 32);
  } catch (const CorruptStream&) {
    return nullptr;
  }
}

}  // namespace

bool run_frame(Input input) {
  const auto bytes = std::as_bytes(input);
  std::vector<std::byte> frame(bytes.begin(), bytes.end());
  if (frame.size() >= kSmallestFrame) {
    const bool whole = frame[0] == std::byte{'K'};
    std::memcpy(frame.data(), "KKYF", 4);
    if (whole) mend_frame(frame);
  }
  const ProfileSource* const profiles = profile_for(frame);
  const std::size_t before = allocated_bytes();
  std::unique_ptr<Codec> codec;
  FrameInfo info;
  bool known = false, described = false;
  try {
    codec = codec_of_frame(frame, profiles);
    known = true;
  } catch (const CorruptStream&) {
  }
  // A calibrated codec has the matrices of its profile, whatever the frame.
  require(profiles != nullptr ||
              allocated_bytes() - before <= allocation_limit(frame.size(), 0) + kCodecBytes,
          "codec_of_frame asked for more memory than a multiple of the frame");
  try {
    info = frame_info(frame, profiles);
    described = true;
  } catch (const CorruptStream&) {
  }
  require(known == described, "codec_of_frame and frame_info disagree");
  if (!known) return false;
  std::size_t sum = 0;
  for (const auto& [name, length] : info.sections) sum += length;
  require(sum == frame.size(), "the sections do not add up to the frame");
  // Whoever reads frames of one part alone is no reader of others with that spec and dim.
  if (scope_of(codec->spec()) != VectorScope::any) return decode_checked(*codec, frame);
  return decode_checked(kept(std::move(codec)), frame);
}

Inputs frame_seeds() {
  Inputs seeds;
  for (const Family& family : families()) {
    for (const SpecCase& which : family.cases) {
      for (const std::size_t count : {std::size_t{0}, std::size_t{3}}) {
        const auto frame = seed_frame(codec_of(which, 0), SeedKind::heavy_tailed, count);
        const auto* first = reinterpret_cast<const std::uint8_t*>(frame.data());
        seeds.emplace_back(first, first + frame.size());
      }
    }
  }
  return seeds;
}

}  // namespace kakeya::fuzz
