// SPDX-License-Identifier: Apache-2.0
// Sealed pages as attention reads them without decoding each vector (codec/packed_sums.h).
#include <algorithm>

#include "kakeya/cache/lane.h"
#include "kakeya/cache/lane_page.h"
#include "kakeya/codec/packed_sums.h"

namespace kakeya {

// Asks for the bytes of a block of a page, should there be such a page: pages are short and lie apart, so that what
// is read of one does not bring the next.
void Lane::prefetch(std::size_t number, std::size_t block) const {
  if (number >= pages_.size()) return;
  const auto ask = [](const std::vector<std::byte>& bytes) {
    constexpr std::size_t kLine = 64;
    for (std::size_t at = 0; at < bytes.size(); at += kLine) __builtin_prefetch(&bytes[at], 0, 2);
  };
  const Page& page = *pages_[number];
  if (block < page.frames.size()) ask(page.frames[block]);
  if (block >= page.coded.size()) return;
  for (const CodedPages::Part& part : page.coded[block].parts) ask(part.bytes);
}

bool Lane::sums_packed(const LaneCode& code, std::size_t block) {
  if (code.blocks.empty()) return false;
  const auto* const sums = dynamic_cast<const SummingCodec*>(code.blocks[block]);
  return sums != nullptr && sums->sums_packed();
}

template <typename Work>
std::size_t Lane::for_packed(const LaneCode& code, TokenRange tokens, std::size_t block,
                             const Work& work) const {
  if (tokens.first < sinks_held_ || tokens.first >= tail_begin(code)) return 0;
  const std::size_t sealed = tokens.first - sinks_held_, first = sealed / code.page;
  if (sealed % code.page != 0 || !sums_packed(code, block)) return 0;
  const std::size_t pages = std::min(tokens.count / code.page, pages_.size() - first);
  for (std::size_t i = 0; i < pages; ++i) {
    prefetch(first + i + 1, block);
    work(*pages_[first + i], i * code.page);
  }
  return pages * code.page;
}

std::size_t Lane::add_packed(const LaneCode& code, TokenRange tokens, std::size_t block,
                             Rows<const float> weights, Rows<float> out) const {
  if (tokens.count < code.page) return 0;
  const Codec& codec = *code.blocks[block];
  const auto& summing = dynamic_cast<const SummingCodec&>(codec);
  PackedSums sums(out.count, out.dim);
  const std::size_t added = for_packed(code, tokens, block, [&](const Page& page, std::size_t at) {
    const Rows<const float> here{weights.data + at, weights.count, code.page, weights.stride};
    if (codec.page_vectors() == 0) return summing.add_frame(page.frames[block], here, sums);
    summing.add_page(view_of_pages(codec, head_->coded[block], page.coded[block]), 0, here, sums);
  });
  if (added != 0) summing.restore_sums(sums, out);
  return added;
}

std::size_t Lane::score_packed(const LaneCode& code, TokenRange tokens, std::size_t block,
                               Rows<const float> queries, Rows<float> scores) const {
  if (tokens.count < code.page) return 0;
  const Codec& codec = *code.blocks[block];
  const auto& summing = dynamic_cast<const SummingCodec&>(codec);
  PackedScores packed = summing.packed_scores(queries);
  return for_packed(code, tokens, block, [&](const Page& page, std::size_t at) {
    const Rows<float> here{scores.data + at, scores.count, code.page, scores.stride};
    if (codec.page_vectors() == 0) return summing.score_frame(page.frames[block], packed, here);
    summing.score_page(view_of_pages(codec, head_->coded[block], page.coded[block]), 0, packed,
                       here);
  });
}

}  // namespace kakeya
