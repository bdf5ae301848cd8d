// SPDX-License-Identifier: Apache-2.0
// What a live cache says it has allocated, against what operator new gave it.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "cache/packed_model.h"
#include "kakeya/core/error.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
namespace {

std::atomic<std::int64_t> held_bytes{0};

// With the word that malloc has in front of each piece.
std::int64_t bytes_of(void* piece) {
  return static_cast<std::int64_t>(malloc_usable_size(piece)) + 8;
}

void* give(std::size_t bytes) {
  void* const piece = std::malloc(bytes == 0 ? 1 : bytes);
  if (piece == nullptr) throw std::bad_alloc();
  held_bytes += bytes_of(piece);
  return piece;
}

void take_back(void* piece) {
  if (piece == nullptr) return;
  held_bytes -= bytes_of(piece);
  std::free(piece);
}

}  // namespace

void* operator new(std::size_t bytes) { return give(bytes); }
void* operator new[](std::size_t bytes) { return give(bytes); }
void operator delete(void* piece) noexcept { take_back(piece); }
void operator delete[](void* piece) noexcept { take_back(piece); }
void operator delete(void* piece, std::size_t) noexcept { take_back(piece); }
void operator delete[](void* piece, std::size_t) noexcept { take_back(piece); }

namespace kakeya {
namespace {

using namespace packed_test;

constexpr double kExact = 0.02;  // of what is held

class CountedBytes : public PackedCaches {
 protected:
  // The same operations each time. `check`(counted, held) is called now and then.
  template <typename Check>
  void use(const Check& check) {
    const std::int64_t before = held_bytes;
    PackedCache cache = make();
    std::uint64_t chance = 5;
    const auto draw = [&](std::size_t below) {
      return static_cast<std::size_t>(Random(9).bits(chance++) % below);
    };
    const auto rows = [&](std::size_t count) {
      return dense_rows<const float>(&rows_[draw(kRows - count) * kWidth], count, kWidth);
    };
    cache.add_sequence();
    for (int step = 0; step < 1200; ++step) {
      const std::vector<int> sequences = cache.sequences();
      const int sequence = sequences[draw(sequences.size())];
      const bool room = sequences.size() < 12;
      const std::size_t what = draw(100);
      if (what < 63) {
        const std::size_t count = what < 40 ? 1 : what < 61 ? 1 + draw(40) : 1 + draw(400);
        for (int layer = 0; layer < kLayers; ++layer) {
          cache.append(sequence, layer, rows(count), rows(count));
        }
      } else if (what < 75) {
        if (room) cache.branch(sequence);
      } else if (what < 84) {
        const std::size_t all = cache.tokens(sequence, 0);
        const std::size_t tokens =
            draw(2) == 0 ? draw(all + 1) : all - draw(std::min<std::size_t>(all, 12) + 1);
        try {
          cache.truncate(sequence, tokens);
        } catch (const InputError&) {  // a window has dropped what it would need again
        }
      } else if (what < 88) {
        if (room) restore_sequence(cache, saved(cache, sequence), made_facts());
      } else if (what < 96) {
        if (sequences.size() > 1) cache.drop(sequence);
      } else if (room) {
        cache.add_sequence();
      }
      if (step >= 100 && step % 20 == 0) {
        check(cache.live_bytes().total(), static_cast<double>(held_bytes - before));
      }
    }
  }

  static constexpr std::size_t kRows = 3000;
  std::vector<float> rows_ = [] {
    std::uint64_t seed = 3;
    return flat(drawn(seed, kRows));
  }();
};

TEST_P(CountedBytes, AreWhatIsHeld) {
  use([](std::uint64_t, double) {});  // tables that are made once and shared by all caches
  use([](std::uint64_t counted, double held) {
    EXPECT_NEAR(static_cast<double>(counted) / held, 1, kExact) << counted << " of " << held;
  });
}

INSTANTIATE_TEST_SUITE_P(Settings, CountedBytes, ::testing::ValuesIn(kSettings),
                         [](const auto& setting) { return std::string(setting.param.name); });

// One sequence that grows by 64 tokens at a time, of the shape of a small model's heads.
TEST(CountedBytesOfOne, GrowAsItGrows) {
  constexpr std::size_t kWide = 64, kAll = kHeads * kWide;
  const test::OneProfile source(test::made_profile(kWide, kLayers));
  std::vector<float> values(4096 * kAll);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(Random(3).normal(i));
  }
  for (const std::string spec :
       {"e8:q=10", "ece8:bits=3,page=128,center=mean", "ece8:bits=4", "klt:bits=3,page=128",
        "klt:bits=3,page=128,pages=fixed", "klt:bits=3,page=128,lattice=z,pages=tiles",
        "klt:bits=3,scope=layer,restart=1,page=128,lattice=tcq", "kivi:b=4"}) {
    const CacheCodecs codecs =
        make_cache_codecs({spec, spec}, {source.profile().shape, 0, &source});
    for (int turn = 0; turn < 2; ++turn) {  // the first makes what is shared
      const std::int64_t before = held_bytes;
      PackedCache cache(source.profile().shape, kUsual, codecs);
      const int sequence = cache.add_sequence();
      for (std::size_t token = 0; token < 4096; token += 64) {
        const auto rows = dense_rows<const float>(&values[token * kAll], 64, kAll);
        for (int layer = 0; layer < kLayers; ++layer) cache.append(sequence, layer, rows, rows);
        if (turn == 0 || token < 512) continue;
        const auto counted = static_cast<double>(cache.live_bytes().total()),
                   held = static_cast<double>(held_bytes - before);
        EXPECT_NEAR(counted / held, 1, kExact) << spec << ", " << token + 64 << " tokens";
      }
    }
  }
}

}  // namespace
}  // namespace kakeya
#endif
