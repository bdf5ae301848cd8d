// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "codecs/vectors_for_test.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using namespace test;

constexpr int kLayers = 12;
constexpr std::size_t kHeadDim = 8, kWidth = 4 * kHeadDim, kDim = kLayers * kWidth;

const OneProfile& made() {
  static const OneProfile source(made_profile(kHeadDim, kLayers));
  return source;
}

std::unique_ptr<Codec> make_for(const std::string& spec, LayerRange layers = {0, kLayers},
                                const OneProfile& profile = made()) {
  CodecInput input{static_cast<std::size_t>(layers.count) * kWidth, &profile};
  input.layers = layers;
  return make_codec(spec, input);
}

double rate_of(const Codec& codec, const std::vector<float>& x) {
  const std::size_t count = x.size() / codec.dim();
  return 8.0 * static_cast<double>(encode(codec, dense_rows(x.data(), count, codec.dim())).size()) /
         static_cast<double>(x.size());
}

// Mean square error, in units of u, of the keys and values of each layer.
std::vector<double> errors_of_layers(const std::vector<float>& x, const std::vector<float>& y) {
  std::vector<double> errors(kLayers, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t layer = i % kDim / kWidth, part = 2 * layer + i % kWidth / (kWidth / 2);
    const double up = std::exp2(made().profile().layer_octaves[part]) / 0.5;
    errors[layer] += std::pow((double{x[i]} - y[i]) * up, 2);
  }
  for (double& error : errors)
    error *= static_cast<double>(kLayers) / static_cast<double>(x.size());
  return errors;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

TEST(KltLayers, CostWhatTheyPromise) {
  const auto x = tokens_of(made().profile(), 2048, 1);
  for (const int order : {0, 1, 2}) {
    for (const double bits : {2.0, 3.0, 4.0}) {
      const auto codec = make_for("klt:page=1024,scope=layer,predict=" + std::to_string(order) +
                                  ",bits=" + std::to_string(bits));
      EXPECT_NEAR(rate_of(*codec, x), bits, 0.05) << order;
    }
  }
  // Layers that nothing predicts are part of the promise.
  for (const int restart : {1, 4, 5}) {
    const std::string spec =
        "klt:bits=3,scope=layer,predict=2,page=1024,restart=" + std::to_string(restart);
    double bits = 0;
    for (int first = 0; first < kLayers; first += restart) {
      const LayerRange layers{first, std::min(restart, kLayers - first)};
      const auto codec = make_for(spec, layers);
      std::vector<float> part;
      for (std::size_t row = 0; row < 2048; ++row) {
        const auto from = x.begin() + static_cast<std::ptrdiff_t>(
                                          row * kDim + static_cast<std::size_t>(first) * kWidth);
        part.insert(part.end(), from, from + static_cast<std::ptrdiff_t>(codec->dim()));
      }
      bits += rate_of(*codec, part) * layers.count / kLayers;
    }
    EXPECT_NEAR(bits, 3, 0.06) << restart;
  }
}

// What is saved at the same error is what the relation of the layers is worth.
TEST(KltLayers, PredictionSavesBitsAtTheSameError) {
  const auto x = tokens_of(made().profile(), 2048, 2);
  double bits_at_unit_error[3];
  for (const int order : {0, 1, 2}) {
    const auto codec =
        make_for("klt:bits=4,page=1024,scope=layer,predict=" + std::to_string(order));
    const double error = mean_of(errors_of_layers(x, roundtrip(*codec, x)));
    bits_at_unit_error[order] = rate_of(*codec, x) + 0.5 * std::log2(error);
  }
  const double one = -0.5 * std::log2(kResidual[1]), two = -0.5 * std::log2(kResidual[2]);
  EXPECT_NEAR(bits_at_unit_error[0] - bits_at_unit_error[1], 11 * one / 12, 0.06);
  EXPECT_NEAR(bits_at_unit_error[0] - bits_at_unit_error[2], (one + 10 * two) / 12, 0.06);
}

TEST(KltLayers, ErrorsDoNotBuildUpOverLayers) {
  const auto x = tokens_of(made().profile(), 2048, 3);
  for (const int order : {0, 1, 2}) {
    const auto codec =
        make_for("klt:bits=4,scope=layer,shaping=0,predict=" + std::to_string(order));
    const double nominal = nominal_rate_of_layers(made().profile(), {}, order, 0, 4);
    const double cell = 0.07168 * std::exp2(-2 * nominal);  // of E8
    const auto errors = errors_of_layers(x, roundtrip(*codec, x));
    for (const double error : errors) EXPECT_NEAR(error / cell, 1, 0.06) << order;
    EXPECT_NEAR(errors.back() / errors.front(), 1, 0.04) << order;
  }
}

// v of each layer is t of it: coordinate j of all layers is coded with the same step.
TEST(KltLayers, ShapedErrorsFollowDeviations) {
  const std::size_t count = 2048;
  const auto x = tokens_of(made().profile(), count, 3);
  const auto mean_errors = [&](const std::string& shaping) {
    const auto codec = make_for("klt:bits=4,scope=layer,shaping=" + shaping);
    const auto y = roundtrip(*codec, x);
    EXPECT_NEAR(rate_of(*codec, x), 4, 0.05) << shaping;
    std::vector<double> errors(kWidth, 0.0);
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t layer = 0; layer < kLayers; ++layer) {
        std::vector<double> u(kWidth);
        for (std::size_t i = 0; i < kWidth; ++i) {
          const std::size_t at = row * kDim + layer * kWidth + i, head = i / kHeadDim;
          const SiteTransform& site = made().profile().transform(
              {static_cast<int>(layer), head < 2 ? Part::key : Part::value,
               static_cast<int>(head % 2)},
              {});
          const double up =
              std::exp2(made().profile().layer_octaves[2 * layer + (head < 2 ? 0 : 1)]);
          for (std::size_t j = 0; j < kHeadDim; ++j) {
            u[head * kHeadDim + j] +=
                (double{y[at]} - x[at]) * up * site.forward[i % kHeadDim * kHeadDim + j];
          }
        }
        const double angle = kLayerAngle * static_cast<double>(layer);
        for (std::size_t j = 0; j < kWidth; ++j) {
          const std::size_t other = kWidth - 1 - j;
          const double cross = other < j ? std::sin(angle) : -std::sin(angle);
          errors[j] += std::pow(std::cos(angle) * u[j] - cross * u[other], 2);
        }
      }
    }
    return errors;
  };
  const std::vector<double> flat = mean_errors("0"), shaped = mean_errors("0.5");
  // Strongest against weakest: as large at 0; at 0.5 steps differ by half of their octaves.
  const auto octaves = [](const std::vector<double>& errors) {
    return 0.5 * std::log2(errors.front() / errors.back());
  };
  const double apart = std::log2(layer_deviation(0, kWidth) / layer_deviation(kWidth - 1, kWidth));
  EXPECT_NEAR(octaves(flat), 0, 0.1);
  EXPECT_NEAR(octaves(shaped), apart / 2, 0.25);
}

