// SPDX-License-Identifier: Apache-2.0
#pragma once

// A block of a kernel on the host: its threads are fibers that take turns and wait for each other in
// shuffles and barriers. One block runs at a time.

#include <ucontext.h>

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};

namespace kakeya::emulate {

/// The block that runs. Its threads are fibers, which are kept for the blocks and launches after it.
class Block {
 public:
  static constexpr std::size_t kStack = 64 * 1024;
  Block(unsigned threads, std::function<void()> kernel)
      : kernel_(std::move(kernel)), threads_(threads), warps_((threads + 31) / 32) {
    while (fibers().size() < threads) fibers().emplace_back();
  }

  void run() {
    std::fill(threads_.begin(), threads_.end(), Thread{});
    current() = this;
    for (left_ = count(); left_ != 0;) {
      bool stuck = true;
      for (running_ = 0; running_ < count(); ++running_) {
        if (!threads_[running_].can_go_on()) continue;
        stuck = false;
        resume(fibers()[running_]);
      }
      if (stuck) {
        std::fputs("emulate.h: every thread of a block waits for others\n", stderr);
        std::abort();
      }
    }
  }

  static Block*& current() {
    static Block* block = nullptr;
    return block;
  }
  unsigned thread() const { return running_; }
  unsigned count() const { return static_cast<unsigned>(threads_.size()); }

  // Waits until all of `barrier`'s `count` threads have come.
  struct Barrier {
    unsigned arrived = 0, turn = 0;
  };
  void wait(Barrier& barrier, unsigned count) {
    const unsigned turn = barrier.turn;
    if (++barrier.arrived == count) {
      barrier.arrived = 0;
      ++barrier.turn;
      return;
    }
    threads_[running_].awaited = &barrier;
    threads_[running_].turn = turn;
    leave(fibers()[running_]);
  }
  void wait_for_all() { wait(block_, count()); }

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
  struct Thread {
    const Barrier* awaited = nullptr;
    unsigned turn = 0;
    bool done = false;
    bool can_go_on() const { return !done && (awaited == nullptr || awaited->turn != turn); }
  };
  // Begins on a stack of its own by setcontext(); from then on jumps switch between fibers, which
  // unlike swapcontext() need no system call.
  struct Fiber {
    std::unique_ptr<char[]> stack{new char[kStack]};
    std::jmp_buf place{};
    bool begun = false;
  };
  static std::deque<Fiber>& fibers() {
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
      block->threads_[block->running_].done = true;
      --block->left_;
      block->leave(fibers()[block->running_]);
    }
  }
  void leave(Fiber& fiber) {
    if (_setjmp(fiber.place) == 0) _longjmp(scheduler_, 1);
  }
  void resume(Fiber& fiber) {
    if (_setjmp(scheduler_) != 0) return;
    if (fiber.begun) _longjmp(fiber.place, 1);
    fiber.begun = true;
    ucontext_t context{};
    getcontext(&context);
    context.uc_stack.ss_sp = fiber.stack.get();
    context.uc_stack.ss_size = kStack;
    makecontext(&context, &Block::enter, 0);
    setcontext(&context);
  }

  std::function<void()> kernel_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  Barrier block_;
  unsigned running_ = 0, left_ = 0;
  std::jmp_buf scheduler_{};
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
