// SPDX-License-Identifier: Apache-2.0
// What the device writes and reads is what the CPU writes and reads, byte by byte. Without a GPU
// these tests are skipped; device_emulated_test runs them over the kernels' text on the host.
//
// KAKEYA_GPU_VECTORS=N: also N vectors a codec, in large launches.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "device/both_sides.h"
#include "device/compare.h"
#include "device/device_case.h"
#include "kakeya/core/error.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::string_view kKeys = "@keys";

CodecInput input_of(std::string_view spec, std::size_t dim) {
  CodecInput input;
  input.dim = dim;
  input.site = KvSite{0, spec.ends_with(kKeys) ? Part::key : Part::value, 0};
  return input;
}

std::unique_ptr<DeviceCodec> make_test_codec(std::string_view spec, std::size_t dim) {
  const CodecInput input = input_of(spec, dim);
  if (spec.ends_with(kKeys)) spec.remove_suffix(kKeys.size());
  return make_device_codec(spec, input);
}

const std::vector<std::string> kSpecs = {
    "identity",
    "d4:q=38",
    "d4:q=7",
    "d4:q=1",
    "d4:q=127",
    "d4:q=152",
    "d4:q=1023",
    "e8:q=10",
    "e8:q=7",
    "e8:q=1",
    "e8:q=38",
    "e8:q=127",
    "e8:q=152",
    "e8:q=1023",
    "tq:b=2",
    "tq:b=3",
    "tq:b=4",
    "tq:b=5",
    "tq:b=6",
    "tq:b=8",
    "fp8",
    "fp8:block=8",
    "fp8:scale=fp16",
    "fp8:block=32,scale=e8m0",
    "q4_0",
    "q5_0",
    "q8_0",
    "q4_0:rotate=64",
    "q4_0:rotate=32",
    "q5_0:rotate=64",
    "q8_0:rotate=64",
    "kivi:b=4",
    "kivi:b=2",
    "kivi:b=3,group=64",
    "kivi:b=8",
    "kivi:b=4@keys",
    "kivi:b=2@keys",
    "kivi:b=5,group=8@keys",
    "kivi:b=1@keys",
    "ece8:bits=4",
    "ece8:bits=2,center=mean",
    "ece8:bits=12,rotate=none,page=32",
    "ece8:bits=3,classes=channel,rotate=none,center=mean,page=64",
    "ece8:bits=1.5,reconstruct=wiener,rotate=hadamard,scales=one,page=32",
    "ecd4:bits=4",
    "ecd4:bits=7,classes=channel,page=32",
    "ecz:bits=3.5,seed=5,page=64",
    "ecz:bits=10,classes=channel,rotate=none,scales=one,center=mean",
    "ecz:bits=0.25",
    "ece8:bits=4,per=head-page",
    "ece8:bits=3,per=head-page,rotate=none,center=mean,page=32",
    "ecd4:bits=2,per=head-page,classes=channel,scales=one,page=96",
    "ecz:bits=11,per=head-page,reconstruct=wiener,page=32",
    "ece8:step=0.25",
    "ecz:step=0.000001,page=32",
    "ecd4:step=3,center=mean,classes=channel",
    "ece8:bits=4,outliers=2",
    "ece8:bits=2,center=mean,outliers=32,page=32",
    "ece8:bits=3,per=head-page,center=mean,outliers=5,page=64",
    "ecd4:bits=3,outliers=1",
    "ecd4:bits=5,per=head-page,classes=channel,rotate=none,outliers=3,page=32",
    "ecz:bits=4,rotate=none,scales=one,outliers=7,page=32",
    "ecz:step=0.000001,outliers=4,page=32",
};

class DeviceParity : public DeviceCase<testing::TestWithParam<std::string>> {};

