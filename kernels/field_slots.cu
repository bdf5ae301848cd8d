// SPDX-License-Identifier: Apache-2.0
// From sections of klt with pages=fixed, tiles or prefix to slots that attention reads (field_attention.h), and back: a
// block of threads a slot.
#include "kernels/field_attention.h"
#include "kernels/pages_launch.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kLayThreads = 256;

struct LayFields {
  FieldSections keys, values;
  const std::uint64_t *key_starts, *value_starts;  // [heads][pages + 1]
  std::int64_t pages;
  PagePool pool;
  FieldRoom room;
};

// A page's bytes, 0 where its head's pages are damaged, and where they are.
__device__ __forceinline__ const std::uint8_t* page_of(const LayFields& lay, int head,
                                                       std::int64_t page, bool values,
                                                       std::uint64_t* bytes) {
  const FieldSections& from = values ? lay.values : lay.keys;
  const std::uint64_t* starts =
      (values ? lay.value_starts : lay.key_starts) + head * (lay.pages + 1);
  const std::uint64_t begin = starts[page], end = starts[page + 1];
  const bool good = end != ~std::uint64_t{0} && begin < end &&
                    (lay.room.any_byte || (begin % 4 == 0 && end % 4 == 0));
  *bytes = good ? end - begin : 0;
  return from.pages.streams + head * from.pages.stream_stride + (good ? begin : 0);
}

// What lies between a page and the next: in words, or in bytes.
struct Gaps {
  bool any_byte;

  __device__ __forceinline__ int each() const { return any_byte ? 8 : 16; }  // in a word
  __device__ __forceinline__ int words(int parts) const { return (parts + each() - 1) / each(); }
  __device__ __forceinline__ std::uint32_t field(std::uint32_t bytes, int part) const {
    const std::uint32_t left = (16 - bytes % 16) % 16;
    return any_byte ? left << (4 * (part % 8)) : left / 4 << (2 * (part % 16));
  }
  __device__ __forceinline__ std::uint32_t bytes(std::uint32_t word, int part) const {
    return any_byte ? word >> (4 * (part % 8)) & 15u : 4 * (word >> (2 * (part % 16)) & 3u);
  }
};

