// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/page_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codecs/vectors_for_test.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "support/sanitized.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kDim = 64;

// Those of the common list that have pages, of few vectors where they can be.
std::vector<std::string> paged_specs() {
  std::vector<std::string> specs;
  for (const std::string& spec : specs_of_build()) {
    if (make(spec, kDim)->page_vectors() == 0) continue;
    const bool as_it_is = spec.starts_with("kivi") || spec.find("page=") != std::string::npos;
    specs.push_back(as_it_is ? spec
                             : std::string(without_part(spec)) + ",page=32" +
                                   std::string(part_of(spec)));
  }
  specs.insert(specs.end(), {"ecd4:bits=3,per=head-page,classes=channel,center=mean,outliers=1",
                             "ecz:bits=3,per=head-page,page=64",
                             "d4:q=10,pack=rans,scales=log8,rotate=signed,center=mean,outliers=2,"
                             "page=64"});
  return specs;
}

// With what frames treat specially: vectors of zeros, and in pages after the first much smaller and
// much larger ones, which need windows or are kept exactly.
std::vector<float> vectors(std::size_t count, std::size_t page) {
  auto x = normals(kDim * count, 231);
  const auto scale = [&](std::size_t row, float factor) {
    for (std::size_t i = 0; i < kDim && row < count; ++i) x[row * kDim + i] *= factor;
  };
  scale(2, 0.0f);
  scale(page + 3, 1e-9f);
  scale(page + 4, 1e9f);
  scale(2 * page + 1, 1e15f);
  scale(2 * page + 2, 0.0f);
  return x;
}

class PageWriting : public testing::TestWithParam<std::string> {
 protected:
  PageWriting()
      : codec_(make(GetParam(), kDim)),
        page_(codec_->page_vectors()),
        count_(3 * page_ + 5),
        x_(vectors(count_, page_)) {}

  Rows<const float> rows(std::size_t first, std::size_t count) const {
    return dense_rows(x_.data() + first * kDim, count, kDim);
  }
  std::vector<std::byte> encoded(std::size_t count) const {
    return encode(*codec_, rows(0, count));
  }
  /// Coding the open page at every length is much for pages of a thousand.
  bool is_looked_at(std::size_t count) const {
    const std::size_t at = count % page_;
    return page_ <= 64 || at < 2 || at == page_ / 2 + 1 || at == page_ - 1;
  }
  PageWriter writer_of(std::size_t count) const {
    PageWriter writer(*codec_);
    writer.append(rows(0, count));
    return writer;
  }

  std::unique_ptr<Codec> codec_;
  std::size_t page_, count_;
  std::vector<float> x_;
};

// Sizes of chunks: the same again and again, or 0 to `most` at random.
TEST_P(PageWriting, AnyChunksGiveTheFrameOfEncode) {
  const auto expected = encoded(count_);
  const Random random(232);
  const std::size_t sizes[] = {1, 7, page_ - 1, page_, page_ + 1, 2 * page_, count_, 0};
  for (const std::size_t size : sizes) {
    PageWriter writer(*codec_);
    for (std::size_t row = 0, draw = 0; row < count_;) {
      const std::size_t chunk = size != 0 ? size : random.bits(draw++) % (page_ + 8);
      const std::size_t rows_left = std::min(chunk, count_ - row);
      writer.append(rows(row, rows_left));
      row += rows_left;
      ASSERT_EQ(writer.vectors(), row);
      ASSERT_EQ(writer.sealed_pages(), row / page_);
      ASSERT_EQ(writer.sealed_vectors(), row / page_ * page_);
      ASSERT_EQ(writer.open_vectors(), row % page_);
    }
    EXPECT_EQ(writer.frame(), expected) << "chunks of " << size;
  }
}

TEST_P(PageWriting, EncodingThatCountsTheOpenPageWritesTheSame) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{3}, page_, page_ + 1, count_}) {
    std::vector<std::byte> frame(codec_->encoded_bound(count));
    const FrameWithOpenPage coded = encode_with_open_page(*codec_, rows(0, count), frame);
    frame.resize(coded.bytes);
    EXPECT_EQ(frame, encoded(count)) << count;
    EXPECT_EQ(coded.open_vectors, count % page_);
    const std::size_t sealed = count < page_ ? 0 : encoded(count / page_ * page_).size();
    EXPECT_EQ(coded.open_bytes, count % page_ == 0 ? 0 : frame.size() - sealed) << count;
  }
}

