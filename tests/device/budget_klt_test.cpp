// SPDX-License-Identifier: Apache-2.0
// Pages of a budget of klt on the device: the steps, the bytes and the values of the CPU, of all that codes pages.
#include <cmath>
#include <cstring>

#include "device/compare.h"
#include "device/klt_heads.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace test;

class DeviceKltBudget : public DeviceKlt {
 protected:
  // Emulated, fewer heads: each of an encoder's many launches takes its time.
  static std::size_t some_heads() { return emulated() ? 1 : kHeads; }
  void make_some(const std::string& spec, std::size_t dim, std::size_t heads,
                 Part part = Part::key) {
    source_ = std::make_unique<OneProfile>(dense_profile(dim));
    part_ = part;
    std::vector<CodecInput> inputs;
    for (std::size_t head = 0; head < heads; ++head) {
      inputs.push_back({dim, source_.get(), KvSite{0, part, static_cast<int>(head)}});
    }
    codec_ = make_device_codec(spec, inputs);
  }

  // How many pages of a head have a coarser step than the one asked for: their last byte numbers it.
  std::size_t coarser_pages(Vectors& x, std::size_t page, std::size_t budget) const {
    const Codec& host = codec_->host(0);
    std::vector<std::byte> frame(host.encoded_bound(x.view().tokens));
    frame.resize(host.encode(x.rows(0), frame));
    std::size_t coarser = 0;
    for (std::size_t p = (x.view().tokens + page - 1) / page; p > 0; --p) {
      coarser += frame[frame.size() - 1 - (p - 1) * budget] != std::byte{0} ? 1 : 0;
    }
    return coarser;
  }

  // Vectors of the profile: those of some pages are nearer to their mean than others.
  void draw_pages(Vectors& x, std::size_t page, std::uint64_t seed) const {
    const std::size_t tokens = x.view().tokens, dim = x.view().dim;
    std::vector<std::vector<float>> near;
    for (int head = 0; head < static_cast<int>(x.view().heads); ++head) {
      const SiteTransform& site = source_->profile().transform({0, part_, head}, {});
      std::vector<float> drawn =
          vectors_of(site, tokens, seed * 10 + static_cast<std::uint64_t>(head));
      for (std::size_t i = 0; i < drawn.size(); ++i) {
        const std::size_t number = i / dim / page + static_cast<std::size_t>(head);
        const float mean = site.mean[i % dim];
        drawn[i] = mean + std::ldexp(drawn[i] - mean, -static_cast<int>(number % 4));
      }
      near.push_back(std::move(drawn));
    }
    x.set_all([&](std::size_t head, std::size_t t, std::span<float> v) {
      std::copy_n(&near[head][t * dim], dim, v.begin());
    });
  }
};

struct KltPages {
  const char* keys;
  std::size_t page, tokens, budget;
};

constexpr KltPages kKltPages[] = {
    {"lattice=e8", 32, 70, 900},
    {"lattice=z", 64, 64, 1500},
    {"lattice=tcq", 32, 33, 800},
    {"lattice=e8,product=exact", 32, 70, 901},
    {"lattice=tcq,product=exact", 32, 40, 777},
    {"lattice=z,pages=fixed", 32, 70, 900},
    {"lattice=e8,pages=fixed", 64, 100, 1800},
    {"lattice=z,pages=prefix", 32, 70, 1000},
    {"lattice=z,pages=prefix,product=exact", 64, 65, 1500},
    {"lattice=z,pages=tiles", 128, 150, 3000},
};

std::string spec_of(const KltPages& of, const std::string& bits) {
  return "klt:bits=" + bits + ",page=" + std::to_string(of.page) + "," + of.keys +
         ",budget=" + std::to_string(of.budget);
}

TEST_F(DeviceKltBudget, BytesAndValues) {
  std::size_t round = 0;
  for (const KltPages& of : kKltPages) {
    const std::string spec = spec_of(of, "5");
    const std::size_t heads = emulated() ? 1 + round % 2 : kHeads;
    make_some(spec, 64, heads, round % 2 == 0 ? Part::key : Part::value);
    Vectors x(kTypes[round % 3], of.tokens, heads, 64),
        y(kTypes[(round / 3) % 3], of.tokens, heads, 64);
    draw_pages(x, of.page, round++);
    EXPECT_GT(coarser_pages(x, of.page, of.budget), 0u) << spec;
    compare(*codec_, x, y, spec);
    if (HasFailure()) return;
  }
}

// Vectors far from the profile are kept beside their pages, with some steps or with all.
TEST_F(DeviceKltBudget, SomeVectorsAreBesideTheirPages) {
  std::size_t round = 0;
  for (const char* keys : {"lattice=e8", "lattice=tcq,product=exact", "lattice=z,pages=fixed",
                           "lattice=z,pages=prefix"}) {
    const std::string spec = std::string("klt:bits=4,page=32,budget=4800,") + keys;
    make_some(spec, 64, some_heads());
    Vectors x(kTypes[round % 3], 40, some_heads(), 64), y(DeviceScalar::bf16, 40, some_heads(), 64);
    draw_near(x, round++);
    EXPECT_LT(coarser_pages(x, 32, 4800), 2u) << spec;  // of two pages
    compare(*codec_, x, y, spec);
    if (HasFailure()) return;
  }
}