__global__ void __launch_bounds__(kLayThreads)
    lay_field_slots(LayFields lay, const std::int32_t* slots, std::uint32_t* flags) {
  __shared__ std::uint32_t place[2 * kMostLayHeads + 1];
  __shared__ std::uint32_t gaps[2 * kMostLayHeads / 8];
  __shared__ bool fits;
  const int thread = static_cast<int>(threadIdx.x), heads = lay.pool.heads, parts = 2 * heads;
  const Gaps gap{lay.room.any_byte};
  const std::int64_t page = blockIdx.x, slot = slots[page];
  if (slot < 0 || slot >= lay.pool.slots) {
    if (thread == 0) atomicOr(flags, static_cast<std::uint32_t>(kBadSlot));
    return;
  }
  std::uint8_t* const to = lay.pool.data + slot * lay.room.slot_bytes;
  if (thread == 0) {
    auto at = static_cast<std::uint64_t>(field_directory(heads, gap.any_byte));
    bool all_fit = true;
    for (int i = 0; i < gap.words(parts); ++i) gaps[i] = 0;
    for (int head = 0; head < heads; ++head) {
      const std::uint64_t first = at;
      bool good = true;
      for (int part = 0; part < 2; ++part) {
        std::uint64_t bytes = 0;
        page_of(lay, head, page, part == 1, &bytes);
        place[2 * head + part] = static_cast<std::uint32_t>(at);
        at += (bytes + 15) / 16;
        const int number = 2 * head + part;
        gaps[number / gap.each()] |= gap.field(static_cast<std::uint32_t>(bytes), number);
        good = good && bytes != 0;
      }
      const bool short_enough =
          16 * (at - first) <= static_cast<std::uint64_t>(lay.room.head_bytes) &&
          16 * at <= static_cast<std::uint64_t>(lay.room.slot_bytes);
      std::uint32_t found = good ? 0u : static_cast<std::uint32_t>(kBadPage);
      if (!short_enough) found |= kPageTooLong;
      if (page == 0 && (lay.keys.exact_bytes[head] != 0 || lay.values.exact_bytes[head] != 0)) {
        found |= kKeptVectors;
      }
      if (found != 0) atomicOr(flags + head, found);
      all_fit = all_fit && good && short_enough;
    }
    place[parts] = static_cast<std::uint32_t>(at);
    fits = all_fit;
  }
  __syncthreads();
  for (int i = thread; i < 4 * field_directory(heads, gap.any_byte); i += kLayThreads) {
    const bool is_place = i <= parts, is_gap = i - parts - 1 < gap.words(parts);
    reinterpret_cast<std::uint32_t*>(to)[i] = fits ? (is_place ? place[i]
                                                      : is_gap ? gaps[i - parts - 1]
                                                               : 0u)
                                                   : 0u;
  }
  if (!fits) return;
  const int warp = thread / 32, lane = thread % 32;
  for (int part = warp; part < parts; part += kLayThreads / 32) {
    std::uint64_t bytes = 0;
    const std::uint8_t* const from = page_of(lay, part / 2, page, part % 2 == 1, &bytes);
    auto* const at = reinterpret_cast<std::uint32_t*>(to + 16 * std::int64_t{place[part]});
    const auto count = static_cast<int>(bytes / 4), room = static_cast<int>((bytes + 15) / 16 * 4);
    for (int i = lane; i < room; i += 32) {
      std::uint32_t word = i < count ? word_of_bytes(from + 4 * i) : 0u;
      for (int k = 0; i == count && k < static_cast<int>(bytes % 4); ++k) {
        word |= std::uint32_t{from[4 * i + k]} << (8 * k);
      }
      at[i] = word;
    }
  }
}

// Pages of slots, for the way back.
struct LiftFields {
  PagePool pool;
  FieldRoom room;
  PageSections keys, values;
  const std::uint64_t *key_starts, *value_starts;  // [heads][pages + 1]
  std::int64_t pages;
};

// Where part `part` of a slot's pages is, and its bytes: 0 where there is none.
__device__ __forceinline__ const std::uint8_t* part_of(const LiftFields& lift, std::int64_t slot,
                                                       int part, std::uint32_t* bytes) {
  const int parts = 2 * lift.pool.heads;
  const std::uint8_t* const data = lift.pool.data + slot * lift.room.slot_bytes;
  const auto* const words = reinterpret_cast<const std::uint32_t*>(data);
  const Gaps gap{lift.room.any_byte};
  const int directory = field_directory(lift.pool.heads, gap.any_byte);
  const std::uint32_t begin = words[part], end = words[part + 1],
                      left = gap.bytes(words[parts + 1 + part / gap.each()], part),
                      most = static_cast<std::uint32_t>(lift.room.slot_bytes / 16);
  const bool good = begin >= static_cast<std::uint32_t>(directory) && begin < end && end <= most;
  *bytes = good ? 16 * (end - begin) - left : 0;
  return data + (good ? 16 * std::int64_t{begin} : 0);
}

__global__ void __launch_bounds__(kLayThreads)
    measure_field_slots(LiftFields lift, const std::int32_t* slots, std::uint32_t* flags) {
  const std::int64_t page = blockIdx.x, slot = slots[page];
  const bool there = slot >= 0 && slot < lift.pool.slots;
  for (int part = static_cast<int>(threadIdx.x); part < 2 * lift.pool.heads; part += kLayThreads) {
    std::uint32_t bytes = 0;
    if (there) part_of(lift, slot, part, &bytes);
    const PageSections& to = part % 2 == 1 ? lift.values : lift.keys;
    to.pages[part / 2 * to.page_stride + page] = bytes;
    if (bytes == 0) {
      const std::uint32_t wrong = there ? std::uint32_t{kBadPage} : std::uint32_t{kBadSlot};
      atomicOr(flags + part / 2, wrong);
    }
  }
}