TEST_P(PageWriting, CountsTheOpenPageExactly) {
  PageWriter writer(*codec_);
  std::size_t sealed = 0;
  for (std::size_t count = 0; count <= count_; ++count) {
    if (is_looked_at(count)) {
      const auto expected = encoded(count);
      if (count % page_ == 0) sealed = expected.size();
      ASSERT_EQ(writer.sealed_bytes(), sealed) << count;
      ASSERT_EQ(writer.open_bytes(), expected.size() - sealed) << count;
      ASSERT_EQ(writer.frame(), expected) << count;
    }
    if (count != count_) writer.append(rows(count, 1));
  }
}

// The parts of pages, one after another, are the sections of the frame.
TEST_P(PageWriting, SealedPagesAreThoseOfTheFrameAndStayAsTheyAre) {
  struct Kept {
    const CodedPages* page;
    std::vector<const std::byte*> places;
    std::vector<std::vector<std::byte>> bytes;
  };
  std::vector<Kept> kept;
  PageWriter writer(*codec_);
  for (std::size_t row = 0; row < count_; ++row) {
    writer.append(rows(row, 1));
    if (!test::kSanitized || is_looked_at(row + 1)) writer.open_bytes();
    if (writer.sealed_pages() == kept.size()) continue;
    kept.emplace_back();
    kept.back().page = &writer.page(kept.size() - 1);
    for (const CodedPages::Part& part : kept.back().page->parts) {
      kept.back().places.push_back(part.bytes.data());
      kept.back().bytes.push_back(part.bytes);
    }
  }
  ASSERT_EQ(kept.size(), 3u);
  const auto frame = encoded(3 * page_);
  const FrameView view = parse_frame(frame);
  std::vector<std::size_t> at(view.sections.size());
  for (std::size_t p = 0; p < 3; ++p) {
    const CodedPages& page = writer.page(p);
    EXPECT_EQ(&page, kept[p].page);
    EXPECT_EQ(page.first, p * page_);
    EXPECT_EQ(page.vectors, page_);
    ASSERT_EQ(page.parts.size(), view.sections.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
      const CodedPages::Part& part = page.parts[i];
      const std::string_view name = part.section;
      EXPECT_EQ(part.bytes.data(), kept[p].places[i]) << name;
      EXPECT_EQ(part.bytes, kept[p].bytes[i]) << name;
      EXPECT_EQ(name, view.sections[i].name);
      const auto section = view.sections[i].bytes;
      EXPECT_TRUE(name != "padding" || part.bytes.empty());
      if (name.ends_with("windows") && section.empty()) {
        EXPECT_EQ(std::count(part.bytes.begin(), part.bytes.end(), std::byte{0}),
                  std::ssize(part.bytes));
        continue;
      }
      ASSERT_LE(at[i] + part.bytes.size(), section.size()) << name;
      const auto place = section.subspan(at[i], part.bytes.size());
      EXPECT_TRUE(std::equal(part.bytes.begin(), part.bytes.end(), place.begin())) << name;
      at[i] += part.bytes.size();
      EXPECT_TRUE(p == 0 || !part.once || part.bytes.empty()) << name;
    }
  }
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_EQ(at[i], view.sections[i].name == "padding" ? 0 : view.sections[i].bytes.size());
  }
}

TEST_P(PageWriting, WhatCannotBeAppendedChangesNothing) {
  const std::size_t held = page_ + 3;
  PageWriter writer = writer_of(held);
  const auto expect_unchanged = [&] {
    EXPECT_EQ(writer.vectors(), held);
    EXPECT_EQ(writer.sealed_pages(), 1u);
    EXPECT_EQ(writer.frame(), encoded(held));
  };
  // Behind rows that fill two pages.
  auto bad = std::vector<float>(x_.begin() + held * kDim, x_.end());
  const std::size_t row = 2 * page_ - 1;
  const std::pair<float, std::string> values[] = {
      {std::numeric_limits<float>::quiet_NaN(), "NaN"},
      {-std::numeric_limits<float>::infinity(), "infinity"}};
  for (const auto& [value, name] : values) {
    bad[row * kDim + 5] = value;
    try {
      writer.append(dense_rows<const float>(bad.data(), count_ - held, kDim));
      ADD_FAILURE() << "appended " << name;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), "vector " + std::to_string(held + row) + ", coordinate 5: " + name +
                                  ", expected a finite number");
    }
    expect_unchanged();
  }
  try {
    writer.append(dense_rows<const float>(x_.data(), 1, kDim / 2));
    ADD_FAILURE() << "appended a vector of another dim";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), codec_->spec() + ": vectors of 32 scalars given, expected 64");
  }
  expect_unchanged();
  writer.append(rows(held, count_ - held));
  EXPECT_EQ(writer.frame(), encoded(count_));
}