TEST_F(DeviceKltBudget, WiderVectors) {
  for (const std::size_t dim : {8, 80, 128}) {
    make_some("klt:bits=5,page=32,lattice=z,budget=" + std::to_string(13 * dim + 40), dim,
              some_heads());
    Vectors x(DeviceScalar::bf16, 40, some_heads(), dim),
        y(DeviceScalar::bf16, 40, some_heads(), dim);
    draw_pages(x, 32, dim);
    compare(*codec_, x, y, std::to_string(dim));
    if (HasFailure()) return;
  }
}

TEST_F(DeviceKltBudget, NoVectors) {
  make("klt:bits=3,budget=4096", 64);
  Vectors x(DeviceScalar::bf16, 0, kHeads, 64), y(DeviceScalar::bf16, 0, kHeads, 64);
  compare(*codec_, x, y, "none");
}

TEST_F(DeviceKltBudget, GraphsReplay) {
  if (emulated()) GTEST_SKIP() << "no graphs in the emulation";
  for (const char* keys : {"lattice=e8", "lattice=z,pages=fixed"}) {
    make(std::string("klt:bits=4,page=64,budget=18000,") + keys, 128);
    expect_replays(500, kHeads, 128);
  }
}

TEST_F(DeviceKltBudget, RoundTripInPlace) {
  const std::size_t heads = some_heads();
  make_some("klt:bits=5,page=32,budget=900", 64, heads);
  Vectors x(DeviceScalar::bf16, 40, heads, 64), y(DeviceScalar::bf16, 40, heads, 64);
  draw_pages(x, 32, 4);
  EXPECT_GT(coarser_pages(x, 32, 900), 0u);
  y.poison();
  Store store(codec_->layout(40, heads));
  codec_->round_trip(x.view(), y.view(), store.flag_data(), nullptr, store.workspace.data());
  codec_->round_trip(x.view(), x.view(), store.flag_data(), nullptr, store.workspace.data());
  EXPECT_EQ(store.any_flag(), 0u);
  x.download();
  y.download();
  for (std::size_t t = 0; t < 40; ++t) {
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t i = 0; i < 64; ++i) ASSERT_EQ(x.pattern(t, h, i), y.pattern(t, h, i));
    }
  }
}

// A page of one head fits with no step: vectors beside it take more.
TEST_F(DeviceKltBudget, WhatFitsWithNoStepIsFlagged) {
  make_some("klt:bits=3,page=32,budget=300", 64, 2);
  Vectors x(DeviceScalar::fp32, 32, 2, 64);
  x.set_all([](std::size_t head, std::size_t, std::span<float> v) {
    std::ranges::fill(v, head == 1 ? 1e30f : 0.0f);
  });
  Store store(codec_->layout(32, 2));
  codec_->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                 store.workspace.data());
  store.download();
  EXPECT_EQ(store.words[0], 0u);
  EXPECT_THROW(require_no_flags(*codec_, store.words), InputError);
  std::vector<std::byte> frame(codec_->host(1).encoded_bound(32));
  EXPECT_THROW(codec_->host(1).encode(x.rows(1), frame), InputError);
}

// Whatever is in the pool: a flag where the CPU refuses a page, else the CPU's values.
TEST_F(DeviceKltBudget, DamagedPagesAreFlagged) {
  std::size_t round = 0;
  for (const KltPages& of : kKltPages) {
    const std::string spec = spec_of(of, "4");
    make_some(spec, 64, 2);
    const DeviceLayout layout = codec_->layout(of.tokens, 2);
    Vectors x(DeviceScalar::bf16, of.tokens, 2, 64);
    draw_pages(x, of.page, round++);
    Store whole(layout);
    codec_->encode(x.view(), whole.sections.data(), whole.flag_data(), nullptr,
                   whole.workspace.data());
    ASSERT_EQ(whole.any_flag(), 0u);
    const Random random(round);
    std::size_t refusals = 0;
    for (std::uint64_t turn = 0; turn < 30; ++turn) {
      SCOPED_TRACE(spec + " turn " + std::to_string(turn));
      std::vector<std::byte> image = whole.image;
      const auto pool = std::span(image).subspan(layout.sections[0].stride, of.budget);
      // In a third each: the lengths and the step, the first bytes of the stream, anywhere.
      const std::size_t back = 1 + random.bits(4 * turn) % 8, front = random.bits(4 * turn) % 48,
                        any = random.bits(4 * turn) % of.budget;
      pool[turn % 3 == 0 ? of.budget - back : (turn % 3 == 1 ? front : any)] ^=
          static_cast<std::byte>(1u << (random.bits(4 * turn + 1) % 8));
      refusals += expect_what_the_host_says(*codec_, layout, image, 64) ? 1 : 0;
      if (HasFailure()) return;
    }
    EXPECT_GT(refusals, 5u) << spec;
  }
}

}  // namespace
}  // namespace kakeya
