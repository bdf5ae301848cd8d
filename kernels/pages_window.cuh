// SPDX-License-Identifier: Apache-2.0
#pragma once

// A warp's window on the page that it decodes, in shared memory: first on the states of its lanes
// (entropy/lane_states.h), then on its words.

#include "kernels/pages_states.cuh"

namespace kakeya::kernels {

/// A page in memory that may be read from a multiple of 16 before it to `readable_end`, another one.
struct PageBytes {
  const std::uint8_t *begin, *end, *readable_end;
};

/// Bytes of a page that a warp has before it, in shared memory: two loads a lane.
constexpr int kWindowLoads = 2, kWindowLoadBytes = 16 * kPageLanes,
              kWindowBytes = kWindowLoads * kWindowLoadBytes;
/// Bytes behind it that may be read, to no effect.
constexpr int kWindowSlack = 2 * 2 * kPageLanes + 16;
/// Shared memory that a warp lends decode_page(), at a multiple of 16, for that.
constexpr int kWindowRoom = kWindowBytes + kWindowSlack;

/// For all lanes of a warp together.
class PageWindow {
 protected:
  /// Opens `page` at its beginning; `window` is of kWindowRoom bytes.
  __device__ __forceinline__ PageWindow(const PageBytes& page, std::uint8_t* window)
      : window_at_(page.begin - reinterpret_cast<std::uintptr_t>(page.begin) % 16),
        window_(window),
        window_number_(shared_number(window)) {
    const std::int64_t readable = page.readable_end - window_at_;
    readable_ = readable < kMostReadable ? static_cast<std::uint32_t>(readable) : kMostReadable;
    at_ = window_number_ + static_cast<std::uint32_t>(page.begin - window_at_);
    end_ = at_ + static_cast<std::uint32_t>(page.end - page.begin);
    prefetch(kPageLanes, 0);
    fill_window();
  }

  /// Reads what the page begins with: this lane's state, 0 in those beyond `lanes`, and the lifted
  /// lanes; then words follow. False where it is damaged.
  __device__ __forceinline__ bool take_states(std::uint32_t lanes, std::uint32_t& state,
                                              std::uint32_t& lifted) {
    const auto lane = static_cast<std::uint32_t>(lane_number());
    const std::uint64_t length = end_ - at_;
    const std::uint32_t kind = header_bits(0, 8), parts = kind == 1 ? 5 : 4;
    std::uint32_t at = 8;
    if (length < 1 || kind > 1 || 8 * length < at + parts * lanes) return false;
    lifted = 0;
    if (kind == 1) {
      lifted = header_bits(at, lanes);
      if (lifted == 0) return false;
      at += lanes;
    }
    const std::uint32_t width = lane < lanes ? 16 + header_bits(at + 4 * lane, 4) : 0;
    at += 4 * lanes;
    const std::uint32_t through = sum_through(width);
    const std::uint32_t all = at + __shfl_sync(kAll, through, 31), bytes = (all + 7) / 8;
    if (length < bytes || (length - bytes) % 2 != 0) return false;
    if (header_bits(all, 8 * bytes - all) != 0) return false;
    state = lane < lanes ? 1u << width | header_bits(at + through - width, width) : 0;
    open_words(bytes);
    return true;
  }

  __device__ __forceinline__ std::uint32_t window_end() const {
    return window_number_ + kWindowBytes;
  }

  // Moves the window where it has less than `needed` bytes from the next word on.
  __device__ __forceinline__ void require_window(std::uint32_t needed) {
    if (at_ + needed > window_end()) move_window();
  }
  // To the next word.
  __device__ __forceinline__ void move_window() {
    const std::uint32_t moved = (at_ - window_number_ + odd_) / 16 * 16;
    window_at_ += moved;
    at_ -= moved;
    end_ -= moved;
    readable_ -= moved < readable_ ? moved : readable_;
    fill_window();
    prefetch(kWindowBytes / 128, kAhead);
  }