TEST_P(DeviceParity, BytesAndValuesAreTheCpus) {
  for (const std::size_t dim : {64, 128, 256, 512}) {
    // A class a channel is a thread each in the emulation.
    const bool slow = GetParam().find("classes=channel") != std::string::npos;
    if (emulated() && slow && dim > 128) continue;
    const auto codec = make_test_codec(GetParam(), dim);
    for (const Data data : kAllData) {
      for (const DeviceScalar type : kTypes) {
        const auto place = static_cast<std::size_t>(data) + static_cast<std::size_t>(type);
        const bool usual = dim == 128 && type == DeviceScalar::bf16;
        if (emulated() && !usual && (place + dim / 64) % 3 != 0) continue;
        const std::size_t tokens = emulated() ? 4096 / dim + 3 : 4096 / dim * 5 + 3;
        const DeviceScalar out = kTypes[(place + 1) % 3];
        Vectors x(type, tokens, 3, dim), y(out, tokens, 3, dim);
        x.draw_all(data, dim);
        compare(*codec, x, y,
                GetParam() + " dim " + std::to_string(dim) + " " + name_of(type) + " to " +
                    name_of(out) + ", data " + std::to_string(static_cast<int>(data)));
      }
    }
  }
}

class DeviceRotation : public DeviceCase<> {};

// The longest rotations that each dim takes; a half of a vector is zeros, or far below the other.
TEST_F(DeviceRotation, BytesAndValuesAreTheCpus) {
  for (const std::size_t dim : {128, 256, 512}) {
    for (const std::string name : {"q4_0", "q5_0", "q8_0"}) {
      for (std::size_t length = dim; length >= 128; length /= 2) {
        const std::string spec = name + ":rotate=" + std::to_string(length);
        const auto codec = make_test_codec(spec, dim);
        for (const Data data : kAllData) {
          const DeviceScalar type = kTypes[(static_cast<std::size_t>(data) + length / 128) % 3];
          Vectors x(type, 4096 / dim + 3, 2, dim), y(DeviceScalar::fp32, 4096 / dim + 3, 2, dim);
          x.draw_all(data, dim);
          compare(*codec, x, y,
                  spec + " dim " + std::to_string(dim) + ", data " +
                      std::to_string(static_cast<int>(data)));
          x.set_all([&](std::size_t head, std::size_t t, std::span<float> v) {
            draw(data, dim + 1, 2 * t + head, v);
            for (std::size_t i = dim / 2; i < dim; ++i) v[i] = t % 2 == 0 ? 0.0f : v[i] * 1e-9f;
          });
          compare(*codec, x, y,
                  spec + " of halves, dim " + std::to_string(dim) + ", data " +
                      std::to_string(static_cast<int>(data)));
        }
      }
    }
  }
}

TEST_P(DeviceParity, ManyVectors) {
  const char* asked = std::getenv("KAKEYA_GPU_VECTORS");
  const auto wanted = asked == nullptr ? 0 : std::strtoull(asked, nullptr, 10);
  if (wanted == 0) GTEST_SKIP() << "KAKEYA_GPU_VECTORS is not set";
  std::size_t done = 0;
  for (std::uint64_t round = 0; done < wanted && !HasFailure(); ++round) {
    // Half of all are of 128; data and types take turns.
    constexpr std::size_t kDims[] = {128, 64, 128, 256, 128, 512};
    const std::size_t dim = kDims[round % 6], heads = 16, tokens = (std::size_t{1} << 22) / dim + 5;
    const auto codec = make_test_codec(GetParam(), dim);
    const DeviceScalar type = kTypes[round % 3], out = kTypes[(round + round / 3) % 3];
    Vectors x(type, tokens, heads, dim), y(out, tokens, heads, dim);
    x.draw_all(kAllData[round % 5], 1000 + round);
    compare(*codec, x, y, GetParam() + " round " + std::to_string(round));
    done += heads * tokens;
  }
  RecordProperty("vectors", static_cast<int>(done));
  std::printf("%s: %zu vectors\n", GetParam().c_str(), done);
}

