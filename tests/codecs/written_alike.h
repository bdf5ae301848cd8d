// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "codecs/vectors_for_test.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/simd/tile.h"

namespace kakeya::test {

using MakeCodec = std::function<std::unique_ptr<Codec>(const std::string&)>;

/// Expects that the codec which `make` makes of `spec` writes the same frame of `x` on every instruction set, and that
/// one which was made before decodes it to the same values.
inline void expect_alike_on_every_instruction_set(const MakeCodec& make, const std::string& spec,
                                                  Rows<const float> x) {
  const std::string used = simd_target();
  const auto codec = make(spec);
  use_simd_target(simd_targets().back());
  const auto frame = encode(*codec, x);
  const auto y = decode(*codec, frame, x.count);
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    EXPECT_EQ(encode(*make(codec->spec()), x), frame) << spec << " on " << target;
    EXPECT_EQ(decode(*codec, frame, x.count), y) << spec << " on " << target;
  }
  use_simd_target(used);
}

/// The same with any number of threads, as a pool gives them to the tasks that it has too few of.
inline void expect_alike_with_any_threads(const MakeCodec& make, const std::string& spec,
                                          Rows<const float> x) {
  const auto codec = make(spec);
  const auto frame = encode(*codec, x);
  const auto y = decode(*codec, frame, x.count);
  for (const int threads : {1, 2, 3, 16}) {
    WorkerPool pool(threads);
    pool.run(1, [&](std::size_t) {
      EXPECT_EQ(encode(*make(codec->spec()), x), frame) << spec << " with " << threads;
      EXPECT_EQ(decode(*codec, frame, x.count), y) << spec << " with " << threads;
    });
  }
}

}  // namespace kakeya::test
