// SPDX-License-Identifier: Apache-2.0
// center=bias: what is subtracted of keys, by whose word, and what a frame says of it.
#include "kakeya/codec/key_bias.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codecs/vectors_for_test.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/site_codecs.h"
#include "kakeya/core/error.h"
#include "kakeya/profile/profile_shelf.h"

namespace kakeya {
namespace {

using namespace test;

constexpr KvSite kKey{1, Part::key, 1}, kValue{1, Part::value, 1};
const std::vector<std::string> kPlain = {"e8:q=38",
                                         "d4:q=10,pack=joint,scales=one",
                                         "tq:b=4,pack=rans,page=64",
                                         "ecz:bits=3",
                                         "ecd4:bits=3,per=head-page",
                                         "ece8:bits=4,rotate=none,classes=channel,outliers=1",
                                         "kivi:b=4,group=8"};

ProfileShelf shelf_of(KeyBias biases) {
  ProfileShelf shelf;
  shelf.add({"made.kkp", KeyBias::kKind, std::make_shared<const KeyBias>(std::move(biases))});
  return shelf;
}

// Eighths, so that adding a bias of made_key_bias() and taking it off again is exact.
std::vector<float> eighths(std::size_t values) {
  const Random random(17);
  std::vector<float> x(values);
  for (std::size_t i = 0; i < values; ++i)
    x[i] = static_cast<float>(static_cast<int>(random.bits(i) % 65) - 32) * 0.125f;
  return x;
}

std::vector<float> shifted(std::vector<float> x, const std::vector<float>& by) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += by[i % by.size()];
  return x;
}

// What is in the sections of a frame, by name.
std::map<std::string, std::vector<std::byte>> sections_of(std::span<const std::byte> frame) {
  std::map<std::string, std::vector<std::byte>> sections;
  for (const FrameSection& section : parse_frame(frame).sections) {
    sections[std::string(section.name)] = {section.bytes.begin(), section.bytes.end()};
  }
  return sections;
}

template <typename Kind>
std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Kind& error) {
    return error.what();
  }
  return "accepted";
}

TEST(KeyBias, KeysLessTheirBiasAreCodedAsKeysWithoutOne) {
  const std::size_t dim = 64, count = 70;
  const KeyBias biases = made_key_bias(dim);
  const ProfileShelf shelf = shelf_of(biases);
  const auto x = eighths(dim * count), with = shifted(x, biases.at(kKey));
  for (const std::string& plain : kPlain) {
    const auto without = make_codec(plain, {dim, nullptr, kKey});
    const auto codec = make_codec(plain + ",center=bias", {dim, &shelf, kKey});
    const auto frame = encode(*codec, dense_rows(with.data(), count, dim));
    const auto theirs = sections_of(encode(*without, dense_rows(x.data(), count, dim)));
    auto ours = sections_of(frame);
    EXPECT_EQ(ours.at("site"), (std::vector<std::byte>{std::byte{1}, {}, std::byte{1}, {}, {}, {}}))
        << plain;
    ours.erase("site");
    EXPECT_EQ(ours, theirs) << plain;
    const auto y = decode(*codec_of_frame(frame, &shelf), frame, count);
    const auto expected = shifted(roundtrip(*without, x), biases.at(kKey));
    EXPECT_EQ(y, expected) << plain;
  }
}

TEST(KeyBias, NothingOfItIsStored) {
  for (const std::string& plain : kPlain) {
    std::vector<std::size_t> more;
    for (const std::size_t dim : {64u, 128u}) {
      const KeyBias biases = made_key_bias(dim);
      const ProfileShelf shelf = shelf_of(biases);
      const auto x = eighths(dim * 70), with = shifted(x, biases.at(kKey));
      const auto codec = make_codec(plain + ",center=bias", {dim, &shelf, kKey});
      more.push_back(
          encode(*codec, dense_rows(with.data(), 70, dim)).size() -
          encode(*make_codec(plain, {dim, nullptr, kKey}), dense_rows(x.data(), 70, dim)).size());
      EXPECT_EQ(codec->account().profile_bytes(), 0u) << plain;
    }
    EXPECT_EQ(more[0], more[1]) << plain << ": depends on the dim";
    EXPECT_LE(more[0], 64u) << plain;  // the spec's text, the name of the section and the site
  }
}

TEST(KeyBias, ValuesAreCodedAsWithoutIt) {
  const std::size_t dim = 64, count = 70;
  const ProfileShelf shelf = shelf_of(made_key_bias(dim));
  const auto x = normals(dim * count, 18);
  for (const std::string& plain : kPlain) {
    const auto codec = make_codec(plain + ",center=bias", {dim, &shelf, kValue});
    EXPECT_EQ(roundtrip(*codec, x), roundtrip(*make_codec(plain, {dim, nullptr, kValue}), x))
        << plain;
  }
}

