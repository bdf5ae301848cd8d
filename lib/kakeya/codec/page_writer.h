// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/coded_pages.h"
#include "kakeya/core/rows.h"

namespace kakeya {

/// Writes a frame whose vectors arrive a few at a time, as the tokens of a growing cache do. Rows
/// collect in an open page. A page seals when it has Codec::page_vectors() rows: it is coded, its
/// rows are forgotten, and its bytes never change again.
///
///     PageWriter writer(*codec);
///     while (...) writer.append(rows);              // a token, or a prompt
///     writer.page(writer.sealed_pages() - 1);       // the bytes of the last sealed page
///     writer.sealed_bytes() + writer.open_bytes();  // what the frame would take now
///     writer.frame();                               // the bytes of encode() of all rows
///
/// The writer holds the raw rows of the open page, the open page as it was last coded, and the
/// bytes of the sealed ones. Not thread-safe.
class PageWriter {
 public:
  /// A frame without vectors. `codec` must live as long as the writer. Throws InputError naming the
  /// codec when its page_vectors() is 0: its frames do not consist of pages that decode alone.
  explicit PageWriter(const Codec& codec);
  ~PageWriter();
  PageWriter(PageWriter&&) noexcept;
  PageWriter& operator=(PageWriter&&) noexcept;

  /// Appends any number of rows of the codec's dim, and seals the pages that they fill. A row costs
  /// a copy, the row that fills a page costs encode() of the page. Throws InputError on another dim
  /// and on NaN or infinity, naming the vector by its number in the frame and the coordinate; then
  /// the writer is as it was.
  void append(Rows<const float> rows);

  std::size_t vectors() const { return sealed_vectors() + open_vectors(); }
  std::size_t sealed_pages() const;
  std::size_t sealed_vectors() const;  ///< sealed_pages() times Codec::page_vectors()
  std::size_t open_vectors() const;    ///< below Codec::page_vectors()

  /// A sealed page, which stays as and where it is while the writer lives. Throws InputError when
  /// there is no such page.
  const CodedPages& page(std::size_t page) const;

  /// Bytes of encode() for the vectors of the sealed pages.
  std::size_t sealed_bytes() const;

  /// Bytes that encode() of all vectors takes more than sealed_bytes(). Codes the open page, where
  /// rows came since it last was: encode() of open_vectors() rows.
  std::size_t open_bytes();

  /// What decode_page() of frame() gives for page `page`, the sealed ones and then the open one, as
  /// long as it has rows: `out` has dim() scalars and page_vectors() or open_vectors() rows.
  /// Decodes this page alone, whatever there is beside it; of the open page it costs open_bytes()
  /// first. Throws InputError on another page or shape.
  void decode_page(std::size_t page, Rows<float> out);

  /// The frame of all vectors, byte for byte that of encode(). Appending can go on. Costs
  /// open_bytes(), a copy of all bytes and their checksum.
  std::vector<std::byte> frame();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kakeya
