// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/foreign_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "codecs/vectors_for_test.h"
#include "kakeya/codec/codec_list.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/core/error.h"
#include "support/made_foreign.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using namespace test;
using testing::message_of;

constexpr std::size_t kDim = 32;

std::unique_ptr<Codec> odd(const OddCoder& coder) {
  return make_foreign_codec(odd_descriptor("odd", coder), "odd", {kDim});
}

TEST(ForeignCodec, IsKnownByNameOnceRegistered) {
  ASSERT_EQ(find_descriptor("t-known"), nullptr);
  EXPECT_THROW(make_codec("t-known", {kDim}), SpecError);
  const std::string before = codec_list_json();
  EXPECT_EQ(before.find("\"t-known\""), std::string::npos);
  register_codec(made_descriptor("t-known"));
  ASSERT_NE(find_descriptor("t-known:levels=7"), nullptr);
  EXPECT_EQ(known_codecs().back(), find_descriptor("t-known"));
  EXPECT_NE(codec_list_json().find("\"t-known\""), std::string::npos);
  EXPECT_EQ(registered_codecs().back(), "t-known");
  EXPECT_NE(message_of<SpecError>([] { make_codec("nosuch", {kDim}); }).find("t-known"),
            std::string::npos);

  const auto codec = make_codec("t-known:levels=7", {kDim});
  const auto x = normals(kDim * 9, 1);
  const auto frame = encode(*codec, dense_rows(x.data(), 9, kDim));
  EXPECT_LE(frame.size(), codec->encoded_bound(9));
  const auto reader = codec_of_frame(frame);
  EXPECT_EQ(reader->spec(), "t-known:levels=7");
  EXPECT_EQ(decode(*reader, frame, 9), decode(*codec, frame, 9));
  EXPECT_LT(rel_mse(x, decode(*reader, frame, 9)), 0.03);
}

TEST(ForeignCodec, CanonicalTextHasTheRateFirstAndNoDefaults) {
  const ForeignDescriptor made = made_descriptor("made");
  const auto spec = [&](const std::string& text) {
    return make_foreign_codec(made, text, {kDim})->spec();
  };
  EXPECT_EQ(spec("made"), "made");
  EXPECT_EQ(spec("made:note=none,levels=127"), "made");
  EXPECT_EQ(spec("made:note=a,levels=5"), "made:levels=5,note=a");
  register_codec(made_descriptor("t-canonical"));
  const Spec parsed = Spec::parse("t-canonical:levels=5,note=a");
  ASSERT_NE(parsed.rate(), nullptr);
  EXPECT_EQ(parsed.family(), "t-canonical:note=a");
  EXPECT_EQ(family_rank("t-canonical"), 100);
}

TEST(ForeignCodec, TheLedgerBooksBytesAsPayloadAndPaddingAsPadding) {
  register_codec(made_descriptor("t-ledger"));
  const auto codec = make_codec("t-ledger", {kDim});
  const auto x = normals(kDim * 3, 1);
  const auto rows = dense_rows(x.data(), 3, kDim);
  const auto frame = encode(*codec, rows);
  const RateLedger ledger = ledger_of(*codec, rows, frame);
  EXPECT_EQ(ledger.payload_bits, 8 * 3 * (4 + kDim));
  EXPECT_EQ(ledger.padding_bits, 0u);
  EXPECT_EQ(ledger.written_bits(), 8 * frame.size());
  EXPECT_EQ(ledger.nominal_bits, 3 * (32.0 + 8 * kDim));
  EXPECT_FALSE(ledger.codebook_bits);

  register_codec(odd_descriptor("t-few", {}));
  const auto few = make_codec("t-few", {kDim});
  const auto zeros = std::vector<float>(kDim * 100);
  const auto long_rows = dense_rows(zeros.data(), 100, kDim);
  const auto padded = encode(*few, long_rows);
  EXPECT_EQ(ledger_of(*few, long_rows, padded).padding_bits, 8 * 99u);
  EXPECT_EQ(ledger_of(*few, long_rows, padded).payload_bits, 8u);
  EXPECT_EQ(decode(*codec_of_frame(padded), padded, 100), zeros);
}

