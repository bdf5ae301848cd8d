// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "codecs/vectors_for_test.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codecs/kvtc/kvtc_plan.h"
#include "kakeya/core/error.h"
#include "support/made_kvtc.h"

namespace kakeya {
namespace {

using namespace test;

constexpr int kLayers = 4;
constexpr std::size_t kHeadDim = 16, kWidth = kLayers * 2 * kHeadDim, kDim = 2 * kWidth;

const OneProfile& made() {
  static const OneProfile source(made_profile(kHeadDim, kLayers),
                                 made_kvtc_profile(kHeadDim, kLayers, 2));
  return source;
}

std::unique_ptr<Codec> make_for(const std::string& spec, LayerRange layers = {0, kLayers},
                                std::size_t dim = kDim) {
  CodecInput input{dim, &made()};
  input.layers = layers;
  return make_codec(spec, input);
}

std::vector<float> tokens(std::size_t count, std::uint64_t seed) {
  return made_kvtc_tokens(made().kvtc(), count, seed);
}

Rows<const float> rows_of(const std::vector<float>& x) {
  return dense_rows(x.data(), x.size() / kDim, kDim);
}

// The calibrated mean of scalar i of some tokens.
float mean_of(std::size_t i) {
  const std::size_t part = i % kDim / (2 * kHeadDim) % 2, layer = i % kDim / (4 * kHeadDim);
  return made().kvtc().parts[part].mean[layer * 2 * kHeadDim + i % (2 * kHeadDim)];
}

double error_of(const std::vector<float>& x, const std::vector<float>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(double{x[i]} - y[i], 2);
  return sum;
}

class Kvtc : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_deflate()) GTEST_SKIP() << "built without zlib";
  }
};

TEST_F(Kvtc, ErrsLessWithEveryBitAndWritesLessThanItsBudget) {
  const auto x = tokens(512, 1);
  double last = std::numeric_limits<double>::infinity();
  for (const double bits : {0.5, 1.0, 2.0, 3.0, 4.0, 6.0}) {
    const auto codec = make_for("kvtc:bits=" + std::to_string(bits));
    const auto frame = encode(*codec, rows_of(x));
    const double nominal = *codec->account().rates().nominal_bits_per_vector / kDim;
    EXPECT_LE(nominal, bits);
    EXPECT_GT(nominal, 0.96 * bits);
    // Fields of fixed width and scales of which DEFLATE finds a part; 800 bytes of header and plan.
    const double written = 8.0 * (static_cast<double>(frame.size()) - 800) / (512.0 * kDim);
    EXPECT_LT(written, nominal);
    EXPECT_GT(written, 0.5 * nominal);
    const double error = error_of(x, decode(*codec, frame, 512));
    EXPECT_LT(error, 0.9 * last) << bits;
    last = error;
  }
}

// The tables of the profile promise what comes out, on tokens of the same distribution.
TEST_F(Kvtc, ErrsAsItsPlanPromises) {
  const KvtcProfile& profile = made().kvtc();
  for (const double bits : {0.75, 2.0, 3.5}) {
    const auto codec = make_for("kvtc:bits=" + std::to_string(bits));
    auto x = tokens(600, 2);
    const auto part_of = [](std::size_t i) { return i % kDim / (2 * kHeadDim) % 2; };
    for (std::size_t i = 0; i < x.size(); ++i) {
      // As calibrated: values are as large as keys.
      const float mean = mean_of(i);
      if (part_of(i) == 1) x[i] = mean + 2 * (x[i] - mean);
    }
    const auto y = roundtrip(*codec, x);
    double error = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      error += std::pow(double{x[i]} - y[i], 2) / part_variance(profile.parts[part_of(i)]);
    }
    const auto plan = plan_kvtc(profile, static_cast<std::size_t>(bits * kDim));
    EXPECT_NEAR(error / 600 / plan_error(profile, plan), 1, 0.08) << bits;
  }
}

