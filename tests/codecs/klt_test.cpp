// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "codecs/vectors_for_test.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/lattice/lattice.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kDim = 64;
constexpr KvSite kSite{1, Part::value, 1};

const OneProfile& made() {
  static const OneProfile source(made_profile(kDim));
  return source;
}

const SiteTransform& transform() { return made().profile().transform(kSite, {}); }

std::unique_ptr<Codec> make_at(const std::string& spec, KvSite site = kSite,
                               std::size_t dim = kDim) {
  return make_codec(spec, {dim, &made(), site});
}

double mean_square_error(const std::vector<float>& x, const std::vector<float>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(double{x[i]} - y[i], 2);
  return sum / static_cast<double>(x.size());
}

double codec_bits(const std::string& spec) { return std::stod(spec.substr(spec.find('=') + 1)); }

TEST(Klt, CostsWhatItPromisesAndErrsByItsCell) {
  const std::size_t count = 4096;
  const auto x = vectors_of(transform(), count, 5);
  const auto rows = dense_rows(x.data(), count, kDim);
  // At 4 bits the weakest coordinates are half a step wide, which costs what it costs.
  for (const auto& [lattice, bits, gap_low, gap_high] :
       {std::tuple("e8", 4.0, 1.00, 1.20), std::tuple("e8", 5.0, 0.85, 1.05),
        std::tuple("z", 4.0, 1.65, 1.90), std::tuple("z", 5.0, 1.45, 1.70),
        std::tuple("tcq", 4.0, 0.60, 0.85), std::tuple("tcq", 5.0, 0.55, 0.80),
        std::tuple("e8,product=exact", 4.0, 1.00, 1.20),
        std::tuple("tcq,product=exact", 5.0, 0.55, 0.80)}) {
    const auto codec =
        make_at("klt:bits=" + std::to_string(bits) + ",alloc=none,lattice=" + lattice);
    const double rate = 8.0 * static_cast<double>(encode(*codec, rows).size()) / (count * kDim);
    EXPECT_NEAR(rate, bits, 0.04) << lattice;
    // In units (0.5 of x), every deviation above the error: the Shannon bound is -log2(error) / 2
    // bits a value, the geometric mean of the deviations being 1.
    const double error = mean_square_error(x, roundtrip(*codec, x)) / 0.25;
    const double gap = 6.0206 * rate + 10 * std::log10(error);
    EXPECT_GT(gap, gap_low) << lattice << " " << bits;
    EXPECT_LT(gap, gap_high) << lattice << " " << bits;
  }
}

TEST(Klt, RatesFromOneBitToEight) {
  const std::size_t count = 2048;
  const auto x = vectors_of(transform(), count, 6);
  const auto rows = dense_rows(x.data(), count, kDim);
  double last = 1e9;
  for (const double bits : {1.0, 1.5, 2.0, 3.0, 6.0, 8.0}) {
    const auto codec = make_at("klt:bits=" + std::to_string(bits) + ",alloc=none");
    EXPECT_NEAR(8.0 * static_cast<double>(encode(*codec, rows).size()) / (count * kDim), bits,
                0.06);
    const double error = mean_square_error(x, roundtrip(*codec, x));
    EXPECT_LT(error, last);
    last = error;
  }
}

