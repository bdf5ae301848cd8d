// SPDX-License-Identifier: Apache-2.0
// klt of single heads with adapt=N.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "codecs/vectors_for_test.h"
#include "codecs/written_alike.h"
#include "kakeya/bitstream/crc32c.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/page_writer.h"
#include "kakeya/codec/whole_caches.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/simd/tile.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kDim = 64;
constexpr KvSite kSite{1, Part::value, 1};
const std::string kStatic = "klt:bits=3", kLearning = "klt:bits=3,adapt=100,page=32";

const OneProfile& made() {
  static const OneProfile source(made_profile(kDim));
  return source;
}

const SiteTransform& transform() { return made().profile().transform(kSite, {}); }

std::unique_ptr<Codec> make_for(const std::string& spec, KvSite site = kSite) {
  return make_codec(spec, {kDim, &made(), site});
}

Rows<const float> rows_of(const std::vector<float>& x) {
  return dense_rows<const float>(x.data(), x.size() / kDim, kDim);
}

// What the profile does not know: its coordinates in another order, turned in pairs, and a little beside its
// means.
std::vector<float> strange_vectors(std::size_t count, std::uint64_t seed) {
  const auto known = vectors_of(transform(), count, seed);
  auto x = known;
  const auto off = [&](std::size_t i) { return known[i] - transform().mean[i % kDim]; };
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float turned = 0.8f * off(i ^ 5) + (i % 2 == 0 ? 0.6f : -0.6f) * off(i ^ 4);
    x[i] = transform().mean[i % kDim] + turned + 0.1f;
  }
  return x;
}

// Bits a value of vectors [first, last), by what they add to a frame.
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

TEST(KltLearningHeads, LearnWhatTheProfileDoesNotKnow) {
  const auto x = strange_vectors(2048, 1);
  for (const std::string keys :
       {"", ",lattice=tcq", ",product=exact", ",pages=fixed", ",lattice=z,pages=prefix",
        ",lattice=z,product=exact,pages=prefix"}) {
    const auto same = make_for(kStatic + ",page=256" + keys),
               learning = make_for(kStatic + ",page=256,adapt=100" + keys);
    EXPECT_LT(bits_at_unit_error(*learning, x, 1024, 2048),
              bits_at_unit_error(*same, x, 1024, 2048) - 0.3)
        << keys;
    // It learns more from more.
    EXPECT_LT(bits_of(*learning, x, 1024, 2048), bits_of(*learning, x, 256, 512) - 0.01) << keys;
  }
}

TEST(KltLearningHeads, CostNothingWhereTheProfileIsRight) {
  const auto x = vectors_of(transform(), 4096, 2);
  const auto fixed = make_for(kStatic + ",page=256");
  for (const std::string keys : {",adapt=1000", ",adapt=4000", ",adapt=1000,learn=scales"}) {
    const auto learning = make_for(kStatic + ",page=256" + keys);
    EXPECT_NEAR(bits_at_unit_error(*learning, x, 2048, 4096),
                bits_at_unit_error(*fixed, x, 2048, 4096), 0.02)
        << keys;
  }
}

// Means and variances of the profile's own coordinates: less than all, and more than nothing.
TEST(KltLearningHeads, LearnScalesAlone) {
  auto x = vectors_of(transform(), 2048, 15);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float mean = transform().mean[i % kDim];
    x[i] = (x[i] - mean) * (i % kDim < kDim / 2 ? 0.4f : 1.0f) + mean + (i % 3 == 0 ? 0.4f : -0.2f);
  }
  const std::string spec = kStatic + ",page=256";
  const auto fixed = make_for(spec), all = make_for(spec + ",adapt=100"),
             scales = make_for(spec + ",adapt=100,learn=scales");
  const double of_scales = bits_at_unit_error(*scales, x, 1024, 2048);
  EXPECT_LT(of_scales, bits_at_unit_error(*fixed, x, 1024, 2048) - 0.05);
  EXPECT_GT(of_scales, bits_at_unit_error(*all, x, 1024, 2048));
  EXPECT_EQ(*reconstruct(*scales, rows_of(x)), roundtrip(*scales, x));
}

