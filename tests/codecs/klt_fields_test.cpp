// SPDX-License-Identifier: Apache-2.0
// klt with pages=fixed, pages=tiles and pages=prefix: what pages=rans decodes to, for so many bytes more.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "codecs/vectors_for_test.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/codec/page_writer.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kFieldsDim = 64;

std::string fixed(const std::string& spec) { return spec + ",pages=fixed"; }

std::vector<float> coded(std::size_t count) {
  return coded_by_klt("klt:bits=3", kFieldsDim, count, 17);
}

TEST(KltFields, DecodeToWhatRansDecodesTo) {
  const std::size_t count = 1100;
  const auto x = coded(count);
  for (const std::string spec :
       {"klt:bits=3.5", "klt:bits=2,lattice=z", "klt:bits=1,lattice=tcq,page=128",
        "klt:bits=6,lattice=z,product=exact", "klt:bits=2.5,lattice=z@keys"}) {
    const std::string keys(part_of(spec)), plain(without_part(spec));
    const auto rans = make(plain + keys, kFieldsDim),
               fields = make(fixed(plain) + keys, kFieldsDim);
    EXPECT_EQ(fields->spec().find(",pages=fixed") == std::string::npos, false) << fields->spec();
    EXPECT_EQ(rans->spec().find("pages"), std::string::npos);
    const auto y = roundtrip(*rans, x);
    EXPECT_EQ(roundtrip(*fields, x), y) << spec;
    const auto short_cut =
        reconstruct(*fields, dense_rows<const float>(x.data(), count, kFieldsDim));
    ASSERT_TRUE(short_cut) << spec;
    EXPECT_EQ(*short_cut, y) << spec;
  }
}

TEST(KltFields, CostLessThanHalfABitMore) {
  const std::size_t count = 2048;
  const OneProfile made(made_profile(kFieldsDim));
  const KvSite site{1, Part::value, 1};
  const auto x = vectors_of(made.profile().transform(site, {}), count, 5);
  const auto rows = dense_rows<const float>(x.data(), count, kFieldsDim);
  for (const std::string bits : {"2.5", "3", "3.5"}) {
    for (const std::string lattice : {"z", "e8"}) {
      const std::string spec = "klt:bits=" + bits + ",alloc=none,lattice=" + lattice;
      const CodecInput input{kFieldsDim, &made, site};
      const auto rans = encode(*make_codec(spec, input), rows);
      const auto fields = encode(*make_codec(fixed(spec), input), rows);
      const double more = 8.0 *
                          (static_cast<double>(fields.size()) - static_cast<double>(rans.size())) /
                          static_cast<double>(x.size());
      EXPECT_GT(more, 0.1) << spec;
      EXPECT_LT(more, 0.5) << spec;
    }
  }
}

TEST(KltFields, TilesDecodeToWhatRansDecodesTo) {
  const std::size_t count = 1100;
  const auto x = coded(count);
  for (const std::string spec : {"klt:bits=3.5,lattice=z", "klt:bits=1,lattice=z,page=128",
                                 "klt:bits=6,lattice=z,page=256,product=exact"}) {
    const auto y = roundtrip(*make(spec, kFieldsDim), x);
    EXPECT_EQ(roundtrip(*make(spec + ",pages=tiles", kFieldsDim), x), y) << spec;
  }
}

TEST(KltFields, TilesCostAboutHalfABitMore) {
  const std::size_t count = 2048;
  const OneProfile made(made_profile(kFieldsDim));
  const KvSite site{1, Part::value, 1};
  const auto x = vectors_of(made.profile().transform(site, {}), count, 5);
  const auto rows = dense_rows<const float>(x.data(), count, kFieldsDim);
  for (const std::string bits : {"2.5", "3", "3.5"}) {
    const std::string spec = "klt:bits=" + bits + ",alloc=none,lattice=z";
    const CodecInput input{kFieldsDim, &made, site};
    const auto rans = encode(*make_codec(spec, input), rows);
    const auto tiles = encode(*make_codec(spec + ",pages=tiles", input), rows);
    const double more = 8.0 *
                        (static_cast<double>(tiles.size()) - static_cast<double>(rans.size())) /
                        static_cast<double>(x.size());
    EXPECT_GT(more, 0.1) << spec;
    EXPECT_LT(more, 0.55) << spec;
  }
}

