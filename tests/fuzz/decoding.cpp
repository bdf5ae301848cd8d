// SPDX-License-Identifier: Apache-2.0
#include "fuzz/decoding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "fuzz/accepting.h"
#include "fuzz/allocation.h"
#include "fuzz/finding.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/spec.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/codec/whole_caches.h"
#include "kakeya/core/error.h"

namespace kakeya::fuzz {
namespace {

// An entropy coder that looks for the cheapest classes encodes twenty times slower than it decodes:
// only frames whose checksum ends in a multiple of this are encoded again.
constexpr std::size_t kEncodeEvery = 64;

// Room that ends where the values end, so that AddressSanitizer sees what is written beyond, and
// full of NaN, so that a value that was not written is seen too.
std::unique_ptr<float[]> room_of_nan(std::size_t values) {
  auto room = std::make_unique_for_overwrite<float[]>(values);
  std::fill_n(room.get(), values, std::numeric_limits<float>::quiet_NaN());
  return room;
}

void check_pages(const Codec& codec, std::span<const std::byte> frame, std::size_t count,
                 const float* values, std::size_t limit) {
  const std::size_t page_vectors = codec.page_vectors();
  if (page_vectors == 0) return;
  for (std::size_t first = 0; first < count; first += page_vectors) {
    const std::size_t vectors = std::min(page_vectors, count - first);
    const auto room = room_of_nan(vectors * codec.dim());
    const bool accepted = accepts(
        [&] {
          codec.decode_page(frame, first / page_vectors,
                            dense_rows(room.get(), vectors, codec.dim()));
        },
        limit);
    require(accepted, "a page of a frame that decodes was refused");
    require(std::memcmp(room.get(), values + first * codec.dim(),
                        vectors * codec.dim() * sizeof(float)) == 0,
            "a page decodes to other values alone");
  }
}

}  // namespace

namespace {

// What a codec asks for that makes its matrices by what the frame says, freed or not: some of [width, width] for
// each layer, again and again as it learns; of a head whenever it learns or, with a budget, a page has another step, and tables of pages=prefix.
std::size_t matrix_bytes(const Codec& codec, std::size_t vectors) {
  constexpr std::size_t kMostWidth = 4096, kMatrices = 32, kAScalar = 1024;
  constexpr std::size_t kUpdate = 512 << 10, kTables = 64 << 10;
  const bool tokens = scope_of(codec.spec()) == VectorScope::token;
  std::size_t updates = codes_whole_caches(codec) ? std::bit_width(vectors / 256) : 0;
  if (Spec::parse(codec.spec()).find("budget")) updates = vectors / codec.page_vectors() + 1;
  if (!tokens) return updates * (kUpdate + kTables * codec.dim());
  const std::size_t once = sizeof(float) * kMatrices * std::min(codec.dim(), kMostWidth) + kAScalar;
  const bool told = !is_calibrated(codec.spec()) || Spec::parse(codec.spec()).find("send");
  return (told ? 1 : 0) * codec.dim() * once + updates * (kUpdate + 4 * codec.dim() * once);
}

}  // namespace

bool decode_checked(const Codec& codec, std::span<const std::byte> frame) {
  FrameInfo info;
  try {
    info = summary_of(parse_frame(frame));
    codec.check_frame(info);
  } catch (const CorruptStream&) {
    return false;
  }
  const std::size_t dim = codec.dim();
  require(info.dim == dim, "a codec of another dim than the frame");
  require(info.count <= 128 * frame.size() / (sizeof(float) * dim),
          "a frame passes for more than 128 bytes of values a byte");
  const std::size_t limit = allocation_limit(frame.size(), dim) + matrix_bytes(codec, info.count);
  const auto room = room_of_nan(info.count * dim);
  const bool accepted =
      accepts([&] { codec.decode(frame, dense_rows(room.get(), info.count, dim)); }, limit);
  if (!accepted) return false;
  const std::span<const float> values(room.get(), info.count * dim);
  require(
      std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); }),
      "a decoded value is not finite or was not written");
  check_pages(codec, frame, info.count, values.data(), limit);
  if (std::to_integer<std::size_t>(frame.back()) % kEncodeEvery == 0) {
    const std::size_t bound = codec.encoded_bound(info.count);
    const auto again = std::make_unique_for_overwrite<std::byte[]>(bound);
    codec.encode(dense_rows(values.data(), info.count, dim), std::span(again.get(), bound));
  }
  return true;
}

}  // namespace kakeya::fuzz
