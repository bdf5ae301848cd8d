// SPDX-License-Identifier: Apache-2.0
// klt with send=R: what a frame says of its whole cache, from which learning begins.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "codecs/four_layers.h"
#include "codecs/vectors_for_test.h"
#include "codecs/written_alike.h"
#include "kakeya/bitstream/crc32c.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codecs/klt/chain_seeds.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/simd/tile.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using namespace test;
using namespace test::four_layers;
using namespace std::string_literals;

const std::string kAdaptive = "klt:bits=3,scope=layer,predict=1,adapt=100",
                  kNone = "klt:bits=4,profile=none";

// Tokens of the profile, and beside it `directions` strong ones through all layers, which come one after
// another: learning sees each too late.
std::vector<float> drifting_tokens(std::size_t count, std::uint64_t seed,
                                   std::size_t directions = 4) {
  auto x = tokens_of(made().profile(), count, seed);
  const auto along = normals(directions * kDim, seed + 1);
  const Random random(seed + 2);
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t which = std::min(t * directions / count, directions - 1);
    const auto far = static_cast<float>(2 * random.normal(t));
    for (std::size_t i = 0; i < kDim; ++i) x[t * kDim + i] += far * along[which * kDim + i];
  }
  return x;
}

// What counts is bits at the same error: a factor of 4 in the error is a bit.
double bits_at_unit_error(const Codec& codec, const std::vector<float>& x) {
  const auto frame = encode(codec, rows_of(x));
  const auto y = decode(codec, frame, x.size() / kDim);
  const auto values = static_cast<double>(x.size());
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(double{x[i]} - y[i], 2);
  return 8 * static_cast<double>(frame.size()) / values + 0.5 * std::log2(sum / values);
}

std::size_t bytes_of_section(std::span<const std::byte> frame, const std::string& name) {
  for (const auto& [section, bytes] : frame_info(frame, &made()).sections) {
    if (section == name) return bytes;
  }
  return 0;
}

std::size_t place_of_section(std::span<const std::byte> frame, const std::string& name) {
  std::size_t at = 0;
  for (const auto& [section, bytes] : frame_info(frame, &made()).sections) {
    if (section == name) break;
    at += bytes;
  }
  return at;
}

TEST(KltSending, PaysWhereLearningIsLate) {
  const auto x = drifting_tokens(2048, 1);
  const auto learns = make_for(kAdaptive), sends = make_for(kAdaptive + ",send=8");
  const auto frame = encode(*sends, rows_of(x));
  EXPECT_LT(bits_at_unit_error(*sends, x), bits_at_unit_error(*learns, x) - 0.1);
  EXPECT_GT(bytes_of_section(frame, "seeds"), 2 * kLayers + 4 * kLayers * kWidth);
  EXPECT_LE(bytes_of_section(frame, "seeds"), (2 + seed_bytes(8, kWidth)) * kLayers);
}

TEST(KltSending, AutoIsTheShortest) {
  const std::string keys[] = {"", ",send=8", ",send=32"};
  const auto drifting = drifting_tokens(1024, 3), known = tokens_of(made().profile(), 1024, 4);
  for (const auto& x : {drifting, known}) {
    std::size_t least = SIZE_MAX;
    for (const std::string& key : keys) {
      least = std::min(least, encode(*make_for(kAdaptive + key), rows_of(x)).size());
    }
    const auto chosen = encode(*make_for(kAdaptive + ",send=auto"), rows_of(x));
    EXPECT_LE(chosen.size(), least + 60);  // names of a key and a section, and lengths of nothing
  }
  const auto nothing = encode(*make_for(kAdaptive + ",send=auto"), rows_of(known));
  EXPECT_EQ(bytes_of_section(nothing, "seeds"), 2 * kLayers);
  EXPECT_GT(
      bytes_of_section(encode(*make_for(kAdaptive + ",send=auto"), rows_of(drifting)), "seeds"),
      2 * kLayers);
}

