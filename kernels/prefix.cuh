// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/bulk_copy.cuh"
#include "kernels/pages.cuh"
#include "kernels/prefix.h"

// Pages of prefix codes as a warp reads them: the two strings of each lane by way of a ring in shared
// memory, planes a word a lane, tables.

namespace kakeya::kernels {
namespace {

constexpr int kRingBytes = 64;  // of a string: four pieces of 16 bytes
/// Shared memory of a warp, at a multiple of 64.
constexpr int kPrefixRings = 2 * kRingBytes * kPageLanes;
/// Groups of coordinates between two looks at the rings: then a string needs 12 bytes at most.
constexpr int kPrefixGroupsAtOnce = 4;

/// Where dynamic shared memory begins, and how much of it a block may have.
constexpr std::uint32_t kSharedBegin = 1024;
constexpr std::size_t kMostPrefixShared = 227 * 1024;

/// Codewords of a lane's string, from its front, or from its back with every word's bits reversed.
/// Words go through a ring in shared memory, of which the lane's words are `ring` ^ 0, 4, ... 60; each
/// is where the lowest bits of its own place say, so that neighbouring lanes meet no bank twice.
template <bool kBack>
class PrefixString {
 public:
  /// The string is at first[0, bytes), `first` anywhere in memory whose pieces of 16 bytes may be read.
  __device__ __forceinline__ PrefixString(const std::uint8_t* first, std::uint32_t bytes,
                                          std::uint32_t ring) {
    const auto odd = static_cast<std::uint32_t>(
        reinterpret_cast<std::uintptr_t>(kBack ? first + bytes : first) % 16);
    // Places count from here on, in the direction of reading; the string begins in piece 1.
    const std::uint32_t ahead = kBack ? 16 + (0 - odd) % 16 : 16 + odd;
    piece_ = kBack ? first + bytes + ahead - 32 : first - ahead + 16;
    begin_ = 8 * ahead;
    end_ = ahead + bytes;
    const std::uint32_t bit = begin_ - 2;  // two bits before it, as entries have four bytes
    next_ = bit / 32 * 4 + 8;
    x_ = bit % 32;
    const std::uint32_t lane = static_cast<std::uint32_t>(lane_number());
    ring_ = ring + kRingBytes * lane + (lane / 2 % 4 * 16 ^ (kBack ? 12u : 0u));
#pragma unroll 1
    for (int k = 0; k < 4; ++k) copy();
  }
  /// After the copies of the constructor have ended.
  __device__ __forceinline__ void begin() {
    a0_ = word(next_ - 8);
    a1_ = word(next_ - 4);
  }

  /// Begins to copy 16 bytes where there is room for them.
  __device__ __forceinline__ void top_up() {
    if (static_cast<std::int32_t>(copied_ - next_) <= kRingBytes - 16) copy();
  }

  /// The bits to come, 30 of them behind two others.
  __device__ __forceinline__ std::uint32_t window() const {
    return __funnelshift_r(a0_, a1_, static_cast<int>(x_));
  }
  /// Two codewords have been taken: `first` and `second` end in their lengths, in 6 bits that have room
  /// for the sum.
  __device__ __forceinline__ void take(std::uint32_t first, std::uint32_t second) {
    const std::uint32_t before = x_;
    x_ += first + second;
#if defined(__CUDACC__)
    // What a compiler makes of the lines below is longer.
#define KAKEYA_CROSS(REVERSE)                                                        \
  asm volatile(                                                                      \
      "{ .reg .pred crosses; .reg .b32 bits, at;\n"                                  \
      "lop3.b32 bits, %3, %4, 32, 0x28;\n"                                           \
      "setp.ne.u32 crosses, bits, 0;\n"                                              \
      "@crosses mov.b32 %0, %1;\n"                                                   \
      "lop3.b32 at, %2, 60, %5, 0x6a;\n"                                             \
      "@crosses ld.shared.u32 %1, [at];\n" REVERSE "@crosses add.u32 %2, %2, 4; }\n" \
      : "+r"(a0_), "+r"(a1_), "+r"(next_)                                            \
      : "r"(x_), "r"(before), "r"(ring_))
    if constexpr (kBack) {
      KAKEYA_CROSS("@crosses brev.b32 %1, %1;\n");
    } else {
      KAKEYA_CROSS("");
    }
#undef KAKEYA_CROSS
#else
    if (((x_ ^ before) & 32) == 0) return;
    a0_ = a1_;
    a1_ = word(next_);
    next_ += 4;
#endif
  }
  __device__ __forceinline__ std::uint32_t taken() const {
    return 8 * next_ - 64 + (x_ & 31) + 2 - begin_;
  }

 private:
  __device__ __forceinline__ std::uint32_t word(std::uint32_t at) const {
    std::uint32_t value;
    load_shared(ring_ ^ (at & (kRingBytes - 4)), value, std::uint32_t());
    return kBack ? __brev(value) : value;
  }
  __device__ __forceinline__ void copy() {
    if (copied_ >= end_) return;
    copy_piece((ring_ & ~15u) ^ (copied_ & (kRingBytes - 16)), piece_);
    piece_ = kBack ? piece_ - 16 : piece_ + 16;
    copied_ += 16;
  }