// Without what rounding takes from moments, a codec of half zeros would learn that nothing is there.
TEST(KltLearningHeads, DoNotForgetWhatTheyRoundAway) {
  const auto x = vectors_of(transform(), 4096, 3);
  for (const std::string lattice : {"z", "e8", "tcq"}) {
    const std::string spec = "klt:bits=0.8,page=256,lattice=" + lattice;
    const auto learning = make_for(spec + ",adapt=100"), fixed = make_for(spec);
    EXPECT_LT(bits_of(*learning, x, 2048, 4096), 1.02 * bits_of(*fixed, x, 2048, 4096)) << lattice;
    EXPECT_LT(error_of(*learning, x, 2048), 1.08 * error_of(*fixed, x, 2048)) << lattice;
  }
}

TEST(KltLearningHeads, BeginAsTheProfileSaysAndNeedNothingOfWhatFollows) {
  const auto x = strange_vectors(700, 4);
  const auto learning = make_for(kLearning);
  const auto y = roundtrip(*learning, x), fixed = roundtrip(*make_for(kStatic), x);
  const auto same = [&](const std::vector<float>& other, std::size_t vectors) {
    return std::equal(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(vectors * kDim),
                      other.begin());
  };
  EXPECT_TRUE(same(fixed, 256));
  EXPECT_FALSE(same(fixed, 257));
  for (const std::size_t count : {0, 1, 255, 256, 257, 512, 600}) {
    const std::vector<float> some(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count * kDim));
    EXPECT_TRUE(same(roundtrip(*learning, some), count)) << count;
  }
  for (const char* page : {"64", "256"}) {
    EXPECT_EQ(roundtrip(*make_for("klt:bits=3,adapt=100,page=" + std::string(page)), x), y);
  }
}

TEST(KltLearningHeads, WriteTheSameBytesOnEveryInstructionSet) {
  const auto x = strange_vectors(600, 5);
  for (const std::string keys : {"page=32", "page=32,lattice=tcq,product=exact",
                                 "page=32,learn=scales", "page=32,lattice=z,pages=prefix",
                                 "page=32,pages=fixed", "page=128,lattice=z,pages=tiles"}) {
    expect_alike_on_every_instruction_set([](const std::string& spec) { return make_for(spec); },
                                          "klt:bits=3,adapt=100," + keys, rows_of(x));
  }
}

// What is kept beside the code teaches nothing: all others decode alike whatever it is.
TEST(KltLearningHeads, VectorsBesideTheCodeTeachNothing) {
  const auto plain = strange_vectors(700, 7);
  const std::size_t places[] = {0, 100, 255, 256, 300, 511};
  for (const std::string keys : {"", ",product=exact", ",pages=fixed", ",lattice=z,pages=prefix"}) {
    const auto codec = make_for(kLearning + keys);
    const auto with = [&](float scale) {
      auto x = plain;
      for (const std::size_t row : places) {
        for (std::size_t i = 0; i < kDim; ++i)
          x[row * kDim + i] = (i % 3 == 0 ? 1.0f : -0.5f) * scale;
      }
      const auto frame = encode(*codec, rows_of(x));
      EXPECT_EQ(codec->account().beyond_profile(frame_info(frame, &made())), std::size(places))
          << keys;
      auto y = decode(*codec, frame, 700);
      EXPECT_EQ(*reconstruct(*codec, rows_of(x)), y) << keys;
      for (const std::size_t row : places) {
        EXPECT_NEAR(y[row * kDim], scale, 0x1p-8f * std::fabs(scale));
        std::fill_n(y.begin() + static_cast<std::ptrdiff_t>(row * kDim), kDim, 0.0f);
      }
      return y;
    };
    const auto huge = with(1e30f);
    EXPECT_EQ(with(-5e9f), huge) << keys;
  }
}

// The longest frames are those of vectors that are as far as they may be without being kept.
TEST(KltLearningHeads, FramesStayWithinTheirBound) {
  const Random random(21);
  for (const std::string keys : {"", ",lattice=tcq", ",pages=fixed", ",lattice=z,pages=prefix"}) {
    const auto codec = make_for(kLearning + keys);
    for (const double sigma : {0.01, 1.0, 30.0, 1000.0}) {
      std::vector<float> x(600 * kDim);
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<float>(sigma * random.normal(i) * (i / kDim < 300 ? 1 : 0.01));
      }
      const auto frame = encode(*codec, rows_of(x));
      EXPECT_LE(frame.size(), codec->encoded_bound(600)) << keys << " " << sigma;
      EXPECT_EQ(*reconstruct(*codec, rows_of(x)), decode(*codec, frame, 600)) << keys << sigma;
    }
  }
}