TEST(ForeignCodec, RefusesDescriptorsByName) {
  const auto refused = [](const std::function<void(ForeignDescriptor&)>& spoil) {
    ForeignDescriptor codec = made_descriptor("t-refused");
    spoil(codec);
    return message_of<SpecError>([&] { register_codec(codec); });
  };
  EXPECT_NE(refused([](auto& c) { c.name = ""; }), "");
  EXPECT_NE(refused([](auto& c) { c.name = "a b"; }).find("a b"), std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.name = "a:b=c"; }), "");
  EXPECT_NE(refused([](auto& c) { c.name = "../a"; }), "");
  EXPECT_NE(refused([](auto& c) { c.name = "e8"; }).find("of the library"), std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.name = c.example = "claimed"; }).find("--claim-bits"),
            std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.make = nullptr; }), "");
  EXPECT_NE(refused([](auto& c) { c.scope = VectorScope::token; }), "");
  EXPECT_NE(refused([](auto& c) { c.keys[0].name = "levels"; }).find("twice"), std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.keys[0].rate = true; }), "");
  EXPECT_NE(refused([](auto& c) { c.keys[0].default_text = "a,b"; }), "");
  EXPECT_NE(refused([](auto& c) { c.keys[0].default_text = ""; }).find("note"), std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.example = "e8:q=10"; }), "");
  EXPECT_EQ(find_descriptor("t-refused"), nullptr);

  register_codec(made_descriptor("t-refused"));
  EXPECT_NE(refused([](auto&) {}).find("registered already"), std::string::npos);
  std::vector<ForeignDescriptor> two = {made_descriptor("t-new"), made_descriptor("t-refused")};
  EXPECT_THROW(register_codecs(two), SpecError);
  EXPECT_EQ(find_descriptor("t-new"), nullptr) << "all or none";
  two[1].name = "t-new";
  EXPECT_THROW(register_codecs(two), SpecError);
}

TEST(ForeignCodec, RefusesSpecsAndDims) {
  ForeignDescriptor made = made_descriptor("made");
  const auto refused = [&](const std::string& spec) {
    return message_of<SpecError>([&] { make_foreign_codec(made, spec, {kDim}); });
  };
  EXPECT_EQ(refused("made:levels=0"), "made: levels=0: expected a whole number in [1, 127]");
  EXPECT_NE(refused("made:level=1").find("expected one of levels, note"), std::string::npos);
  EXPECT_NE(refused("other"), "");
  EXPECT_EQ(message_of<InputError>([&] { make_foreign_codec(made, "made", {33}); }),
            "made: dim 33: expected even");
  EXPECT_THROW(make_foreign_codec(made, "made", {0}), InputError);
  EXPECT_THROW(make_foreign_codec(made, "made", {131072}), InputError);
  made.keys[1].default_text = "";
  made.example = "made:levels=3";
  EXPECT_NE(refused("made").find("no levels given"), std::string::npos);
  made.make = [](const Spec&, const CodecInput&) -> std::unique_ptr<ForeignCoder> { return {}; };
  EXPECT_THROW(make_foreign_codec(made, "made:levels=3", {kDim}), InputError);
  made.make = [](const Spec&, const CodecInput&) -> std::unique_ptr<ForeignCoder> { throw 1; };
  EXPECT_NE(message_of<InputError>([&] { make_foreign_codec(made, "made:levels=3", {kDim}); }), "");
}

TEST(ForeignCodec, WhatACoderThrowsBeginsWithItsSpec) {
  const auto x = normals(kDim, 1);
  OddCoder coder;
  coder.encode_to = [](auto, auto) -> std::size_t { throw std::runtime_error("full moon"); };
  EXPECT_EQ(message_of<InputError>([&] { encode(*odd(coder), dense_rows(x.data(), 1, kDim)); }),
            "odd: full moon");
  coder = {};
  coder.decode_to = [](auto, auto) { throw InputError("odd: new moon"); };
  const auto codec = odd(coder);
  const auto frame = encode(*codec, dense_rows(x.data(), 1, kDim));
  EXPECT_EQ(message_of<CorruptStream>([&] { decode(*codec, frame, 1); }), "odd: new moon");
  try {
    decode(*codec, frame, 1);
  } catch (const CorruptStream& error) {
    EXPECT_THROW(std::rethrow_if_nested(error), InputError) << "what was thrown is kept";
  }
  coder.bound_of = [](auto) -> std::size_t { throw 3; };
  EXPECT_NE(message_of<InputError>([&] { (void)odd(coder)->encoded_bound(1); }).find("odd: "),
            std::string::npos);
}

TEST(ForeignCodec, LiesAboutBoundsAndLengthsAreErrors) {
  const auto x = normals(kDim, 1);
  const auto rows = dense_rows(x.data(), 1, kDim);
  OddCoder coder;
  coder.encode_to = [](auto, auto) { return std::size_t{2}; };
  EXPECT_NE(message_of<InputError>([&] { encode(*odd(coder), rows); }).find("2 bytes"),
            std::string::npos);
  coder = {};
  coder.bound_of = [](auto) { return SIZE_MAX; };
  EXPECT_NE(message_of<InputError>([&] { (void)odd(coder)->encoded_bound(1); }).find("bound"),
            std::string::npos);
}

