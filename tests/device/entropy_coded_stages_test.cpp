// SPDX-License-Identifier: Apache-2.0
// What ece8, ecd4 and ecz take off vectors on the device before they are points: outliers, and centres that
// are known. Beyond parity_test.cpp.
#include <gtest/gtest.h>

#include "device/compare.h"
#include "device/device_case.h"
#include "kakeya/core/error.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kHeads = 3, kDim = 64;

class DeviceStages : public DeviceCase<> {};

// As many as there may be and fewer, of vectors whose magnitudes are a few numbers in all coordinates:
// those that come first are taken.
TEST_F(DeviceStages, OutliersOfEveryNumber) {
  for (const std::size_t dim : {64, 128, 256, 512}) {
    for (const int number : {1, 2, 9, 31, 32, 63, 64}) {
      if (2 * static_cast<std::size_t>(number) > dim) continue;
      for (const std::string keys : {"", ",center=mean,per=head-page"}) {
        const std::string spec = "ecz:bits=3,page=32,outliers=" + std::to_string(number) + keys;
        const auto codec = make_device_codec(spec, CodecInput{dim});
        Vectors x(DeviceScalar::fp32, 75, 2, dim), y(DeviceScalar::fp16, 75, 2, dim);
        x.set_all([&](std::size_t head, std::size_t t, std::span<float> v) {
          const Random random(dim, 2 * t + head);
          const std::uint64_t few = 1 + (t + head) % 5;
          for (std::size_t i = 0; i < v.size(); ++i) {
            const std::uint64_t bits = random.bits(i);
            const float size = t % 7 == 0 ? 1e-42f : t % 7 == 1 ? 1e30f : 0.75f;
            v[i] = size * static_cast<float>(bits / 2 % few) * (bits % 2 == 0 ? 1.0f : -1.0f);
          }
        });
        compare(*codec, x, y, spec + ", dim " + std::to_string(dim));
      }
    }
  }
}

// Every head has a bias of its own; frames have its site, and those of another are refused.
TEST_F(DeviceStages, KnownCentres) {
  const OneProfile profiles(made_profile(kDim, 2, kHeads));
  std::size_t round = 0;
  for (const std::string keys :
       {"", ",per=head-page", ",outliers=3", ",per=head-page,outliers=1,rotate=none"}) {
    for (const std::string name : {"ece8:bits=3", "ecd4:bits=2", "ecz:bits=4"}) {
      for (const Part part : {Part::key, Part::value}) {
        const std::string spec = name + keys + ",center=bias,page=32";
        std::vector<CodecInput> inputs;
        for (int head = 0; head < static_cast<int>(kHeads); ++head) {
          inputs.push_back({kDim, &profiles, KvSite{1, part, head}});
        }
        const auto codec = make_device_codec(spec, inputs);
        EXPECT_EQ(codec->heads(), kHeads);
        const std::size_t tokens = round % 4 == 3 ? 0 : 70;
        Vectors x(kTypes[round % 3], tokens, kHeads, kDim),
            y(kTypes[(round / 3) % 3], tokens, kHeads, kDim);
        x.draw_all(kAllData[round % 5], round);
        ++round;
        compare(*codec, x, y, spec);
        const DeviceLayout layout = codec->layout(tokens, kHeads);
        std::vector<std::byte> sections(layout.bytes);
        const auto frame = codec->frame(layout, sections, 0);
        EXPECT_NO_THROW(codec->take_frame(frame, layout, 0, sections));
        EXPECT_THROW(codec->take_frame(frame, layout, 1, sections), CorruptStream);
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace kakeya