TEST_P(PageWriting, PagesDecodeFromTheWriter) {
  for (const std::size_t count : {std::size_t{5}, 2 * page_, count_}) {
    PageWriter writer = writer_of(count);
    const auto whole = decode(*codec_, encoded(count), count);
    const std::size_t pages = (count + page_ - 1) / page_;
    for (std::size_t p = 0; p < pages; ++p) {
      const std::size_t first = p * page_, length = std::min(page_, count - first);
      std::vector<float> y(length * kDim);
      writer.decode_page(p, dense_rows(y.data(), length, kDim));
      EXPECT_TRUE(std::equal(y.begin(), y.end(), whole.begin() + first * kDim))
          << count << " " << p;
      EXPECT_THROW(writer.decode_page(p, dense_rows(y.data(), length - 1, kDim)), InputError);
      EXPECT_THROW(writer.decode_page(p, dense_rows(y.data(), length, kDim / 2)), InputError);
    }
    std::vector<float> y(page_ * kDim);
    EXPECT_THROW(writer.decode_page(pages, dense_rows(y.data(), page_, kDim)), InputError);
  }
}

TEST_P(PageWriting, WithoutVectors) {
  PageWriter writer(*codec_);
  EXPECT_EQ(writer.frame(), encoded(0));
  EXPECT_EQ(writer.sealed_bytes(), encoded(0).size());
  EXPECT_EQ(writer.open_bytes(), 0u);
  writer.append({nullptr, 0, kDim, kDim});
  EXPECT_EQ(writer.vectors(), 0u);
  EXPECT_THROW(writer.page(0), InputError);
  writer.append(rows(0, page_));
  EXPECT_EQ(writer.open_bytes(), 0u);
  EXPECT_EQ(writer.frame(), encoded(page_));
  EXPECT_THROW(writer.page(1), InputError);
}

INSTANTIATE_TEST_SUITE_P(Specs, PageWriting, testing::ValuesIn(paged_specs()),
                         [](const testing::TestParamInfo<std::string>& spec) {
                           std::string name = spec.param;
                           for (char& c : name) c = std::isalnum(c) != 0 ? c : '_';
                           return name;
                         });

// The vectors above reach every rule by which pages join: without that, the tests show nothing.
TEST(PageWriter, TheVectorsOfTheseTestsReachEverySection) {
  std::set<std::string> filled, filled_of_klt;
  for (const std::string& spec : paged_specs()) {
    const auto codec = make(spec, kDim);
    const std::size_t page = codec->page_vectors(), count = 3 * page;
    const auto x = vectors(count, page);
    const auto frame = encode(*codec, dense_rows(x.data(), count, kDim));
    for (const auto& [name, bytes] : frame_info(frame, profiles(spec, kDim)).sections) {
      if (bytes != 0) (spec.starts_with("klt") ? filled_of_klt : filled).insert(name);
    }
  }
  for (const std::string name : {"scales", "classes", "pages", "streams", "windows", "exact",
                                 "centre", "outliers", "owindows", "codes"}) {
    EXPECT_TRUE(filled.contains(name)) << name;
  }
  EXPECT_TRUE(filled_of_klt.contains("exact"));
}

TEST(PageWriter, TakesRowsWithGapsAndMoves) {
  const std::size_t count = 50, stride = kDim + 9;
  const auto wide = normals(stride * count, 233);
  const Rows<const float> x{wide.data(), count, kDim, stride};
  const auto codec = make_codec("ece8:bits=4,page=32", {kDim});
  PageWriter first(*codec);
  first.append(x.slice(0, 40));
  PageWriter second = std::move(first);
  second.append(x.slice(40, 10));
  EXPECT_EQ(second.frame(), encode(*codec, x));
}

TEST(PageWriter, RefusesCodecsWithoutPages) {
  for (const std::string& spec : specs_of_build()) {
    const auto codec = make(spec, kDim);
    if (codec->page_vectors() != 0) continue;
    try {
      PageWriter writer(*codec);
      ADD_FAILURE() << spec;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), codec->spec() + ": its frames have no pages that decode alone");
    }
  }
}

}  // namespace
}  // namespace kakeya