// Whole numbers cost next to nothing: the same points but near the boundaries of cells. A class is a deviation and a shape,
// of which calibration finds every one.
TEST(Klt, ExactProductsCodeAsFloatsDo) {
  const std::size_t count = 2048;
  const auto x = vectors_of(transform(), count, 6);
  const auto rows = dense_rows(x.data(), count, kDim);
  for (const int shape : {0, kShapes - 1}) {
    Profile shaped = made().profile();
    for (PartProfile& part : shaped.parts) {
      for (auto& variant : part.heads) {
        for (SiteTransform& head : variant) {
          for (std::uint8_t& which : head.classes) {
            which = static_cast<std::uint8_t>(which % kDeviations + shape * kDeviations);
          }
        }
      }
    }
    const OneProfile source(std::move(shaped));
    for (const char* bits : {"1.5", "3", "6"}) {
      std::size_t bytes[2];
      double errors[2];
      for (const bool exact : {false, true}) {
        const auto codec =
            make_codec(std::string("klt:bits=") + bits + (exact ? ",product=exact" : ""),
                       {kDim, &source, kSite});
        bytes[exact] = encode(*codec, rows).size();
        errors[exact] = mean_square_error(x, roundtrip(*codec, x));
        EXPECT_EQ(*reconstruct(*codec, rows), roundtrip(*codec, x));
      }
      EXPECT_NEAR(static_cast<double>(bytes[1]) / static_cast<double>(bytes[0]), 1.0, 2e-3)
          << bits << " " << shape;
      EXPECT_NEAR(errors[1] / errors[0], 1.0, 1e-2) << bits << " " << shape;
    }
  }
}

// Thirty-two deviations of a coordinate are 15 bits.
TEST(Klt, ExactProductsKeepWhatTheyCannotRound) {
  auto x = vectors_of(transform(), 40, 9);
  x[3 * kDim + 5] = 1e30f;
  x[17 * kDim + 1] = 3e4f;
  const auto y = roundtrip(*make_at("klt:bits=3,product=exact"), x);
  for (const std::size_t row : {3u, 17u}) {
    for (std::size_t i = row * kDim; i < (row + 1) * kDim; ++i) {
      EXPECT_EQ(y[i], bfloat16_to_float(float_to_finite_bfloat16(x[i])));
    }
  }
}

TEST(Klt, AllocationGivesValuesOneBitMore) {
  // Sensitivities 1 and 4: half a bit up and down from the mean.
  const std::size_t count = 2048;
  double rates[2];
  for (const bool key : {true, false}) {
    const KvSite site{0, key ? Part::key : Part::value, 0};
    const auto x = vectors_of(made().profile().transform(site, {}), count, 7);
    rates[key ? 0 : 1] =
        8.0 *
        static_cast<double>(
            encode(*make_at("klt:bits=4", site), dense_rows(x.data(), count, kDim)).size()) /
        (count * kDim);
  }
  EXPECT_NEAR(rates[1] - rates[0], 1.0, 0.05);
  EXPECT_NEAR((rates[1] + rates[0]) / 2, 4.0, 0.05);
}

TEST(Klt, AVectorDependsOnNothingBeforeOrAfterIt) {
  const std::size_t count = 200;
  const auto codec = make_at("klt:bits=3,page=64");
  const auto x = vectors_of(transform(), count, 8);
  const auto all = roundtrip(*codec, x);
  for (const std::size_t prefix : {1u, 63u, 64u, 65u, 199u}) {
    const std::vector<float> some(x.begin(),
                                  x.begin() + static_cast<std::ptrdiff_t>(prefix * kDim));
    const auto y = roundtrip(*codec, some);
    EXPECT_TRUE(std::equal(y.begin(), y.end(), all.begin()));
  }
  const auto frame = encode(*codec, dense_rows(x.data(), count, kDim));
  for (std::size_t page = 0; page < 4; ++page) {
    const std::size_t vectors = page == 3 ? 8 : 64;
    std::vector<float> y(vectors * kDim);
    codec->decode_page(frame, page, dense_rows(y.data(), vectors, kDim));
    EXPECT_TRUE(std::equal(y.begin(), y.end(),
                           all.begin() + static_cast<std::ptrdiff_t>(page * 64 * kDim)));
  }
  std::vector<float> y(64 * kDim);
  EXPECT_THROW(codec->decode_page(frame, 4, dense_rows(y.data(), 64, kDim)), InputError);
}

