// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <utility>

#include "codecs/four_layers.h"
#include "codecs/vectors_for_test.h"
#include "codecs/written_alike.h"
#include "kakeya/bitstream/crc32c.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/core/spare_threads.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/simd/tile.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using namespace test;
using namespace test::four_layers;

const std::string kStatic = "klt:bits=3,scope=layer,predict=1",
                  kAdaptive = "klt:bits=3,scope=layer,predict=1,adapt=100";

float mean_at(std::size_t coordinate) {
  const std::size_t head = coordinate % kWidth / kHeadDim;
  const KvSite site{static_cast<int>(coordinate / kWidth), head < 2 ? Part::key : Part::value,
                    static_cast<int>(head % 2)};
  return made().profile().transform(site, {}).mean[coordinate % kHeadDim];
}

// Tokens that the profile does not know: what is left of them without its means lies a little beside
// these, and has the coordinates of each head in another order.
std::vector<float> strange_tokens(std::size_t count, std::uint64_t seed) {
  const auto known = tokens_of(made().profile(), count, seed);
  auto x = known;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t other = i ^ 2;
    x[i] = known[other] - mean_at(other % kDim) + mean_at(i % kDim) + 0.1f;
  }
  return x;
}

// Bits a value of tokens [first, last), by what they add to a frame.
double bits_of(const Codec& codec, const std::vector<float>& x, std::size_t first,
               std::size_t last) {
  const auto bytes = [&](std::size_t count) {
    return static_cast<double>(encode(codec, rows_of(x).slice(0, count)).size());
  };
  return 8 * (bytes(last) - bytes(first)) / static_cast<double>((last - first) * kDim);
}

double error_of(const Codec& codec, const std::vector<float>& x, std::size_t first) {
  const auto y = roundtrip(codec, x);
  double sum = 0;
  for (std::size_t i = first * kDim; i < x.size(); ++i) sum += std::pow(double{x[i]} - y[i], 2);
  return sum / static_cast<double>(x.size() - first * kDim);
}

// What counts is bits at the same error: a factor of 4 in the error is a bit.
double bits_at_unit_error(const Codec& codec, const std::vector<float>& x, std::size_t first,
                          std::size_t last) {
  return bits_of(codec, x, first, last) + 0.5 * std::log2(error_of(codec, x, first));
}

TEST(KltAdaptive, LearnsWhatTheProfileDoesNotKnow) {
  const auto x = strange_tokens(2048, 1);
  const auto fixed = make_for(kStatic), adaptive = make_for(kAdaptive);
  EXPECT_LT(bits_at_unit_error(*adaptive, x, 1024, 2048),
            bits_at_unit_error(*fixed, x, 1024, 2048) - 0.4);
  // It learns more from more.
  EXPECT_LT(bits_of(*adaptive, x, 1024, 2048), bits_of(*adaptive, x, 256, 512) - 0.02);
}

TEST(KltAdaptive, CostsNothingWhereTheProfileIsRight) {
  const auto x = tokens_of(made().profile(), 2048, 2);
  const auto fixed = make_for(kStatic);
  for (const char* prior : {"1000", "4000"}) {
    const auto adaptive = make_for(kStatic + ",adapt=" + prior);
    EXPECT_NEAR(bits_at_unit_error(*adaptive, x, 1024, 2048),
                bits_at_unit_error(*fixed, x, 1024, 2048), 0.02)
        << prior;
  }
}

// Means and variances of the profile's own coordinates: less than all, and more than nothing.
TEST(KltAdaptive, LearnsScalesAlone) {
  auto x = tokens_of(made().profile(), 2048, 15);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float mean = mean_at(i % kDim);
    const float less = i % kDim / kHeadDim % 3 == 0 ? 0.4f : 1.0f;
    x[i] = (x[i] - mean) * less + mean + (i % 3 == 0 ? 0.2f : -0.1f);
  }
  const auto fixed = make_for(kStatic), all = make_for(kAdaptive),
             scales = make_for(kAdaptive + ",learn=scales");
  const double of_scales = bits_at_unit_error(*scales, x, 1024, 2048);
  EXPECT_LT(of_scales, bits_at_unit_error(*fixed, x, 1024, 2048) - 0.1);
  EXPECT_GT(of_scales, bits_at_unit_error(*all, x, 1024, 2048));
  const auto same = tokens_of(made().profile(), 2048, 16);
  EXPECT_NEAR(bits_at_unit_error(*scales, same, 1024, 2048),
              bits_at_unit_error(*fixed, same, 1024, 2048), 0.02);
  EXPECT_EQ(*reconstruct(*scales, rows_of(x)), roundtrip(*scales, x));
}

