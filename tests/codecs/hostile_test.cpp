// SPDX-License-Identifier: Apache-2.0
// Damaged and forged frames: CorruptStream, never a crash, never a wild allocation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "codecs/vectors_for_test.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/core/error.h"
#include "support/made_foreign.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kDim = 64, kVectors = 3;

std::vector<std::byte> sample(const Codec& codec, std::size_t count, double sigma = 1.0) {
  auto x = normals(kDim * count, 31, sigma);
  if (codec.spec().starts_with("klt")) {  // but for the first vector, coded
    const auto coded = coded_by_klt(codec.spec(), kDim, count, 31);
    std::copy(coded.begin() + kDim, coded.end(), x.begin() + kDim);
  }
  return encode(codec, dense_rows(x.data(), count, kDim));
}

class Hostile : public testing::TestWithParam<std::string> {
 protected:
  std::size_t count() const { return with_a_group(GetParam(), kVectors); }
};

TEST_P(Hostile, EveryTruncation) {
  const auto codec = make(GetParam(), kDim);
  const auto frame = sample(*codec, count());
  std::vector<float> out(kDim * count());
  for (std::size_t length = 0; length < frame.size(); ++length) {
    auto cut = std::make_unique<std::byte[]>(length);
    std::copy_n(frame.begin(), length, cut.get());
    const std::span<const std::byte> bytes(cut.get(), length);
    ASSERT_THROW(codec->decode(bytes, dense_rows(out.data(), count(), kDim)), CorruptStream)
        << length;
    ASSERT_THROW(frame_info(bytes, profiles(GetParam(), kDim)), CorruptStream) << length;
    ASSERT_THROW(codec_of_frame(bytes, profiles(GetParam(), kDim)), CorruptStream) << length;
  }
  auto longer = frame;
  longer.push_back(std::byte{0});
  EXPECT_THROW(codec->decode(longer, dense_rows(out.data(), count(), kDim)), CorruptStream);
}