// Each value within 2^-8 of itself.
TEST(Klt, VectorsBeyondAnyStepAreKeptAsBfloat16) {
  auto x = vectors_of(transform(), 40, 9);
  x[3 * kDim + 5] = 1e30f;
  x[17 * kDim + 1] = -std::numeric_limits<float>::max();
  x[17 * kDim + 2] = std::numeric_limits<float>::max();
  const auto codec = make_at("klt:bits=3");
  const auto y = roundtrip(*codec, x);
  for (const std::size_t row : {3u, 17u}) {
    for (std::size_t i = row * kDim; i < (row + 1) * kDim; ++i) {
      EXPECT_EQ(y[i], bfloat16_to_float(float_to_finite_bfloat16(x[i])));
      EXPECT_LE(std::fabs(double{y[i]} / x[i] - 1), 0x1p-8);
    }
  }
  EXPECT_LT(std::fabs(y[4 * kDim] - x[4 * kDim]), 1.0f);
  EXPECT_EQ(*reconstruct(*codec, dense_rows<const float>(x.data(), 40, kDim)), y);
  x[3 * kDim + 5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(encode(*codec, dense_rows<const float>(x.data(), 40, kDim)), InputError);
}

struct OffProfile {
  std::string name;
  std::vector<float> x;
};

std::vector<OffProfile> off_profile(std::size_t count) {
  std::vector<OffProfile> all;
  for (const double scale : {1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e30}) {
    all.push_back({"normal times " + std::to_string(scale), normals(count * kDim, 21, scale)});
    all.push_back({"followed times " + std::to_string(scale), vectors_of(transform(), count, 22)});
    for (float& value : all.back().x) value *= static_cast<float>(scale);
  }
  all.push_back({"outlier channels", vectors_of(transform(), count, 23)});
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::size_t channel : {3u, 17u, 40u}) all.back().x[i * kDim + channel] += 400.0f;
  }
  all.push_back({"every second vector", vectors_of(transform(), count, 24)});
  for (std::size_t i = 0; i < count * kDim; ++i) {
    if (i / kDim % 2 == 1) all.back().x[i] *= 200.0f;
  }
  return all;
}

// Whatever the data: 16 bits a value, 32 a vector, and what a page and a frame take.
TEST(Klt, NoVectorIsDearerThanBfloat16) {
  const std::size_t count = 300;
  for (const std::string spec : {"klt:bits=0.5", "klt:bits=3", "klt:bits=8", "klt:bits=3,page=32",
                                 "klt:bits=2,lattice=z", "klt:bits=3,lattice=tcq"}) {
    const auto codec = make_at(spec);
    const std::size_t pages = (count + codec->page_vectors() - 1) / codec->page_vectors();
    for (const auto& [name, x] : off_profile(count)) {
      const auto rows = dense_rows<const float>(x.data(), count, kDim);
      const auto frame = encode(*codec, rows);
      EXPECT_LE(frame.size(), count * (4 + 2 * kDim) + 213 * pages + 200) << spec << ", " << name;
      EXPECT_LE(frame.size(), codec->encoded_bound(count)) << spec << ", " << name;
      EXPECT_LE(codec->encoded_bound(count), count * (4 + 2 * kDim) + 213 * pages + 200);
      const auto y = decode(*codec, frame, count);
      EXPECT_EQ(*reconstruct(*codec, rows), y) << spec << ", " << name;
      // Of what is coded, all within the cell; of what is kept, each value.
      const double cell = 0.5 * 4.2 * std::exp2(-codec_bits(spec)) * 8 * std::sqrt(kDim);
      for (std::size_t row = 0; row < count; ++row) {
        double error = 0, norm = 0;
        for (std::size_t i = row * kDim; i < (row + 1) * kDim; ++i) {
          error += std::pow(double{y[i]} - x[i], 2);
          norm += std::pow(double{x[i]}, 2);
        }
        ASSERT_LE(std::sqrt(error), std::max(cell, 0x1p-8 * std::sqrt(norm))) << spec << name;
      }
    }
  }
}

