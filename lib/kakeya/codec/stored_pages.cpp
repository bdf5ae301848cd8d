// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/stored_pages.h"

#include <string>
#include <utility>

#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

void store_parts(const CodedPages& pages, bool once, FieldWriter& writer) {
  for (const CodedPages::Part& part : pages.parts) {
    if (part.once != once) continue;
    writer.put_count(static_cast<std::int64_t>(part.bytes.size()), "bytes of a page");
    writer.append(part.bytes);
  }
}

CodedPages page_of_zeros(const Codec& codec) {
  const std::vector<float> zeros(codec.page_vectors() * codec.dim());
  PageHistory history;
  return code_next(codec, dense_rows(zeros.data(), codec.page_vectors(), codec.dim()), history);
}

}  // namespace

void store_head(const CodedPages& first, FieldWriter& writer) { store_parts(first, true, writer); }

void store_page(const CodedPages& page, FieldWriter& writer) { store_parts(page, false, writer); }

StoredPages::StoredPages(const Codec& codec, const char* what)
    : codec_(codec),
      what_(what),
      zeros_(page_of_zeros(codec)),
      head_(zeros_),
      decoded_(codec.page_vectors() * codec.dim()) {
  for (CodedPages::Part& part : head_.parts) part.bytes = std::vector<std::byte>();
}

void StoredPages::read_parts(FieldReader& reader, bool once, CodedPages& pages) const {
  for (CodedPages::Part& part : pages.parts) {
    if (part.once != once) continue;
    const auto bytes = reader.take(reader.get<std::uint32_t>());
    part.bytes.assign(bytes.begin(), bytes.end());
    if (part.section == "padding" && !bytes.empty()) {
      throw CorruptStream(std::string(what_) + ": a page of " + codec_.spec() + " with padding");
    }
  }
}

// As the frame of this page alone or, of a later one, of a page of zeros and this one: the lengths
// that the first page of a frame has are those of no other.
void StoredPages::check(const CodedPages& page) const {
  const bool later = page.first != 0;
  FrameInfo info;
  info.spec = codec_.spec();
  info.dim = codec_.dim();
  info.count = (later ? 2 : 1) * page.vectors;
  info.format_version = kFrameVersion;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < page.parts.size(); ++i) {
    const bool once = page.parts[i].once;
    std::size_t length = (once ? head_ : page).parts[i].bytes.size();
    if (later && !once) length += zeros_.parts[i].bytes.size();
    info.sections.emplace_back(page.parts[i].section, length);
    bytes += length;
  }
  for (auto& [name, length] : info.sections) {  // which pages leave to the frame
    if (name == "padding") length = padding_bytes(info.count, info.dim, bytes);
  }
  codec_.check_frame(info);
}

void StoredPages::read_head(FieldReader& reader) {
  read_parts(reader, true, head_);
  CodedPages first = zeros_;
  for (std::size_t i = 0; i < first.parts.size(); ++i) {
    if (first.parts[i].once) first.parts[i].bytes = head_.parts[i].bytes;
  }
  check(first);
  history_ = codec_.history_of(view_of_pages(codec_, head_, first));
}

CodedPages StoredPages::read_page(FieldReader& reader, std::size_t number) {
  CodedPages page = head_;
  page.vectors = codec_.page_vectors();
  page.first = number * page.vectors;
  for (CodedPages::Part& part : page.parts) {
    if (part.once && number != 0) part.bytes = std::vector<std::byte>();
  }
  read_parts(reader, false, page);
  check(page);
  codec_.read_page(view_of_pages(codec_, head_, page), 0,
                   dense_rows(decoded_.data(), page.vectors, codec_.dim()));
  return page;
}

PageHistory StoredPages::after(std::size_t number, const StepHistory& steps) const {
  PageHistory history = history_;
  history.vectors = (number + 1) * codec_.page_vectors();
  history.steps = steps;
  return history;
}

}  // namespace kakeya
