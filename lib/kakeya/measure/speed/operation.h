// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/core/clock.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/speed/bench_vectors.h"
#include "kakeya/measure/speed/time_codec.h"

namespace kakeya {

/// An operation on all vectors, called as often as a sample of it needs.
class Operation {
 public:
  /// Calls `work` twice: the first call touches what it allocates and warms caches.
  explicit Operation(std::function<void()> work);

  void sample();

  /// Of `vectors` a call, over the samples so far.
  Speed speed(std::size_t vectors) const;

 private:
  std::function<void()> work_;
  std::size_t calls_ = 1;
  std::vector<double> seconds_;
};

/// The vectors of one codec in equal parts, a thread each: its frames of them, and memory for what
/// comes back from frames (`decoded`) and without (`fused`).
class Parts {
 public:
  Parts(const Codec& codec, const BenchVectors& input, const BenchVectors& decoded,
        const BenchVectors& fused, std::size_t threads);

  void copy();
  void encode();
  void decode();
  bool reconstruct();  ///< false: the codec writes bytes in any case

  std::size_t bytes_written() const;

 private:
  struct Part {
    Rows<const float> in;
    Rows<float> decoded, fused;
    std::vector<std::byte> frame;
    std::size_t frame_bytes = 0;
    bool has_fused = false;
  };

  template <typename Work>
  void each(const Work& work);

  const Codec& codec_;
  WorkerPool pool_;
  std::vector<Part> parts_;
};

}  // namespace kakeya