// What is dear is kept, and nothing else: the frame says how many.
TEST(Klt, OnlyVectorsOffTheProfileAreKept) {
  const std::size_t count = 200;
  auto x = vectors_of(transform(), count, 25);
  const auto plain = x;
  for (std::size_t row = 5; row < count; row += 20) {
    for (std::size_t i = row * kDim; i < (row + 1) * kDim; ++i) x[i] *= 300.0f;
  }
  for (const std::string spec : {"klt:bits=3,page=64", "klt:bits=8,page=64"}) {
    const auto codec = make_at(spec);
    const auto rows = dense_rows<const float>(x.data(), count, kDim);
    const auto frame = encode(*codec, rows);
    EXPECT_EQ(codec->account().beyond_profile(frame_info(frame, &made())), 10u);
    const auto y = decode(*codec, frame, count), without = roundtrip(*codec, plain);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool kept = i / kDim % 20 == 5;
      ASSERT_EQ(y[i], kept ? bfloat16_to_float(float_to_finite_bfloat16(x[i])) : without[i]) << i;
    }
    for (std::size_t page = 0; page < 4; ++page) {
      const std::size_t vectors = std::min<std::size_t>(64, count - 64 * page);
      std::vector<float> some(vectors * kDim);
      codec->decode_page(frame, page, dense_rows(some.data(), vectors, kDim));
      EXPECT_TRUE(std::equal(some.begin(), some.end(),
                             y.begin() + static_cast<std::ptrdiff_t>(64 * page * kDim)));
    }
    EXPECT_EQ(codec->account().beyond_profile(frame_info(
                  encode(*codec, dense_rows<const float>(plain.data(), count, kDim)), &made())),
              0u);
    const RateLedger ledger = ledger_of(*codec, rows, frame);
    EXPECT_EQ(ledger.beyond_profile_values, 10 * kDim);
    EXPECT_DOUBLE_EQ(ledger.beyond_profile_share(), 0.05);
    RateLedger twice = ledger;
    twice.merge(ledger);
    EXPECT_EQ(twice.beyond_profile_values, 20 * kDim);
    // What is kept has no indices.
    std::vector<float> coded;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i / kDim % 20 != 5) coded.push_back(plain[i]);
    }
    EXPECT_NEAR(*codec->account().index_entropy_bits_per_value(rows) * 200,
                *codec->account().index_entropy_bits_per_value(
                    dense_rows<const float>(coded.data(), 190, kDim)) *
                    190,
                1e-9);
  }
}

// A page whose vectors are all kept has no bytes: those that a forger gives it are refused.
TEST(Klt, PagesOfKeptVectorsAloneAreEmpty) {
  const std::size_t count = 64;
  const auto codec = make_at("klt:bits=3,page=32");
  auto x = vectors_of(transform(), count, 26);
  for (std::size_t i = 0; i < 32 * kDim; ++i) x[i] *= 1000.0f;
  const auto frame = encode(*codec, dense_rows<const float>(x.data(), count, kDim));
  const FrameView view = parse_frame(frame);
  std::uint32_t pages[2];
  std::memcpy(pages, section_of(view, "pages").data(), 8);
  EXPECT_EQ(pages[0], 0u);
  EXPECT_GT(pages[1], 0u);
  // The same bytes, the first two of them said to be of the first page.
  auto forged = frame;
  const auto at = static_cast<std::size_t>(section_of(view, "pages").data() - frame.data());
  pages[0] = 2, pages[1] -= 2;
  std::memcpy(forged.data() + at, pages, 8);
  seal(forged);
  EXPECT_THROW(decode(*codec, forged, count), CorruptStream);
  // A kept vector less: its page is short of one.
  const auto exact = section_of(view, "exact");
  EXPECT_EQ(exact.size(), 32 * (4 + 2 * kDim));
  std::uint32_t other = 40;
  auto moved = frame;
  std::memcpy(moved.data() + (exact.data() - frame.data()) + 31 * (4 + 2 * kDim), &other, 4);
  seal(moved);
  EXPECT_THROW(decode(*codec, moved, count), CorruptStream);
}

