// SPDX-License-Identifier: Apache-2.0
// A lane to bytes and back.
#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <utility>

#include "kakeya/bitstream/frame.h"
#include "kakeya/cache/lane.h"
#include "kakeya/cache/lane_page.h"
#include "kakeya/codec/scale_rules.h"
#include "kakeya/codec/stored_pages.h"
#include "kakeya/core/error.h"
#include "kakeya/core/fields.h"

namespace kakeya {
namespace {

constexpr char kWhat[] = "saved sequence";

void require(bool holds, const std::string& what) {
  if (!holds) throw CorruptStream(std::string(kWhat) + ": " + what);
}

void store_values(const std::vector<std::uint16_t>& values, FieldWriter& writer) {
  writer.append(std::as_bytes(std::span(values)));
}

void take_values(FieldReader& reader, std::size_t count, std::vector<std::uint16_t>& values) {
  const auto bytes = reader.take(sizeof(std::uint16_t) * count);  // are there before they get room
  values.resize(count);
  if (count != 0) std::memcpy(values.data(), bytes.data(), bytes.size());
  const auto finite = [](std::uint16_t value) { return (value & 0x7f80) != 0x7f80; };
  require(std::all_of(values.begin(), values.end(), finite), "a value that is not finite");
}

// A frame of a codec without pages, decoded once.
std::vector<std::byte> take_frame(const Codec& codec, FieldReader& reader, Rows<float> decoded) {
  const auto frame = reader.take(reader.get<std::uint32_t>());
  const FrameView view = parse_frame(frame);
  require(view.count == decoded.count && view.dim == decoded.dim,
          "a frame of " + std::to_string(view.count) + " vectors of " + std::to_string(view.dim) +
              ", expected " + std::to_string(decoded.count) + " of " + std::to_string(decoded.dim));
  codec.decode(frame, decoded);
  return {frame.begin(), frame.end()};
}

// Root mean squares in sixteenths of octaves: no exponent and no window of a float is beyond it.
constexpr std::int64_t kLargestSize = 16 * 128 + kWindowSixteenths * -kLowestWindow;
static_assert(kHighestWindow <= -kLowestWindow);

// What page `number`, of `page` vectors, leaves to the next: whoever seals after it divides by the
// count.
void require_steps(std::size_t number, std::size_t page, const StepHistory& before,
                   const StepHistory& after) {
  const bool counted =
      after.seen >= before.seen && after.seen - before.seen <= static_cast<std::int64_t>(page);
  const std::int64_t most = counted ? (after.seen - before.seen) * kLargestSize : 0;
  if (counted && after.sum >= before.sum - most && after.sum <= before.sum + most) return;
  require(false, "page " + std::to_string(number) + " leaves a count of " +
                     std::to_string(after.seen) + " and a sum of " + std::to_string(after.sum) +
                     " behind " + std::to_string(before.seen) + " and " +
                     std::to_string(before.sum) + ", expected at most " + std::to_string(page) +
                     " more sizes of at most " + std::to_string(kLargestSize) + " each");
}

}  // namespace

LaneRecord Lane::record(const LaneCode& code) const {
  LaneRecord record;
  record.pages = static_cast<std::uint32_t>(pages_.size());
  record.sinks_dropped = sinks_held_ != 0 && sinks_.empty();
  if (code.blocks.empty()) {
    record.dropped = static_cast<std::uint32_t>(tail_dropped_);
    return record;
  }
  record.dropped = static_cast<std::uint32_t>(dropped_pages(code));
  for (std::size_t page = 0; page < pages_.size() && !record.steps; ++page) {
    for (std::size_t b = 0; b < code.blocks.size(); ++b) {
      record.steps = record.steps || has_steps(steps_after(code, page, b));
    }
  }
  return record;
}

void Lane::store(const LaneCode& code, FieldWriter& writer) const {
  store_values(sinks_, writer);
  store_values(tail_, writer);
  if (pages_.empty()) return;
  if (head_) {
    for (const CodedPages& first : head_->coded) store_head(first, writer);
  }
  if (record(code).steps) {
    for (std::size_t page = 0; page < pages_.size(); ++page) {
      for (std::size_t b = 0; b < code.blocks.size(); ++b) {
        const StepHistory steps = steps_after(code, page, b);
        writer.put(steps.sum);
        writer.put(steps.seen);
      }
    }
  }
  for (const auto& page : pages_) {
    for (const CodedPages& coded : page->coded) store_page(coded, writer);
    for (const std::vector<std::byte>& frame : page->frames) {
      writer.put_count(static_cast<std::int64_t>(frame.size()), "bytes of a frame");
      writer.append(frame);
    }
  }
}

void Lane::restore_pages(const LaneCode& code, const LaneRecord& record, FieldReader& reader) {
  if (record.pages == 0) return require(!record.steps, "steps of no pages");
  const bool paged = code.blocks.front()->page_vectors() != 0;
  std::deque<StoredPages> stored;  // one a block
  if (paged) {
    auto head = std::make_shared<Page>();
    for (const Codec* const codec : code.blocks) {
      stored.emplace_back(*codec, kWhat).read_head(reader);
      head->coded.push_back(stored.back().head());
    }
    head->coded.shrink_to_fit();
    head_ = std::move(head);
  }
  require(paged || !record.steps, "steps of codecs without pages");
  const std::size_t blocks = code.blocks.size();
  auto steps = reader;  // behind them are the pages
  if (record.steps) reader.take(2 * sizeof(std::int64_t) * blocks * record.pages);
  std::vector<float> decoded(paged ? 0 : code.page * code.block_width());
  std::vector<StepHistory> before(blocks);
  bool any_steps = false;
  for (std::size_t number = 0; number < record.pages; ++number) {
    const bool dropped = number < record.dropped,
               hollow = dropped && (!paged || number + 1 < record.dropped);
    if (hollow && !record.steps) {
      pages_.push_back(hollow_page());
      continue;
    }
    auto page = std::make_shared<Page>();
    for (std::size_t b = 0; b < blocks; ++b) {
      if (paged) {
        StepHistory history;
        if (record.steps) {
          history.sum = steps.get<std::int64_t>();
          history.seen = steps.get<std::int64_t>();
          require_steps(number, code.page, before[b], history);
          before[b] = history;
          any_steps = any_steps || history.seen != 0;
        }
        if (hollow) {
          left_steps_.push_back(history);
        } else {
          page->after.push_back(stored[b].after(number, history));
        }
      }
      if (dropped) continue;
      if (paged) {
        page->coded.push_back(stored[b].read_page(reader, number));
      } else {
        page->frames.push_back(take_frame(
            *code.blocks[b], reader, dense_rows(decoded.data(), code.page, code.block_width())));
      }
    }
    page->coded.shrink_to_fit();
    page->frames.shrink_to_fit();
    page->after.shrink_to_fit();
    if (hollow) {
      pages_.push_back(hollow_page());
    } else {
      pages_.push_back(std::move(page));
    }
  }
  left_steps_.shrink_to_fit();
  require(any_steps == record.steps, "steps that are none");
}

Lane Lane::restored(const LaneCode& code, const LaneRecord& record, std::size_t tokens,
                    std::span<const std::byte> bytes) {
  const bool coded = !code.blocks.empty();
  const std::size_t sealed = std::size_t{record.pages} * code.page;
  const std::size_t unseen = code.unseen(tokens);
  Lane lane;
  lane.sinks_held_ = std::min(tokens, code.sinks);
  require((coded || record.pages == 0) && sealed <= tokens - lane.sinks_held_,
          std::to_string(record.pages) + " pages of " + std::to_string(code.page) + " tokens of " +
              std::to_string(tokens));
  std::size_t open = tokens - lane.sinks_held_ - sealed;
  if (coded) {
    require(open < code.residual_window + code.page,
            std::to_string(open) + " tokens in no page, expected fewer than " +
                std::to_string(code.residual_window + code.page));
    require(record.dropped <= record.pages &&
                (record.dropped == 0 || record.sinks_dropped || lane.sinks_held_ == 0),
            std::to_string(record.dropped) + " pages dropped of " + std::to_string(record.pages));
    if (record.sinks_dropped) lane.first_ = lane.sinks_held_;
    if (record.dropped != 0) {
      lane.first_ = lane.sinks_held_ + std::size_t{record.dropped} * code.page;
    }
  } else {
    require(!record.steps, "steps of no pages");
    lane.first_ = lane.tail_dropped_ = record.dropped;
  }
  require(lane.first_ <= unseen && (!record.sinks_dropped || lane.sinks_held_ != 0),
          "tokens before " + std::to_string(lane.first_) + " dropped, expected at most " +
              std::to_string(unseen));
  open -= lane.tail_dropped_;
  FieldReader reader(bytes, kWhat);
  if (!record.sinks_dropped && lane.sinks_held_ != 0) {
    lane.sinks_.reserve(code.sinks * code.width);
    take_values(reader, lane.sinks_held_ * code.width, lane.sinks_);
  }
  take_values(reader, open * code.width, lane.tail_);
  if (coded) lane.restore_pages(code, record, reader);
  require(reader.left() == 0, std::to_string(reader.left()) + " bytes after a lane");
  return lane;
}

}  // namespace kakeya
