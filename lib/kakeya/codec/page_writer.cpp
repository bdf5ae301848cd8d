// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/page_writer.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"

namespace kakeya {

struct PageWriter::State {
  explicit State(const Codec& of) : codec(&of), page(of.page_vectors()), length(of) {}

  Rows<const float> open_rows() const {
    return dense_rows(open.data(), open.size() / codec->dim(), codec->dim());
  }

  // The open page as it would be the frame's last one; of a frame without vectors, its parts.
  const CodedPages& coded_open() {
    if (!coded) {
      PageHistory unused = history;
      coded = code_next(*codec, open_rows(), unused);
    }
    return *coded;
  }

  // The open page, all rows of which are in `rows`. Where it throws, nothing has changed.
  void seal(Rows<const float> rows) {
    PageHistory next = history;
    CodedPages pages = code_next(*codec, rows, next);
    for (CodedPages::Part& part : pages.parts) part.bytes.shrink_to_fit();
    FrameLength longer = length;
    longer.add(pages);
    sealed.push_back(std::move(pages));
    history = std::move(next);
    length = std::move(longer);
    open.clear();
  }

  // Rows that the open page has room for. Where it throws (there is no memory), nothing has changed.
  void append(Rows<const float> rows) {
    coded.reset();
    if (rows.count == page) return seal(rows);
    const std::size_t held = open.size();
    try {
      for (std::size_t row = 0; row < rows.count; ++row) {
        open.insert(open.end(), rows[row].begin(), rows[row].end());
      }
      if (open_rows().count == page) seal(open_rows());
    } catch (...) {
      open.resize(held);
      throw;
    }
  }

  const Codec* codec;
  std::size_t page;
  PageHistory history;            // of the sealed pages
  std::deque<CodedPages> sealed;  // which, unlike a vector, moves none of them
  FrameLength length;             // of the sealed pages
  std::size_t empty_frame_bytes = 0;
  std::vector<float> open;  // [open vectors, dim]
  std::optional<CodedPages> coded;
};

PageWriter::PageWriter(const Codec& codec) : state_(std::make_unique<State>(codec)) {
  FrameLength empty(codec);
  empty.add(state_->coded_open());  // throws where the codec has no pages
  state_->empty_frame_bytes = empty.frame_bytes();
}

PageWriter::~PageWriter() = default;
PageWriter::PageWriter(PageWriter&&) noexcept = default;
PageWriter& PageWriter::operator=(PageWriter&&) noexcept = default;

void PageWriter::append(Rows<const float> rows) {
  State& state = *state_;
  const std::size_t dim = state.codec->dim();
  if (rows.dim != dim) {
    throw InputError(state.codec->spec() + ": vectors of " + std::to_string(rows.dim) +
                     " scalars given, expected " + std::to_string(dim));
  }
  for (std::size_t row = 0; row < rows.count; ++row) finite_maximum(rows[row], vectors() + row);
  for (std::size_t row = 0; row < rows.count;) {
    const std::size_t part = std::min(rows.count - row, state.page - open_vectors());
    state.append(rows.slice(row, part));
    row += part;
  }
}

std::size_t PageWriter::sealed_pages() const { return state_->sealed.size(); }

std::size_t PageWriter::sealed_vectors() const { return state_->length.vectors(); }

std::size_t PageWriter::open_vectors() const { return state_->open_rows().count; }

const CodedPages& PageWriter::page(std::size_t page) const {
  if (page >= sealed_pages()) {
    throw InputError(state_->codec->spec() + ": page " + std::to_string(page) +
                     " asked for, expected one below the " + std::to_string(sealed_pages()) +
                     " that are sealed");
  }
  return state_->sealed[page];
}

std::size_t PageWriter::sealed_bytes() const {
  return sealed_pages() == 0 ? state_->empty_frame_bytes : state_->length.frame_bytes();
}

std::size_t PageWriter::open_bytes() {
  if (open_vectors() == 0) return 0;
  FrameLength all = state_->length;
  all.add(state_->coded_open());
  return all.frame_bytes() - sealed_bytes();
}

void PageWriter::decode_page(std::size_t page, Rows<float> out) {
  require_page(*state_->codec, vectors(), page, out);
  const CodedPages& pages = page < sealed_pages() ? state_->sealed[page] : state_->coded_open();
  const CodedPages& head = sealed_pages() == 0 ? pages : state_->sealed.front();
  state_->codec->read_page(view_of_pages(*state_->codec, head, pages), 0, out);
}

std::vector<std::byte> PageWriter::frame() {
  std::vector<const CodedPages*> pages;
  for (const CodedPages& page : state_->sealed) pages.push_back(&page);
  if (open_vectors() != 0 || pages.empty()) pages.push_back(&state_->coded_open());
  std::vector<std::byte> frame(sealed_bytes() + open_bytes());
  write_frame(*state_->codec, pages, frame);
  return frame;
}

}  // namespace kakeya
