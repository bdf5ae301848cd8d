// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/paged_points.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "codecs/vectors_for_test.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/core/error.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kDim = 64;

const std::string kPaged[] = {
    "ece8:bits=4,page=64",
    "ece8:bits=4,per=head-page,page=64",
    "ecd4:bits=3,classes=channel,center=mean,outliers=1,page=64",
    "e8:q=10,pack=rans,page=64",
    "e8:q=38,pack=rans,classes=channel,scales=one,rotate=none,page=64",
    "d4:q=10,pack=rans,scales=log8,rotate=signed,center=mean,outliers=2,page=64",
    "tq:b=3,pack=rans,page=64"};

// `frame` with another section "padding", sealed.
std::vector<std::byte> with_padding(std::span<const std::byte> frame,
                                    std::span<const std::byte> padding) {
  const FrameView view = parse_frame(frame);
  std::vector<std::string_view> names;
  for (const FrameSection& section : view.sections) names.push_back(section.name);
  std::vector<std::byte> forged(frame.size() + padding.size());
  FrameWriter writer(forged, view.spec, view.dim, view.count, names);
  for (const FrameSection& section : view.sections) {
    write_section(writer, section.name == "padding" ? padding : section.bytes);
  }
  forged.resize(writer.finish());
  return forged;
}

TEST(PagedPoints, PagesDecodeAlone) {
  const std::size_t count = 150, page = 64;
  auto x = normals(kDim * count, 84);
  for (const std::size_t row : {5u, 70u, 149u}) {  // windows, and vectors kept exactly
    for (std::size_t i = 0; i < kDim; ++i) x[row * kDim + i] *= 1e9f;
  }
  for (const std::string& spec : kPaged) {
    const auto codec = make_codec(spec, {kDim});
    const auto frame = encode(*codec, dense_rows(x.data(), count, kDim));
    const auto whole = decode(*codec, frame, count);
    EXPECT_EQ(codec->page_vectors(), page) << spec;
    for (std::size_t p = 0; p < 3; ++p) {
      const std::size_t rows = std::min(page, count - p * page);
      std::vector<float> y(rows * kDim);
      ASSERT_NO_THROW(codec->decode_page(frame, p, dense_rows(y.data(), rows, kDim))) << spec;
      EXPECT_TRUE(std::equal(y.begin(), y.end(),
                             whole.begin() + static_cast<std::ptrdiff_t>(p * page * kDim)))
          << spec << " " << p;
    }
    std::vector<float> y(page * kDim);
    EXPECT_THROW(codec->decode_page(frame, 3, dense_rows(y.data(), page, kDim)), InputError);
    EXPECT_THROW(codec->decode_page(frame, 2, dense_rows(y.data(), page, kDim)), InputError);
    EXPECT_THROW(codec->decode_page(frame, 0, dense_rows(y.data(), page, kDim / 2)), InputError);
    auto damaged = frame;
    damaged[damaged.size() / 2] ^= std::byte{1};
    EXPECT_THROW(codec->decode_page(damaged, 0, dense_rows(y.data(), page, kDim)), CorruptStream);
  }
}

TEST(PagedPoints, CodecsHavePagesWhereTheirFramesDo) {
  const auto x = normals(kDim * 3, 85);
  for (const std::string& spec : specs_of_build()) {
    const auto codec = make(spec, kDim);
    const auto frame = encode(*codec, dense_rows(x.data(), 3, kDim));
    const FrameInfo info = frame_info(frame, profiles(spec, kDim));
    const bool learns = spec.find("adapt=") != std::string::npos ||  // from the pages before
                        spec.find("profile=none") != std::string::npos;
    const bool paged =
        (!learns && std::any_of(info.sections.begin(), info.sections.end(),
                                [](const auto& section) {
                                  return section.first == "pages" || section.first == "pool";
                                })) ||
        spec.starts_with("kivi");  // whose groups all have the same length
    EXPECT_EQ(codec->page_vectors() != 0, paged) << spec;
    std::vector<float> y(x.size());
    const auto room = dense_rows(y.data(), 3, kDim);
    if (paged) {
      ASSERT_NO_THROW(codec->decode_page(frame, 0, room)) << spec;
      EXPECT_EQ(y, decode(*codec, frame, 3)) << spec;
    } else {
      EXPECT_THROW(codec->decode_page(frame, 0, room), InputError) << spec;
    }
  }
}

// The format leaves no room for other bytes: padding is as long as it must be, and zeros.
TEST(PagedPoints, OtherPaddingIsRefused) {
  const std::size_t dim = 1024, count = 64;
  const auto x = normals(dim * count, 86);
  const std::vector<float> zeros(dim * count, 0.0f);
  for (const std::string spec :
       {"ece8:bits=4", "ece8:bits=4,per=head-page", "e8:q=10,pack=rans", "tq:b=3,pack=rans"}) {
    const auto codec = make_codec(spec, {dim});
    std::vector<float> out(dim * count);
    const auto room = dense_rows(out.data(), count, dim);
    const auto refused = [&](const std::vector<std::byte>& forged) {
      EXPECT_THROW(codec->decode(forged, room), CorruptStream) << spec;
      EXPECT_THROW(codec->decode_page(forged, 0, room), CorruptStream) << spec;
    };

    const auto full = encode(*codec, dense_rows(x.data(), count, dim));
    ASSERT_EQ(section_of(parse_frame(full), "padding").size(), 0u) << spec;
    const std::byte one[] = {std::byte{0}};
    refused(with_padding(full, one));
    EXPECT_THROW(frame_info(with_padding(full, one)), CorruptStream) << spec;

    const auto padded = encode(*codec, dense_rows(zeros.data(), count, dim));
    const auto due = section_of(parse_frame(padded), "padding");
    ASSERT_GT(due.size(), 100u) << spec;
    std::vector<std::byte> padding(due.begin(), due.end());
    EXPECT_EQ(with_padding(padded, padding), padded) << spec;
    for (const std::size_t place : {std::size_t{0}, padding.size() / 2, padding.size() - 1}) {
      padding[place] = std::byte{0x80};
      refused(with_padding(padded, padding));
      padding[place] = std::byte{0};
    }
    padding.push_back(std::byte{0});
    refused(with_padding(padded, padding));
    padding.resize(padding.size() - 2);
    refused(with_padding(padded, padding));
  }
}

// The dearest points there are: every coordinate escaped from the widest class.
TEST(PagedPoints, TheBoundHoldsForEscapesWithRawBits) {
  const std::size_t dim = 16, vectors = 2048, page = 1024;
  for (const Lattice lattice : {Lattice::z, Lattice::d4, Lattice::e8}) {
    const auto model = std::make_shared<const PointModel>(
        lattice, std::vector<CoordinateShape>{{16384.0, 0.0, 0.0}});
    const PagedFormat format{model, lattice, dim, page, false};
    TileBuffer tile(dim);
    std::fill_n(tile.data(), dim * kTileRows, 0x1p20f);
    PagedWriter writer(format, vectors);
    for (std::size_t first = 0; first < vectors; first += kTileRows) {
      writer.add(tile.data(), first);
    }
    EXPECT_LE(writer.classes().size() + writer.pages().size() + writer.streams().size(),
              format.bound(vectors));
  }
}

}  // namespace
}  // namespace kakeya
