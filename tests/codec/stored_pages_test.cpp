// SPDX-License-Identifier: Apache-2.0
// Pages apart from their frame: back as they were, and refused with any part of another length.
#include "kakeya/codec/stored_pages.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr std::size_t kDim = 32, kPages = 3;
constexpr const char* kSpecs[] = {
    "ece8:bits=3,page=64,center=mean",
    "ecz:bits=3,page=64,classes=channel,outliers=2",
    "ecd4:bits=3,page=64,per=head-page",
    "e8:q=10,pack=rans,page=64",
    "tq:b=4,pack=rans,page=64,center=mean,outliers=1,scales=log8",
    "kivi:b=2,group=32",
};

class StoredPage : public ::testing::TestWithParam<const char*> {
 protected:
  StoredPage()
      : codec_(make_codec(GetParam(), {.dim = kDim, .site = KvSite{0, Part::key, 0}})),
        x_(kPages * codec_->page_vectors() * kDim) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] = static_cast<float>(Random(4).normal(i) * (1 + static_cast<double>(i % 5)));
    }
    PageHistory history;
    for (std::size_t number = 0; number < kPages; ++number) {
      pages_.push_back(code_next(*codec_, rows(number), history));
      after_.push_back(history);
    }
  }
  Rows<const float> rows(std::size_t number) const {
    return dense_rows(x_.data(), kPages * codec_->page_vectors(), kDim)
        .slice(number * codec_->page_vectors(), codec_->page_vectors());
  }
  static void expect_equal(const CodedPages& a, const CodedPages& b) {
    EXPECT_EQ(a.first, b.first);
    EXPECT_EQ(a.vectors, b.vectors);
    ASSERT_EQ(a.parts.size(), b.parts.size());
    for (std::size_t i = 0; i < a.parts.size(); ++i) {
      EXPECT_EQ(a.parts[i].section, b.parts[i].section);
      EXPECT_EQ(a.parts[i].once, b.parts[i].once);
      EXPECT_EQ(a.parts[i].bytes, b.parts[i].bytes) << a.parts[i].section;
    }
  }
  // Reads a head and, with a number, one page after it.
  void read(const CodedPages& head, const CodedPages* page, std::size_t number) const {
    FieldWriter writer("pages");
    store_head(head, writer);
    if (page != nullptr) store_page(*page, writer);
    FieldReader reader(writer.bytes(), "pages");
    StoredPages stored(*codec_, "pages");
    stored.read_head(reader);
    if (page != nullptr) expect_equal(stored.read_page(reader, number), *page);
    EXPECT_EQ(reader.left(), 0u);
  }

  std::unique_ptr<Codec> codec_;
  std::vector<float> x_;
  std::vector<CodedPages> pages_;
  std::vector<PageHistory> after_;
};

TEST_P(StoredPage, ComesBackAndIsGoneOnFrom) {
  FieldWriter writer("pages");
  store_head(pages_[0], writer);
  for (const CodedPages& page : pages_) store_page(page, writer);
  FieldReader reader(writer.bytes(), "pages");
  StoredPages stored(*codec_, "pages");
  stored.read_head(reader);
  for (std::size_t number = 0; number < kPages; ++number) {
    expect_equal(stored.read_page(reader, number), pages_[number]);
    PageHistory history = stored.after(number, after_[number].steps);
    EXPECT_EQ(history.vectors, after_[number].vectors);
    if (number + 1 < kPages) {
      expect_equal(code_next(*codec_, rows(number + 1), history), pages_[number + 1]);
    }
  }
  EXPECT_EQ(reader.left(), 0u);
}

TEST_P(StoredPage, OfOtherLengthsIsRefused) {
  for (std::size_t number = 0; number < kPages; ++number) {
    for (std::size_t i = 0; i < pages_[number].parts.size(); ++i) {
      const CodedPages::Part& part = pages_[number].parts[i];
      for (const bool longer : {false, true}) {
        if ((part.once && number != 0) || (!longer && part.bytes.empty())) continue;
        CodedPages other = pages_[number];
        other.parts[i].bytes.resize(part.bytes.size() + (longer ? 1 : 0) - (longer ? 0 : 1));
        const CodedPages& head = number == 0 ? other : pages_[0];
        EXPECT_THROW(read(head, part.once ? nullptr : &other, number), CorruptStream)
            << part.section << " of page " << number << (longer ? ", longer" : ", shorter");
      }
    }
  }
}

// The first page of per=head-page has more scales than others.
TEST_P(StoredPage, IsReadByItsNumber) {
  read(pages_[0], &pages_[1], 1);
  if (std::string(GetParam()).find("head-page") == std::string::npos) return;
  EXPECT_THROW(read(pages_[0], &pages_[0], 1), CorruptStream);
  EXPECT_THROW(read(pages_[0], &pages_[1], 0), CorruptStream);
}

INSTANTIATE_TEST_SUITE_P(Codecs, StoredPage, ::testing::ValuesIn(kSpecs));

}  // namespace
}  // namespace kakeya
