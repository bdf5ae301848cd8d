// SPDX-License-Identifier: Apache-2.0
// What it costs to decode a frame that names many classes: each is made once, for all frames of a
// spec.
#include <gtest/gtest.h>

#include <algorithm>

#include "codecs/vectors_for_test.h"
#include "kakeya/codecs/entropy_coded/step_rule.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/shared_model.h"

namespace kakeya {
namespace {

using namespace test;

// A frame of one vector whose coordinates have the classes 0 to `classes` - 1 in turn.
std::vector<std::byte> forged(const std::string& spec, std::size_t dim, std::size_t classes) {
  const auto x = normals(dim, 91);
  auto frame = encode(*make_codec(spec, {dim}), dense_rows(x.data(), 1, dim));
  std::size_t at = 0;
  for (const auto& [name, bytes] : frame_info(frame).sections) {
    for (std::size_t i = 0; i < bytes && name == "classes"; ++i) {
      frame[at + i] = static_cast<std::byte>(i % classes);
    }
    at += bytes;
  }
  seal(frame);
  return frame;
}

std::shared_ptr<const PointModel> model_of(Lattice lattice, double bits) {
  return shared_point_model(lattice, 1.0 / step_of_bits(lattice, bits));
}

// So that the next to ask for a model gets a new one.
void forget_models() {
  for (std::size_t i = 0; i < kModelsKept; ++i) {
    shared_point_model(Lattice::z, 1.0 + static_cast<double>(i));
  }
}

void decode_anything(const std::vector<std::byte>& frame, std::size_t dim) {
  std::vector<float> y(dim);
  try {
    codec_of_frame(frame)->decode(frame, dense_rows(y.data(), 1, dim));
  } catch (const CorruptStream&) {
  }
}

TEST(ClassTables, AFrameMakesTheClassesItNames) {
  constexpr std::size_t kDim = 256;
  for (const std::size_t classes : {1u, 7u, 100u}) {
    const auto frame = forged("ecd4:bits=3.5,classes=channel", kDim, classes);
    forget_models();
    decode_anything(frame, kDim);
    EXPECT_EQ(model_of(Lattice::d4, 3.5)->classes_made(), classes);
  }
  const auto x = normals(kDim, 92);
  const auto honest = encode(*make_codec("ece8:bits=4", {kDim}), dense_rows(x.data(), 1, kDim));
  forget_models();
  decode_anything(honest, kDim);
  EXPECT_EQ(model_of(Lattice::e8, 4)->classes_made(), 1u);
}

// The widest classes that there are, all of them, in a frame of 2.5 kB: the second frame, and the
// thousandth, make none.
TEST(ClassTables, FramesOfASpecShareThem) {
  constexpr std::size_t kDim = 1024;
  const auto frame = forged("ece8:bits=12,classes=channel", kDim, 192);
  EXPECT_LT(frame.size(), 3000u);
  forget_models();
  for (int time = 0; time < 3; ++time) {
    decode_anything(frame, kDim);
    EXPECT_EQ(model_of(Lattice::e8, 12)->classes_made(), 192u);
  }
  const auto model = model_of(Lattice::e8, 12);
  for (const std::string spec : {"ece8:bits=12", "ece8:bits=12,per=head-page,seed=5"}) {
    decode_anything(forged(spec, kDim, 1), kDim);
  }
  EXPECT_EQ(model_of(Lattice::e8, 12), model);
  EXPECT_EQ(model->classes_made(), 192u);
}

// A forged frame needs no more than twice as many classes as an honest one may.
TEST(ClassTables, AnHonestFrameOfUnlikeChannelsNamesMostOfThem) {
  constexpr std::size_t kDim = 1024, kCount = 64;
  auto x = normals(kDim * kCount, 93);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] *= static_cast<float>(std::exp2(-static_cast<double>(i % kDim % 48) / 4.0));
  const auto frame = encode(*make_codec("ece8:bits=12,classes=channel,rotate=none", {kDim}),
                            dense_rows<const float>(x.data(), kCount, kDim));
  forget_models();
  decode(*codec_of_frame(frame), frame, kCount);
  const auto model = model_of(Lattice::e8, 12);
  EXPECT_GT(model->classes_made(), model->class_count() / 2);
  EXPECT_LT(model->classes_made(), model->class_count());
}

TEST(ClassTables, FixedRateFramesShareThemToo) {
  constexpr std::size_t kDim = 64;
  const auto model = shared_point_model(Lattice::z, 7 / std::sqrt(2.0 * std::log(64.0)));
  const std::size_t before = model->classes_made();
  const auto frame = forged("tq:b=4,pack=rans,classes=channel", kDim, 64);
  decode_anything(frame, kDim);
  EXPECT_GE(model->classes_made(), std::max<std::size_t>(before, 64));
}

}  // namespace
}  // namespace kakeya