// One layer has what is worth sending, the others have not.
TEST(KltSending, AutoDecidesLayerByLayer) {
  const auto drifting = drifting_tokens(2048, 5);
  auto x = tokens_of(made().profile(), 2048, 5);
  for (std::size_t t = 0; t < 2048; ++t) {
    std::copy_n(&drifting[t * kDim + 2 * kWidth], kWidth, &x[t * kDim + 2 * kWidth]);
  }
  const auto frame = encode(*make_for(kAdaptive + ",send=auto"), rows_of(x));
  const std::size_t at = place_of_section(frame, "seeds");
  const auto directions = [&](std::size_t layer) {
    return std::to_integer<int>(frame[at + 2 * layer]) |
           std::to_integer<int>(frame[at + 2 * layer + 1]) << 8;
  };
  EXPECT_GT(directions(2), 0);
  EXPECT_EQ(directions(0), 0);
  EXPECT_EQ(directions(1), 0);
  const auto codec = make_for(kAdaptive + ",send=auto");
  EXPECT_EQ(decode(*codec, frame, 2048),
            *reconstruct(*codec, rows_of(x)));  // layers sent unlike numbers
}

TEST(KltSending, EverySpecReadsWhatItWrites) {
  auto x = drifting_tokens(700, 6);
  for (std::size_t i = 0; i < kDim; ++i) x[i] = 1e30f;  // a sink
  for (const std::string& spec :
       {kAdaptive + ",send=8", kAdaptive + ",send=512,page=96", kAdaptive + ",send=auto,grow=4",
        kAdaptive + ",send=32,prior=heads,lattice=tcq", kNone + ",send=8",
        "klt:bits=2,scope=layer,adapt=1,send=128,lattice=z"s,
        kAdaptive + ",send=8,prior=heads,group=2", kNone + ",send=auto,group=2,predict=0"}) {
    const auto codec = make_for(spec);
    const auto frame = encode(*codec, rows_of(x));
    EXPECT_LE(frame.size(), codec->encoded_bound(700)) << spec;
    const auto y = decode(*codec, frame, 700);
    EXPECT_EQ(decode(*codec_of_frame(frame, &made()), frame, 700), y) << spec;
    EXPECT_EQ(*reconstruct(*codec, rows_of(x)), y) << spec;
    EXPECT_GE(codec->account().beyond_profile(frame_info(frame, &made())), 1u) << spec;
    EXPECT_NEAR(*codec->account().index_entropy_bits_per_value(rows_of(x)),
                *index_entropy_of_frame(*codec, frame), 1e-12)
        << spec;
    std::vector<float> counted(x.size());
    const auto both = dynamic_cast<const FrameEntropy&>(*codec).decode_and_count(
        frame, dense_rows(counted.data(), 700, kDim));
    EXPECT_EQ(counted, y);
    EXPECT_EQ(*both->bits_per_value, *index_entropy_of_frame(*codec, frame));
  }
}

TEST(KltSending, OfFewTokensNothingIsSent) {
  const auto x = drifting_tokens(255, 7);
  for (const std::size_t count : {0, 1, 255}) {
    const auto frame = encode(*make_for(kAdaptive + ",send=32"), rows_of(x).slice(0, count));
    EXPECT_EQ(bytes_of_section(frame, "seeds"), 2 * kLayers);
    const auto learnt = encode(*make_for(kAdaptive), rows_of(x).slice(0, count));
    EXPECT_EQ(decode(*make_for(kAdaptive + ",send=32"), frame, count),
              decode(*make_for(kAdaptive), learnt, count));
  }
  EXPECT_GT(
      bytes_of_section(encode(*make_for(kAdaptive + ",send=32"), rows_of(drifting_tokens(256, 7))),
                       "seeds"),
      2 * kLayers);
}

TEST(KltSending, WritesTheSameBytesOnEveryInstructionSetWithAnyNumberOfThreads) {
  const auto x = drifting_tokens(600, 8);
  for (const std::string keys : {",send=32", ",send=auto,lattice=tcq,prior=heads"}) {
    expect_alike_on_every_instruction_set(make_for, kAdaptive + keys, rows_of(x));
    expect_alike_with_any_threads(make_for, kAdaptive + keys, rows_of(x));
  }
}