TEST(KltLayers, GroupsOfLayersAreCodedTogether) {
  Profile profile = made_profile(kHeadDim, kLayers);
  add_made_groups(profile);
  const OneProfile source(profile);
  const auto x = tokens_of(profile, 300, 5);
  std::vector<double> rates;
  for (const int order : {0, 1}) {
    const auto codec = make_for("klt:bits=4,scope=layer,shaping=0,predict=" + std::to_string(order),
                                {0, kLayers}, source);
    EXPECT_NEAR(rate_of(*codec, x), 4, 0.1) << order;
    const double cell = 0.07168 * std::exp2(-2 * nominal_rate_of_layers(profile, {}, order, 0, 4));
    for (const double error : errors_of_layers(x, roundtrip(*codec, x))) {
      EXPECT_NEAR(error / cell, 1, 0.1) << order;
    }
    rates.push_back(-0.5 * std::log2(cell));
  }
  // What prediction saves, of all groups but the first: of the two layers of a group, one at
  // kResidual[2] and one a little above.
  const double saved = -0.5 * std::log2(kResidual[2]) - 0.25 * std::log2(1 + kOneBack * kOneBack);
  EXPECT_NEAR(rates[1] - rates[0], saved * 5 / 6, 0.1);
  // Some layers, if they are whole groups.
  EXPECT_NO_THROW(make_for("klt:bits=3,scope=layer,predict=1", {4, 6}, source));
  EXPECT_THROW(make_for("klt:bits=3,scope=layer,predict=1", {3, 6}, source), InputError);
  EXPECT_THROW(make_for("klt:bits=3,scope=layer,predict=1", {4, 5}, source), InputError);
  EXPECT_NO_THROW(make_for("klt:bits=3,scope=layer,predict=1,restart=4", {4, 4}, source));
  EXPECT_THROW(make_for("klt:bits=3,scope=layer,predict=1,restart=3", {4, 2}, source), SpecError);
  EXPECT_THROW(make_for("klt:bits=3,scope=layer,predict=2", {0, kLayers}, source), InputError);
}