TEST(KltLearningHeads, NoPageDecodesAlone) {
  const auto x = strange_vectors(600, 8);
  const auto codec = make_for(kLearning);
  EXPECT_TRUE(codes_whole_caches(*codec));
  EXPECT_FALSE(codes_whole_caches(*make_for(kStatic)));
  EXPECT_EQ(codec->page_vectors(), 0u);
  const auto frame = encode(*codec, rows_of(x));
  std::vector<float> page(32 * kDim);
  EXPECT_THROW(codec->decode_page(frame, 0, dense_rows(page.data(), 32, kDim)), InputError);
  EXPECT_THROW(PageWriter{*codec}, InputError);
}

TEST(KltLearningHeads, DamageIsNoticed) {
  const auto x = strange_vectors(600, 8);
  for (const std::string keys : {"", ",pages=fixed", ",lattice=z,pages=prefix"}) {
    const auto codec = make_for(kLearning + keys);
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
      forged[at + 4 * 7] =
          static_cast<std::byte>(std::to_integer<int>(forged[at + 4 * 7]) + change);
      forged[at + 4 * 8] =
          static_cast<std::byte>(std::to_integer<int>(forged[at + 4 * 8]) - change);
      seal(forged);
      EXPECT_THROW(decode(*codec, forged, 600), CorruptStream) << keys;
    }
    auto longer = frame;
    longer[at + 4 * 18 + 2] = std::byte{200};
    seal(longer);
    EXPECT_THROW(decode(*codec, longer, 600), CorruptStream) << keys;
  }
}

// Of vectors by arithmetic that is the same everywhere: what is learnt is part of the format.
TEST(KltLearningHeads, BytesOfThisFormatVersion) {
  const auto x = vectors_near(made().profile(), kSite, 600, 13);
  const std::pair<const char*, std::uint32_t> golden[] = {
      {"klt:bits=2,adapt=100,page=32", 2554328075u},
      {"klt:bits=2,adapt=100,learn=scales,page=64", 1793811812u},
      {"klt:bits=2,lattice=tcq,adapt=60,grow=3,page=256", 1605150699u},
      {"klt:bits=3,lattice=z,adapt=300,page=32,product=exact,pages=prefix", 3211767086u},
      {"klt:bits=2,adapt=100,page=96,pages=fixed", 1772647166u},
      {"klt:bits=3,lattice=z,adapt=100,page=128,pages=tiles", 2106926936u}};
  for (const auto& [spec, checksum] : golden) {
    const auto frame = encode(*make_for(spec), rows_of(x));
    EXPECT_EQ(crc32c(std::span(frame).first(frame.size() - 4)), checksum) << spec;
  }
}

// A sweep decodes and counts at once: the numbers are those that each would give alone.
TEST(KltLearningHeads, CountAsTheyDecode) {
  const auto x = strange_vectors(600, 18);
  for (const std::string keys : {"", ",product=exact", ",learn=scales", ",pages=fixed"}) {
    const auto codec = make_for(kLearning + keys);
    const auto frame = encode(*codec, rows_of(x));
    std::vector<float> y(x.size());
    const auto counted = dynamic_cast<const FrameEntropy&>(*codec).decode_and_count(
        frame, dense_rows(y.data(), 600, kDim));
    ASSERT_TRUE(counted && counted->bits_per_value);
    EXPECT_EQ(y, decode(*codec, frame, 600));
    EXPECT_EQ(*counted->bits_per_value, *codec->account().index_entropy_bits_per_value(rows_of(x)));
    EXPECT_EQ(*counted->bits_per_value, *index_entropy_of_frame(*codec, frame));
  }
}

TEST(KltLearningHeads, AreThreadSafe) {
  const auto x = strange_vectors(600, 14);
  const auto codec = make_for(kLearning);
  std::vector<std::vector<std::byte>> frames(4);
  std::vector<std::thread> threads;
  for (auto& frame : frames) threads.emplace_back([&] { frame = encode(*codec, rows_of(x)); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& frame : frames) EXPECT_EQ(frame, frames.front());
}

TEST(KltLearningHeads, SpecsThatDoNotFit) {
  EXPECT_EQ(make_for("klt:page=32,adapt=100,bits=3")->spec(),
            kLearning + ",profile=" + std::string(16, 'c'));
  EXPECT_EQ(make_for(kStatic + ",adapt=0")->spec(), make_for(kStatic)->spec());
  for (const char* keys :
       {",learn=scales", ",grow=4", ",adapt=-1", ",adapt=0.5", ",adapt=100,prior=heads"}) {
    EXPECT_THROW(make_for(kStatic + keys), SpecError) << keys;
  }
}

}  // namespace
}  // namespace kakeya