// What is sent is small whole numbers, and what they do is part of the format.
TEST(KltSending, BytesOfThisFormatVersion) {
  auto x = vectors_near(made().profile(), std::nullopt, 600, 13);
  for (std::size_t i = 0; i < x.size(); ++i) {  // sums of a few bits
    x[i] += static_cast<float>(static_cast<int>(i / kDim * 7 % 11) - 5) *
            static_cast<float>(static_cast<int>(i % kDim * 5 % 9) - 4) / 16;
  }
  const std::pair<std::string, std::uint32_t> golden[] = {
      {"klt:bits=2,scope=layer,predict=1,adapt=100,send=8", 2962789802u},
      {"klt:bits=2,lattice=tcq,scope=layer,adapt=300,prior=heads,page=32,send=128", 3682177899u},
      {"klt:bits=3,profile=none,send=32", 3983060535u}};
  for (const auto& [spec, checksum] : golden) {
    const auto frame = encode(*make_for(spec), rows_of(x));
    EXPECT_GT(bytes_of_section(frame, "seeds"), 2 * kLayers) << spec;
    EXPECT_EQ(crc32c(std::span(frame).first(frame.size() - 4)), checksum) << spec;
  }
}

ChainSeeds some_seeds() {
  ChainSeeds seeds{std::vector<ChainSeeds::Group>(3)};
  seeds.groups[1] = {{-8, 40, -64}, std::vector<std::int8_t>(3 * kWidth, -127)};
  return seeds;
}

TEST(ChainSeeds, AreReadAsTheyWereWritten) {
  const ChainSeeds seeds = some_seeds();
  const auto bytes = to_bytes(seeds);
  EXPECT_EQ(bytes.size(), 6 + seed_bytes(2, kWidth));
  const ChainSeeds read = seeds_from(bytes, 3, kWidth, kLeastSeeded, "x");
  EXPECT_EQ(to_bytes(read), bytes);
  EXPECT_EQ(read.groups[1].directions(), 2u);
  EXPECT_FALSE(read.nothing());
  const std::size_t one[] = {5, 1, 0}, none[] = {5, 0, 0};
  EXPECT_EQ(to_bytes(read.first(one)).size(), 6 + seed_bytes(1, kWidth));
  EXPECT_TRUE(read.first(none).nothing());
  const std::vector<float> units(kWidth, 0.5f), rows = {seed_rows(read.groups[1], units)};
  EXPECT_EQ(rows.size(), 3 * kWidth);
  EXPECT_EQ(rows[0], -127 * 0.25f * 0.5f);
  EXPECT_EQ(seed_rows(to_seeds(rows, units), units), rows);
}

TEST(ChainSeeds, AreWithinHalfAStepOfWhatIsSaid) {
  const auto units = normals(kWidth, 1);
  std::vector<float> positive;
  for (const float unit : units) positive.push_back(std::fabs(unit) + 0.01f);
  auto said = normals(5 * kWidth, 2);
  std::fill_n(said.begin() + 3 * kWidth, kWidth, 0.0f);
  const auto read = seed_rows(to_seeds(said, positive), positive);
  for (std::size_t row = 0; row < 5; ++row) {
    float most = 0;
    for (std::size_t i = 0; i < kWidth; ++i)
      most = std::max(most, std::fabs(said[row * kWidth + i] / positive[i]));
    for (std::size_t i = 0; i < kWidth; ++i) {
      EXPECT_LE(std::fabs(read[row * kWidth + i] - said[row * kWidth + i]) / positive[i],
                0.6f * most / 107);
    }
  }
}