TEST(ForeignCodec, WhatIsDecodedIsFiniteAndWhole) {
  const auto x = normals(kDim * 2, 1);
  for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    OddCoder coder;
    coder.decode_to = [bad](auto, Rows<float> out) {
      for (std::size_t row = 0; row < out.count; ++row) std::ranges::fill(out[row], 1.0f);
      out[1][kDim - 1] = bad;
    };
    const auto codec = odd(coder);
    const auto frame = encode(*codec, dense_rows(x.data(), 2, kDim));
    EXPECT_NE(message_of<CorruptStream>([&] { decode(*codec, frame, 2); }).find("vector 1"),
              std::string::npos);
  }
  OddCoder coder;
  coder.decode_to = [](auto, Rows<float> out) { std::ranges::fill(out[0], 1.0f); };
  const auto codec = odd(coder);
  const auto frame = encode(*codec, dense_rows(x.data(), 2, kDim));
  EXPECT_THROW(decode(*codec, frame, 2), CorruptStream) << "the second vector was left out";
}

TEST(ForeignCodec, ChecksVectorsBeforeTheCoderSeesThem) {
  OddCoder coder;
  coder.encode_to = [](auto, auto) -> std::size_t {
    ADD_FAILURE() << "asked";
    return 0;
  };
  const auto codec = odd(coder);
  auto x = normals(kDim * 2, 1);
  x[kDim + 3] = std::nanf("");
  EXPECT_NE(message_of<InputError>([&] {
              encode(*codec, dense_rows(x.data(), 2, kDim));
            }).find("vector 1"),
            std::string::npos);
  EXPECT_THROW(encode(*codec, dense_rows(x.data(), 1, kDim - 1)), InputError);
  std::vector<std::byte> small(10);
  EXPECT_THROW(codec->encode(dense_rows(x.data(), 1, kDim), small), InputError);
  const auto empty = encode(*codec, dense_rows(x.data(), 0, kDim));  // nor where there are none
  EXPECT_TRUE(decode(*codec, empty, 0).empty());
}

TEST(ForeignCodec, OfHeadsKnowsItsSiteAndSoDoItsFrames) {
  register_codec(made_descriptor("t-heads", VectorScope::head));
  EXPECT_EQ(scope_of("t-heads"), VectorScope::head);
  EXPECT_THROW(make_codec("t-heads", {kDim}), InputError);
  EXPECT_THROW(make_codec("t-heads", {kDim, nullptr, KvSite{1, Part::key}}), InputError);
  const auto codec = make_codec("t-heads", {kDim, nullptr, KvSite{300, Part::value, 2}});
  const auto x = normals(kDim * 2, 1);
  auto frame = encode(*codec, dense_rows(x.data(), 2, kDim));
  EXPECT_EQ(decode(*codec_of_frame(frame), frame, 2), decode(*codec, frame, 2));
  const auto other = make_codec("t-heads", {kDim, nullptr, KvSite{300, Part::key, 2}});
  EXPECT_THROW(decode(*other, frame, 2), CorruptStream);
  frame[frame_info(frame).sections[0].second + 4] = std::byte{2};  // no such part
  seal(frame);
  EXPECT_THROW(codec_of_frame(frame), CorruptStream);
}

TEST(ForeignCodec, ItsCoderAloneWritesNoFrame) {
  register_codec(made_descriptor("t-alone"));
  register_codec(made_descriptor("t-alone-heads", VectorScope::head));
  const auto x = normals(kDim * 3, 1);
  const auto rows = dense_rows(x.data(), 3, kDim);
  for (const std::string spec : {"t-alone:levels=7", "t-alone-heads:levels=7"}) {
    const CodecInput input{kDim, nullptr, KvSite{3, Part::key, 1}};
    const auto coder = make_foreign_coder(spec, input);
    std::vector<std::byte> bytes(coder->bound(3));
    EXPECT_EQ(coder->encode(rows, bytes), 3 * (4 + kDim));
    const auto frame = encode(*make_codec(spec, input), rows);
    EXPECT_NE(std::ranges::search(frame, bytes).begin(), frame.end());
    std::vector<float> back(kDim * 3);
    coder->decode(bytes, {back.data(), 3, kDim, kDim});
    EXPECT_EQ(back, decode(*codec_of_frame(frame), frame, 3));
  }
  EXPECT_THROW(make_foreign_coder("t-alone-heads", {kDim}), InputError);
  EXPECT_THROW(make_foreign_coder("t-alone", {0}), InputError);
  EXPECT_THROW(make_foreign_coder("t-alone:size=1", {kDim}), SpecError);
  for (const char* other : {"e8:q=10", "nosuch"}) {
    EXPECT_NE(message_of<SpecError>([&] {
                make_foreign_coder(other, {kDim});
              }).find("expected one that was registered"),
              std::string::npos);
  }
}

TEST(ForeignCodec, ThreadsRegisterAndFind) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 20; ++i) {
        const std::string name = "t-" + std::to_string(t) + "-" + std::to_string(i);
        register_codec(made_descriptor(name));
        const auto codec = make_codec(name, {kDim});
        const auto x = normals(kDim, 1);
        EXPECT_EQ(roundtrip(*codec, x), roundtrip(*make_codec("t-0-0", {kDim}), x));
      }
    });
    if (t == 0) threads.front().join(), threads.clear();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_NE(find_descriptor("t-3-19"), nullptr);
}

}  // namespace
}  // namespace kakeya