  __device__ __forceinline__ std::uint32_t word_at(std::uint32_t at) const {
#if !defined(__CUDACC__)
    if (at + 2 > window_number_ + kWindowRoom) std::abort();  // what another warp writes
#endif
    std::uint32_t word = 0;
    load_shared(at, word, std::uint16_t());
    return word;
  }

  // What is behind the window stays behind it, but near.
  static constexpr int kWithinSlack = 2;
  __device__ __forceinline__ std::uint32_t within_slack(std::uint32_t at) const {
    const std::uint32_t behind = window_end() + kWithinSlack;
    return at < behind ? at : behind;
  }

  // Of the next word and of the page's end, as load_shared() numbers them; the page may end far behind
  // the window.
  std::uint32_t at_ = 0, end_ = 0;

 private:
  static constexpr int kAhead = 4096;  // bytes that are asked for before they are needed
  static constexpr std::uint32_t kMostReadable = ~0u;  // no page is as long

  // The field of at most 32 bits at bit `at` of the page; less than 1200 bits are before words.
  __device__ __forceinline__ std::uint32_t header_bits(std::uint32_t at,
                                                       std::uint32_t width) const {
    at += 8 * (at_ - window_number_);
    const std::uint32_t word = window_number_ + at / 32 * 4;
    std::uint32_t low = 0, high = 0;
    load_shared(word, low, std::uint32_t());
    load_shared(word + 4, high, std::uint32_t());
    const std::uint32_t field = __funnelshift_r(low, high, static_cast<int>(at % 32));
    return width < 32 ? field & ((1u << width) - 1) : field;
  }

  // The first word is `bytes` behind the page's beginning.
  __device__ __forceinline__ void open_words(std::uint32_t bytes) {
    at_ += bytes;
    odd_ = at_ % 2;
    at_ -= odd_;
    end_ -= odd_;
    if (odd_ != 0) fill_window();
  }

  // Of `lanes` lines, `ahead` bytes behind the window's beginning.
  __device__ __forceinline__ void prefetch(int lanes, int ahead) const {
#if defined(__CUDACC__)
    const int line = ahead + 128 * lane_number();
    if (lane_number() < lanes && static_cast<std::uint32_t>(line) < readable_) {
      asm volatile("prefetch.global.L2 [%0];" ::"l"(window_at_ + line));
    }
#else
    static_cast<void>(lanes), static_cast<void>(ahead);
#endif
  }

  // Words are at even places there: in a page where they are not, bytes move down by one.
  __device__ __forceinline__ void fill_window() {
    const std::uint8_t* const from = window_at_ + 16 * lane_number();
    const auto before = static_cast<std::uint32_t>(16 * lane_number());
    uint4 words[kWindowLoads];
#pragma unroll
    for (int k = 0; k < kWindowLoads; ++k) {
      words[k] = make_uint4(0, 0, 0, 0);
      if (before + kWindowLoadBytes * k < readable_) {
        words[k] = __ldg(reinterpret_cast<const uint4*>(from + kWindowLoadBytes * k));
      }
    }
    if (odd_ != 0) {
#pragma unroll
      for (int k = 0; k < kWindowLoads; ++k) {
        std::uint32_t next = 0;
        if (before + kWindowLoadBytes * k + 16 < readable_) {
          next = __ldg(reinterpret_cast<const std::uint32_t*>(from + kWindowLoadBytes * k + 16));
        }
        uint4& four = words[k];
        four = make_uint4(__funnelshift_r(four.x, four.y, 8), __funnelshift_r(four.y, four.z, 8),
                          __funnelshift_r(four.z, four.w, 8), __funnelshift_r(four.w, next, 8));
      }
    }
    __syncwarp();  // all lanes have read what was there
#pragma unroll
    for (int k = 0; k < kWindowLoads; ++k) {
      reinterpret_cast<uint4*>(window_ + kWindowLoadBytes * k)[lane_number()] = words[k];
    }
    __syncwarp();
  }

  const std::uint8_t* window_at_;  // what the window begins with
  std::uint8_t* window_;
  std::uint32_t window_number_, odd_ = 0, readable_;  // from window_at_ on
};

}  // namespace kakeya::kernels
