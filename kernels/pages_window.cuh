// SPDX-License-Identifier: Apache-2.0
#pragma once

// A warp's window on the words of the page that it decodes, in shared memory.

#include "kernels/pages_states.cuh"

namespace kakeya::kernels {

/// Bytes of words that a warp has before it, in shared memory: one load a lane.
constexpr int kWindowBytes = 16 * kPageLanes;
/// Bytes behind it that may be read, to no effect.
constexpr int kWindowSlack = 2 * 2 * kPageLanes + 16;
/// Shared memory that a warp lends decode_page(), at a multiple of 16, for that.
constexpr int kWindowRoom = kWindowBytes + kWindowSlack;

/// For all lanes of a warp together.
class PageWindow {
 protected:
  /// The first word of `page` is at `word`; `window` is of kWindowRoom bytes.
  __device__ __forceinline__ PageWindow(const PageBytes& page, const std::uint8_t* word,
                                        std::uint8_t* window)
      : readable_end_(page.readable_end),
        window_at_(word - reinterpret_cast<std::uintptr_t>(word) % 16),
        window_(window),
        window_number_(shared_number(window)),
        odd_(static_cast<std::uint32_t>(word - window_at_) % 2) {
    at_ = window_number_ + static_cast<std::uint32_t>(word - window_at_) - odd_;
    end_ = at_ + static_cast<std::uint32_t>(page.end - word);
    prefetch(kPageLanes, 0);
    fill_window();
  }

  __device__ __forceinline__ std::uint32_t window_end() const {
    return window_number_ + kWindowBytes;
  }

  // Moves the window where it has less than `needed` bytes from the next word on.
  __device__ __forceinline__ void require_window(std::uint32_t needed) {
    if (at_ + needed <= window_end()) return;
    const std::uint32_t moved = (at_ - window_number_ + odd_) / 16 * 16;
    window_at_ += moved;
    at_ -= moved;
    end_ -= moved;
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
  std::uint32_t at_, end_;

 private:
  static constexpr int kAhead = 4096;  // bytes that are asked for before they are needed

  // Of `lanes` lines, `ahead` bytes behind the window's beginning.
  __device__ __forceinline__ void prefetch(int lanes, int ahead) const {
#if defined(__CUDACC__)
    const std::uint8_t* line = window_at_ + ahead + 128 * lane_number();
    if (lane_number() < lanes && line < readable_end_) {
      asm volatile("prefetch.global.L2 [%0];" ::"l"(line));
    }
#else
    static_cast<void>(lanes), static_cast<void>(ahead);
#endif
  }

  // Words are at even places there: in a page where they are not, bytes move down by one.
  __device__ __forceinline__ void fill_window() {
    const std::uint8_t* from = window_at_ + 16 * lane_number();
    uint4 words = make_uint4(0, 0, 0, 0);
    std::uint32_t next = 0;
    if (from < readable_end_) words = __ldg(reinterpret_cast<const uint4*>(from));
    if (from + 16 < readable_end_) next = __ldg(reinterpret_cast<const std::uint32_t*>(from + 16));
    const int shift = static_cast<int>(8 * odd_);
    words = make_uint4(
        __funnelshift_r(words.x, words.y, shift), __funnelshift_r(words.y, words.z, shift),
        __funnelshift_r(words.z, words.w, shift), __funnelshift_r(words.w, next, shift));
    __syncwarp();
    reinterpret_cast<uint4*>(window_)[lane_number()] = words;
    __syncwarp();
  }

  const std::uint8_t *readable_end_, *window_at_;  // what the window begins with
  std::uint8_t* window_;
  std::uint32_t window_number_, odd_;
};

}  // namespace kakeya::kernels