__global__ void __launch_bounds__(kLayThreads)
    lift_field_slots(LiftFields lift, const std::int32_t* slots) {
  const std::int64_t page = blockIdx.x, slot = slots[page];
  if (slot < 0 || slot >= lift.pool.slots) return;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int part = warp; part < 2 * lift.pool.heads; part += kLayThreads / 32) {
    std::uint32_t bytes = 0;
    const std::uint8_t* const from = part_of(lift, slot, part, &bytes);
    const bool of_values = part % 2 == 1;
    const PageSections& to = of_values ? lift.values : lift.keys;
    const std::uint64_t* const starts =
        (of_values ? lift.value_starts : lift.key_starts) + part / 2 * (lift.pages + 1);
    if (starts[lift.pages] > static_cast<std::uint64_t>(to.stream_room)) continue;
    std::uint8_t* const begin = to.streams + part / 2 * to.stream_stride + starts[page];
    if (lift.room.any_byte) {
      for (int i = lane; i < static_cast<int>(bytes); i += 32) begin[i] = from[i];
      continue;
    }
    const auto* words = reinterpret_cast<const std::uint32_t*>(from);
    auto* const at = reinterpret_cast<std::uint32_t*>(begin);
    for (int i = lane; i < static_cast<int>(bytes / 4); i += 32) at[i] = words[i];
  }
}

}  // namespace

std::size_t lay_fields_workspace(std::int64_t tokens, int heads) {
  const std::int64_t pages = (tokens + kFieldSlotTokens - 1) / kFieldSlotTokens;
  return (16 * static_cast<std::size_t>(heads) * static_cast<std::size_t>(pages + 1) + 255) / 256 *
         256;
}

void lay_fields(const FieldSections& keys, const FieldSections& values, std::int64_t tokens,
                const PagePool& pool, const FieldRoom& room, const std::int32_t* slots,
                void* workspace, std::uint32_t* flags, Stream stream) {
  if (tokens == 0) return;
  const std::int64_t pages = (tokens + kFieldSlotTokens - 1) / kFieldSlotTokens;
  auto* const key_starts = static_cast<std::uint64_t*>(workspace);
  auto* const value_starts = key_starts + pool.heads * (pages + 1);
  locate_pages(pool.heads, pages, keys.pages, key_starts, flags, stream);
  locate_pages(pool.heads, pages, values.pages, value_starts, flags, stream);
  const LayFields lay{keys, values, key_starts, value_starts, pages, pool, room};
  KAKEYA_LAUNCH(lay_field_slots, pages, kLayThreads, stream, lay, slots, flags);
}

std::size_t lift_fields_workspace(std::int64_t pages, int heads) {
  return lay_fields_workspace(pages * kFieldSlotTokens, heads);
}

void lift_fields(const PagePool& pool, const FieldRoom& room, const std::int32_t* slots,
                 std::int64_t pages, const PageSections& keys, const PageSections& values,
                 void* workspace, std::uint32_t* flags, Stream stream) {
  if (pages == 0) return;
  auto* const key_starts = static_cast<std::uint64_t*>(workspace);
  auto* const value_starts = key_starts + pool.heads * (pages + 1);
  const LiftFields lift{pool, room, keys, values, key_starts, value_starts, pages};
  KAKEYA_LAUNCH(measure_field_slots, pages, kLayThreads, stream, lift, slots, flags);
  place_pages(pool.heads, pages, keys, key_starts, flags, stream);
  place_pages(pool.heads, pages, values, value_starts, flags, stream);
  KAKEYA_LAUNCH(lift_field_slots, pages, kLayThreads, stream, lift, slots);
}

}  // namespace kakeya::kernels
