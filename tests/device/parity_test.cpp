// SPDX-License-Identifier: Apache-2.0
// What the device writes and reads is what the CPU writes and reads, byte by byte. Without a GPU
// these tests are skipped; device_emulated_test runs them over the kernels' text on the host.
//
// KAKEYA_GPU_VECTORS=N: also N vectors a codec, in large launches.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/core/random.h"
#include "kakeya/device/device_codec.h"

namespace kakeya {
namespace {

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
    "d4:q=38",
    "d4:q=1",
    "d4:q=127",
    "d4:q=152",
    "d4:q=1023",
    "e8:q=10",
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
    "kivi:b=4",
    "kivi:b=2",
    "kivi:b=3,group=64",
    "kivi:b=8",
    "kivi:b=4@keys",
    "kivi:b=2@keys",
    "kivi:b=5,group=8@keys",
    "kivi:b=1@keys",
};

enum class Data { normal, heavy, ties, mixed, extreme };
constexpr Data kAllData[] = {Data::normal, Data::heavy, Data::ties, Data::mixed, Data::extreme};

float normal_number(const Random& random, std::uint64_t i) {
  const double u = (static_cast<double>(random.bits(2 * i) >> 11) + 0.5) * 0x1p-53;
  const double w = static_cast<double>(random.bits(2 * i + 1) >> 11) * 0x1p-53;
  return static_cast<float>(std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * w));
}

// Vector `row`: of `data`, the same for the same seed.
void draw(Data data, std::uint64_t seed, std::size_t row, std::span<float> x) {
  const Random random(seed * 7919 + row, 17);
  const std::uint64_t kind = random.bits(1u << 20) >> 7;
  const auto bits = [&](std::size_t i) { return random.bits(1000 + i) >> 13; };
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float normal = normal_number(random, i);
    switch (data) {
      case Data::normal:
        x[i] = normal * static_cast<float>(1 + kind % 5);
        break;
      case Data::heavy:  // Student's t, about three degrees of freedom
        x[i] =
            normal /
            std::sqrt((normal_number(random, 5000 + i) * normal_number(random, 5000 + i) +
                       normal_number(random, 9000 + i) * normal_number(random, 9000 + i) + 0.01f) /
                      2);
        break;
      case Data::ties:  // whole and half steps, equal numbers, zeros of both signs
        x[i] = kind % 4 == 0   ? static_cast<float>(static_cast<int>(bits(i) % 9) - 4) * 0.5f
               : kind % 4 == 1 ? (bits(i) % 2 == 0 ? 1.5f : -1.5f)
               : kind % 4 == 2 ? (bits(i) % 3 == 0 ? 0.0f : (bits(i) % 3 == 1 ? -0.0f : 2.0f))
                               : (bits(i) % 2 == 0 ? 0.0f : -0.0f);
        break;
      case Data::mixed:  // one-hot, all equal, zero, a single giant, steps of 1 / 16
        x[i] = kind % 5 == 0   ? (i == bits(0) % x.size() ? -3.0f : 0.0f)
               : kind % 5 == 1 ? -0.75f
               : kind % 5 == 2 ? 0.0f
               : kind % 5 == 3 ? (i == 5 ? 900.0f : normal)
                               : static_cast<float>(static_cast<int>(bits(i) % 257) - 128) / 16;
        break;
      case Data::extreme: {  // every exponent, subnormal and huge
        constexpr float kScale[] = {1e-44f, 1e-40f,  1e-38f, 1e-30f, 6e-5f, 1e-5f,
                                    1.0f,   1100.0f, 7e4f,   1e10f,  1e30f, 1e37f};
        x[i] = std::clamp(normal * kScale[kind % 12], -3e38f, 3e38f);
        break;
      }
    }
  }
}

