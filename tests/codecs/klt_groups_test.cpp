// SPDX-License-Identifier: Apache-2.0
// klt with group=K: layers that learn together from single heads.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "codecs/vectors_for_test.h"
#include "kakeya/core/error.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using namespace test;

constexpr int kLayers = 4;
constexpr std::size_t kHeadDim = 8, kWidth = 4 * kHeadDim, kDim = kLayers * kWidth;
const std::string kHeads = "klt:bits=3,scope=layer,adapt=100,prior=heads";

std::unique_ptr<Codec> make_for(const std::string& spec, LayerRange layers = {0, kLayers}) {
  static const OneProfile source(made_profile(kHeadDim, kLayers));
  CodecInput input{static_cast<std::size_t>(layers.count) * kWidth, &source};
  input.layers = layers;
  return make_codec(spec, input);
}

// Beside the profile's tokens, the same few hidden coordinates in every layer.
std::vector<float> related_tokens(std::size_t count) {
  const auto hidden = normals(count * 6, 21), mixing = normals(6 * kDim, 22);
  auto x = tokens_of(made_profile(kHeadDim, kLayers), count, 23);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 0; k < 6; ++k)
      x[i] += hidden[i / kDim * 6 + k] * mixing[k * kDim + i % kDim];
  }
  return x;
}

// A factor of 4 in the error is a bit.
double bits_at_unit_error(const Codec& codec, const std::vector<float>& x) {
  const auto frame = encode(codec, dense_rows(x.data(), x.size() / kDim, kDim));
  const auto y = decode(codec, frame, x.size() / kDim);
  const auto values = static_cast<double>(x.size());
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(double{x[i]} - y[i], 2);
  return 8 * static_cast<double>(frame.size()) / values + 0.5 * std::log2(sum / values);
}

TEST(KltGroups, LearnWhatLayersHaveInCommon) {
  const auto x = related_tokens(4096);
  const double alone = bits_at_unit_error(*make_for(kHeads), x);
  EXPECT_LT(bits_at_unit_error(*make_for(kHeads + ",group=2"), x), alone - 0.1);
  EXPECT_LT(bits_at_unit_error(*make_for(kHeads + ",predict=1,group=4"), x), alone - 0.2);
}

TEST(KltGroups, NeedNoMoreOfAProfile) {
  const auto x = related_tokens(600);
  const auto codec = make_for(kHeads + ",group=4");
  EXPECT_EQ(codec->account().profile_bytes(), make_for(kHeads)->account().profile_bytes());
  const auto frame = encode(*codec, dense_rows(x.data(), 600, kDim));
  const OneProfile source(made_profile(kHeadDim, kLayers));
  EXPECT_EQ(decode(*codec_of_frame(frame, &source), frame, 600), decode(*codec, frame, 600));
  EXPECT_EQ(make_for(kHeads + ",group=1")->spec(), make_for(kHeads)->spec());
}

TEST(KltGroups, SpecsAndLayersThatDoNotFit) {
  const std::string static_layers = "klt:bits=3,scope=layer";
  for (const std::string& spec :
       {kHeads + ",group=3", kHeads + ",group=2,restart=1", kHeads + ",group=65",
        static_layers + ",adapt=9,group=2", static_layers + ",group=2"}) {
    EXPECT_THROW(make_for(spec), SpecError) << spec;
  }
  try {
    make_for(kHeads + ",group=2", {1, 2});
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "klt: group=2: layers 1 to 2 of 32 scalars a token given, expected whole groups of 2 "
              "from layer 0 on, of at most 4096 scalars together");
  }
}

}  // namespace
}  // namespace kakeya
