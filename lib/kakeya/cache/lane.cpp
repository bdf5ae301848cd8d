// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/lane.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kakeya/cache/lane_page.h"
#include "kakeya/cache/packed_cache.h"
#include "kakeya/core/clones.h"
#include "kakeya/core/half.h"
#include "kakeya/core/worker_pool.h"

namespace kakeya {
namespace {

// What malloc takes for `bytes`: 8 more, in sixteens, 32 at least.
std::uint64_t allocation(std::size_t bytes) {
  return bytes == 0 ? 0 : std::max<std::uint64_t>(32, (bytes + 8 + 15) / 16 * 16);
}

template <typename T>
std::uint64_t allocation_of(const std::vector<T>& values) {
  return allocation(values.capacity() * sizeof(T));
}

// Of std::make_shared(), which puts its counts in front.
template <typename T>
std::uint64_t shared_allocation() {
  return allocation(sizeof(T) + 2 * sizeof(void*));
}

void append_bf16(Rows<const float> rows, std::vector<std::uint16_t>& to) {
  for (std::size_t row = 0; row < rows.count; ++row) {
    std::transform(rows[row].begin(), rows[row].end(), std::back_inserter(to),
                   float_to_finite_bfloat16);
  }
}

// Rows of bf16, `stride` apart.
KAKEYA_CLONES void widen(const std::uint16_t* from, std::size_t stride, Rows<float> to) {
  for (std::size_t row = 0; row < to.count; ++row, from += stride) {
    std::transform(from, from + to.dim, to[row].begin(), bfloat16_to_float);
  }
}

// Room for more, a sixteenth ahead: doubling would leave half of a cache empty.
template <typename T>
void reserve_more(std::vector<T>& values, std::size_t more) {
  if (values.size() + more <= values.capacity()) return;
  values.reserve(values.size() + std::max(more, values.size() / 16));
}

}  // namespace

std::uint64_t Lane::allocated(const Page& page, std::set<const void*>& counted) {
  std::uint64_t bytes = shared_allocation<Page>() + allocation_of(page.coded) +
                        allocation_of(page.frames) + allocation_of(page.after);
  for (const CodedPages& pages : page.coded) {
    bytes += allocation_of(pages.parts);
    for (const CodedPages::Part& part : pages.parts) bytes += allocation_of(part.bytes);
  }
  for (const auto& frame : page.frames) bytes += allocation_of(frame);
  for (const PageHistory& after : page.after) {
    if (after.centre && counted.insert(after.centre.get()).second) {
      const Centre& centre = *after.centre;
      bytes += shared_allocation<Centre>() + allocation_of(centre.halves) +
               allocation_of(centre.mean) + allocation_of(centre.negative);
    }
    if (after.classes && counted.insert(after.classes.get()).second) {
      bytes += shared_allocation<std::vector<std::byte>>() + allocation_of(*after.classes);
    }
  }
  return bytes;
}

// One for all lanes.
const std::shared_ptr<const Lane::Page>& Lane::hollow_page() {
  static const auto page = std::make_shared<const Page>();
  return page;
}

std::size_t Lane::tokens(const LaneCode& code) const {
  return tail_begin(code) + tail_tokens(code);
}

// Codes the first page of the open end.
void Lane::seal(const LaneCode& code) {
  const std::size_t block = code.block_width();
  auto page = std::make_shared<Page>();
  const std::size_t blocks = code.blocks.size();
  const bool frames = code.blocks.front()->page_vectors() == 0;
  page->frames.resize(frames ? blocks : 0);
  page->coded.resize(frames ? 0 : blocks);
  page->after.resize(frames ? 0 : blocks);
  const auto seal_block = [&](std::size_t b) {
    const Codec& codec = *code.blocks[b];
    std::vector<float> x(code.page * block);
    for (std::size_t token = 0; token < code.page; ++token) {
      const std::uint16_t* const from = &tail_[token * code.width + b * block];
      std::transform(from, from + block, &x[token * block], bfloat16_to_float);
    }
    const auto rows = dense_rows<const float>(x.data(), code.page, block);
    if (frames) {
      std::vector<std::byte> frame(codec.encoded_bound(code.page));
      frame.resize(codec.encode(rows, frame));
      frame.shrink_to_fit();
      page->frames[b] = std::move(frame);
      return;
    }
    PageHistory history = pages_.empty() ? PageHistory() : pages_.back()->after[b];
    CodedPages coded = code_next(codec, rows, history);
    for (CodedPages::Part& part : coded.parts) part.bytes.shrink_to_fit();
    coded.parts.shrink_to_fit();
    page->coded[b] = std::move(coded);
    page->after[b] = std::move(history);
  };
  if (code.workers != nullptr) {
    code.workers->run(blocks, seal_block);
  } else {
    for (std::size_t b = 0; b < blocks; ++b) seal_block(b);
  }
  std::shared_ptr<const Page> head = head_;
  if (pages_.empty() && !page->coded.empty()) {
    auto first = std::make_shared<Page>();
    first->coded = page->coded;
    for (CodedPages& pages : first->coded) {
      for (CodedPages::Part& part : pages.parts) {
        if (!part.once) part.bytes = std::vector<std::byte>();
      }
    }
    head = std::move(first);
  }
  pages_.push_back(std::move(page));
  head_ = std::move(head);
  tail_.erase(tail_.begin(), tail_.begin() + static_cast<std::ptrdiff_t>(code.page * code.width));
}

void Lane::fill(const LaneCode& code, Rows<const float> rows) {
  std::size_t row = 0;
  if (tokens(code) < code.sinks) {
    row = std::min(rows.count, code.sinks - tokens(code));
    sinks_.reserve(code.sinks * code.width);
    append_bf16(rows.slice(0, row), sinks_);
    sinks_held_ += row;
  }
  while (row < rows.count) {
    const std::size_t room = code.blocks.empty()
                                 ? rows.count - row
                                 : code.residual_window + code.page - tail_tokens(code);
    const std::size_t part = std::min(rows.count - row, room);
    reserve_more(tail_, part * code.width);
    append_bf16(rows.slice(row, part), tail_);
    row += part;
    if (!code.blocks.empty() && tail_tokens(code) == code.residual_window + code.page) seal(code);
  }
}

void Lane::drop_unseen(const LaneCode& code) {
  const std::size_t wanted = code.unseen(tokens(code));  // the first, by the next query
  if (wanted == 0) return;
  if (code.blocks.empty()) {
    const std::size_t unseen = wanted - tail_begin(code);
    if (unseen < code.sliding / 4 + 1) return;  // not a copy a token
    tail_.erase(tail_.begin(), tail_.begin() + static_cast<std::ptrdiff_t>(unseen * code.width));
    tail_dropped_ += unseen;
    first_ = wanted;
    return;
  }
  if (wanted >= sinks_held_) {
    sinks_ = std::vector<std::uint16_t>();  // = {} would keep its memory
    first_ = std::max(first_, sinks_held_);
  }
  if (wanted > sinks_held_) drop_pages(code, (wanted - sinks_held_) / code.page);
}

// All pages before `end`, or of those that are there. Only what the last of them left to others can
// be asked for: nothing is cut before it.
void Lane::drop_pages(const LaneCode& code, std::size_t end) {
  end = std::min(end, pages_.size());
  const std::size_t before = dropped_pages(code), first = before == 0 ? 0 : before - 1;
  if (end <= before) return;
  auto last = hollow_page();
  if (!pages_[end - 1]->after.empty()) {
    auto page = std::make_shared<Page>();
    page->after = pages_[end - 1]->after;
    last = std::move(page);
  }
  std::vector<StepHistory> steps;  // of pages that are to have none
  for (std::size_t page = first; page + 1 < end; ++page) {
    for (std::size_t b = 0; b < code.blocks.size(); ++b)
      steps.push_back(steps_after(code, page, b));
  }
  if (!left_steps_.empty() || std::any_of(steps.begin(), steps.end(), has_steps)) {
    const std::size_t left = first * code.blocks.size();
    reserve_more(left_steps_, left + steps.size() - left_steps_.size());
    left_steps_.resize(left);  // zeros, where none had any
    left_steps_.insert(left_steps_.end(), steps.begin(), steps.end());
  }
  std::fill(pages_.begin() + static_cast<std::ptrdiff_t>(first),
            pages_.begin() + static_cast<std::ptrdiff_t>(end - 1), hollow_page());
  pages_[end - 1] = std::move(last);
  first_ = std::max(first_, sinks_held_ + end * code.page);
}

StepHistory Lane::steps_after(const LaneCode& code, std::size_t page, std::size_t block) const {
  if (page + 1 < dropped_pages(code)) {
    const std::size_t at = page * code.blocks.size() + block;
    return at < left_steps_.size() ? left_steps_[at] : StepHistory();
  }
  const std::vector<PageHistory>& after = pages_[page]->after;
  return after.empty() ? StepHistory() : after[block].steps;
}

bool Lane::seals(const LaneCode& code, std::size_t rows) const {
  return !code.blocks.empty() && tail_tokens(code) + rows >= code.residual_window + code.page;
}

void Lane::append(const LaneCode& code, Rows<const float> rows) {
  // Only where a page seals is anything lost that has to be put back.
  const bool sealing = seals(code, rows.count);
  const Lane before = sealing ? *this : Lane();
  const std::size_t sinks = sinks_.size(), tail = tail_.size(), held = sinks_held_;
  try {
    fill(code, rows);
  } catch (...) {
    if (sealing) {
      *this = before;
    } else {
      sinks_.resize(sinks);
      tail_.resize(tail);
      sinks_held_ = held;
    }
    throw;
  }
}

// A block of a sealed page, [page, block_width()], rounded to bf16.
void Lane::decode_block(const LaneCode& code, std::size_t number, std::size_t block,
                        Rows<float> out) const {
  const Page& page = *pages_[number];
  const Codec& codec = *code.blocks[block];
  prefetch(number + 1, block);
  if (codec.page_vectors() == 0) {
    codec.recall(page.frames[block], out);
  } else {
    codec.recall_page(view_of_pages(codec, head_->coded[block], page.coded[block]), 0, out);
  }
}

// Tokens of a sealed page from its token `first` on.
void Lane::read_page(const LaneCode& code, std::size_t page, std::size_t first, std::size_t column,
                     Rows<float> out) const {
  const std::size_t width = code.block_width(), end = column + out.dim;
  std::vector<float> whole;
  for (std::size_t block = column / width; block * width < end; ++block) {
    const std::size_t from = std::max(column, block * width),
                      to = std::min(end, (block + 1) * width);
    const Rows<float> part{out.data + (from - column), out.count, to - from, out.stride};
    if (part.dim == width && part.count == code.page) {
      decode_block(code, page, block, part);
    } else {
      whole.resize(code.page * width);
      decode_block(code, page, block, dense_rows(whole.data(), code.page, width));
      for (std::size_t row = 0; row < part.count; ++row) {
        const float* const values = &whole[(first + row) * width + from - block * width];
        std::copy(values, values + part.dim, part[row].begin());
      }
    }
  }
}

std::size_t Lane::run_end(const LaneCode& code, std::size_t token) const {
  const std::size_t all = tokens(code);
  if (token < sinks_held_) return sinks_held_;
  if (token >= tail_begin(code)) return all;
  return sinks_held_ + ((token - sinks_held_) / code.page + 1) * code.page;
}

void Lane::read(const LaneCode& code, TokenRange tokens, std::size_t column,
                Rows<float> out) const {
  const std::size_t open = tail_begin(code), end = tokens.first + tokens.count;
  for (std::size_t token = tokens.first; token < end;) {
    const std::size_t count = std::min(end, run_end(code, token)) - token;
    const Rows<float> to = out.slice(token - tokens.first, count);
    if (token < sinks_held_) {
      widen(&sinks_[token * code.width + column], code.width, to);
    } else if (token >= open) {
      widen(&tail_[(token - open) * code.width + column], code.width, to);
    } else {
      const std::size_t sealed = token - sinks_held_;
      read_page(code, sealed / code.page, sealed % code.page, column, to);
    }
    token += count;
  }
}

void Lane::truncate(const LaneCode& code, std::size_t wanted) {
  if (wanted >= tokens(code)) return;
  const std::size_t open = tail_begin(code);
  if (wanted >= open) {
    tail_.resize((wanted - open) * code.width);
    return;
  }
  std::vector<std::uint16_t> tail;
  std::size_t kept = 0;
  if (wanted > sinks_held_) {  // within a page: what stays of it is held as it was decoded
    kept = (wanted - sinks_held_) / code.page;
    const std::size_t left = (wanted - sinks_held_) % code.page;
    if (left > 0) {
      std::vector<float> page(left * code.width);
      const auto rows = dense_rows(page.data(), left, code.width);
      read_page(code, kept, 0, 0, rows);
      tail.reserve(left * code.width);
      append_bf16(rows, tail);
    }
  }
  pages_.resize(kept);
  if (kept == 0) head_.reset();
  if (wanted < sinks_held_) {
    sinks_.resize(wanted * code.width);
    sinks_held_ = wanted;
  }
  tail_ = std::move(tail);
}

void Lane::count(const LaneCode& code, std::set<const void*>& counted, LiveBytes& bytes) const {
  bytes.sinks += allocation_of(sinks_);
  (code.blocks.empty() ? bytes.skipped : bytes.open) += allocation_of(tail_);
  bytes.tables += allocation_of(pages_) + allocation_of(left_steps_);
  for (const auto& page : pages_) {
    if (page && counted.insert(page.get()).second) bytes.pages += allocated(*page, counted);
  }
  if (head_ && counted.insert(head_.get()).second) bytes.tables += allocated(*head_, counted);
  bytes.bf16 += 2 * (tokens(code) - first_) * code.width;
}

}  // namespace kakeya