// A number as the scalar type has it.
std::uint32_t pattern_of(DeviceScalar type, float value) {
  return type == DeviceScalar::fp32   ? bits_of(value)
         : type == DeviceScalar::fp16 ? float_to_finite_half(value)
                                      : float_to_finite_bfloat16(value);
}
float value_of(DeviceScalar type, std::uint32_t pattern) {
  return type == DeviceScalar::fp32   ? float_of(pattern)
         : type == DeviceScalar::fp16 ? half_to_float(static_cast<std::uint16_t>(pattern))
                                      : bfloat16_to_float(static_cast<std::uint16_t>(pattern));
}
std::size_t bytes_of(DeviceScalar type) { return type == DeviceScalar::fp32 ? 4 : 2; }

// Vectors on both sides: [tokens, heads, dim] with gaps on the device, a row a vector of a head on
// the host.
class Vectors {
 public:
  Vectors(DeviceScalar type, std::size_t tokens, std::size_t heads, std::size_t dim)
      : view_{nullptr, type, tokens, heads, dim, heads * (dim + 8) + 16, dim + 8},
        image_(tokens * view_.token_stride * bytes_of(type), 0x5a),
        device_(image_.size()),
        host_(heads) {
    view_.data = device_.data();
    for (auto& rows : host_) rows.resize(tokens * dim);
  }

  void draw_all(Data data, std::uint64_t seed) {
    in_parallel(view_.heads, [&](std::size_t head) {
      for (std::size_t t = 0; t < view_.tokens; ++t) {
        const std::span<float> x(&host_[head][t * view_.dim], view_.dim);
        draw(data, seed, t * view_.heads + head, x);
        for (std::size_t i = 0; i < x.size(); ++i) {
          const std::uint32_t pattern = pattern_of(view_.type, x[i]);
          x[i] = value_of(view_.type, pattern);
          std::memcpy(at(t, head, i), &pattern, bytes_of(view_.type));
        }
      }
    });
    upload();
  }
  void upload() { device_.copy_in(image_.data(), image_.size()); }
  void download() { device_.copy_out(image_.data(), image_.size()); }
  void poison() { device_.fill(0x5a, nullptr); }

  std::uint32_t pattern(std::size_t token, std::size_t head, std::size_t i) const {
    std::uint32_t pattern = 0;
    std::memcpy(&pattern, const_cast<Vectors*>(this)->at(token, head, i), bytes_of(view_.type));
    return pattern;
  }
  // Whether the gaps between vectors are as they were.
  bool gaps_are_whole() const {
    std::vector<bool> ours(image_.size());
    for (std::size_t t = 0; t < view_.tokens; ++t) {
      for (std::size_t h = 0; h < view_.heads; ++h) {
        const std::size_t from =
            (t * view_.token_stride + h * view_.head_stride) * bytes_of(view_.type);
        std::fill_n(ours.begin() + static_cast<std::ptrdiff_t>(from),
                    view_.dim * bytes_of(view_.type), true);
      }
    }
    for (std::size_t i = 0; i < image_.size(); ++i) {
      if (!ours[i] && image_[i] != 0x5a) return false;
    }
    return true;
  }
  const DeviceVectors& view() const { return view_; }
  Rows<float> rows(std::size_t head) {
    return dense_rows(host_[head].data(), view_.tokens, view_.dim);
  }
  std::uint8_t* at(std::size_t token, std::size_t head, std::size_t i) {
    return &image_[(token * view_.token_stride + head * view_.head_stride + i) *
                   bytes_of(view_.type)];
  }

  template <typename Work>
  static void in_parallel(std::size_t heads, const Work& work) {
    std::vector<std::thread> threads;
    for (std::size_t head = 1; head < heads; ++head)
      threads.emplace_back([&, head] { work(head); });
    work(0);
    for (std::thread& thread : threads) thread.join();
  }

 private:
  DeviceVectors view_;
  std::vector<std::uint8_t> image_;
  DeviceBuffer device_;
  std::vector<std::vector<float>> host_;
};

