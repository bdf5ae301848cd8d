// SPDX-License-Identifier: Apache-2.0
// From pages of a budget of klt with pages=fixed or tiles to slots that attention reads (budget_slots.h), and back: a
// block of threads a slot, a warp a page.
#include "kernels/budget.h"
#include "kernels/budget_slots.h"
#include "kernels/warp.cuh"

namespace kakeya::kernels {
namespace {

constexpr int kBudgetSlotThreads = 256;

struct BudgetSlots {
  BudgetSections keys, values;
  PagePool pool;
  FieldRoom room;

  __device__ __forceinline__ const BudgetSections& side(int part) const {
    return part % 2 == 1 ? values : keys;
  }
  /// The page of part `part` of a slot: keys of head 0, values of head 0, keys of head 1, ...
  __device__ __forceinline__ std::uint8_t* page(int part, std::int64_t number) const {
    const BudgetSections& from = side(part);
    return from.pool.data + part / 2 * from.pool.stride + number * from.budget;
  }
};

/// What the end of a page says of it.
struct BudgetEnd {
  std::uint32_t step, bytes;  ///< of the stream
  std::uint32_t found;        ///< flags
};

/// A length, read backwards from page[at - 1] on: numbers of 7 bits a byte, the low ones first. False where it does
/// not end.
__device__ __forceinline__ bool take_length(const std::uint8_t* page, std::int64_t& at,
                                            std::uint32_t& length) {
  length = 0;
  for (int shift = 0; at > 0 && shift < 28; shift += 7) {
    const std::uint32_t byte = page[--at];
    length |= (byte & 127u) << shift;
    if (byte < 128) return true;
  }
  return false;
}

/// Takes a page of `budget` bytes apart, by a warp: its stream, nothing beside it, zeros between.
__device__ __forceinline__ BudgetEnd budget_end(const std::uint8_t* page, std::int64_t budget,
                                                int lane) {
  std::int64_t at = budget - 1;
  std::uint32_t beside = 0;
  BudgetEnd end{page[at], 0, 0};
  const bool ends = take_length(page, at, end.bytes) && take_length(page, at, beside);
  if (!ends || end.step >= static_cast<std::uint32_t>(kBudgetSteps) || end.bytes == 0 ||
      end.bytes % 4 != 0 || end.bytes > at || beside > at - end.bytes) {
    end.found = kBadBudgetPage;
    return end;
  }
  if (beside != 0) end.found = kKeptVectors;
  std::uint32_t any = 0;
  for (std::int64_t i = end.bytes + lane; i < at - beside; i += 32) any |= page[i];
  if (__ballot_sync(kAll, any != 0) != 0) end.found = kBadBudgetPage;
  return end;
}

/// Of a page in a slot, in 16 bytes.
__device__ __forceinline__ std::uint32_t slot_room(std::uint32_t bytes) {
  return (bytes + 19) / 16;
}

/// Word `i` of a stream, which begins anywhere.
__device__ __forceinline__ std::uint32_t word_of(const std::uint8_t* from, int i) {
  const std::uint8_t* const at = from + 4 * std::int64_t{i};
  if (reinterpret_cast<std::uintptr_t>(from) % 4 == 0) {
    return *reinterpret_cast<const std::uint32_t*>(at);
  }
  return std::uint32_t{at[0]} | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 |
         std::uint32_t{at[3]} << 24;
}

__global__ void __launch_bounds__(kBudgetSlotThreads)
    lay_budgets(BudgetSlots lay, const std::int32_t* slots, std::uint32_t* flags) {
  __shared__ std::uint32_t last[2 * kMostLayHeads];       // words of pages; 0: none
  __shared__ std::uint32_t place[2 * kMostLayHeads + 1];  // in 16 bytes
  __shared__ bool fits;
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32,
            heads = lay.pool.heads, parts = 2 * heads;
  const std::int64_t page = blockIdx.x, slot = slots[page];
  if (slot < 0 || slot >= lay.pool.slots) {
    if (thread == 0) atomicOr(flags, static_cast<std::uint32_t>(kBadSlot));
    return;
  }
  for (int part = warp; part < parts; part += kBudgetSlotThreads / 32) {
    const BudgetEnd end = budget_end(lay.page(part, page), lay.side(part).budget, lane);
    if (lane != 0) continue;
    last[part] = end.found == 0 ? end.step << 24 | end.bytes : 0u;
    if (end.found != 0) atomicOr(flags + part / 2, end.found);
  }
  __syncthreads();
  if (thread == 0) {
    auto at = static_cast<std::uint32_t>(field_directory(heads));
    bool all_fit = true;
    for (int head = 0; head < heads; ++head) {
      std::uint32_t of_head = 0;
      for (int part = 2 * head; part < 2 * head + 2; ++part) {
        place[part] = at + of_head;
        of_head += slot_room(last[part] & 0xffffffu);
        all_fit = all_fit && last[part] != 0;
      }
      at += of_head;
      if (16 * std::int64_t{of_head} <= lay.room.head_bytes &&
          16 * std::int64_t{at} <= lay.room.slot_bytes) {
        continue;
      }
      atomicOr(flags + head, static_cast<std::uint32_t>(kPageTooLong));
      all_fit = false;
    }
    place[parts] = at;
    fits = all_fit;
  }
  __syncthreads();
  std::uint8_t* const to = lay.pool.data + slot * lay.room.slot_bytes;
  for (int i = thread; i < 4 * field_directory(heads); i += kBudgetSlotThreads) {
    reinterpret_cast<std::uint32_t*>(to)[i] = fits && i <= parts ? place[i] : 0u;
  }
  if (!fits) return;
  for (int part = warp; part < parts; part += kBudgetSlotThreads / 32) {
    const std::uint8_t* const from = lay.page(part, page);
    auto* const at = reinterpret_cast<std::uint32_t*>(to + 16 * std::int64_t{place[part]});
    const auto count = static_cast<int>((last[part] & 0xffffffu) / 4),
               room = static_cast<int>(4 * (place[part + 1] - place[part]));
    for (int i = lane; i < room; i += 32) {
      at[i] = i < count ? word_of(from, i) : (i == room - 1 ? last[part] : 0u);
    }
  }
}

/// A slot's page, and what the word behind it says; null where there is none.
struct SlotPage {
  const std::uint32_t* words = nullptr;
  std::uint32_t step = 0, bytes = 0;
};
__device__ __forceinline__ SlotPage slot_page(const BudgetSlots& lift, std::int64_t slot,
                                              int part) {
  const std::uint8_t* const data = lift.pool.data + slot * lift.room.slot_bytes;
  const auto* const places = reinterpret_cast<const std::uint32_t*>(data);
  const std::uint32_t begin = places[part], end = places[part + 1],
                      most = static_cast<std::uint32_t>(lift.room.slot_bytes / 16);
  if (begin < static_cast<std::uint32_t>(field_directory(lift.pool.heads)) || begin >= end ||
      end > most) {
    return {};
  }
  const auto* const words = reinterpret_cast<const std::uint32_t*>(data + 16 * std::int64_t{begin});
  const std::uint32_t room = end - begin, last = words[4 * std::int64_t{room} - 1],
                      step = last >> 24, bytes = last & 0xffffffu;
  // What is behind the stream is a step of one byte, a length of 0 of one, and the stream's length.
  const std::uint32_t behind =
      3u + (bytes >= 128u) + (bytes >= 128u * 128u) + (bytes >= 128u * 128u * 128u);
  if (step >= static_cast<std::uint32_t>(kBudgetSteps) || bytes == 0 || bytes % 4 != 0 ||
      slot_room(bytes) != room ||
      std::int64_t{bytes} + std::int64_t{behind} > lift.side(part).budget) {
    return {};
  }
  return {words, step, bytes};
}

__global__ void __launch_bounds__(kBudgetSlotThreads)
    lift_budgets(BudgetSlots lift, const std::int32_t* slots, std::uint32_t* flags) {
  const std::int64_t number = blockIdx.x, slot = slots[number];
  const bool there = slot >= 0 && slot < lift.pool.slots;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int part = warp; part < 2 * lift.pool.heads; part += kBudgetSlotThreads / 32) {
    const SlotPage from = there ? slot_page(lift, slot, part) : SlotPage{};
    std::uint8_t* const page = lift.page(part, number);
    const std::int64_t budget = lift.side(part).budget;
    for (std::int64_t i = lane; i < budget; i += 32) {
      page[i] = i < from.bytes ? static_cast<std::uint8_t>(from.words[i / 4] >> (8 * (i % 4)))
                               : static_cast<std::uint8_t>(0);
    }
    __syncwarp();
    if (lane != 0) continue;
    if (from.words == nullptr) {
      atomicOr(flags + part / 2, there ? std::uint32_t{kBadPage} : std::uint32_t{kBadSlot});
      continue;
    }
    std::int64_t at = budget;
    page[--at] = static_cast<std::uint8_t>(from.step);
    std::uint32_t left = from.bytes;
    for (; left >= 128; left >>= 7) page[--at] = static_cast<std::uint8_t>(left | 128u);
    page[--at] = static_cast<std::uint8_t>(left);
  }
}

}  // namespace

void lay_budget_pages(const BudgetSections& keys, const BudgetSections& values, std::int64_t tokens,
                      const PagePool& pool, const FieldRoom& room, const std::int32_t* slots,
                      std::uint32_t* flags, Stream stream) {
  if (tokens == 0) return;
  const std::int64_t pages = (tokens + kFieldSlotTokens - 1) / kFieldSlotTokens;
  const BudgetSlots lay{keys, values, pool, room};
  KAKEYA_LAUNCH(lay_budgets, pages, kBudgetSlotThreads, stream, lay, slots, flags);
}

void lift_budget_pages(const PagePool& pool, const FieldRoom& room, const std::int32_t* slots,
                       std::int64_t pages, const BudgetSections& keys, const BudgetSections& values,
                       std::uint32_t* flags, Stream stream) {
  if (pages == 0) return;
  const BudgetSlots lift{keys, values, pool, room};
  KAKEYA_LAUNCH(lift_budgets, pages, kBudgetSlotThreads, stream, lift, slots, flags);
}

}  // namespace kakeya::kernels
