// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/coded_pages.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/core/fields.h"

namespace kakeya {

// Pages that are stored one by one rather than in a frame: of each part its bytes u32, and these.
// What all pages need of the first one (CodedPages::Part::once) is stored before them.

/// Appends what all pages need; and the other parts of a page.
void store_head(const CodedPages& first, FieldWriter& writer);
void store_page(const CodedPages& page, FieldWriter& writer);

/// Reads them back from bytes of any origin.
class StoredPages {
 public:
  /// `codec` has pages and outlives this. `what` calls the bytes in messages. Codes a page of zeros.
  StoredPages(const Codec& codec, const char* what);

  /// Takes what store_head() wrote. Throws CorruptStream unless the lengths are those of a frame of
  /// the codec, and on what the codec cannot read.
  void read_head(FieldReader& reader);

  /// Takes what store_page() wrote of page `number`, after read_head(), and decodes it once. Throws
  /// CorruptStream, as Codec::check_frame() and Codec::read_page() do. Memory is that of the bytes
  /// taken and of one page decoded.
  CodedPages read_page(FieldReader& reader, std::size_t number);

  /// What view_of_pages() takes as the head.
  const CodedPages& head() const { return head_; }

  /// What page `number` left to those after it.
  PageHistory after(std::size_t number, const StepHistory& steps) const;

 private:
  void read_parts(FieldReader& reader, bool once, CodedPages& pages) const;
  void check(const CodedPages& page) const;

  const Codec& codec_;
  const char* what_;
  CodedPages zeros_, head_;
  PageHistory history_;
  std::vector<float> decoded_;
};

}  // namespace kakeya