TEST(Klt, AFrameOfAnotherSiteOrRateIsRefused) {
  const auto x = vectors_of(transform(), 40, 10);
  const auto rows = dense_rows(x.data(), 40, kDim);
  const auto frame = encode(*make_at("klt:bits=3"), rows);
  EXPECT_EQ(decode(*codec_of_frame(frame, &made()), frame, 40),
            roundtrip(*make_at("klt:bits=3"), x));
  EXPECT_THROW(codec_of_frame(frame), InputError);
  EXPECT_THROW(frame_info(frame), InputError);
  EXPECT_THROW(decode(*make_at("klt:bits=3", {0, Part::value, 1}), frame, 40), CorruptStream);
  EXPECT_THROW(decode(*make_at("klt:bits=3", {1, Part::value, 0}), frame, 40), CorruptStream);
  EXPECT_THROW(decode(*make_at("klt:bits=3.1"), frame, 40), CorruptStream);
  const auto codec = make_at("klt:bits=3");
  for (std::size_t length = 0; length < frame.size(); ++length) {
    const std::vector<std::byte> cut(frame.begin(),
                                     frame.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_THROW(decode(*codec, cut, 40), CorruptStream);
  }
}

TEST(Klt, SpecsAndProfilesThatDoNotFit) {
  const std::string digest(16, 'c');
  EXPECT_EQ(make_at("klt:bits=3.50")->spec(), "klt:bits=3.5,profile=" + digest);
  EXPECT_EQ(make_at("klt:lattice=z,bits=2,profile=x.h5,alloc=none")->spec(),
            "klt:bits=2,alloc=none,lattice=z,profile=" + digest);
  EXPECT_THROW(make_at("klt"), SpecError);
  EXPECT_THROW(make_at("klt:bits=9"), SpecError);
  EXPECT_THROW(make_at("klt:bits=3,page=33"), SpecError);
  EXPECT_THROW(make_at("klt:bits=3,weight=some"), SpecError);
  EXPECT_THROW(make_at("klt:bits=3,profile=missing"), InputError);
  EXPECT_THROW(make_at("klt:bits=3,weight=none"), InputError);  // not in this profile
  EXPECT_THROW(make_at("klt:bits=3", {2, Part::key, 0}), InputError);
  EXPECT_THROW(make_at("klt:bits=3", {0, Part::key, 2}), InputError);
  EXPECT_THROW(make_at("klt:bits=3", kSite, 32), InputError);
  EXPECT_THROW(make_codec("klt:bits=3", {kDim}), InputError);
}

TEST(KltPlan, ClassesGoUpAndDownByQuarterOctaves) {
  for (int which = 0; which < 256; ++which) {
    const auto profile = static_cast<std::uint8_t>(which);
    const std::uint8_t up = klt_class(profile, 4);
    EXPECT_EQ(up / 64, which / 64);
    const double steps = klt_model(Lattice::e8)->shape(up).deviation;
    if (up % 64 != 0 && up % 64 != 63) {
      EXPECT_NEAR(steps / (2 * deviation_of_class(which % 64)), 1.0, 1e-12);
      EXPECT_EQ(profile_class(up, 4), profile);
    }
  }
}

TEST(KltPlan, PromisedRateIsTheOneAskedFor) {
  for (const bool allocate : {true, false}) {
    const KltChoice choice{{}, Lattice::e8, allocate};
    for (const double bits : {1.0, 2.5, 7.0}) {
      const auto octaves = step_octaves(made().profile(), choice, bits);
      EXPECT_NEAR(promised_rate(made().profile(), choice, octaves), bits, 1e-6);
      EXPECT_NEAR(octaves[1] - octaves[0], allocate ? 1.0 : 0.0, 1e-12);
    }
    EXPECT_THROW(step_octaves(made().profile(), choice, 40), InputError);
  }
}

}  // namespace
}  // namespace kakeya
