// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a live cache has to allocate, by kind: from the policy, the windows and pages coded here.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cache/packed_model.h"
#include "kakeya/cache/lane.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/plain_page.h"

namespace kakeya::packed_test {

// As malloc gives it; and of std::make_shared(), behind its counts.
inline std::uint64_t piece(std::size_t bytes) {
  return bytes == 0 ? 0 : std::max<std::uint64_t>(32, (bytes + 8 + 15) / 16 * 16);
}
inline std::uint64_t shared_piece(std::size_t bytes) { return piece(bytes + 16); }

template <typename T>
std::uint64_t array_piece(std::size_t values) {
  return piece(values * sizeof(T));
}

// A sealed page, what stays of one that was dropped, or what pages need of the first one.
struct PlainPage {
  std::uint64_t bytes = 0;         // its own, with three empty arrays
  std::vector<PageHistory> after;  // [block]; none of codecs without pages
};
inline constexpr std::size_t kThreeArrays = 3 * sizeof(std::vector<int>);

inline std::uint64_t coded_bytes(const CodedPages& coded, bool head) {
  std::uint64_t bytes = array_piece<CodedPages::Part>(coded.parts.size());
  for (const CodedPages::Part& part : coded.parts) {
    if (!head || part.once) bytes += piece(part.bytes.size());
  }
  return bytes;
}

// How the tokens of a lane have to be held: keys, values or both of a layer.
struct PlainLane {
  using Page = std::shared_ptr<const PlainPage>;

  std::vector<const Codec*> blocks;  // empty: bf16 for good
  std::size_t width = 0, page = 0, sinks = 0, residual_window = 0, sliding = 0;

  std::size_t tokens = 0, dropped = 0;  // pages; of a lane that is not coded: tokens
  bool sinks_dropped = false;
  std::vector<Page> pages;
  Page head;
  // Since the lane was last copied to its size, the most that its arrays have held.
  std::size_t most_open = 0, most_pages = 0;

  bool coded() const { return !blocks.empty(); }
  bool paged() const { return coded() && blocks.front()->page_vectors() != 0; }
  std::size_t sink_tokens() const { return std::min(tokens, sinks); }
  std::size_t open_tokens() const {
    return tokens - sink_tokens() - (coded() ? pages.size() * page : dropped);
  }
  std::size_t first_token() const {
    if (!coded()) return dropped;
    return dropped != 0 ? sink_tokens() + dropped * page : sinks_dropped ? sink_tokens() : 0;
  }
  std::size_t unseen() const { return sliding == 0 || tokens < sliding ? 0 : tokens - sliding + 1; }

  void copied() {
    most_open = open_tokens();
    most_pages = pages.size();
  }

  // `parts`: all that the lane was given, side by side.
  void append(const std::vector<const Held*>& parts) {
    const std::size_t all = parts.front()->size(), room = coded() ? residual_window + page : all;
    most_open = std::max(most_open, std::min(open_tokens() + all - tokens, room));
    tokens = all;
    while (coded() && open_tokens() >= room) seal(parts);
    most_pages = std::max(most_pages, pages.size());
    drop_unseen();
  }

  void seal(const std::vector<const Held*>& parts) {
    const std::size_t first = sinks + pages.size() * page, block = width / blocks.size();
    auto sealed = std::make_shared<PlainPage>(), common = std::make_shared<PlainPage>();
    sealed->bytes = common->bytes = shared_piece(kThreeArrays);
    if (paged()) {
      sealed->bytes +=
          array_piece<CodedPages>(blocks.size()) + array_piece<PageHistory>(blocks.size());
      common->bytes += array_piece<CodedPages>(blocks.size());
    } else {
      sealed->bytes += array_piece<std::vector<std::byte>>(blocks.size());
    }
    std::vector<float> x;
    for (std::size_t token = first; token < first + page; ++token) {
      for (const Held* const held : parts)
        x.insert(x.end(), (*held)[token].begin(), (*held)[token].end());
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const Rows<const float> rows{&x[b * block], page, block, width};
      if (paged()) {
        PageHistory history = pages.empty() ? PageHistory() : pages.back()->after[b];
        const CodedPages coded = code_next(*blocks[b], rows, history);
        sealed->bytes += coded_bytes(coded, false);
        common->bytes += coded_bytes(coded, true);
        sealed->after.push_back(std::move(history));
      } else {
        std::vector<std::byte> frame(blocks[b]->encoded_bound(page));
        sealed->bytes += piece(blocks[b]->encode(rows, frame));
      }
    }
    if (pages.empty() && paged()) head = common;
    pages.push_back(sealed);
  }