void expect_pages_decode_alone(const std::string& pages) {
  const std::size_t count = 300, page = 128;
  auto x = coded(count);
  for (const std::size_t row : {5u, 130u, 299u}) {  // kept beside the code
    for (std::size_t i = 0; i < kFieldsDim; ++i) x[row * kFieldsDim + i] += 1e5f;
  }
  const auto codec = make("klt:bits=3,lattice=z,page=128,pages=" + pages, kFieldsDim);
  const auto frame = encode(*codec, dense_rows<const float>(x.data(), count, kFieldsDim));
  EXPECT_EQ(codec->account().beyond_profile(frame_info(frame, profiles("klt:bits=3", kFieldsDim))),
            3u);
  const auto whole = decode(*codec, frame, count);
  PageWriter writer(*codec);
  for (std::size_t row = 0; row < count; ++row) {
    writer.append(dense_rows<const float>(x.data() + row * kFieldsDim, 1, kFieldsDim));
  }
  EXPECT_EQ(writer.frame(), frame);
  for (std::size_t p = 0; p < 3; ++p) {
    const std::size_t rows = std::min(page, count - p * page);
    const auto first = whole.begin() + static_cast<std::ptrdiff_t>(p * page * kFieldsDim);
    std::vector<float> y(rows * kFieldsDim);
    codec->decode_page(frame, p, dense_rows(y.data(), rows, kFieldsDim));
    EXPECT_TRUE(std::equal(y.begin(), y.end(), first)) << p;
    writer.decode_page(p, dense_rows(y.data(), rows, kFieldsDim));
    EXPECT_TRUE(std::equal(y.begin(), y.end(), first)) << p;
  }
  // Others do not move where one is kept.
  const auto without = roundtrip(*codec, coded(count));
  for (const std::size_t row : {4u, 6u, 131u, 298u}) {
    for (std::size_t i = 0; i < kFieldsDim; ++i) {
      EXPECT_EQ(whole[row * kFieldsDim + i], without[row * kFieldsDim + i]) << row;
    }
  }
}

TEST(KltFields, PagesDecodeAlone) {
  for (const std::string pages : {"fixed", "tiles"}) {
    SCOPED_TRACE(pages);
    expect_pages_decode_alone(pages);
  }
}

TEST(KltFields, PrefixCodesDecodeToWhatRansDecodesTo) {
  const std::size_t count = 1100;
  const auto x = coded(count);
  for (const std::string spec : {"klt:bits=3.5,lattice=z", "klt:bits=1,lattice=z,page=128",
                                 "klt:bits=7,lattice=z,product=exact"}) {
    const auto y = roundtrip(*make(spec, kFieldsDim), x);
    EXPECT_EQ(roundtrip(*make(spec + ",pages=prefix", kFieldsDim), x), y) << spec;
  }
}

TEST(KltFields, PrefixCodesCostAboutATenthOfABitMore) {
  const std::size_t count = 2048;
  const OneProfile made(made_profile(kFieldsDim));
  const KvSite site{1, Part::key, 0};
  const auto x = vectors_of(made.profile().transform(site, {}), count, 5);
  const auto rows = dense_rows<const float>(x.data(), count, kFieldsDim);
  for (const std::string bits : {"2.5", "3", "3.5"}) {
    const std::string spec = "klt:bits=" + bits + ",alloc=none,lattice=z";
    const CodecInput input{kFieldsDim, &made, site};
    const auto rans = encode(*make_codec(spec, input), rows);
    const auto prefix = encode(*make_codec(spec + ",pages=prefix", input), rows);
    const double more = 8.0 *
                        (static_cast<double>(prefix.size()) - static_cast<double>(rans.size())) /
                        static_cast<double>(x.size());
    EXPECT_GT(more, 0.0) << spec;
    EXPECT_LT(more, 0.12) << spec;
  }
}

TEST(KltFields, LedgerCountsEveryByte) {
  const std::size_t count = 400;
  const auto x = coded(count);
  for (const std::string spec : {"klt:bits=3,pages=fixed", "klt:bits=3,lattice=z,pages=prefix",
                                 "klt:bits=3,lattice=z,pages=tiles"}) {
    const auto codec = make(spec, kFieldsDim);
    const auto frame = encode(*codec, dense_rows<const float>(x.data(), count, kFieldsDim));
    const FrameInfo info = frame_info(frame, profiles("klt:bits=3", kFieldsDim));
    std::size_t sum = 0;
    for (const auto& [name, bytes] : info.sections) sum += bytes;
    EXPECT_EQ(sum, frame.size()) << spec;
  }
}

TEST(KltFields, WhatTakesThem) {
  EXPECT_THROW(make("klt:bits=3,scope=layer,pages=fixed", kFieldsDim), SpecError);
  EXPECT_THROW(make("klt:bits=3,pages=none", kFieldsDim), SpecError);
  EXPECT_THROW(make("klt:bits=3,pages=prefix", kFieldsDim), SpecError);  // of e8
  EXPECT_THROW(make("klt:bits=3,lattice=z,pages=prefix", 520), InputError);
  EXPECT_THROW(make("klt:bits=3,pages=tiles", kFieldsDim), SpecError);  // of e8
  EXPECT_THROW(make("klt:bits=3,lattice=z,page=96,pages=tiles", kFieldsDim), SpecError);
  EXPECT_THROW(make("klt:bits=3,lattice=z,pages=tiles", 520), InputError);
  EXPECT_THROW(make("klt:bits=3,lattice=z,scope=layer,pages=tiles", kFieldsDim), SpecError);
  try {
    make("klt:bits=3,pages=fixed", 520);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("multiple of 8 up to 512"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace kakeya