TEST(KeyBias, CuresWhatAStaticDirectionCosts) {
  const std::size_t dim = 64, count = 256;
  const KeyBias biases = made_key_bias(dim);
  const ProfileShelf shelf = shelf_of(biases);
  const auto x = normals(dim * count, 19), with = shifted(x, biases.at(kKey));
  const auto error = [&](const std::string& spec) {
    return rel_mse(x, shifted(roundtrip(*make_codec(spec, {dim, &shelf, kKey}), with),
                              shifted(std::vector<float>(dim, 0.0f), [&] {
                                auto minus = biases.at(kKey);
                                for (float& value : minus) value = -value;
                                return minus;
                              }())));
  };
  for (const char* spec : {"e8:q=10", "tq:b=4", "ece8:bits=4"}) {
    EXPECT_GT(error(spec), 0.5) << spec;
    EXPECT_LT(error(spec + std::string(",center=bias")), 0.02) << spec;
  }
}

TEST(KeyBias, IsOfOneHeadAndOfAProfile) {
  EXPECT_EQ(scope_of("ece8:bits=4,center=bias"), VectorScope::head);
  EXPECT_EQ(scope_of("ece8:bits=4,center=mean"), VectorScope::any);
  EXPECT_TRUE(is_calibrated("kivi:b=4,center=bias"));
  EXPECT_FALSE(is_calibrated("kivi:b=4"));
  EXPECT_FALSE(centres_on_bias("klt:bits=3,center=bias"));  // which takes no such choice
  EXPECT_FALSE(centres_on_bias("q4_0:center=bias"));
  const std::size_t dim = 64;
  const ProfileShelf shelf = shelf_of(made_key_bias(dim)), none;
  const auto refused = [&](const std::string& spec, const CodecInput& input) {
    return refusal<Error>([&] { make_codec(spec, input); });
  };
  const std::string spec = "ece8:bits=4,center=bias";
  EXPECT_EQ(make_codec(spec, {dim, &shelf, kKey})->spec(), spec + ",profile=eeeeeeeeeeeeeeee");
  EXPECT_EQ(refused(spec, {dim, nullptr, kKey}),
            "ece8: center=bias: expected the biases of the model's keys, a profile of "
            "kakeya-calibrate --codec bias");
  EXPECT_EQ(refused(spec, {dim, &none, kKey}),
            "no profile given: expected a profile of key-bias, by --profile or profile=FILE");
  EXPECT_EQ(refused(spec, {dim, &shelf}),
            "ece8: center=bias: expected the site that the vectors are of");
  EXPECT_EQ(
      refused(spec, {128, &shelf, kKey}),
      "ece8: center=bias: vectors of 128 scalars given, expected the 64 of the biases of made");
  EXPECT_EQ(refused(spec, {dim, &shelf, KvSite{2, Part::key, 0}}),
            "biases of made: layer 2 keys, head 0 given, expected one of 2 layers and 2 KV heads");
  EXPECT_EQ(refused("ece8:bits=4,profile=eeeeeeeeeeeeeeee", {dim, &shelf, kKey}),
            "ece8: key profile changes nothing beside the other keys");
  EXPECT_EQ(refused("e8:q=10,center=bias,page=64", {dim, &shelf, kKey}),
            "e8: key page changes nothing beside the other keys");
}

TEST(KeyBias, AFrameIsReadWithItsOwnBiasAlone) {
  const std::size_t dim = 64, count = 9;
  const ProfileShelf shelf = shelf_of(made_key_bias(dim));
  KeyBias another = made_key_bias(dim);
  another.digest = std::string(64, 'f');
  const ProfileShelf others = shelf_of(another);
  const auto x = eighths(dim * count);
  for (const std::string& plain : kPlain) {
    const std::string spec = plain + ",center=bias";
    const auto codec = make_codec(spec, {dim, &shelf, kKey});
    const auto frame = encode(*codec, dense_rows(x.data(), count, dim));
    EXPECT_NE(refusal<Error>([&] { codec_of_frame(frame); }).find("expected the profile"),
              std::string::npos);
    EXPECT_NE(refusal<Error>([&] { codec_of_frame(frame, &others); }).find("eeeeeeeeeeeeeeee"),
              std::string::npos);
    const auto elsewhere = make_codec(spec, {dim, &shelf, KvSite{0, Part::key, 1}});
    EXPECT_NE(
        refusal<CorruptStream>([&] { decode(*elsewhere, frame, count); }).find("another site"),
        std::string::npos)
        << plain;
  }
}

TEST(KeyBias, EachHeadOfACacheHasItsOwn) {
  const std::size_t dim = 64, count = 40;
  const KeyBias biases = made_key_bias(dim);
  const ProfileShelf shelf = shelf_of(biases);
  const CacheInput cache{biases.shape, 0, &shelf};
  const SiteCodecs keys("ece8:bits=8,center=bias", cache, Part::key);
  const auto x = normals(dim * count, 20);
  for (int layer = 0; layer < 2; ++layer) {
    for (int head = 0; head < 2; ++head) {
      const auto with = shifted(x, biases.at({layer, Part::key, head}));
      const auto y = roundtrip(keys.at(layer, static_cast<std::size_t>(head)), with);
      EXPECT_LT(rel_mse(with, y) * 64, 1e-3) << layer << " " << head;
    }
  }
  EXPECT_EQ(keys.profile_bytes(), 0u);
}

}  // namespace
}  // namespace kakeya