  void drop_unseen() {
    if (unseen() == 0) return;
    if (!coded()) {
      if (unseen() - dropped > sliding / 4) dropped = unseen();
      return;
    }
    sinks_dropped = sinks_dropped || (sinks != 0 && unseen() >= sink_tokens());
    if (unseen() <= sink_tokens()) return;
    const std::size_t end = std::min((unseen() - sink_tokens()) / page, pages.size());
    if (end <= dropped) return;
    dropped = end;
    pages[end - 1] = kept_of(*pages[end - 1]);
  }

  // What stays of the last page that was dropped, where something does; the others are not looked at.
  Page kept_of(const PlainPage& page_there) const {
    if (!paged()) return nullptr;
    auto kept = std::make_shared<PlainPage>();
    kept->bytes = shared_piece(kThreeArrays) + array_piece<PageHistory>(blocks.size());
    kept->after = page_there.after;
    return kept;
  }

  void truncate(std::size_t wanted) {
    copied();  // all lanes are, before one is cut
    if (wanted >= tokens) return;
    const std::size_t sealed = pages.size(), before_end = wanted > sinks ? wanted - sinks : 0;
    if (coded()) pages.resize(std::min(sealed, before_end / page));
    if (pages.empty()) head.reset();
    tokens = wanted;
    if (pages.size() != sealed) most_open = open_tokens();
  }

  // As a file gives it back: nothing is shared with others.
  PlainLane restored() const {
    PlainLane lane = *this;
    std::vector<PageHistory> own(blocks.size());
    for (Page& page_there : lane.pages) {
      if (!page_there) continue;
      auto copy = std::make_shared<PlainPage>(*page_there);
      for (std::size_t b = 0; b < copy->after.size(); ++b) {
        PageHistory& after = copy->after[b];
        if (after.centre && !own[b].centre)
          own[b].centre = std::make_shared<const Centre>(*after.centre);
        if (after.classes && !own[b].classes)
          own[b].classes = std::make_shared<const std::vector<std::byte>>(*after.classes);
        after.centre = own[b].centre;
        after.classes = own[b].classes;
      }
      page_there = std::move(copy);
    }
    if (head) lane.head = std::make_shared<PlainPage>(*head);
    lane.copied();
    return lane;
  }

  // Sizes of the pages of a head that are hollow, which later ones follow from.
  std::size_t left_steps() const {
    const auto has_steps = [](const Page& page_there) {
      return page_there && !page_there->after.empty() && page_there->after[0].steps.seen != 0;
    };
    if (dropped < 2 || !coded() || !has_steps(pages[dropped - 1])) return 0;
    return (dropped - 1) * blocks.size();
  }

  // Adds what has to be there and, to `most`, what the room of its arrays may make of it.
  void count(std::unordered_set<const void*>& counted, LiveBytes& least, LiveBytes& most) const {
    const auto add = [&](std::uint64_t LiveBytes::*kind, std::uint64_t from, std::uint64_t to) {
      least.*kind += from;
      most.*kind += to;
    };
    const auto ahead = [](std::size_t values) { return values + values / 16; };
    const std::size_t bf16 = sizeof(std::uint16_t) * width;
    if (!sinks_dropped) add(&LiveBytes::sinks, piece(bf16 * sink_tokens()), piece(bf16 * sinks));
    add(coded() ? &LiveBytes::open : &LiveBytes::skipped, piece(bf16 * open_tokens()),
        piece(bf16 * ahead(most_open) + bf16));
    add(&LiveBytes::tables, array_piece<Page>(pages.size()), array_piece<Page>(2 * most_pages));
    add(&LiveBytes::tables, array_piece<StepHistory>(left_steps()),
        array_piece<StepHistory>(ahead(left_steps()) + blocks.size()));
    if (head && counted.insert(head.get()).second)
      add(&LiveBytes::tables, head->bytes, head->bytes);
    const std::size_t hollow = !coded() || dropped == 0 ? 0 : paged() ? dropped - 1 : dropped;
    static const PlainPage all_hollow{shared_piece(kThreeArrays), {}};
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const PlainPage& page_there = i < hollow ? all_hollow : *pages[i];
      if (!counted.insert(&page_there).second) continue;
      std::uint64_t bytes = page_there.bytes;
      for (const PageHistory& after : page_there.after) {
        if (after.centre && counted.insert(after.centre.get()).second) {
          bytes += shared_piece(sizeof(Centre)) +
                   array_piece<std::uint16_t>(after.centre->halves.size()) +
                   array_piece<float>(after.centre->mean.size()) +
                   array_piece<float>(after.centre->negative.size());
        }
        if (after.classes && counted.insert(after.classes.get()).second) {
          bytes += shared_piece(sizeof(std::vector<std::byte>)) + piece(after.classes->size());
        }
      }
      add(&LiveBytes::pages, bytes, bytes);
    }
    const std::uint64_t whole = bf16 * (tokens - first_token());
    add(&LiveBytes::bf16, whole, whole);
  }
};