// What is coded between two updates does not depend on those that would have come.
TEST(KltAdaptive, GrowsAsItIsTold) {
  const auto x = strange_tokens(1300, 17);
  std::vector<std::vector<float>> decoded;
  for (const char* grow : {"2", "3", "4"}) {
    decoded.push_back(roundtrip(*make_for(kAdaptive + ",grow=" + grow), x));
  }
  const auto same_until = [&](std::size_t a, std::size_t b) {
    const auto ends = std::ranges::mismatch(decoded[a], decoded[b]);
    return static_cast<std::size_t>(ends.in1 - decoded[a].begin()) / kDim;
  };
  EXPECT_EQ(same_until(0, 1), 512u);
  EXPECT_EQ(same_until(0, 2), 512u);
  EXPECT_EQ(same_until(1, 2), 768u);
  EXPECT_EQ(make_for(kAdaptive + ",grow=2")->spec(), make_for(kAdaptive)->spec());
}

// Moments of what is decoded lack what weak coordinates lose. Without it a codec that codes half of
// them as zeros would learn that nothing is there.
TEST(KltAdaptive, DoesNotForgetWhatItRoundsAway) {
  const auto x = tokens_of(made().profile(), 4096, 3);
  for (const std::string lattice : {"z", "e8", "tcq"}) {
    const std::string spec = "klt:bits=0.8,scope=layer,predict=1,lattice=" + lattice;
    const auto adaptive = make_for(spec + ",adapt=100"), fixed = make_for(spec);
    EXPECT_LT(bits_of(*adaptive, x, 2048, 4096), bits_of(*fixed, x, 2048, 4096)) << lattice;
    EXPECT_LT(error_of(*adaptive, x, 2048), 1.08 * error_of(*fixed, x, 2048)) << lattice;
  }
}

TEST(KltAdaptive, BeginsAsTheProfileSaysAndNeedsNothingOfWhatFollows) {
  const auto x = strange_tokens(700, 4);
  const auto adaptive = make_for(kAdaptive);
  const auto y = roundtrip(*adaptive, x), fixed = roundtrip(*make_for(kStatic), x);
  const auto same = [&](const std::vector<float>& other, std::size_t tokens) {
    return std::equal(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(tokens * kDim),
                      other.begin());
  };
  EXPECT_TRUE(same(fixed, 256));
  EXPECT_FALSE(same(fixed, 257));
  for (const std::size_t count : {0, 1, 255, 256, 257, 512, 600}) {
    const std::vector<float> some(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count * kDim));
    EXPECT_TRUE(same(roundtrip(*adaptive, some), count)) << count;
  }
}

// Without predictors and rotations it begins worse than the profile's layers, and learns them.
TEST(KltAdaptive, LearnsLayersFromHeadsAlone) {
  const auto x = tokens_of(made().profile(), 4096, 9);
  Profile bare = made_profile(kHeadDim, kLayers);
  bare.layer_transforms.clear();
  bare.layer_octaves.clear();
  const OneProfile source(std::move(bare));
  CodecInput input{kDim, &source};
  input.layers = LayerRange{0, kLayers};
  const auto heads = make_codec(kAdaptive + ",prior=heads", input);
  EXPECT_LT(bits_at_unit_error(*heads, x, 2048, 4096), bits_at_unit_error(*heads, x, 0, 256) - 0.3);
  EXPECT_LT(heads->account().profile_bytes(), make_for(kAdaptive)->account().profile_bytes() / 2);
  EXPECT_EQ(heads->spec(), kAdaptive + ",prior=heads,profile=" + std::string(16, 'c'));
  EXPECT_THROW(make_codec(kAdaptive, input), InputError);
  EXPECT_THROW(make_codec(kStatic + ",prior=heads", input), SpecError);
}

TEST(KltAdaptive, WritesTheSameBytesOnEveryInstructionSet) {
  const auto x = strange_tokens(600, 5);
  for (const std::string keys :
       {"lattice=e8", "lattice=tcq,prior=heads", "prior=heads,group=2", "learn=scales"}) {
    expect_alike_on_every_instruction_set(make_for, kAdaptive + "," + keys, rows_of(x));
  }
}

TEST(KltAdaptive, WritesTheSameBytesWithAnyNumberOfThreads) {
  const auto x = strange_tokens(600, 19);
  for (const std::string keys : {"lattice=e8", "lattice=z,prior=heads,group=2", "learn=scales"}) {
    expect_alike_with_any_threads(make_for, kAdaptive + "," + keys, rows_of(x));
  }
  for (const int threads : {1, 2, 3, 16}) {
    WorkerPool pool(threads);
    pool.run(1, [&](std::size_t) { EXPECT_EQ(spare_threads(), threads); });
    pool.run(2, [&](std::size_t) { EXPECT_EQ(spare_threads(), std::max(threads / 2, 1)); });
  }
  EXPECT_EQ(spare_threads(), 1);
}