// Flags and sections of one call.
struct Store {
  explicit Store(const DeviceLayout& layout)
      : sections(layout.bytes), flags(4 * layout.heads), image(layout.bytes), words(layout.heads) {
    sections.fill(0xa5, nullptr);
    flags.fill(0, nullptr);
  }
  void download() {
    device_wait(nullptr);
    sections.copy_out(image.data(), image.size());
    flags.copy_out(words.data(), 4 * words.size());
  }
  std::uint32_t* flag_data() { return static_cast<std::uint32_t*>(flags.data()); }
  std::uint32_t any_flag() {
    download();
    std::uint32_t any = 0;
    for (const std::uint32_t word : words) any |= word;
    return any;
  }

  DeviceBuffer sections, flags;
  std::vector<std::byte> image;
  std::vector<std::uint32_t> words;
};

// How many values of `got` are not what the CPU decoded, rounded to its type.
std::size_t differences(const Vectors& got, const std::vector<std::vector<float>>& expected) {
  std::atomic<std::size_t> wrong{0};
  const DeviceVectors& view = got.view();
  Vectors::in_parallel(view.heads, [&](std::size_t head) {
    std::size_t mine = 0;
    for (std::size_t t = 0; t < view.tokens; ++t) {
      for (std::size_t i = 0; i < view.dim; ++i) {
        const std::uint32_t want = pattern_of(view.type, expected[head][t * view.dim + i]);
        mine += got.pattern(t, head, i) != want;
      }
    }
    wrong += mine;
  });
  return wrong;
}

// Encode, decode and round trip of drawn vectors on both sides.
void compare(const DeviceCodec& codec, Vectors& x, Vectors& y, const std::string& what) {
  SCOPED_TRACE(what);
  const std::size_t tokens = x.view().tokens, heads = x.view().heads, dim = x.view().dim;
  const DeviceLayout layout = codec.layout(tokens, heads);
  Store store(layout);
  codec.encode(x.view(), store.sections.data(), store.flag_data(), nullptr);
  ASSERT_EQ(store.any_flag(), 0u);

  std::vector<std::vector<float>> decoded(heads, std::vector<float>(tokens * dim));
  std::vector<std::string> wrong(heads);
  std::vector<std::byte> image(layout.bytes);
  Vectors::in_parallel(heads, [&](std::size_t head) {
    std::vector<std::byte> frame(codec.host().encoded_bound(tokens));
    frame.resize(codec.host().encode(x.rows(head), frame));
    codec.host().decode(frame, dense_rows(decoded[head].data(), tokens, dim));
    if (codec.frame(layout, store.image, head) != frame) {
      codec.take_frame(frame, layout, head, image);
      wrong[head] = "head " + std::to_string(head);
      for (const DeviceLayout::Section& section : layout.sections) {
        for (std::size_t i = 0; i < section.bytes && section.name != "part"; ++i) {
          const std::size_t at = section.offset + head * section.stride + i;
          if (image[at] == store.image[at]) continue;
          wrong[head] += ": " + std::string(section.name) + " byte " + std::to_string(i) + " of " +
                         std::to_string(section.bytes) + ": " +
                         std::to_string(std::to_integer<int>(store.image[at])) + ", expected " +
                         std::to_string(std::to_integer<int>(image[at]));
          break;
        }
      }
    }
    codec.take_frame(frame, layout, head, image);
  });
  for (const std::string& text : wrong) EXPECT_EQ(text, "");

  store.sections.copy_in(image.data(), image.size());
  y.poison();
  codec.decode(store.sections.data(), y.view(), store.flag_data(), nullptr);
  EXPECT_EQ(store.any_flag(), 0u);
  y.download();
  EXPECT_EQ(differences(y, decoded), 0u) << "values decoded";
  EXPECT_TRUE(y.gaps_are_whole()) << "decode";

  y.poison();
  codec.round_trip(x.view(), y.view(), store.flag_data(), nullptr);
  EXPECT_EQ(store.any_flag(), 0u);
  y.download();
  EXPECT_EQ(differences(y, decoded), 0u) << "values of the round trip";
  EXPECT_TRUE(y.gaps_are_whole()) << "round trip";
}