TEST_P(DeviceParity, WhatIsWrongIsFlagged) {
  const std::size_t dim = 128, tokens = 45, heads = 2;
  const auto codec = make_test_codec(GetParam(), dim);
  const DeviceLayout layout = codec->layout(tokens, heads);
  for (const DeviceScalar type : {DeviceScalar::fp32, DeviceScalar::bf16}) {
    Vectors x(type, tokens, heads, dim);
    x.draw_all(Data::normal, 3);
    for (const float bad : {float_of(0x7fc00000u), float_of(0x7f800000u), float_of(0xff800000u)}) {
      Store store(layout);
      const std::uint32_t pattern = bits_of(bad) >> (type == DeviceScalar::bf16 ? 16 : 0);
      std::memcpy(x.at(7, 1, 77), &pattern, type == DeviceScalar::bf16 ? 2 : 4);
      x.upload();
      codec->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                    store.workspace.data());
      store.download();
      EXPECT_EQ(store.words[0], 0u);
      EXPECT_NE(store.words[1], 0u);
      EXPECT_THROW(require_no_flags(*codec, store.words), InputError);
    }
  }
  Vectors x(DeviceScalar::fp32, tokens, heads, dim), y(DeviceScalar::fp32, tokens, heads, dim);
  // Every section in turn full of a byte: nothing but a flag, or values that are finite.
  x.draw_all(Data::normal, 3);
  for (const int byte : {0xff, 0x7f, 0x80, 0x55}) {
    for (const DeviceLayout::Section& section : layout.sections) {
      if (section.bytes == 0 || section.name == "part") continue;
      Store store(layout);
      codec->encode(x.view(), store.sections.data(), store.flag_data(), nullptr,
                    store.workspace.data());
      store.download();
      std::fill_n(
          store.image.begin() + static_cast<std::ptrdiff_t>(section.offset + section.stride),
          section.bytes, static_cast<std::byte>(byte));
      store.sections.copy_in(store.image.data(), store.image.size());
      y.poison();
      codec->decode(store.sections.data(), y.view(), store.flag_data(), nullptr,
                    store.workspace.data());
      store.download();
      y.download();
      EXPECT_EQ(store.words[0], 0u);
      std::vector<std::byte> frame = codec->frame(layout, store.image, 1);
      std::vector<float> values(tokens * dim);
      bool refused = false;
      try {
        codec->host().decode(frame, dense_rows(values.data(), tokens, dim));
      } catch (const CorruptStream&) {
        refused = true;
      }
      EXPECT_EQ(store.words[1] != 0, refused) << section.name << " full of " << byte;
      if (refused) {
        EXPECT_THROW(require_no_flags(*codec, store.words), CorruptStream);
      }
      for (std::size_t t = 0; t < tokens; ++t) {
        for (std::size_t i = 0; i < dim; ++i) {
          ASSERT_TRUE(std::isfinite(float_of(y.pattern(t, 1, i)))) << section.name << " " << byte;
        }
      }
      EXPECT_TRUE(y.gaps_are_whole());
    }
  }
}

