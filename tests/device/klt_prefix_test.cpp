// SPDX-License-Identifier: Apache-2.0
// klt with pages of prefix codes on the device: frames and values are the CPU's.
#include <gtest/gtest.h>

#include "device/compare.h"
#include "device/klt_heads.h"

namespace kakeya {
namespace {

using namespace test;

class DeviceKltPrefix : public DeviceKlt {};

// Pages of one group of lanes and of several, tables of each kind of memory.
TEST_F(DeviceKltPrefix, BytesAndValuesAreTheCpus) {
  std::size_t round = 0, kept = 0, all = 0;
  for (const char* product : {"float", "exact"}) {
    for (const std::size_t dim : {64, 128, 8, 80, 256, 512}) {
      for (const std::size_t page : {1024, 32, 160}) {
        const std::size_t tokens = std::size_t{1} + 111 * (round % 4);
        const std::string spec = std::string("klt:bits=") + (round % 2 == 0 ? "3" : "1.5") +
                                 ",lattice=z,product=" + product +
                                 ",pages=prefix,page=" + std::to_string(page);
        const DeviceScalar type = kTypes[round % 3], out = kTypes[(round / 3) % 3];
        if (dim == 512 && std::string(product) == "exact") continue;
        if (emulated() && round++ % 5 != 0) continue;
        make(spec, dim, round % 2 == 0 ? Part::key : Part::value);
        Vectors x(type, tokens, kHeads, dim), y(out, tokens, kHeads, dim);
        draw_near(x, round++);
        compare(*codec_, x, y,
                spec + " dim " + std::to_string(dim) + ", " + std::to_string(tokens));
        if (HasFailure()) return;
        kept += kept_of(x);
        all += tokens * kHeads;
      }
    }
  }
  EXPECT_GT(kept, all / 20);  // both ways have been gone
  EXPECT_LT(kept, all / 2);
}

TEST_F(DeviceKltPrefix, OrdinaryVectorsOfEveryKind) {
  for (const char* keys : {"bits=2.5", "bits=8", "bits=1"}) {
    make(std::string("klt:") + keys + ",lattice=z,pages=prefix,page=128", 64);
    for (const Data data : kAllData) {
      Vectors x(DeviceScalar::bf16, emulated() ? 40 : 3000, kHeads, 64),
          y(DeviceScalar::bf16, x.view().tokens, kHeads, 64);
      x.draw_all(data, 5);
      compare(*codec_, x, y, keys + std::to_string(static_cast<int>(data)));
    }
  }
}

TEST_F(DeviceKltPrefix, ManyVectors) {
  if (emulated()) GTEST_SKIP() << "too many for the emulation";
  for (const char* page : {"64", "1024", "4096"}) {
    for (const std::size_t dim : {128, 64, 256}) {
      make(std::string("klt:bits=3,lattice=z,pages=prefix,page=") + page, dim);
      Vectors x(DeviceScalar::bf16, 20001, kHeads, dim), y(DeviceScalar::bf16, 20001, kHeads, dim);
      draw_near(x, dim);
      compare(*codec_, x, y, page);
    }
  }
}

TEST_F(DeviceKltPrefix, NoVectors) {
  make("klt:bits=3,lattice=z,pages=prefix", 64);
  Vectors x(DeviceScalar::bf16, 0, kHeads, 64), y(DeviceScalar::bf16, 0, kHeads, 64);
  compare(*codec_, x, y, "no tokens");
}

TEST_F(DeviceKltPrefix, GraphsReplay) {
  if (emulated()) GTEST_SKIP() << "no graphs in the emulation";
  make("klt:bits=3,lattice=z,pages=prefix,page=64", 128);
  const std::size_t tokens = 500;
  Vectors x(DeviceScalar::bf16, tokens, kHeads, 128), y(DeviceScalar::bf16, tokens, kHeads, 128),
      z(DeviceScalar::bf16, tokens, kHeads, 128);
  Store store(codec_->layout(tokens, kHeads));
  y.poison();
  z.poison();
  const OwnStream stream;
  DeviceGraph graph(stream.get());
  codec_->encode(x.view(), store.sections.data(), store.flag_data(), stream.get(),
                 store.workspace.data());
  codec_->decode(store.sections.data(), y.view(), store.flag_data(), stream.get(),
                 store.workspace.data());
  graph.finish();
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    draw_near(x, seed);
    device_wait(nullptr);
    graph.run(stream.get());
    device_wait(stream.get());
    codec_->round_trip(x.view(), z.view(), store.flag_data(), nullptr, store.workspace.data());
    EXPECT_EQ(store.any_flag(), 0u);
    y.download();
    z.download();
    std::size_t wrong = 0;
    for (std::size_t t = 0; t < tokens; ++t) {
      for (std::size_t h = 0; h < kHeads; ++h) {
        for (std::size_t i = 0; i < 128; ++i) wrong += y.pattern(t, h, i) != z.pattern(t, h, i);
      }
    }
    EXPECT_EQ(wrong, 0u);
  }
}

}  // namespace
}  // namespace kakeya