TEST_F(Kvtc, PagesDecodeAlone) {
  const std::size_t count = 150;
  auto x = tokens(count, 3);
  x[70 * kDim + 5] = 1e20f;
  const auto codec = make_for("kvtc:bits=2,page=64");
  const auto frame = encode(*codec, rows_of(x));
  const auto all = decode(*codec, frame, count);
  EXPECT_EQ(codec->page_vectors(), 64u);
  for (std::size_t page = 0; page < 3; ++page) {
    const std::size_t vectors = page == 2 ? 22 : 64;
    std::vector<float> y(vectors * kDim);
    codec->decode_page(frame, page, dense_rows(y.data(), vectors, kDim));
    EXPECT_TRUE(std::equal(y.begin(), y.end(),
                           all.begin() + static_cast<std::ptrdiff_t>(page * 64 * kDim)));
    // What is decoded of a token does not depend on the page it lies in.
    const std::vector<float> alone(
        x.begin() + static_cast<std::ptrdiff_t>(page * 64 * kDim),
        x.begin() + static_cast<std::ptrdiff_t>((page * 64 + vectors) * kDim));
    EXPECT_EQ(roundtrip(*make_for("kvtc:bits=2,page=16"), alone), y);
  }
  for (std::size_t i = 0; i < kDim; ++i) EXPECT_EQ(all[70 * kDim + i], x[70 * kDim + i]);
  EXPECT_LT(error_of({x.begin(), x.begin() + 70 * kDim}, {all.begin(), all.begin() + 70 * kDim}),
            70 * 200.0);
}

TEST_F(Kvtc, AFrameDecodesByItsOwnPlan) {
  const auto x = tokens(40, 4);
  const auto codec = make_for("kvtc:bits=2");
  const auto frame = encode(*codec, rows_of(x));
  const FrameView view = parse_frame(frame);
  EXPECT_EQ(plan_from_bytes(section_of(view, "plan"), kWidth, "kvtc"),
            plan_kvtc(made().kvtc(), 2 * kDim));
  // The same frame, its groups of keys and values forged to be none: all means.
  std::vector<std::byte> forged(frame.size() + 1000);
  std::vector<std::string_view> names;
  for (const FrameSection& section : view.sections) names.push_back(section.name);
  FrameWriter writer(forged, view.spec, view.dim, view.count, names);
  for (const FrameSection& section : view.sections) {
    if (section.name == "plan" || section.name == "pages") {
      writer.section(section.name == "plan" ? 4 : 16);
    } else if (section.name == "padding") {
      writer.section(40 * kDim / 32 - writer.section_bytes());
    } else {
      write_section(writer,
                    section.name == "layers" ? section.bytes : std::span<const std::byte>());
    }
  }
  forged.resize(writer.finish());
  const auto y = decode(*codec, forged, 40);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], mean_of(i));
}