TEST(KltAdaptive, PagesOfAnyLengthCarryTheSameTokens) {
  const auto x = strange_tokens(1100, 6);
  const auto expected = roundtrip(*make_for(kAdaptive), x);
  for (const char* page : {"32", "128", "256"}) {
    EXPECT_EQ(roundtrip(*make_for(kAdaptive + ",page=" + page), x), expected) << page;
  }
  // Of others segments begin with pages.
  for (const char* page : {"96", "512", "2048"}) {
    const auto codec = make_for(kAdaptive + ",page=" + page);
    EXPECT_EQ(codec->page_vectors(), 0u);
    EXPECT_EQ(*reconstruct(*codec, rows_of(x)), roundtrip(*codec, x)) << page;
  }
}

// What is kept beside the code is the only difference: others decode alike whatever it is, also where its
// points would be small enough, but too dear.
TEST(KltAdaptive, TokensBesideTheCodeTeachNothing) {
  const auto plain = strange_tokens(700, 7);
  const auto codec = make_for(kAdaptive);
  const std::size_t places[] = {0, 100, 255, 256, 300, 511};
  const auto with = [&](float scale) {
    auto x = plain;
    for (const std::size_t row : places) {
      for (std::size_t i = 0; i < kDim; ++i)
        x[row * kDim + i] = (i % 3 == 0 ? 1.0f : -0.5f) * scale;
    }
    const auto frame = encode(*codec, rows_of(x));
    EXPECT_EQ(codec->account().beyond_profile(frame_info(frame, &made())), std::size(places))
        << scale;
    auto y = decode(*codec, frame, 700);
    EXPECT_EQ(*reconstruct(*codec, rows_of(x)), y) << scale;
    for (const std::size_t row : places) {
      EXPECT_NEAR(y[row * kDim], scale, 0x1p-8f * std::fabs(scale));
      std::fill_n(y.begin() + static_cast<std::ptrdiff_t>(row * kDim), kDim, 0.0f);
    }
    return y;
  };
  const auto huge = with(1e30f);
  EXPECT_EQ(with(3000.0f), huge);
  EXPECT_EQ(with(-5e9f), huge);
}

// A direction across coordinates that the profile takes for independent, far stronger than it expects.
TEST(KltAdaptive, LearnsAStrongDirectionAcrossCoordinates) {
  auto x = tokens_of(made().profile(), 1100, 10);
  const Random random(11);
  for (std::size_t row = 0; row < 1100; ++row) {
    const auto far = static_cast<float>(3 * random.normal(row));
    for (std::size_t i = 0; i < kDim; ++i) x[row * kDim + i] += i % 2 == 0 ? far : -far;
  }
  const auto fixed = make_for(kStatic), adaptive = make_for(kAdaptive);
  EXPECT_LT(bits_at_unit_error(*adaptive, x, 512, 1100),
            bits_at_unit_error(*fixed, x, 512, 1100) - 0.5);
}

// A page of kept tokens alone, at either end of a segment.
TEST(KltAdaptive, PagesWithoutPoints) {
  auto x = strange_tokens(600, 12);
  for (std::size_t i = 224 * kDim; i < 288 * kDim; ++i) x[i] = 1e25f;
  const auto codec = make_for(kAdaptive + ",page=32");
  const auto frame = encode(*codec, rows_of(x));
  EXPECT_EQ(codec->account().beyond_profile(frame_info(frame, &made())), 64u);
  EXPECT_EQ(*reconstruct(*codec, rows_of(x)), decode(*codec, frame, 600));
}

TEST(KltAdaptive, DamageIsNoticed) {
  const auto x = strange_tokens(600, 8);
  const auto codec = make_for(kAdaptive);
  const auto frame = encode(*codec, rows_of(x));
  const FrameInfo info = frame_info(frame, &made());
  EXPECT_EQ(decode(*codec_of_frame(frame, &made()), frame, 600), decode(*codec, frame, 600));
  // Bytes of the last page of one segment said to be of the first of the next.
  std::size_t at = 0;
  for (const auto& [name, bytes] : info.sections) {
    if (name == "pages") break;
    at += bytes;
  }
  for (const int change : {1, -1}) {
    auto forged = frame;
    forged[at + 4 * 3] = static_cast<std::byte>(std::to_integer<int>(forged[at + 4 * 3]) + change);
    forged[at + 4 * 4] = static_cast<std::byte>(std::to_integer<int>(forged[at + 4 * 4]) - change);
    seal(forged);
    EXPECT_THROW(decode(*codec, forged, 600), CorruptStream);
  }
  auto longer = frame;
  longer[at + 4 * 9 + 2] = std::byte{200};
  seal(longer);
  EXPECT_THROW(decode(*codec, longer, 600), CorruptStream);
}

