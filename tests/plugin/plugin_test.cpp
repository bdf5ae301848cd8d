// SPDX-License-Identifier: Apache-2.0
#include "kakeya/plugin/plugin.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "bindings/c/kakeya_plugin.h"
#include "codecs/vectors_for_test.h"
#include "kakeya/core/error.h"
#include "kakeya/plugin/plugin_codec.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using namespace test;
using testing::message_of;
using testing::ScratchFolder;

constexpr std::size_t kDim = 64;

// float32 as it is; its key says what it does wrong.
struct Plain {
  std::size_t dim;
  std::string wrong;
  kakeya_plugin_input told;
};
int alive = 0;

kakeya_plugin_status create(const kakeya_plugin_input* in, void** out, char* error) {
  const std::string wrong = in->settings[0].value;
  if (wrong == "setting" || wrong == "dim") {
    std::snprintf(error, KAKEYA_PLUGIN_ERROR_BYTES, "%s is wrong", wrong.c_str());
    return wrong == "setting" ? KAKEYA_PLUGIN_BAD_SETTING : KAKEYA_PLUGIN_FAILED;
  }
  if (wrong == "unsaid") return 77;
  if (wrong == "overlong") std::memset(error, 'x', KAKEYA_PLUGIN_ERROR_BYTES);
  if (wrong == "overlong") return KAKEYA_PLUGIN_FAILED;
  *out = new Plain{in->dim, wrong, *in};
  ++alive;
  return KAKEYA_PLUGIN_OK;
}
const Plain& plain(const void* coder) { return *static_cast<const Plain*>(coder); }
std::size_t bound(const void* coder, std::size_t count) {
  return plain(coder).wrong == "bound" ? SIZE_MAX / 2 : 4 * count * plain(coder).dim;
}
kakeya_plugin_status plain_encode(const void* coder, const float* x, std::size_t count, void* out,
                                  std::size_t* bytes, char* error) {
  const Plain& self = plain(coder);
  if (self.wrong == "encode") {
    std::snprintf(error, KAKEYA_PLUGIN_ERROR_BYTES, "too hot");
    return KAKEYA_PLUGIN_FAILED;
  }
  std::memcpy(out, x, 4 * count * self.dim);
  if (self.wrong == "overrun") static_cast<char*>(out)[4 * count * self.dim] = 1;
  if (self.wrong != "silent") *bytes = 4 * count * self.dim + (self.wrong == "length" ? 1 : 0);
  return KAKEYA_PLUGIN_OK;
}
kakeya_plugin_status plain_decode(const void* coder, const void* in, std::size_t bytes, float* x,
                                  std::size_t count, char* error) {
  const Plain& self = plain(coder);
  if (bytes != 4 * count * self.dim || self.wrong == "decode") {
    std::snprintf(error, KAKEYA_PLUGIN_ERROR_BYTES, "%zu bytes", bytes);
    return KAKEYA_PLUGIN_FAILED;
  }
  std::memcpy(x, in, self.wrong == "half" ? bytes / 2 : bytes);
  if (self.wrong == "behind") x[count * self.dim + 2] = 1;
  return KAKEYA_PLUGIN_OK;
}
double nominal_bits(const void* coder) {
  return plain(coder).wrong == "nan" ? std::nan("") : 32.0 * static_cast<double>(plain(coder).dim);
}
void destroy(void* coder) {
  delete static_cast<Plain*>(coder);
  --alive;
}

const kakeya_plugin_key kKeys[] = {{"wrong", "nothing", "what it does wrong", 0}};

kakeya_plugin_codec table(const char* name) {
  kakeya_plugin_codec codec = {};
  codec.size = sizeof codec;
  codec.abi = KAKEYA_PLUGIN_ABI;
  codec.name = name;
  codec.summary = "float32";
  codec.keys = kKeys;
  codec.key_count = 1;
  codec.create = create;
  codec.bound = bound;
  codec.encode = plain_encode;
  codec.decode = plain_decode;
  codec.nominal_bits = nominal_bits;
  codec.destroy = destroy;
  return codec;
}