  const std::uint8_t* piece_;  // to be copied
  std::uint32_t begin_, end_;  // bits; bytes
  std::uint32_t next_;         // word to come behind a1_
  std::uint32_t copied_ = 16;
  std::uint32_t ring_, a0_, a1_, x_;
};

/// A lane's bytes of planes, the same number of each lane.
class PrefixPlanes {
 public:
  __device__ __forceinline__ PrefixPlanes(const std::uint8_t* planes, std::uint32_t rows)
      : odd_(static_cast<int>(reinterpret_cast<std::uintptr_t>(planes) % 4)),
        words_(reinterpret_cast<const std::uint32_t*>(planes - odd_) + lane_number()),
        left_(rows) {
    load();
    p0_ = loaded();
    load();
    p1_ = loaded();
    load();
  }
  /// The next bytes, up to four; behind them whatever.
  __device__ __forceinline__ std::uint32_t take(int bytes) {
    const std::uint32_t four = __funnelshift_r(p0_, p1_, 8 * at_);
    at_ += bytes;
    if (at_ >= 4) {
      at_ -= 4;
      p0_ = p1_;
      p1_ = loaded();
      load();
    }
    return four;
  }

 private:
  __device__ __forceinline__ void load() {
    if (left_ == 0) return;
    --left_;
    low_ = words_[0];
    high_ = words_[odd_ == 0 ? 0 : 1];
    words_ += kPageLanes;
  }
  __device__ __forceinline__ std::uint32_t loaded() const {
    return __funnelshift_r(low_, high_, 8 * odd_);
  }

  int odd_, at_ = 0;
  const std::uint32_t* words_;
  std::uint32_t left_, p0_, p1_, low_ = 0, high_ = 0;
};

/// An entry as it is used: the codeword's length in the lowest bits, up to five of quads; of two digits
/// bytes 1 and 3, of four the upper three bits of byte 0 and bytes 1 to 3: the coordinates, or without
/// sign and low bits, up to three of which have their room already.
__device__ __forceinline__ std::uint32_t unpacked(std::uint32_t entry, std::uint32_t kind) {
  const std::uint32_t length = entry & 15;
  if ((kind & kPrefixQuads) != 0) {
    const std::uint32_t d = (entry >> 4 & 7) | (entry >> 7 & 7) << 8 | (entry >> 10 & 7) << 16 |
                            (entry >> 13 & 7) << 24;
    // Every byte less 2.
    const std::uint32_t v = (d + 0x7e7e7e7eu) ^ 0x80808080u;
    return length | (v & 7) << 5 | (v & 0xffffff00u);
  }
  const std::uint32_t d = (entry >> 4 & 31) << 8 | (entry >> 9 & 31) << 24;
  if (kind == 0) return length | (((d + 0x74007400u) ^ 0x80008000u) & 0xff00ff00u);
  return length | (kind <= 4 ? d << (kind - 1) : d);
}

/// Stops a kernel whose block has less shared memory than it was written for.
__device__ __forceinline__ void stop_kernel() {
#if defined(__CUDACC__)
  __trap();
#else
  std::abort();
#endif
}

/// Where a block has its tables: in shared memory, four bytes or two an entry, or in device memory.
enum class PrefixMemory { words, halves, device };

template <PrefixMemory kMemory>
struct PrefixTables {
  static constexpr std::uint32_t kEntryBytes = kMemory == PrefixMemory::words    ? 4
                                               : kMemory == PrefixMemory::halves ? 2
                                                                                 : 0;
  static constexpr std::uint32_t kTableBytes = 2 * kPrefixEntries * (kEntryBytes / 2);

  const std::uint16_t* device;  // those of the head, in device memory
  std::uint32_t shared, kinds;  // numbers of shared memory

  /// Copies them to shared memory, by all threads of a block.
  __device__ __forceinline__ void fill(int groups, const std::uint32_t* kinds_of) const {
    const int entries = kMemory == PrefixMemory::device ? 0 : groups * kPrefixEntries;
    for (int i = static_cast<int>(threadIdx.x); i < entries; i += static_cast<int>(blockDim.x)) {
      const int g = i / kPrefixEntries;
      std::uint8_t* const to = shared_at(shared + kEntryBytes * i);
      if constexpr (kMemory == PrefixMemory::words) {
        *reinterpret_cast<std::uint32_t*>(to) =
            unpacked(device[i], kinds_of[g / 4] >> (8 * (g % 4)) & 0xff);
      } else {
        *reinterpret_cast<std::uint16_t*>(to) = device[i];
      }
    }
  }

  /// The entry of `window`, of the table kAhead behind that of `group`.
  template <int kAhead>
  __device__ __forceinline__ std::uint32_t entry(int group, std::uint32_t kind,
                                                 std::uint32_t window) const {
    std::uint32_t value;
    if constexpr (kMemory == PrefixMemory::words) {
      const std::uint32_t at = joined(shared + group * kTableBytes, window, kTableBytes - 4);
#if defined(__CUDACC__)
      asm volatile("ld.shared.u32 %0, [%1 + %2];"
                   : "=r"(value)
                   : "r"(at), "n"(kAhead * static_cast<int>(kTableBytes)));
#else
      load_shared(at + kAhead * kTableBytes, value, std::uint32_t());
#endif
      return value;
    } else if constexpr (kMemory == PrefixMemory::halves) {
      const std::uint32_t table = shared + (group + kAhead) * kTableBytes;
      load_shared(joined(table, window >> 1, kTableBytes - 2), value, std::uint16_t());
    } else {
      const std::uint16_t* const table = device + (group + kAhead) * kPrefixEntries;
      value = __ldg(table + (window >> 2 & (kPrefixEntries - 1)));
    }
    return unpacked(value, kind);
  }
};

}  // namespace
}  // namespace kakeya::kernels
