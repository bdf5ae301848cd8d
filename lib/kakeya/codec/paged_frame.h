// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/codec.h"
#include "kakeya/codec/coded_pages.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/stages.h"
#include "kakeya/core/rows.h"

namespace kakeya {

// Frames of codecs with pages. Codec::code_pages() codes some pages after those before them, and a
// frame joins the parts of its pages (coded_pages.h). encode() codes all pages in one call and
// PageWriter one page a call: both write the same bytes.

/// How large the vectors so far are, zeros left out: where a step follows from those before it.
struct StepHistory {
  std::int64_t sum = 0, seen = 0;  ///< of root mean squares in sixteenths of octaves; how many
};

/// What the pages of a frame so far decide for those after them. Codecs set what they need.
struct PageHistory {
  std::size_t vectors = 0;               ///< that the pages hold; code_next() counts them
  std::shared_ptr<const Centre> centre;  ///< the means of the first page
  /// The section "classes" of the first page, which says what those after it are coded with.
  std::shared_ptr<const std::vector<std::byte>> classes;
  StepHistory steps;
};

/// Collects the parts of pages, section after section.
class PartList {
 public:
  /// Parts of `vectors` vectors after `history`. `sections`: the names of all sections, which live
  /// as long as the codec.
  PartList(const PageHistory& history, std::size_t vectors,
           std::span<const std::string_view> sections);

  /// Fills the part in the next section with `bytes`; add_once() only in a frame's first pages.
  void add(std::span<const std::byte> bytes);
  void add(std::vector<std::byte>&& bytes);
  void add_once(std::span<const std::byte> bytes);

  /// The part in the next section, `bytes` zeros that the caller fills in.
  std::span<std::byte> reserve(std::size_t bytes);

  /// The windows of `items` items, in a section of those that are left out when all are 0.
  void add_windows(const WindowList& windows, std::size_t items);

  /// The pages. Sections that nothing was added to ("padding") have empty parts.
  CodedPages take() { return std::move(pages_); }

 private:
  CodedPages pages_;
  std::size_t next_ = 0;
};

/// How long a frame is to which pages are added in order.
class FrameLength {
 public:
  explicit FrameLength(const Codec& codec);

  void add(const CodedPages& pages);

  std::size_t vectors() const { return vectors_; }
  /// Bytes of section number `section`, padding included.
  std::size_t section_bytes(std::size_t section) const;
  /// Bytes of the frame. There is no frame before the first add(), which may be of no vectors.
  std::size_t frame_bytes() const;

 private:
  struct Section {
    std::size_t bytes = 0;
    bool left_out = false, padding = false;
  };
  std::size_t spec_bytes_, dim_, vectors_ = 0;
  std::vector<Section> sections_;
};

/// Codec::code_pages() that counts the vectors in `history`.
CodedPages code_next(const Codec& codec, Rows<const float> x, PageHistory& history);

/// Writes the frame of `pages`, all pages from vector 0 on, and returns its length in bytes. `out`
/// holds it.
std::size_t write_frame(const Codec& codec, std::span<const CodedPages* const> pages,
                        std::span<std::byte> out);

/// The sections of `pages` of a frame whose first page is in `head`: a view for Codec::read_page(),
/// which counts pages from the first of these. It points into both.
FrameView view_of_pages(const Codec& codec, const CodedPages& head, const CodedPages& pages);

/// Codec::encode() of codecs with pages.
std::size_t encode_pages(const Codec& codec, Rows<const float> x, std::span<std::byte> out);

/// A frame, and what of it is of the vectors that do not fill a page.
struct FrameWithOpenPage {
  std::size_t bytes = 0;         ///< of the frame
  std::size_t open_vectors = 0;  ///< below Codec::page_vectors(); 0 of codecs without pages
  std::size_t open_bytes = 0;    ///< as PageWriter::open_bytes(); of an only page the whole frame
};

/// Codec::encode(), byte for byte and as fast, that says what its open page took. Throws as that
/// does.
FrameWithOpenPage encode_with_open_page(const Codec& codec, Rows<const float> x,
                                        std::span<std::byte> out);

}  // namespace kakeya
