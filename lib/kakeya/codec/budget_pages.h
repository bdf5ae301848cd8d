// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/vectors.h"

namespace kakeya {

/// Steps that pages of a budget choose from: step `rung` is 2^(rung / 16) times the one asked for.
inline constexpr int kRungs = 128, kRungsAnOctave = 16;

inline constexpr std::size_t kLeastBudget = 64, kMostBudget = std::size_t{1} << 24;

inline constexpr CodecKey kBudgetKey = whole_key(
    "budget", 0, int{kMostBudget}, "0",
    "bytes that every page takes, padding and all, the last one too: its step fits, the finest or nearly, of those "
    "2^(k/16) times the one asked for, k from 0 to 127; 0: pages take what they take");

/// Codecs with pages of exactly so many bytes each, as pools of pages want them (budget.md, with a drawing). Each page
/// is coded as the only one of a frame, with a step at which it fits and does not with the next finer one. A frame has
/// the sections
///
///   "site"   that of the codec at the step asked for, where its frames have one
///   "pool"   the pages: page p is at p times the budget
class BudgetPages final : public NamedCodec, public FrameEntropy {
 public:
  /// The codec at step `rung`: its frames have pages as long as those of the others, and no section "pool".
  using Make = std::function<std::unique_ptr<AccountedCodec>(int rung)>;

  /// Throws InputError where a page of `budget` bytes would have less than a byte for 32 values.
  BudgetPages(std::string spec, std::size_t dim, std::size_t budget, Make make);
  ~BudgetPages() override;

  std::size_t encoded_bound(std::size_t count) const override;
  std::size_t page_vectors() const override;
  /// Throws InputError where a page fits with none of the steps.
  CodedPages code_pages(Rows<const float> x, PageHistory& history) const override;
  void decode(std::span<const std::byte> in, Rows<float> out) const override;
  void read_page(const FrameView& view, std::size_t page, Rows<float> out) const override;
  void recall_page(const FrameView& view, std::size_t page, Rows<float> out) const override;
  void check_frame(const FrameInfo& info) const override;

  /// The step of a page of `view`.
  int rung_of(const FrameView& view, std::size_t page) const;

  // For those who do the same elsewhere: kernels.
  std::size_t budget() const { return budget_; }
  /// Names of a page's parts, in its order: the stream, then the others.
  std::span<const std::string> parts() const { return in_pages_; }
  /// What the section "site" of every frame holds; nothing where there is none.
  std::span<const std::byte> site() const;
  /// The codec at the step asked for. It lives as long as this one.
  const Codec& asked() const;
  /// The codec that codes pages at step `rung`, made anew.
  std::unique_ptr<AccountedCodec> codec_of(int rung) const { return make_(rung); }

  std::size_t profile_bytes() const override;
  std::size_t symbols_per_vector() const override;
  /// Its pages taken apart: sections of the codec, "padding", and "pool" for what else they have.
  FrameInfo contents(const FrameView& view) const override;
  std::uint64_t padding_bits(const FrameInfo& info) const override;
  std::size_t beyond_profile(const FrameInfo& info) const override;
  /// Page by page: their steps differ.
  std::optional<double> index_entropy_bits(Rows<const float> x) const override;
  std::optional<double> index_entropy_of_frame(std::span<const std::byte> frame) const override;

 private:
  struct Rung;
  struct Coded;
  struct Page;

  std::size_t pages(std::size_t vectors) const;
  std::shared_ptr<const Rung> at(int rung) const;
  Coded code(Rows<const float> x, int rung) const;
  Coded finest(Rows<const float> x, std::size_t first) const;
  Page take_apart(const FrameView& view, std::size_t page) const;
  std::vector<std::byte> bytes_of(const FrameView& alone) const;
  FrameView frame_of(const Page& page, const Rung& rung, std::size_t vectors,
                     std::span<std::byte, 4> length) const;
  template <typename Read>
  void with_page(const FrameView& view, std::size_t page, const Read& read) const;

  std::size_t budget_;
  Make make_;
  std::shared_ptr<const Rung> asked_;       // rung 0
  std::vector<std::string_view> sections_;  // of a frame
  std::vector<std::string>
      in_pages_;  // of the codec's sections those that pages have, "streams" first
  mutable std::mutex mutex_;
  mutable std::array<std::pair<int, std::shared_ptr<const Rung>>, 4> last_;  // those asked for last
};

/// What a codec whose spec has the budget `budget` is: `make(0)` for none.
std::unique_ptr<Codec> with_budget(std::string spec, std::size_t dim, std::size_t budget,
                                   BudgetPages::Make make);

}  // namespace kakeya