TEST(KltLayers, PagesDecodeAlone) {
  const std::size_t count = 200;
  const auto codec = make_for("klt:bits=2,scope=layer,predict=2,page=64");
  auto x = tokens_of(made().profile(), count, 4);
  x[70 * kDim + 5] = 1e20f;
  const auto frame = encode(*codec, dense_rows(x.data(), count, kDim));
  const auto all = decode(*codec, frame, count);
  for (std::size_t page = 0; page < 4; ++page) {
    const std::size_t vectors = page == 3 ? 8 : 64;
    std::vector<float> y(vectors * kDim);
    codec->decode_page(frame, page, dense_rows(y.data(), vectors, kDim));
    EXPECT_TRUE(std::equal(y.begin(), y.end(),
                           all.begin() + static_cast<std::ptrdiff_t>(page * 64 * kDim)));
  }
  const std::vector<float> some(x.begin(), x.begin() + 65 * static_cast<std::ptrdiff_t>(kDim));
  const auto y = roundtrip(*codec, some);
  EXPECT_TRUE(std::equal(y.begin(), y.end(), all.begin()));
}

// Huge values of any layer, the others of the tile as if they were not there.
TEST(KltLayers, HugeTokensAreKeptAndNeighboursUnharmed) {
  const std::size_t count = 40;
  const auto plain = tokens_of(made().profile(), count, 5);
  auto x = plain;
  const float largest = std::numeric_limits<float>::max();
  x[3 * kDim + 5] = 1e30f;
  x[4 * kDim + kDim - 1] = -1e9f;
  for (std::size_t i = 0; i < kDim; ++i) x[17 * kDim + i] = i % 2 == 0 ? largest : -largest;
  x[18 * kDim + 4 * kWidth] = largest, x[18 * kDim + 4 * kWidth + 7] = -largest;
  for (const char* order : {"0", "1", "2"}) {
    const auto codec = make_for(std::string("klt:bits=3,scope=layer,predict=") + order);
    const auto y = roundtrip(*codec, x), without = roundtrip(*codec, plain);
    for (std::size_t row = 0; row < count; ++row) {
      const bool huge = row == 3 || row == 4 || row == 17 || row == 18;
      for (std::size_t i = row * kDim; i < (row + 1) * kDim; ++i) {
        const float kept = bfloat16_to_float(float_to_finite_bfloat16(x[i]));
        ASSERT_EQ(y[i], huge ? kept : without[i]) << row << " " << order;
      }
    }
    EXPECT_EQ(*reconstruct(*codec, dense_rows<const float>(x.data(), count, kDim)), y);
  }
}

