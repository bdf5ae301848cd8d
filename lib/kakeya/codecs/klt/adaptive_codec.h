// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
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
#include "kakeya/core/error.h"

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
///   Chain, Learner         copied as what a reader knows at a segment's beginning; held_bytes() is what they take
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

  std::unique_ptr<SegmentReader> segments(std::span<const std::byte> frame) const override {
    return segments_of(open_frame(*this, frame), nullptr);
  }

  std::unique_ptr<SegmentReader> segments_of(FrameView view,
                                             std::shared_ptr<const void> owner) const override {
    return std::make_unique<Reader>(*this, std::move(view), std::move(owner));
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

  // What is known where a segment begins: all that coding or decoding it needs of those before it.
  struct State {
    Chain chain;
    std::optional<typename Teacher::Learner> learner;  // none where nothing is learnt yet
    std::size_t first = 0, end = 0;  // vectors; of the last segment it may be beyond
  };

  State begin() const {
    const GradualUnderflow exact;
    constexpr std::size_t kFirst = 256;
    State state{chain_, std::nullopt, 0,
                (kFirst + teacher_.page - 1) / teacher_.page * teacher_.page};
    state.learner = teacher_.start(state.chain);
    return state;
  }

  // Calls work(codec, first, vectors) for the segment at which `state` is, of `count` vectors, and learns from what
  // it lets `codec` code or decode, where another follows; `seen` is shown the same. Where `work` throws, the state is
  // of no use any more.
  template <typename Work>
  void step(State& state, std::size_t count, const Work& work, const Seen& seen) const {
    const GradualUnderflow exact;
    const bool last = state.end >= count;
    SegmentCodec codec = teacher_.segment(std::move(state.chain));
    if (!last && !state.learner) state.learner.emplace(teacher_.learner());
    codec.show([&](const Memory& tiles, std::size_t vectors, const bool* kept) {
      if (!last) state.learner->add(tiles, vectors, kept);
      if (seen) seen(tiles, vectors, kept);
    });
    work(codec, state.first, std::min(count, state.end) - state.first);
    state.chain = codec.take_chain();
    if (!last) state.learner->update(state.chain);
    state.first = std::min(count, state.end);
    state.end *= teacher_.growth;
  }

  template <typename Work>
  void for_each_segment(std::size_t count, const Work& work, const Seen& seen) const {
    State state = begin();
    do step(state, count, work, seen);
    while (state.first < count);
  }

  // The segments of one frame; copied as it stands.
  class Reader final : public SegmentReader {
   public:
    Reader(const AdaptiveCodec& codec, FrameView view, std::shared_ptr<const void> owner)
        : codec_(codec),
          owner_(std::move(owner)),
          view_(std::move(view)),
          pages_(section_of(view_, "pages")),
          streams_(section_of(view_, "streams")),
          exact_(section_of(view_, "exact")),
          state_(codec.begin()) {
      check_exact(exact_, codec.dim_, view_.count, codec.spec_, KeptAs::bfloat16);
      require_zeros(section_of(view_, "padding"), codec.spec_);
      if (view_.count == 0) read({nullptr, 0, codec.dim_, codec.dim_}, {});  // checked as others
    }

    std::size_t first() const override { return state_.first; }
    std::size_t vectors() const override {
      return failed_ ? 0 : std::min(view_.count, state_.end) - state_.first;
    }

    void next(Rows<float> out) override {
      if (vectors() == 0 || out.count != vectors() || out.dim != codec_.dim_) {
        throw InputError(codec_.spec_ + ": segment at vector " + std::to_string(first()) + ": " +
                         std::to_string(out.count) + " vectors of " + std::to_string(out.dim) +
                         " given, expected " + std::to_string(vectors()) + " of " +
                         std::to_string(codec_.dim_));
      }
      read(out, {});
    }

    void read(Rows<float> out, const Seen& seen) {
      failed_ = true;
      codec_.step(
          state_, view_.count,
          [&](const SegmentCodec& codec, std::size_t first, std::size_t vectors) {
            codec.read_pages(part(first, vectors), out);
          },
          seen);
      failed_ = false;
    }

    std::unique_ptr<SegmentReader> copy() const override { return std::make_unique<Reader>(*this); }

    std::size_t state_bytes() const override {
      return state_.chain.held_bytes() + (state_.learner ? state_.learner->held_bytes() : 0);
    }

   private:
    // The sections of the next segment, as a frame of its codec has them.
    FrameView part(std::size_t first, std::size_t vectors) {
      const std::size_t kept_bytes = exact_bytes(codec_.dim_, KeptAs::bfloat16),
                        page = first / codec_.teacher_.page,
                        count = (vectors + codec_.teacher_.page - 1) / codec_.teacher_.page;
      const auto sizes = pages_.subspan(4 * page, 4 * count);
      std::size_t bytes = 0;
      for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t size;
        std::memcpy(&size, sizes.data() + 4 * i, 4);
        bytes += size;
      }
      const bool last = first + vectors == view_.count;
      if (bytes > streams_.size() - at_ || (last && bytes < streams_.size() - at_)) {
        throw CorruptStream(codec_.spec_ + ": pages of " + std::to_string(at_ + bytes) +
                            " bytes or more, expected " + std::to_string(streams_.size()));
      }
      const std::size_t here =
          exact_places(exact_, codec_.dim_, first, vectors, KeptAs::bfloat16).size();
      FrameView made = view_;
      made.first = first;
      made.count = vectors;
      replace(made, "pages", sizes);
      replace(made, "streams", streams_.subspan(at_, bytes));
      replace(made, "exact", exact_.subspan(kept_ * kept_bytes, here * kept_bytes));
      replace(made, "padding", {});
      at_ += bytes;
      kept_ += here;
      return made;
    }

    static void replace(FrameView& view, std::string_view name, std::span<const std::byte> bytes) {
      for (FrameSection& section : view.sections) {
        if (section.name == name) section.bytes = bytes;
      }
    }

    const AdaptiveCodec& codec_;
    std::shared_ptr<const void> owner_;
    FrameView view_;
    std::span<const std::byte> pages_, streams_, exact_;
    State state_;
    std::size_t at_ = 0, kept_ = 0;  // bytes of streams, and vectors of "exact", that were read
    bool failed_ = false;
  };

  void decode_view(const FrameView& view, Rows<float> out, const Seen& seen) const {
    Reader reader(*this, view, nullptr);
    while (reader.vectors() != 0) reader.read(out.slice(reader.first(), reader.vectors()), seen);
  }

  Teacher teacher_;
  Chain chain_;
  SegmentCodec first_;   // as the profile says
  SegmentCodec widest_;  // whose frames may be the longest
};

}  // namespace kakeya