// Of vectors by arithmetic that is the same everywhere: what is learnt is part of the format.
TEST(KltAdaptive, BytesOfThisFormatVersion) {
  const auto x = vectors_near(made().profile(), std::nullopt, 600, 13);
  const std::pair<const char*, std::uint32_t> golden[] = {
      {"klt:bits=2,scope=layer,predict=1,adapt=100", 1311597921u},
      {"klt:bits=2,scope=layer,predict=1,adapt=100,learn=scales", 2410330899u},
      {"klt:bits=2,scope=layer,predict=1,adapt=60,grow=3", 2080710339u},
      {"klt:bits=2,lattice=tcq,scope=layer,adapt=300,prior=heads,page=32", 501719917u},
      {"klt:bits=2,scope=layer,predict=1,adapt=90,prior=heads,group=2", 3825973326u},
      {"klt:bits=1,lattice=z,scope=layer,predict=1,adapt=50,page=96", 1847646366u}};
  for (const auto& [spec, checksum] : golden) {
    const auto frame = encode(*make_for(spec), rows_of(x));
    EXPECT_EQ(crc32c(std::span(frame).first(frame.size() - 4)), checksum) << spec;
  }
}

// A sweep decodes and counts at once: the numbers are those that each would give alone.
TEST(KltAdaptive, CountsAsItDecodes) {
  const auto x = strange_tokens(600, 18);
  CodecInput input{kDim, nullptr};
  input.layers = LayerRange{0, kLayers};
  for (const auto& codec : {make_for(kAdaptive), make_for(kAdaptive + ",page=96,learn=scales"),
                            make_codec("klt:bits=4,profile=none", input)}) {
    const auto frame = encode(*codec, rows_of(x));
    std::vector<float> y(x.size());
    const auto* counts = dynamic_cast<const FrameEntropy*>(codec.get());
    ASSERT_NE(counts, nullptr);
    const auto counted = counts->decode_and_count(frame, dense_rows(y.data(), 600, kDim));
    ASSERT_TRUE(counted && counted->bits_per_value);
    EXPECT_EQ(y, decode(*codec, frame, 600));
    EXPECT_EQ(*counted->bits_per_value, *codec->account().index_entropy_bits_per_value(rows_of(x)));
    EXPECT_EQ(*counted->bits_per_value, *index_entropy_of_frame(*codec, frame));
    EXPECT_GE(counted->seconds, 0);
  }
  const auto fixed = make_for(kStatic);
  std::vector<float> y(x.size(), 7.0f);
  EXPECT_FALSE(dynamic_cast<const FrameEntropy&>(*fixed).decode_and_count(
      encode(*fixed, rows_of(x)), dense_rows(y.data(), 600, kDim)));
  EXPECT_EQ(y, std::vector<float>(x.size(), 7.0f));
}

// From several threads at once, each with what they share not yet made.
TEST(KltAdaptive, IsThreadSafe) {
  const auto x = strange_tokens(600, 14);
  const auto codec = make_for(kAdaptive);
  std::vector<std::vector<std::byte>> frames(4);
  std::vector<std::thread> threads;
  for (auto& frame : frames) threads.emplace_back([&] { frame = encode(*codec, rows_of(x)); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& frame : frames) EXPECT_EQ(frame, frames.front());
}

TEST(KltAdaptive, SpecsThatDoNotFit) {
  EXPECT_EQ(make_for("klt:scope=layer,adapt=100,bits=3,predict=1")->spec(),
            kAdaptive + ",profile=" + std::string(16, 'c'));
  EXPECT_EQ(make_for(kStatic + ",adapt=0")->spec(), make_for(kStatic)->spec());
  EXPECT_THROW(make_for("klt:bits=3,scope=layer,predict=2,adapt=9,prior=heads"), SpecError);
  for (const char* alone : {",learn=scales", ",grow=4"}) {
    EXPECT_THROW(make_for(kStatic + alone), SpecError) << alone;
  }
  for (const char* spec : {"klt:bits=3,scope=layer,adapt=-1", "klt:bits=3,scope=layer,adapt=0.5",
                           "klt:bits=3,scope=layer,predict=2,adapt=100"}) {
    EXPECT_THROW(make_for(spec), SpecError) << spec;
  }
}

}  // namespace
}  // namespace kakeya
