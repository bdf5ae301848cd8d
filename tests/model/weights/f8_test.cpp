// SPDX-License-Identifier: Apache-2.0
// F8 tensors against torch's values of them (scripts/v4_oracle.py).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
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

// Of the file's 556 bytes of data, `at` changed to `code`; blocks are [5, 7] under scales of [2, 3].
TEST_F(F8, RefusesWhatIsNotFinite) {
  std::vector<float> out(35);
  const std::size_t data = 556, scale = 256, blocks = 265;
  const auto refusal = [&](std::size_t at, char code) {
    std::string file = read_text_file(scratch_ / "model.safetensors");
    file[file.size() - data + at] = code;
    const ScratchFolder changed;
    write_file(changed / "model.safetensors", file);
    const auto source = open_safetensors(changed.path().string());
    return message_of<InputError>([&] { read_scaled(*source, "blocks", "scale", {2, 3}, out); });
  };
  EXPECT_NE(refusal(blocks + 2 * 7 + 3, '\x7f').find("tensor blocks, row 2, column 3: "),
            std::string::npos);
  EXPECT_NE(refusal(blocks + 34, '\xff').find("tensor blocks, row 4, column 6: "),
            std::string::npos);
  const std::string bad_scale = refusal(scale + 8, '\xff');
  EXPECT_NE(bad_scale.find("tensor blocks, row 4, column 6: "), std::string::npos) << bad_scale;
  EXPECT_NE(bad_scale.find("its scale in scale: expected a finite value"), std::string::npos)
      << bad_scale;
  EXPECT_NE(refusal(scale, '\xfe').find("row 0, column 1: "), std::string::npos);  // 3.5 by 2^127
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
