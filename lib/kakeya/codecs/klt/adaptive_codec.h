// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/codec/exact_vectors.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codecs/klt/chain_codec.h"
#include "kakeya/codecs/klt/gradual_underflow.h"
#include "kakeya/codecs/klt/learning_codec.h"
#include "kakeya/core/clock.h"

namespace kakeya {

/// Codes a frame in segments, each by a Chain that has learnt from those before it. Nothing of that is sent: a
/// reader has decoded the same vectors and learns the same. Boundaries of segments are whole pages: with page=96 the first is 288,
/// with page=1024 1024. With a growth of 2:
///
///     vectors  0        256       512                 1024                                  2048
///              |  as the  | learnt  |   learnt from     |        learnt from 1024              | ...
///              |  profile | from    |   512             |                                      |
///              |  says    | 256     |                   |                                      |
///
/// A segment is coded as a frame of its chain's own codec would be. The frame has that codec's sections, the
/// pages of all segments one after another; a page needs all segments before its own, so page_vectors() is
/// 0: no page decodes alone.
///
/// A Teacher has
///
///   Chain, Learner
///   segment(chain)         the ChainCodec of a segment, with what it needs besides
///   widest(chain)          one whose encoded_bound() is no less than that of any
///   learner()              a Learner that has seen nothing: add() takes what ChainCodec::show() shows,
///                          update(chain) makes the chain of the next segment of it
///   start(chain)           one that knows what was sent, by which it has made the first chain; or nothing
///   page, growth, lattice, profile_bytes
template <typename Teacher>
class AdaptiveCodec final : public LearningCodec {
  using Chain = typename Teacher::Chain;
  using Memory = typename Chain::Memory;
  using SegmentCodec = ChainCodec<Chain>;
  using Seen = typename SegmentCodec::Seen;

 public:
  /// `chain`: that of the first segment.
  AdaptiveCodec(Teacher teacher, const std::string& spec, Chain chain)
      : LearningCodec(spec, chain.dim()),
        teacher_(std::move(teacher)),
        chain_(std::move(chain)),
        first_(teacher_.segment(chain_)),
        widest_(teacher_.widest(chain_)) {}

  std::size_t symbols_per_vector() const override { return first_.symbols_per_vector(); }
  std::size_t profile_bytes() const override { return teacher_.profile_bytes; }
  std::size_t encoded_bound(std::size_t count) const override {
    return widest_.encoded_bound(count);
  }
  void check_frame(const FrameInfo& info) const override { first_.check_frame(info); }
  std::size_t beyond_profile(const FrameInfo& info) const override {
    return first_.beyond_profile(info);
  }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    return encode_and_count(x, out, {});
  }

  std::size_t encode_and_count(Rows<const float> x, std::span<std::byte> out,
                               std::span<double> bits) const override {
    require_encodable(*this, x, out);
    for (std::size_t row = 0; row < x.count; ++row) finite_maximum(x[row], row);
    std::vector<CodedPages> coded;
    PageHistory history;
    std::optional<PathCosts> costs;
    Seen count;
    if (!bits.empty()) {
      // Those beside the code count too: frames that send unlike numbers keep unlike tokens.
      count = [&](const Memory& tiles, std::size_t vectors, const bool*) {
        for (std::size_t r = 0; r < vectors; r += kTileRows) {
          costs->add(tiles.points[r / kTileRows].data(), std::min(kTileRows, vectors - r), bits);
        }
      };
    }
    for_each_segment(
        x.count,
        [&](const SegmentCodec& codec, std::size_t, std::size_t vectors) {
          if (!bits.empty()) costs.emplace(codec.costs());
          coded.push_back(code_next(codec, x.slice(history.vectors, vectors), history));
        },
        count);
    std::vector<const CodedPages*> all;
    for (const CodedPages& each : coded) all.push_back(&each);
    return write_frame(*this, all, out);
  }

  std::optional<double> index_entropy_of_frame(std::span<const std::byte> in) const override {
    return entropy_of_sections(open_frame(*this, in));
  }

  std::optional<double> entropy_of_sections(const FrameView& view) const override {
    if (view.count == 0) return std::nullopt;
    std::vector<float> out(view.count * dim_);
    return count_sections(view, dense_rows(out.data(), view.count, dim_)).bits_per_value;
  }

  std::optional<CountedFrame> decode_and_count(std::span<const std::byte> in,
                                               Rows<float> out) const override {
    return count_sections(open_frame(*this, in, out), out);
  }

  CountedFrame count_sections(const FrameView& view, Rows<float> out) const override {
    TileEntropy entropy(teacher_.lattice, dim_);
    CountedFrame counted;
    const auto count = counter_of(entropy);
    decode_view(view, out, [&](const Memory& tiles, std::size_t vectors, const bool* kept) {
      const auto started = Clock::now();
      count(tiles, vectors, kept);
      counted.seconds += seconds_since(started);
    });
    if (view.count != 0)
      counted.bits_per_value = entropy.total_bits() / static_cast<double>(view.count * dim_);
    return counted;
  }