// Whatever the data: 16 bits a value, 32 a token, and what a page and a frame take. What is not
// kept is coded as if the others were not there.
TEST(KltLayers, NoTokenIsDearerThanBfloat16) {
  const std::size_t count = 100;
  const auto plain = tokens_of(made().profile(), count, 6);
  for (const std::string spec :
       {"klt:bits=3,scope=layer,predict=2,page=32", "klt:bits=6,scope=layer",
        "klt:bits=2,scope=layer,predict=1,lattice=tcq"}) {
    const auto codec = make_for(spec);
    const auto without = roundtrip(*codec, plain);
    const std::size_t pages = (count + codec->page_vectors() - 1) / codec->page_vectors();
    for (const float scale : {1e-3f, 0.1f, 30.0f, 1e3f, 1e6f}) {
      auto x = plain;
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (i / kDim % 3 != 0) x[i] *= scale;
      }
      const auto rows = dense_rows<const float>(x.data(), count, kDim);
      const auto frame = encode(*codec, rows);
      EXPECT_LE(frame.size(), count * (4 + 2 * kDim) + 213 * pages + 200) << spec << scale;
      EXPECT_LE(codec->encoded_bound(count), count * (4 + 2 * kDim) + 213 * pages + 200);
      if (scale > 1) {
        EXPECT_EQ(codec->account().beyond_profile(frame_info(frame, &made())), 66u)
            << spec << scale;
      }
      const auto y = decode(*codec, frame, count);
      EXPECT_EQ(*reconstruct(*codec, rows), y);
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (i / kDim % 3 == 0) {
          ASSERT_EQ(y[i], without[i]) << spec << scale;
        }
        if (i / kDim % 3 != 0 && scale > 1) {
          ASSERT_LE(std::fabs(y[i] - x[i]), 0x1p-8f * std::fabs(x[i]));
        }
      }
    }
  }
}

// Points that were written for a profile of another model, here under the same name: what grows
// from layer to layer without end is refused.
TEST(KltLayers, WhatIsDecodedIsFinite) {
  Profile steep = made_profile(kHeadDim, kLayers);
  for (std::size_t layer = 1; layer < kLayers; ++layer) {
    auto& predictor = steep.layer_transforms[1][layer].predictor;
    for (std::size_t i = 0; i < kWidth; ++i) predictor[i * kWidth + i] = float_to_half(60000.0f);
  }
  const auto x = tokens_of(made().profile(), 20, 6);
  const std::string spec = "klt:bits=3,scope=layer,predict=1";
  const auto frame = encode(*make_for(spec), dense_rows(x.data(), 20, kDim));
  const OneProfile other(std::move(steep));
  EXPECT_THROW(decode(*make_for(spec, {0, kLayers}, other), frame, 20), CorruptStream);
}

template <typename Work>
std::string refusal_of(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "taken";
}

TEST(KltLayers, WhatCannotBeCodedIsNamed) {
  auto x = tokens_of(made().profile(), 20, 8);
  x[17 * kDim + 200] = std::numeric_limits<float>::quiet_NaN();
  const auto codec = make_for("klt:bits=3,scope=layer,predict=2");
  const auto rows = dense_rows<const float>(x.data(), 20, kDim);
  EXPECT_NE(refusal_of([&] { encode(*codec, rows); }).find("vector 17, coordinate 200: NaN"),
            std::string::npos);
  EXPECT_THROW(reconstruct(*codec, rows), InputError);

  Profile bare = made_profile(kHeadDim, kLayers);
  bare.layer_transforms.clear();
  const OneProfile old(std::move(bare));
  const std::string why = refusal_of([&] {
    make_for("klt:bits=3,scope=layer", {0, kLayers}, old);
  });
  EXPECT_NE(why.find("--scope layer"), std::string::npos) << why;
  Profile first = made_profile(kHeadDim, kLayers);
  first.layer_transforms.resize(2);
  const OneProfile shallow(std::move(first));
  EXPECT_NO_THROW(make_for("klt:bits=3,scope=layer,predict=1", {0, kLayers}, shallow));
  EXPECT_NE(refusal_of([&] {
              make_for("klt:bits=3,scope=layer,predict=2", {0, kLayers}, shallow);
            }).find("--predict 2"),
            std::string::npos);
}

