// SPDX-License-Identifier: Apache-2.0
// F8 tensors against torch's values of them (scripts/v4_oracle.py).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>

#include "kakeya/core/error.h"
#include "kakeya/model/weights/scaled_weights.h"
#include "kakeya/store/arrays.h"
#include "support/gguf_writer.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::ScratchFolder;

class F8 : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string made = KAKEYA_SOURCE_DIR "/tests/model/streams/";
    std::filesystem::copy_file(made + "f8.safetensors", scratch_ / "model.safetensors");
    source_ = open_safetensors(scratch_.path().string());
    values_ = read_array(made + "f8_values.npy", 0).values;
  }

  std::vector<float> read(const std::string& name) {
    std::vector<float> out(source_->find(name)->values());
    source_->read(name, out);
    return out;
  }

  void expect_same(const std::vector<float>& read, std::size_t first) {
    ASSERT_LE(first + read.size(), values_.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
      const float wanted = values_[first + i];
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(read[i])) << i;
      } else {
        EXPECT_EQ(std::bit_cast<std::uint32_t>(read[i]), std::bit_cast<std::uint32_t>(wanted)) << i;
      }
    }
  }

  ScratchFolder scratch_;
  std::unique_ptr<WeightSource> source_;
  std::vector<float> values_;
};

TEST_F(F8, EveryCodeIsTorchs) {
  expect_same(read("e4m3"), 0);
  expect_same(read("e8m0"), 256);
}

TEST_F(F8, BlocksAreMultipliedByTheirScales) {
  std::vector<float> out(35);
  read_scaled(*source_, "blocks", "scale", {2, 3}, out);
  expect_same(out, 512);
  std::vector<float> bare = read("blocks");
  EXPECT_NE(out, bare);
}

TEST_F(F8, RefusesScalesThatDoNotFit) {
  std::vector<float> out(35);
  const auto refusal = [&](const char* name, const char* scale, std::array<std::size_t, 2> block) {
    out.resize(source_->find(name)->values());
    return message_of<InputError>([&] { read_scaled(*source_, name, scale, block, out); });
  };
  EXPECT_NE(refusal("blocks", "scale", {2, 4}).find("tensor scale [3, 3], expected [3, 2]"),
            std::string::npos);
  EXPECT_NE(refusal("blocks", "nothing", {2, 3}).find("expected a tensor nothing"),
            std::string::npos);
  EXPECT_NE(refusal("e4m3", "scale", {2, 3}).find("expected a matrix"), std::string::npos);
  EXPECT_NE(refusal("blocks", "scale", {0, 3}).find("not empty"), std::string::npos);
}

}  // namespace
}  // namespace kakeya
