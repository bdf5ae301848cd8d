// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/paged_frame.h"

#include <algorithm>
#include <string>

#include "kakeya/codec/vectors.h"
#include "kakeya/core/bf16_rows.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// Sections of which a frame has nothing while all of their bytes are 0.
bool is_windows(std::string_view section) { return section == "windows" || section == "owindows"; }

[[noreturn]] void no_pages(const Codec& codec) {
  throw InputError(codec.spec() + ": its frames have no pages that decode alone");
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](std::byte value) { return value == std::byte{0}; });
}

}  // namespace

void Codec::decode_page(std::span<const std::byte> in, std::size_t page, Rows<float> out) const {
  if (page_vectors() == 0) no_pages(*this);
  const FrameView view = open_frame(*this, in);
  require_page(*this, view.count, page, out);
  read_page(view, page, out);
}

CodedPages Codec::code_pages(Rows<const float>, PageHistory&) const { no_pages(*this); }

void Codec::read_page(const FrameView&, std::size_t, Rows<float>) const { no_pages(*this); }

void Codec::recall(std::span<const std::byte> frame, Rows<float> out) const {
  decode(frame, out);
  round_rows_to_bf16(out);
}

void Codec::recall_page(const FrameView& view, std::size_t page, Rows<float> out) const {
  read_page(view, page, out);
  round_rows_to_bf16(out);
}

PageHistory Codec::history_of(const FrameView&) const { return {}; }

PartList::PartList(const PageHistory& history, std::size_t vectors,
                   std::span<const std::string_view> sections) {
  pages_.first = history.vectors;
  pages_.vectors = vectors;
  for (const std::string_view section : sections) pages_.parts.push_back({section, false, {}});
}

void PartList::add(std::span<const std::byte> bytes) {
  pages_.parts[next_++].bytes.assign(bytes.begin(), bytes.end());
}

void PartList::add(std::vector<std::byte>&& bytes) {
  pages_.parts[next_++].bytes = std::move(bytes);
}

void PartList::add_once(std::span<const std::byte> bytes) {
  pages_.parts[next_].once = true;
  add(pages_.first == 0 ? bytes : std::span<const std::byte>{});
}

std::span<std::byte> PartList::reserve(std::size_t bytes) {
  auto& part = pages_.parts[next_++].bytes;
  part.resize(bytes);
  return part;
}

void PartList::add_windows(const WindowList& windows, std::size_t items) {
  windows.copy_to(reserve(items));
}

FrameLength::FrameLength(const Codec& codec)
    : spec_bytes_(codec.spec().size()), dim_(codec.dim()) {}

void FrameLength::add(const CodedPages& pages) {
  if (sections_.empty()) {
    for (const CodedPages::Part& part : pages.parts) {
      sections_.push_back({0, is_windows(part.section), part.section == "padding"});
    }
  }
  vectors_ += pages.vectors;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    sections_[i].bytes += pages.parts[i].bytes.size();
    sections_[i].left_out = sections_[i].left_out && all_zero(pages.parts[i].bytes);
  }
}

std::size_t FrameLength::section_bytes(std::size_t section) const {
  if (sections_[section].left_out) return 0;
  if (!sections_[section].padding) return sections_[section].bytes;
  std::size_t others = 0;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (i != section) others += section_bytes(i);
  }
  return padding_bytes(vectors_, dim_, others);
}

std::size_t FrameLength::frame_bytes() const {
  std::size_t bytes = frame_overhead(spec_bytes_, sections_.size());
  for (std::size_t i = 0; i < sections_.size(); ++i) bytes += section_bytes(i);
  return bytes;
}

CodedPages code_next(const Codec& codec, Rows<const float> x, PageHistory& history) {
  CodedPages pages = codec.code_pages(x, history);
  history.vectors += x.count;
  return pages;
}

std::size_t write_frame(const Codec& codec, std::span<const CodedPages* const> pages,
                        std::span<std::byte> out) {
  FrameLength length(codec);
  for (const CodedPages* each : pages) length.add(*each);
  std::vector<std::string_view> sections;
  for (const CodedPages::Part& part : pages.front()->parts) sections.push_back(part.section);
  FrameWriter writer(out, codec.spec(), codec.dim(), length.vectors(), sections);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto section = writer.section(length.section_bytes(i));
    auto at = section.begin();
    for (const CodedPages* each : pages) {
      const auto& bytes = each->parts[i].bytes;
      if (!section.empty()) at = std::copy(bytes.begin(), bytes.end(), at);
    }
  }
  return writer.finish();
}

FrameView view_of_pages(const Codec& codec, const CodedPages& head, const CodedPages& pages) {
  FrameView view;
  view.version = kFrameVersion;
  view.spec = codec.spec();
  view.dim = codec.dim();
  view.count = pages.vectors;
  view.first = pages.first;
  view.sections.reserve(pages.parts.size());
  for (std::size_t i = 0; i < pages.parts.size(); ++i) {
    const CodedPages::Part& part = (pages.parts[i].once ? head : pages).parts[i];
    view.sections.push_back({std::string(part.section), part.bytes});
  }
  return view;
}

std::size_t encode_pages(const Codec& codec, Rows<const float> x, std::span<std::byte> out) {
  require_encodable(codec, x, out);
  PageHistory history;
  const CodedPages pages = code_next(codec, x, history);
  const CodedPages* all[] = {&pages};
  return write_frame(codec, all, out);
}

FrameWithOpenPage encode_with_open_page(const Codec& codec, Rows<const float> x,
                                        std::span<std::byte> out) {
  const std::size_t page = codec.page_vectors(), open = page == 0 ? 0 : x.count % page;
  if (open == 0 || open == x.count) {
    const std::size_t bytes = codec.encode(x, out);
    return {bytes, open, open == 0 ? 0 : bytes};
  }
  require_encodable(codec, x, out);
  // Codecs name a vector by its place in what they are given: here, as in PageWriter, by its own.
  for (std::size_t row = 0; row < x.count; ++row) finite_maximum(x[row], row);
  PageHistory history;
  const std::size_t full = x.count - open;
  const CodedPages sealed = code_next(codec, x.slice(0, full), history),
                   last = code_next(codec, x.slice(full, open), history);
  FrameLength length(codec);
  length.add(sealed);
  const CodedPages* all[] = {&sealed, &last};
  const std::size_t bytes = write_frame(codec, all, out);
  return {bytes, open, bytes - length.frame_bytes()};
}

}  // namespace kakeya
