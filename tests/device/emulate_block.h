// SPDX-License-Identifier: Apache-2.0
#pragma once

// A block of a kernel on the host: its threads are fibers that take turns and wait for each other in
// shuffles and barriers. One block runs at a time.

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};

namespace kakeya::emulate {

/// The block that runs. Its threads are fibers, which are kept for the blocks and launches after it.
class Block {
 public:
  // Not a power of two: the ends of all stacks would share a few lines of the cache.
  static constexpr std::size_t kStack = 64 * 1024 + 1072;
  Block(unsigned threads, std::function<void()> kernel)
      : kernel_(std::move(kernel)), count_(threads), warps_((threads + 31) / 32) {
    if (threads > 64 * std::tuple_size_v<Threads>) std::abort();
    while (fibers_.size() < threads) fibers_.emplace_back();
  }

  void run() {
    current() = this;
    left_ = count_;
    for (unsigned thread = 0; thread < count_; ++thread) ready_[thread / 64] |= bit(thread);
    running_ = 0;
    if (__builtin_setjmp(end_) == 0) go_on(fibers_[0]);
    if (left_ == 0) return;
    std::fputs("emulate.h: every thread of a block waits for others\n", stderr);
    std::abort();
  }

  static Block*& current() {
    static Block* block = nullptr;
    return block;
  }
  unsigned thread() const { return running_; }
  unsigned count() const { return count_; }

  using Threads = std::array<std::uint64_t, 16>;  // a bit each, of as many as a block may have

  // Waits until all of `barrier`'s `count` threads have come.
  struct Barrier {
    unsigned arrived = 0, turn = 0;
    Threads waiting{};
  };
  void wait(Barrier& barrier, unsigned count) {
    if (++barrier.arrived == count) {
      barrier.arrived = 0;
      ++barrier.turn;
      for (unsigned word = 0; 64 * word < count_; ++word) {
        ready_[word] |= std::exchange(barrier.waiting[word], 0);
      }
      return;
    }
    barrier.waiting[running_ / 64] |= bit(running_);
    leave();
  }
  void wait_for_all() { wait(block_, count()); }
  /// bar.sync of some of the warps.
  void wait_for_team(unsigned team, unsigned threads) { wait(teams_[team], threads); }

  // Every lane gives a value and reads that of another.
  std::uint32_t exchange(std::uint32_t value, unsigned from) {
    Warp& warp = warps_[running_ / 32];
    const unsigned side = warp.barrier.turn & 1u;
    warp.values[side][running_ % 32] = value;
    wait(warp.barrier, std::min(32u, count() - running_ / 32 * 32));
    warp.side[running_ % 32] = side;
    return warp.values[side][from];
  }
  // What `lane` gave in this lane's last exchange.
  std::uint32_t of_last_exchange(unsigned lane) const {
    const Warp& warp = warps_[running_ / 32];
    return warp.values[warp.side[running_ % 32]][lane];
  }

 private:
  static std::uint64_t bit(unsigned thread) { return std::uint64_t{1} << (thread % 64); }
  // Begins on a stack of its own by setcontext(); from then on jumps switch between fibers, which
  // unlike swapcontext() need no system call. Those of the compiler keep no more than where to go on.
  using Place = void* [5];
  struct Fiber {
    std::unique_ptr<char[]> stack{new char[kStack]};
    Place place{};
    bool begun = false;
  };
  static std::deque<Fiber>& kept_fibers() {
    thread_local std::deque<Fiber> all;
    return all;
  }
  struct Warp {
    Barrier barrier;
    std::uint32_t values[2][32] = {};
    unsigned side[32] = {};
  };
  // A fiber runs a thread of one block after another: that of its number.
  static void enter() {
    while (true) {
      Block* block = current();
      block->kernel_();
      --block->left_;
      block->leave();
    }
  }
  // Goes on with the next thread that is ready, in turn; with run() where none is.
  [[gnu::noinline]] void leave() {
    ready_[running_ / 64] &= ~bit(running_);
    if (__builtin_setjmp(fibers_[running_].place) != 0) return;
    const unsigned words = (count_ + 63) / 64;
    unsigned word = running_ / 64;
    std::uint64_t next = ready_[word] & ~(2 * bit(running_) - 1);
    for (unsigned tried = 0; next == 0; next = ready_[word]) {
      if (tried++ == words) __builtin_longjmp(end_, 1);
      word = word + 1 == words ? 0 : word + 1;
    }
    running_ = 64 * word + static_cast<unsigned>(std::countr_zero(next));
    go_on(fibers_[running_]);
  }
  [[gnu::noinline]] static void go_on(Fiber& fiber) {
    if (fiber.begun) __builtin_longjmp(fiber.place, 1);
    fiber.begun = true;
    ucontext_t context{};
    getcontext(&context);
    context.uc_stack.ss_sp = fiber.stack.get();
    context.uc_stack.ss_size = kStack;
    makecontext(&context, &Block::enter, 0);
    setcontext(&context);
  }

  std::function<void()> kernel_;
  unsigned count_;
  std::vector<Warp> warps_;
  Barrier block_;
  std::array<Barrier, 15> teams_;
  Threads ready_{};
  unsigned running_ = 0, left_ = 0;
  std::deque<Fiber>& fibers_ = kept_fibers();
  Place end_{};
};

inline Dim3 block_index;
inline unsigned block_threads = 0, grid_blocks = 0;

struct ThreadIndex {
  struct {
    operator unsigned() const { return Block::current()->thread(); }
  } x;
};

template <typename Kernel>
void launch(std::int64_t grid, unsigned threads, const Kernel& kernel) {
  block_threads = threads;
  grid_blocks = static_cast<unsigned>(grid);
  Block block(threads, kernel);
  for (block_index.x = 0; block_index.x < static_cast<unsigned>(grid); ++block_index.x) block.run();
}

constexpr std::size_t kSharedBytes = 256 * 1024;  // more than a kernel may ask for

// A block's dynamic shared memory.
inline std::uint8_t* dynamic_shared() {
  alignas(16) static std::uint8_t memory[kSharedBytes];
  return memory;
}
// What is in it beyond what the kernel asked for is other for every launch.
template <typename Kernel>
void launch_with(std::int64_t grid, unsigned threads, std::size_t shared_bytes,
                 const Kernel& kernel) {
  static int byte = 0;
  std::memset(dynamic_shared(), ++byte, kSharedBytes);
  if (shared_bytes > 227 * 1024) std::abort();
  launch(grid, threads, kernel);
}

template <typename T>
T shuffle(T value, unsigned from) {
  static_assert(sizeof(T) == 4);
  return std::bit_cast<T>(Block::current()->exchange(std::bit_cast<std::uint32_t>(value), from));
}

}  // namespace kakeya::emulate