// Truncations and flipped bits: hostile_test.cpp. Here what only this codec has.
TEST_F(Kvtc, ForgedSectionsAreRefused) {
  const auto x = tokens(40, 5);
  const auto codec = make_for("kvtc:bits=2");
  const auto frame = encode(*codec, rows_of(x));
  const FrameView view = parse_frame(frame);
  const auto with = [&](std::string_view name, std::span<const std::byte> bytes) {
    std::vector<std::byte> forged(frame.size() + bytes.size());
    std::vector<std::string_view> names;
    for (const FrameSection& section : view.sections) names.push_back(section.name);
    FrameWriter writer(forged, view.spec, view.dim, view.count, names);
    for (const FrameSection& section : view.sections) {
      write_section(writer, section.name == name ? bytes : section.bytes);
    }
    forged.resize(writer.finish());
    return forged;
  };
  const auto section = [&](std::string_view name) {
    const auto bytes = section_of(view, name);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  EXPECT_EQ(with("plan", section("plan")), frame);
  // A page that is longer than the section, by what another one is shorter.
  auto pages = section("pages");
  pages[0] ^= std::byte{1};
  EXPECT_THROW(decode(*codec, with("pages", pages), 40), CorruptStream);
  // A plan of more components, which the streams do not have.
  for (const int value : {0, 3, 255}) {
    auto plan = section("plan");
    for (std::size_t i = 0; i < plan.size(); ++i) {
      auto bad = plan;
      bad[i] = static_cast<std::byte>(value);
      if (bad == plan) continue;
      EXPECT_THROW(decode(*codec, with("plan", bad), 40), CorruptStream) << i;
    }
    plan.push_back(std::byte{0});
    EXPECT_THROW(decode(*codec, with("plan", plan), 40), CorruptStream);
  }
  // A stream that would expand to a hundred times what the plan says.
  const std::vector<std::vector<std::byte>> zeros{std::vector<std::byte>(1 << 20)};
  const auto bomb = deflate(zeros);
  std::uint32_t length = static_cast<std::uint32_t>(bomb.size());
  pages = section("pages");
  const auto other = section("indices");
  ASSERT_LT(bomb.size(), other.size());
  std::vector<std::byte> indices(other.size());
  std::uint32_t keys, values;
  std::memcpy(&keys, pages.data() + 4, 4);
  std::memcpy(&values, pages.data() + 12, 4);
  std::copy(bomb.begin(), bomb.end(), indices.begin());
  std::memcpy(pages.data() + 4, &length, 4);
  length = keys + values - length;
  std::memcpy(pages.data() + 12, &length, 4);
  const auto half = with("indices", indices);
  const FrameView again = parse_frame(half);
  EXPECT_THROW(decode(*codec, half, 40), CorruptStream);
  EXPECT_EQ(again.count, 40u);
  auto layers = section("layers");
  layers[2] = std::byte{3};
  EXPECT_THROW(codec_of_frame(with("layers", layers), &made()), CorruptStream);
  layers.push_back(std::byte{0});
  EXPECT_THROW(codec_of_frame(with("layers", layers), &made()), CorruptStream);
}

TEST_F(Kvtc, SpecsAndProfilesThatDoNotFit) {
  const std::string digest(16, 'd');
  EXPECT_EQ(make_for("kvtc:bits=1.50")->spec(), "kvtc:bits=1.5,profile=" + digest);
  EXPECT_EQ(make_for("kvtc:page=512,bits=2,profile=x.h5")->spec(),
            "kvtc:bits=2,page=512,profile=" + digest);
  EXPECT_THROW(make_for("kvtc"), SpecError);
  EXPECT_THROW(make_for("kvtc:bits=9"), SpecError);
  EXPECT_THROW(make_for("kvtc:bits=0.1"), SpecError);
  EXPECT_THROW(make_for("kvtc:bits=2,page=8"), SpecError);
  EXPECT_THROW(make_for("kvtc:bits=2,rank=8"), SpecError);
  EXPECT_THROW(make_for("kvtc:bits=2,profile=missing"), InputError);
  EXPECT_THROW(make_for("kvtc:bits=2", {0, kLayers - 1}), InputError);
  EXPECT_THROW(make_for("kvtc:bits=2", {1, kLayers}), InputError);
  EXPECT_THROW(make_for("kvtc:bits=2", {0, kLayers}, kDim / 2), InputError);
  EXPECT_THROW(make_codec("kvtc:bits=2", {kDim, &made()}), InputError);
  CodecInput input{kDim};
  input.layers = LayerRange{0, kLayers};
  EXPECT_THROW(make_codec("kvtc:bits=2", input), InputError);
  const OneProfile without(made_profile(kHeadDim, kLayers));
  input.profiles = &without;
  EXPECT_THROW(make_codec("kvtc:bits=2", input), InputError);
}

TEST_F(Kvtc, AReaderNeedsTheComponentsThatAreStored) {
  const auto codec = make_for("kvtc:bits=1");
  std::size_t components = 0;
  for (const auto& groups : plan_kvtc(made().kvtc(), kDim)) components += stored_components(groups);
  EXPECT_EQ(codec->account().symbols_per_vector(), components);
  EXPECT_LT(components, kDim);
  EXPECT_EQ(codec->account().profile_bytes(), 4 * kDim + 2 * components * kWidth);
  EXPECT_GT(make_for("kvtc:bits=4")->account().profile_bytes(), codec->account().profile_bytes());
}

TEST(KvtcWithoutZlib, IsRefused) {
  if (has_deflate()) GTEST_SKIP() << "built with zlib";
  EXPECT_THROW(make_for("kvtc:bits=2"), SpecError);
}

}  // namespace
}  // namespace kakeya