// All lanes of a sequence.
struct PlainBytes {
  std::vector<std::vector<PlainLane>> layers;

  PlainBytes() = default;
  PlainBytes(const CacheCodecs& codecs, const CachePolicy& policy,
             const std::vector<std::size_t>& windows)
      : layers(kLayers) {
    for (int layer = 0; layer < kLayers; ++layer) {
      PlainLane lane;
      lane.width = kWidth;
      lane.sliding = windows.empty() ? 0 : windows[static_cast<std::size_t>(layer)];
      auto& lanes = layers[static_cast<std::size_t>(layer)];
      if (!policy.codes(layer)) {
        lanes = {lane, lane};
        continue;
      }
      lane.sinks = static_cast<std::size_t>(policy.sinks);
      lane.residual_window = static_cast<std::size_t>(policy.residual_window);
      const auto add = [&](std::vector<const Codec*> blocks) {
        lane.blocks = std::move(blocks);
        lane.page = lane.paged() ? lane.blocks[0]->page_vectors() : kPlainPage;
        lanes.push_back(lane);
      };
      if (codecs.tokens) {
        lane.width = 2 * kWidth;
        add({codecs.tokens->runs()[static_cast<std::size_t>(layer)].codec.get()});
        continue;
      }
      for (const SiteCodecs* const part : {&*codecs.keys, &*codecs.values}) {
        std::vector<const Codec*> heads;
        for (std::size_t head = 0; head < kHeads; ++head) heads.push_back(&part->at(layer, head));
        add(std::move(heads));
      }
    }
  }

  template <typename Change>
  void each(const Change& change) {
    for (auto& lanes : layers) {
      for (PlainLane& lane : lanes) change(lane);
    }
  }

  void append(int layer, const Model& model) {
    const Held &keys = model.parts.at({layer, Part::key}),
               &values = model.parts.at({layer, Part::value});
    auto& lanes = layers[static_cast<std::size_t>(layer)];
    if (lanes.size() == 1) return lanes[0].append({&keys, &values});
    lanes[0].append({&keys});
    lanes[1].append({&values});
  }
  void truncate(std::size_t tokens) {
    each([&](PlainLane& lane) { lane.truncate(tokens); });
  }
  PlainBytes branched() const {
    PlainBytes copy = *this;
    copy.each([](PlainLane& lane) { lane.copied(); });
    return copy;
  }
  PlainBytes restored() const {
    PlainBytes copy = *this;
    copy.each([](PlainLane& lane) { lane = lane.restored(); });
    return copy;
  }

  void count(std::unordered_set<const void*>& counted, LiveBytes& least, LiveBytes& most) const {
    for (const auto& lanes : layers) {
      least.tables += lanes.size() * sizeof(Lane);
      most.tables += lanes.size() * sizeof(Lane);
      for (const PlainLane& lane : lanes) lane.count(counted, least, most);
    }
  }
};

struct Kind {
  const char* name;
  std::uint64_t LiveBytes::*bytes;
};
inline constexpr Kind kKindsOfBytes[] = {
    {"pages", &LiveBytes::pages},     {"sinks", &LiveBytes::sinks},   {"open", &LiveBytes::open},
    {"skipped", &LiveBytes::skipped}, {"tables", &LiveBytes::tables}, {"bf16", &LiveBytes::bf16}};

// Bytes by kind: of all sequences within the room of their arrays, pages exactly; of `sequence` alone,
// by a branch that copies it to its size and shares its pages, all exactly.
inline void compare_bytes(PackedCache& cache, const std::map<int, PlainBytes>& sequences,
                          int sequence) {
  std::unordered_set<const void*> counted;
  LiveBytes least, most, alone, unused;
  for (const auto& [number, bytes] : sequences) bytes.count(counted, least, most);
  sequences.at(sequence).count(counted, alone, unused);
  const LiveBytes before = cache.live_bytes();
  const int branch = cache.branch(sequence);
  const LiveBytes with = cache.live_bytes();
  cache.drop(branch);
  const LiveBytes after = cache.live_bytes();
  for (const auto& [name, bytes] : kKindsOfBytes) {
    ASSERT_GE(before.*bytes, least.*bytes) << name;
    ASSERT_LE(before.*bytes, most.*bytes) << name;
    ASSERT_EQ(with.*bytes - before.*bytes, alone.*bytes) << name << " of a branch";
    ASSERT_EQ(after.*bytes, before.*bytes) << name << " when a branch was dropped";
  }
}

}  // namespace kakeya::packed_test