TEST(KltLayers, SpecsAndLayersThatDoNotFit) {
  const std::string digest(16, 'c');
  EXPECT_EQ(make_for("klt:scope=layer,bits=2.0,restart=4,predict=1,page=96")->spec(),
            "klt:bits=2,scope=layer,predict=1,restart=4,page=96,profile=" + digest);
  EXPECT_EQ(make_for("klt:bits=2,shaping=0,predict=1,scope=layer")->spec(),
            "klt:bits=2,scope=layer,predict=1,shaping=0,profile=" + digest);
  EXPECT_EQ(make_for("klt:bits=2,predict=0,shaping=0.25,restart=0,scope=layer")->spec(),
            "klt:bits=2,scope=layer,profile=" + digest);
  for (const char* spec :
       {"klt:scope=layer", "klt:bits=2,scope=layer,predict=3", "klt:bits=2,scope=layer,predict=-1",
        "klt:bits=2,scope=layer,restart=1025", "klt:bits=2,scope=layer,shaping=1.5",
        "klt:bits=2,scope=layer,shaping=-0.1", "klt:bits=2,scope=layer,page=33",
        "klt:bits=2,scope=layer,weight=none", "klt:bits=2,scope=layer,center=none",
        "klt:bits=2,scope=layer,alloc=none", "klt:bits=9,scope=layer", "klt:bits=2,scope=token"}) {
    EXPECT_THROW(make_for(spec), SpecError) << spec;
  }
  // Keys that mean nothing for single heads.
  const CodecInput head{kHeadDim, &made(), KvSite{0, Part::key, 0}};
  EXPECT_THROW(make_codec("klt:bits=2,predict=1", head), SpecError);
  EXPECT_THROW(make_codec("klt:bits=2,restart=4", head), SpecError);
  for (const LayerRange layers :
       {LayerRange{0, kLayers + 1}, LayerRange{kLayers, 1}, LayerRange{-1, 2}, LayerRange{0, 0}}) {
    EXPECT_THROW(make_for("klt:bits=2,scope=layer", layers), InputError) << layers.first;
  }
  CodecInput wrong{kWidth, &made()};
  EXPECT_THROW(make_codec("klt:bits=2,scope=layer", wrong), InputError);  // no layers
  wrong.layers = LayerRange{0, 2};
  EXPECT_THROW(make_codec("klt:bits=2,scope=layer", wrong), InputError);  // another dim
  wrong = {2 * kWidth, nullptr};
  wrong.layers = LayerRange{0, 2};
  EXPECT_THROW(make_codec("klt:bits=2,scope=layer", wrong), InputError);  // no profile
}

TEST(KltLayers, AFrameOfOtherLayersIsRefused) {
  const std::string spec = "klt:bits=3,scope=layer,predict=1";
  const auto codec = make_for(spec, {2, 4});
  const auto x = normals(20 * codec->dim(), 9);
  const auto frame = encode(*codec, dense_rows(x.data(), 20, codec->dim()));
  EXPECT_EQ(decode(*codec_of_frame(frame, &made()), frame, 20), roundtrip(*codec, x));
  EXPECT_EQ(frame_info(frame, &made()).dim, 4 * kWidth);
  EXPECT_THROW(decode(*make_for(spec, {3, 4}), frame, 20), CorruptStream);
  EXPECT_THROW(decode(*make_for("klt:bits=3.1,scope=layer,predict=1", {2, 4}), frame, 20),
               CorruptStream);
  EXPECT_THROW(codec_of_frame(frame), InputError);
  auto forged = frame;  // layers beyond the profile
  const auto& sections = frame_info(frame, &made()).sections;
  forged[sections[0].second] = std::byte{200};
  seal(forged);
  EXPECT_THROW(codec_of_frame(forged, &made()), CorruptStream);
}

}  // namespace
}  // namespace kakeya