TEST_P(DeviceParity, GraphsReplay) {
  if (emulated()) GTEST_SKIP() << "no graphs in the emulation";
  const std::size_t dim = 128, tokens = 256, heads = 4;
  const auto codec = make_test_codec(GetParam(), dim);
  Vectors x(DeviceScalar::bf16, tokens, heads, dim), y(DeviceScalar::bf16, tokens, heads, dim),
      z(DeviceScalar::bf16, tokens, heads, dim);
  Store store(codec->layout(tokens, heads));
  const OwnStream stream;
  DeviceGraph graph(stream.get());
  codec->encode(x.view(), store.sections.data(), store.flag_data(), stream.get(),
                store.workspace.data());
  codec->decode(store.sections.data(), y.view(), store.flag_data(), stream.get(),
                store.workspace.data());
  graph.finish();
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    x.draw_all(Data::normal, seed);
    device_wait(nullptr);
    graph.run(stream.get());
    device_wait(stream.get());
    codec->round_trip(x.view(), z.view(), store.flag_data(), nullptr, store.workspace.data());
    EXPECT_EQ(store.any_flag(), 0u);
    y.download();
    z.download();
    std::size_t wrong = 0;
    for (std::size_t t = 0; t < tokens; ++t) {
      for (std::size_t h = 0; h < heads; ++h) {
        for (std::size_t i = 0; i < dim; ++i) wrong += y.pattern(t, h, i) != z.pattern(t, h, i);
      }
    }
    EXPECT_EQ(wrong, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs, DeviceParity, testing::ValuesIn(kSpecs), [](const auto& spec) {
  std::string name;
  for (const char c : spec.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

// What make_device_codec() says of what there is no kernel for.
std::string refusal(std::string_view spec, std::size_t dim) {
  try {
    make_test_codec(spec, dim);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceCodec, NamesWhatThereIsNoKernelFor) {
  for (const std::string spec : {"e8:q=10,pack=joint", "d4:q=4,rule=published",
                                 "d4:q=38,outliers=1", "tq:b=4,pack=rans,outliers=2", "nvfp4",
                                 "tq:b=4,rotate=signed", "fp8:block=4", "q4_1:rotate=64"}) {
    const std::string text = refusal(spec, 128);
    EXPECT_NE(text.find("no CUDA kernel for"), std::string::npos) << spec << ": " << text;
    EXPECT_NE(text.find("--codec-device cpu"), std::string::npos) << spec << ": " << text;
  }
  EXPECT_NE(refusal("e8:q=10,pack=joint", 128).find("pack=joint"), std::string::npos);
  EXPECT_NE(refusal("e8:q=10", 1024).find("dim 1024"), std::string::npos);
  EXPECT_NE(refusal("q4_0", 96).find("dim 96"), std::string::npos);
  EXPECT_NE(refusal("d4:q=38,outliers=2", 128).find("no CUDA kernel for outliers=2"),
            std::string::npos);
  EXPECT_NE(refusal("ecz:bits=4,rotate=none", 72).find("dim 72"), std::string::npos);
  EXPECT_EQ(refusal("e8:q=10", 128), "");
}

TEST(DeviceCodec, OthersThanEntropyCodedOnesCentreOnNoBias) {
  const OneProfile profiles(made_profile(128));
  for (const std::string spec : {"e8:q=10,center=bias", "kivi:b=4,center=bias"}) {
    std::string text;
    try {
      make_device_codec(spec, {128, &profiles, KvSite{0, Part::key, 0}});
    } catch (const Error& error) {
      text = error.what();
    }
    EXPECT_NE(text.find("no CUDA kernel for center=bias"), std::string::npos) << spec << text;
  }
}

TEST(OnDevice, IsLeftAsItWasFound) {
  if (device_count() < 2) GTEST_SKIP() << "fewer than two GPUs";
  const int before = current_device();
  try {
    const OnDevice there(1 - before), same(1 - before);
    EXPECT_EQ(current_device(), 1 - before);
    throw Error("thrown there");
  } catch (const Error&) {
  }
  EXPECT_EQ(current_device(), before);
}

TEST(DeviceCodec, RefusesViewsThatKernelsCannotTake) {
  const auto codec = make_test_codec("tq:b=4", 128);
  alignas(16) static char memory[64];
  DeviceVectors x = dense_device_vectors(memory, DeviceScalar::bf16, 0, 2, 128);
  x.token_stride += 1;
  EXPECT_THROW(codec->encode(x, nullptr, nullptr, nullptr), InputError);
  x = dense_device_vectors(memory + 2, DeviceScalar::bf16, 0, 2, 128);
  EXPECT_THROW(codec->encode(x, nullptr, nullptr, nullptr), InputError);
  x = dense_device_vectors(memory, DeviceScalar::bf16, 0, 2, 64);
  EXPECT_THROW(codec->encode(x, nullptr, nullptr, nullptr), InputError);
}

}  // namespace
}  // namespace kakeya