  bool reconstruct(Rows<const float> x, Rows<float> out) const override {
    require_same_shape(*this, x, out);
    rebuild(x, out, {});
    return true;
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    read_sections(open_frame(*this, in, out), out);
  }

  void read_sections(const FrameView& view, Rows<float> out) const override {
    decode_view(view, out, {});
  }

 protected:
  std::optional<double> index_entropy_bits(Rows<const float> x) const override {
    TileEntropy entropy(teacher_.lattice, dim_);
    std::vector<float> out(x.count * dim_);
    rebuild(x, dense_rows(out.data(), x.count, dim_), counter_of(entropy));
    return entropy.total_bits();
  }

 private:
  static Seen counter_of(TileEntropy& entropy) {
    return [&entropy](const Memory& tiles, std::size_t vectors, const bool* kept) {
      for (std::size_t r = 0; r < vectors; r += kTileRows) {
        entropy.add(tiles.points[r / kTileRows].data(), std::min(kTileRows, vectors - r), kept + r);
      }
    };
  }

  // What is decoded of `x`, without bytes; `seen` is told of the points.
  void rebuild(Rows<const float> x, Rows<float> out, const Seen& seen) const {
    for (std::size_t row = 0; row < x.count; ++row) finite_maximum(x[row], row);
    for_each_segment(
        x.count,
        [&](const SegmentCodec& codec, std::size_t first, std::size_t vectors) {
          codec.reconstruct(x.slice(first, vectors), out.slice(first, vectors));
        },
        seen);
  }

  void decode_view(const FrameView& view, Rows<float> out, const Seen& seen) const {
    const auto pages = section_of(view, "pages"), streams = section_of(view, "streams"),
               exact = section_of(view, "exact");
    check_exact(exact, dim_, view.count, spec_, KeptAs::bfloat16);
    require_zeros(section_of(view, "padding"), spec_);
    const std::size_t kept_bytes = exact_bytes(dim_, KeptAs::bfloat16);
    std::size_t at = 0, kept = 0;
    for_each_segment(
        view.count,
        [&](const SegmentCodec& codec, std::size_t first, std::size_t vectors) {
          FrameView part = view;
          part.first = first;
          part.count = vectors;
          const std::size_t page = first / teacher_.page,
                            count = (vectors + teacher_.page - 1) / teacher_.page;
          const auto sizes = pages.subspan(4 * page, 4 * count);
          std::size_t bytes = 0;
          for (std::size_t i = 0; i < count; ++i) {
            std::uint32_t size;
            std::memcpy(&size, sizes.data() + 4 * i, 4);
            bytes += size;
          }
          const bool last = first + vectors == view.count;
          if (bytes > streams.size() - at || (last && bytes < streams.size() - at)) {
            throw CorruptStream(spec_ + ": pages of " + std::to_string(at + bytes) +
                                " bytes or more, expected " + std::to_string(streams.size()));
          }
          const std::size_t here =
              exact_places(exact, dim_, first, vectors, KeptAs::bfloat16).size();
          replace(part, "pages", sizes);
          replace(part, "streams", streams.subspan(at, bytes));
          replace(part, "exact", exact.subspan(kept * kept_bytes, here * kept_bytes));
          replace(part, "padding", {});
          codec.read_pages(part, out.slice(first, vectors));
          at += bytes;
          kept += here;
        },
        seen);
  }

  static void replace(FrameView& view, std::string_view name, std::span<const std::byte> bytes) {
    for (FrameSection& section : view.sections) {
      if (section.name == name) section.bytes = bytes;
    }
  }

  // Calls work(codec, first, vectors) for one segment after another, and learns from what it lets
  // `codec` code or decode, where another follows; `seen` is shown the same.
  template <typename Work>
  void for_each_segment(std::size_t count, const Work& work, const Seen& seen = {}) const {
    const GradualUnderflow exact;
    constexpr std::size_t kFirst = 256;
    std::size_t first = 0, end = (kFirst + teacher_.page - 1) / teacher_.page * teacher_.page;
    Chain chain = chain_;
    std::optional<typename Teacher::Learner> learner = teacher_.start(chain);
    do {
      const bool last = end >= count;
      SegmentCodec codec = teacher_.segment(std::move(chain));
      if (!last && !learner) learner.emplace(teacher_.learner());
      codec.show([&](const Memory& tiles, std::size_t vectors, const bool* kept) {
        if (!last) learner->add(tiles, vectors, kept);
        if (seen) seen(tiles, vectors, kept);
      });
      work(codec, first, std::min(count, end) - first);
      chain = codec.take_chain();
      if (!last) learner->update(chain);
      first = end;
      end *= teacher_.growth;
    } while (first < count);
  }

  Teacher teacher_;
  Chain chain_;
  SegmentCodec first_;   // as the profile says
  SegmentCodec widest_;  // whose frames may be the longest
};

}  // namespace kakeya