std::unique_ptr<Codec> wrong_codec(const std::string& wrong) {
  static const kakeya_plugin_codec codec = table("plain");
  return make_foreign_codec(descriptor_of(codec), "plain:wrong=" + wrong, {kDim});
}

TEST(Plugin, ATableIsACodec) {
  static const kakeya_plugin_codec codec_table = table("t-plain");
  register_plugin(codec_table);
  {
    const auto codec = make_codec("t-plain", {kDim});
    const auto x = normals(kDim * 5, 1);
    EXPECT_EQ(roundtrip(*codec, x), x);
    std::vector<float> wide(2 * kDim * 5, 9.0f), y(kDim * 5);  // rows with gaps
    for (std::size_t row = 0; row < 5; ++row) {
      std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(row * kDim), kDim,
                  wide.begin() + static_cast<std::ptrdiff_t>(2 * row * kDim));
    }
    const auto frame = encode(*codec, Rows<const float>{wide.data(), 5, kDim, 2 * kDim});
    EXPECT_EQ(decode(*codec_of_frame(frame), frame, 5), x);
    std::fill(wide.begin(), wide.end(), 9.0f);
    codec->decode(frame, {wide.data(), 5, kDim, 2 * kDim});
    EXPECT_EQ(wide[2 * kDim], x[kDim]);
    EXPECT_EQ(wide[kDim], 9.0f);
    EXPECT_EQ(codec->account().rates().nominal_bits_per_vector, 32.0 * kDim);
    EXPECT_FALSE(wrong_codec("nan")->account().rates().nominal_bits_per_vector);
  }
  EXPECT_EQ(alive, 0) << "coders are destroyed";
}

TEST(Plugin, ACoderOfHeadsIsToldItsSite) {
  kakeya_plugin_codec heads = table("heads");
  static kakeya_plugin_input told;
  heads.per_head = 1;
  heads.create = [](const kakeya_plugin_input* in, void** out, char* error) {
    told = *in;
    return create(in, out, error);
  };
  const ForeignDescriptor descriptor = descriptor_of(heads);
  EXPECT_EQ(descriptor.scope, VectorScope::head);
  make_foreign_codec(descriptor, "heads", {kDim, nullptr, KvSite{3, Part::value, 2}});
  EXPECT_EQ(told.size, sizeof told);
  EXPECT_EQ(told.dim, kDim);
  EXPECT_EQ(told.setting_count, 1u);
  EXPECT_EQ(std::vector<int>({told.layer, told.part, told.head}), std::vector<int>({3, 1, 2}));
}

TEST(Plugin, ErrorsKeepTheirText) {
  EXPECT_EQ(message_of<SpecError>([] { wrong_codec("setting"); }), "plain: setting is wrong");
  EXPECT_EQ(message_of<InputError>([] { wrong_codec("dim"); }), "plain: dim is wrong");
  EXPECT_NE(message_of<InputError>([] { wrong_codec("unsaid"); }).find("status 77"),
            std::string::npos);
  EXPECT_EQ(message_of<InputError>([] { wrong_codec("overlong"); }),
            "plain: " + std::string(KAKEYA_PLUGIN_ERROR_BYTES, 'x'));
  const auto x = normals(kDim, 1);
  EXPECT_EQ(message_of<InputError>([&] { roundtrip(*wrong_codec("encode"), x); }),
            "plain:wrong=encode: too hot");
  EXPECT_EQ(message_of<CorruptStream>([&] { roundtrip(*wrong_codec("decode"), x); }),
            "plain:wrong=decode: 256 bytes");
}