const char* name_of(DeviceScalar type) {
  return type == DeviceScalar::fp32 ? "fp32" : (type == DeviceScalar::fp16 ? "fp16" : "bf16");
}
constexpr DeviceScalar kTypes[] = {DeviceScalar::bf16, DeviceScalar::fp16, DeviceScalar::fp32};

class DeviceParity : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (device_count() == 0) GTEST_SKIP() << "no GPU here, or a build without CUDA";
  }
  static bool emulated() { return device_info().name == "emulated"; }
};

TEST_P(DeviceParity, BytesAndValuesAreTheCpus) {
  for (const std::size_t dim : {64, 128, 256, 512}) {
    const auto codec = make_test_codec(GetParam(), dim);
    for (const Data data : kAllData) {
      for (const DeviceScalar type : kTypes) {
        const auto place = static_cast<std::size_t>(data) + static_cast<std::size_t>(type);
        if (emulated() && (place + dim / 64) % 3 != 0) continue;
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
  Vectors x(DeviceScalar::fp32, tokens, heads, dim), y(DeviceScalar::fp32, tokens, heads, dim);
  x.draw_all(Data::normal, 3);
  for (const float bad : {float_of(0x7fc00000u), float_of(0x7f800000u), float_of(0xff800000u)}) {
    Store store(layout);
    std::memcpy(x.at(7, 1, 77), &bad, 4);
    x.upload();
    codec->encode(x.view(), store.sections.data(), store.flag_data(), nullptr);
    store.download();
    EXPECT_EQ(store.words[0], 0u);
    EXPECT_NE(store.words[1], 0u);
    EXPECT_THROW(require_no_flags(*codec, store.words), InputError);
  }
  // Every section in turn full of a byte: nothing but a flag, or values that are finite.
  x.draw_all(Data::normal, 3);
  for (const int byte : {0xff, 0x7f, 0x80, 0x55}) {
    for (const DeviceLayout::Section& section : layout.sections) {
      if (section.bytes == 0 || section.name == "part") continue;
      Store store(layout);
      codec->encode(x.view(), store.sections.data(), store.flag_data(), nullptr);
      store.download();
      std::fill_n(
          store.image.begin() + static_cast<std::ptrdiff_t>(section.offset + section.stride),
          section.bytes, static_cast<std::byte>(byte));
      store.sections.copy_in(store.image.data(), store.image.size());
      y.poison();
      codec->decode(store.sections.data(), y.view(), store.flag_data(), nullptr);
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
  codec->encode(x.view(), store.sections.data(), store.flag_data(), stream.get());
  codec->decode(store.sections.data(), y.view(), store.flag_data(), stream.get());
  graph.finish();
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    x.draw_all(Data::normal, seed);
    device_wait(nullptr);
    graph.run(stream.get());
    device_wait(stream.get());
    codec->round_trip(x.view(), z.view(), store.flag_data(), nullptr);
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
  for (const std::string spec : {"e8:q=10,pack=joint", "d4:q=4,rule=published", "identity",
                                 "ece8:bits=4", "tq:b=4,rotate=signed", "fp8:block=4"}) {
    const std::string text = refusal(spec, 128);
    EXPECT_NE(text.find("no CUDA kernel for"), std::string::npos) << spec << ": " << text;
    EXPECT_NE(text.find("--codec-device cpu"), std::string::npos) << spec << ": " << text;
  }
  EXPECT_NE(refusal("e8:q=10,pack=joint", 128).find("pack=joint"), std::string::npos);
  EXPECT_NE(refusal("e8:q=10", 1024).find("dim 1024"), std::string::npos);
  EXPECT_NE(refusal("q4_0", 96).find("dim 96"), std::string::npos);
  EXPECT_EQ(refusal("e8:q=10", 128), "");
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