TEST_P(Hostile, EveryFlippedBit) {
  const auto codec = make(GetParam(), kDim);
  auto frame = sample(*codec, count());
  std::vector<float> out(kDim * count());
  for (std::size_t bit = 0; bit < 8 * frame.size(); ++bit) {
    frame[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    ASSERT_THROW(codec->decode(frame, dense_rows(out.data(), count(), kDim)), CorruptStream) << bit;
    frame[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
  }
}

// Whoever forges a checksum gets an error or some finite vectors, from every place that reads
// frames.
TEST_P(Hostile, ChangedBytesUnderAFittingChecksum) {
  const Random random(32);
  for (const double sigma : {1.0, 1e-30}) {
    const auto codec = make(GetParam(), kDim);
    const auto frame = sample(*codec, count(), sigma);
    for (std::uint64_t trial = 0; trial < 1000; ++trial) {
      auto bad = frame;
      for (std::uint64_t k = 0; k <= trial % 4; ++k) {
        // The first hundred bytes, where the header is, and the rest equally often.
        const std::uint64_t draw = random.bits(8 * trial + 2 * k);
        const std::size_t range =
            trial % 2 == 0 ? std::min<std::size_t>(100, bad.size()) : bad.size();
        bad[draw % range] = static_cast<std::byte>(random.bits(8 * trial + 2 * k + 1));
      }
      seal(bad);
      try {
        const FrameInfo info = frame_info(bad, profiles(GetParam(), kDim));
        ASSERT_LE(info.count * info.dim * sizeof(float), 128 * bad.size());
        for (const float value :
             decode(*codec_of_frame(bad, profiles(GetParam(), kDim)), bad, info.count))
          ASSERT_TRUE(std::isfinite(value));
      } catch (const CorruptStream&) {
      } catch (const InputError& error) {  // by chance the name of one that needs a profile
        ASSERT_NE(codec->spec().find("profile=none"), std::string::npos);
        ASSERT_NE(std::string(error.what()).find("expected the profile"), std::string::npos);
      }
    }
  }
}

TEST_P(Hostile, HugeCountsAreRefusedBeforeAnythingIsAllocated) {
  const auto codec = make(GetParam(), kDim);
  for (const std::uint64_t forged :
       {std::uint64_t{count() + 1}, std::uint64_t{1} << 40, (std::uint64_t{1} << 61) + count(),
        (std::uint64_t{1} << 62) + count(), ~std::uint64_t{0}}) {
    auto frame = sample(*codec, count());
    std::memcpy(frame.data() + 16, &forged, 8);
    seal(frame);
    if (forged == count() + 1) {  // where a page holds what it holds, only its reader can tell
      std::vector<float> out(kDim * forged);
      EXPECT_THROW(codec->decode(frame, dense_rows(out.data(), forged, kDim)), CorruptStream);
      continue;
    }
    EXPECT_THROW(frame_info(frame, profiles(GetParam(), kDim)), CorruptStream) << forged;
    EXPECT_THROW(codec_of_frame(frame, profiles(GetParam(), kDim)), CorruptStream) << forged;
  }
}

TEST_P(Hostile, FramesOfOthers) {
  const auto codec = make(GetParam(), kDim);
  const auto wider = make(GetParam(), 2 * kDim);
  std::vector<float> out(kDim * count());
  const auto x = normals(2 * kDim * count(), 33);
  EXPECT_THROW(codec->decode(encode(*wider, dense_rows(x.data(), count(), 2 * kDim)),
                             dense_rows(out.data(), count(), kDim)),
               CorruptStream);
  const auto other = make_codec(GetParam() == "tq:b=5" ? "tq:b=6" : "tq:b=5", {kDim});
  EXPECT_THROW(codec->decode(sample(*other, count()), dense_rows(out.data(), count(), kDim)),
               CorruptStream);
}

std::string test_name(const testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Codecs, Hostile, testing::ValuesIn(specs_of_build()), test_name);

// Codecs of others: of any vector, of single heads, and one whose few bytes are padded.
std::vector<std::string> foreign_specs() {
  if (find_descriptor("made") == nullptr) {  // asked for once for every test
    register_codecs({made_descriptor("made"), made_descriptor("made-heads", VectorScope::head),
                     odd_descriptor("made-few", {})});
  }
  return {"made:levels=5", "made-heads", "made-few"};
}

INSTANTIATE_TEST_SUITE_P(Foreign, Hostile, testing::ValuesIn(foreign_specs()), test_name);

// A source of profiles that must not be asked.
class Unasked final : public ProfileSource {
 public:
  std::shared_ptr<const ProfileHead> find(std::string_view, std::string_view name) const override {
    ADD_FAILURE() << "asked for " << name;
    throw InputError("asked");
  }
};

// Files that bytes name could be anything: a pipe that never ends, a device.
TEST(HostileSpecs, FramesNameProfilesByDigestAlone) {
  const Unasked unasked;
  constexpr std::string_view kSections[] = {"layers"};
  for (const std::string profile :
       {"/dev/zero", "p.h5", "", "0123456789abcde", "0123456789abcdeF", "0123456789abcdef0"}) {
    for (const std::string& spec :
         {"klt:bits=3,profile=" + profile, "klt:bits=3,scope=layer,profile=" + profile,
          "kvtc:bits=2,profile=" + profile}) {
      std::vector<std::byte> frame(frame_overhead(spec.size(), 1) + 8);
      FrameWriter writer(frame, spec, kDim, 1, kSections);
      writer.section(8);
      writer.finish();
      EXPECT_THROW(frame_info(frame, &unasked), CorruptStream) << spec;
      EXPECT_THROW(codec_of_frame(frame, &unasked), CorruptStream) << spec;
    }
  }
}

// A frame's dim may be that of whole tokens; what codes single heads takes no such vectors.
TEST(HostileSpecs, HeadsAreNoWholeTokens) {
  for (const std::string spec : {"identity", "q4_0", "q8_0", "e8:q=10", "ece8:bits=4", "fp8"}) {
    EXPECT_THROW(make_codec(spec, {131072}), InputError) << spec;
    std::vector<std::byte> frame(2000);
    constexpr std::string_view kNames[] = {"values"};
    FrameWriter writer(frame, spec, 131072, 0, kNames);
    writer.section(0);
    frame.resize(writer.finish());
    EXPECT_THROW(codec_of_frame(frame), CorruptStream) << spec;
  }
}

TEST(HostileSpecs, UnknownOrUncanonicalCodecsInAFrame) {
  for (const std::string spec :
       {"nosuch", "e8:q=9999", "e8:rule=bounded,q=10", "fp8:block=64", "", "identity:"}) {
    std::vector<std::byte> frame(2000);
    constexpr std::string_view kNames[] = {"values"};
    FrameWriter writer(frame, spec, kDim, 1, kNames);
    writer.section(2 * kDim);
    frame.resize(writer.finish());
    EXPECT_THROW(frame_info(frame), CorruptStream) << spec;
    EXPECT_THROW(codec_of_frame(frame), CorruptStream) << spec;
  }
}

TEST(HostileSpecs, IndicesBeyondTheBook) {
  // All-ones indices: no codec has as many points as its fields could name, but for fp8 and
  // identity, where they are NaN.
  for (const std::string spec :
       {"e8:q=10", "d4:q=38", "e8:q=4,rule=published", "tq:b=3", "fp8", "identity"}) {
    const auto codec = make_codec(spec, {kDim});
    auto frame = sample(*codec, kVectors);
    const FrameInfo info = frame_info(frame);
    const std::size_t place = spec == "identity" ? 1 : 2;
    std::size_t at = info.sections[0].second + (place == 2 ? info.sections[1].second : 0);
    for (std::size_t i = 0; i < info.sections[place].second; ++i) frame[at++] = std::byte{0xff};
    seal(frame);
    std::vector<float> out(kDim * kVectors);
    EXPECT_THROW(codec->decode(frame, dense_rows(out.data(), kVectors, kDim)), CorruptStream)
        << spec;
  }
}

}  // namespace
}  // namespace kakeya