TEST(Plugin, LiesAreErrorsAndNoOverruns) {
  const auto x = normals(kDim, 1);
  const auto refused = [&](const char* wrong) {
    return message_of<InputError>([&] { roundtrip(*wrong_codec(wrong), x); });
  };
  EXPECT_NE(refused("overrun").find("wrote behind the 256 bytes"), std::string::npos);
  EXPECT_NE(refused("length").find("257 bytes"), std::string::npos);
  EXPECT_NE(refused("silent").find("nothing"), std::string::npos);
  EXPECT_NE(refused("bound").find("bound"), std::string::npos);
  const auto corrupt = [&](const char* wrong) {
    return message_of<CorruptStream>([&] { roundtrip(*wrong_codec(wrong), x); });
  };
  EXPECT_NE(corrupt("behind").find("wrote behind the 256 bytes"), std::string::npos);
  EXPECT_NE(corrupt("half").find("not finite"), std::string::npos);
}

TEST(Plugin, RefusesTables) {
  const auto refused = [](void (*spoil)(kakeya_plugin_codec&)) {
    kakeya_plugin_codec codec = table("spoilt");
    spoil(codec);
    return message_of<SpecError>([&] { register_plugin(codec); });
  };
  EXPECT_NE(refused([](auto& c) { c.abi = 2; }).find("version 2, expected 1"), std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.size = 8; }).find("8 bytes"), std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.encode = nullptr; }).find("encode"), std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.name = nullptr; }), "");
  EXPECT_NE(refused([](auto& c) { c.keys = nullptr; }), "");
  EXPECT_NE(refused([](auto& c) { c.name = "kivi"; }).find("kivi"), std::string::npos);
}

TEST(Plugin, RefusesFilesByName) {
  const std::string folder = KAKEYA_WRONG_PLUGINS;
  const ScratchFolder scratch;
  const std::string text = scratch / "text.so";
  std::ofstream(text) << "no library";
  for (const std::string& path : {folder + "/none.so", text}) {
    const std::string said = message_of<IoError>([&] { load_plugin(path); });
    EXPECT_TRUE(said.starts_with(path + ": cannot be loaded")) << said;
  }
  const std::string said[] = {"version 2, expected 1", "no codec", "exports no kakeya_plugin()"};
  for (int wrong = 1; wrong <= 3; ++wrong) {
    const std::string path = folder + "/libwrong_plugin_" + std::to_string(wrong) + ".so";
    const std::string error = message_of<SpecError>([&] { load_plugin(path); });
    EXPECT_TRUE(error.starts_with(path)) << error;
    EXPECT_NE(error.find(said[wrong - 1]), std::string::npos) << error;
  }
}

#ifdef KAKEYA_PLUGIN_INT4
TEST(Plugin, LoadsTheExample) {
  const std::string path = KAKEYA_PLUGIN_INT4;
  EXPECT_EQ(load_plugin(path), std::vector<std::string>{"int4g"});
  const auto x = normals(128 * 1000, 1);
  for (const std::string group : {"16", "32", "128"}) {
    const auto codec = make_codec("int4g:group=" + group, {128});
    const auto frame = encode(*codec, dense_rows(x.data(), 1000, 128));
    const double bits = 8.0 * static_cast<double>(frame.size()) / (128 * 1000);
    EXPECT_NEAR(bits, 4 + 32 / std::stod(group), 0.01);
    EXPECT_LT(rel_mse(x, decode(*codec_of_frame(frame), frame, 1000)), 0.02);
  }
  EXPECT_EQ(message_of<InputError>([] { make_codec("int4g:group=48", {128}); }),
            "int4g: group=48: expected an even divisor of dim 128");
  const auto tiny = normals(128, 1, 1e-44);  // their scale is no larger than the smallest number
  EXPECT_LE(rel_mse(tiny, roundtrip(*make_codec("int4g", {128}), tiny)), 1.0);
  const std::string again = message_of<SpecError>([&] { load_plugin(path); });
  EXPECT_TRUE(again.starts_with(path)) << again;
  EXPECT_NE(again.find("registered already"), std::string::npos);
}
#endif

}  // namespace
}  // namespace kakeya