TEST(ChainSeeds, DamageIsNamed) {
  const auto bytes = to_bytes(some_seeds());
  const auto message = [](std::vector<std::byte> changed, std::size_t tokens = 1000) {
    try {
      seeds_from(changed, 3, kWidth, tokens, "x");
    } catch (const CorruptStream& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message(bytes), "accepted");
  EXPECT_EQ(message(bytes, 255),
            "x: section seeds: directions beside 255 tokens, expected none below 256");
  auto changed = bytes;
  changed[3] = std::byte{3};
  EXPECT_EQ(message(changed), "x: section seeds: 770 directions of group 1, expected at most 512");
  changed[3] = std::byte{1};
  EXPECT_EQ(message(changed), "x: section seeds: 105 bytes, expected 8553");
  changed = bytes;
  changed[0] = std::byte{1};
  EXPECT_EQ(message(changed), "x: section seeds: 105 bytes, expected 171");
  for (const int scale : {41, -65, 127, -128}) {
    changed = bytes;
    changed[6] = static_cast<std::byte>(scale);
    EXPECT_EQ(message(changed), "x: section seeds: a scale of " + std::to_string(scale) +
                                    ", expected one from -64 to 40");
  }
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    changed.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_NE(message(changed), "accepted") << length;
  }
  changed = bytes;
  changed.push_back(std::byte{0});
  EXPECT_NE(message(changed), "accepted");
}

// Whatever is sent under a checksum that fits: an error, or finite vectors.
TEST(KltSending, ForgedDirectionsAreReadOrRefused) {
  const auto x = drifting_tokens(600, 9);
  const Random random(10);
  for (const std::string& spec : {kAdaptive + ",send=8", kNone + ",send=8"}) {
    const auto codec = make_for(spec);
    const auto frame = encode(*codec, rows_of(x));
    const std::size_t at = place_of_section(frame, "seeds"),
                      length = bytes_of_section(frame, "seeds");
    std::size_t refused = 0;
    for (std::uint64_t trial = 0; trial < 200; ++trial) {
      auto forged = frame;
      for (std::uint64_t k = 0; k <= trial % 40; ++k) {
        forged[at + random.bits(100 * trial + 2 * k) % (trial % 4 == 0 ? 8 : length)] =
            static_cast<std::byte>(random.bits(100 * trial + 2 * k + 1));
      }
      seal(forged);
      try {
        for (const float value : decode(*codec, forged, 600)) ASSERT_TRUE(std::isfinite(value));
      } catch (const CorruptStream&) {
        ++refused;
      }
    }
    EXPECT_GT(refused, 20u) << spec;
  }
}

TEST(KltSending, WhatIsNoNumberIsRefused) {
  auto x = drifting_tokens(300, 11);
  x[290 * kDim + 5] = NAN;
  for (const std::string& spec : {kAdaptive + ",send=8", kNone + ",send=auto"}) {
    EXPECT_THROW(encode(*make_for(spec), rows_of(x)), InputError);
    EXPECT_THROW(reconstruct(*make_for(spec), rows_of(x)), InputError);
  }
  std::fill(x.begin(), x.end(), 1e37f);  // nothing to learn from
  const auto codec = make_for(kAdaptive + ",send=8");
  EXPECT_EQ(bytes_of_section(encode(*codec, rows_of(x)), "seeds"), 2 * kLayers);
}

TEST(KltSending, SpecsThatDoNotFit) {
  EXPECT_EQ(make_for(kAdaptive + ",send=0")->spec(), make_for(kAdaptive)->spec());
  const auto message = [](const std::string& spec) {
    try {
      make_for(spec);
    } catch (const SpecError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(message("klt:bits=3,scope=layer,send=8").find("send=8: expected adapt=N"),
            std::string::npos);
  EXPECT_NE(message(kAdaptive + ",learn=scales,send=auto").find("send=auto,learn=scales: expected"),
            std::string::npos);
  EXPECT_NE(message(kAdaptive + ",send=9").find("send=9: expected one of 0, 8, 32, 128, 512, auto"),
            std::string::npos);
  EXPECT_NE(message("klt:bits=3,adapt=100,send=8").find("unknown key 'send'"), std::string::npos);
}

}  // namespace
}  // namespace kakeya
