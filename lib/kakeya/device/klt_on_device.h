// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kakeya/codec/transform_codec.h"
#include "kakeya/device/device_codec.h"
#include "kakeya/device/lone_pages.h"

namespace kakeya {

namespace kernels {  // kernels/klt.h
struct FieldPages;   // kernels/fields.h
struct Klt;
struct KltWork;
struct PagePoints;
struct Vectors;
}  // namespace kernels

/// klt where the vectors are, but for what turns them into points and back: sections "pages", "streams"
/// and "exact", vectors that are kept beside the code. The first section of a frame and "padding"
/// follow from the codec and their lengths.
class KltOnDevice : public DeviceCodec, public LonePages {
 public:
  DeviceLayout layout(std::size_t tokens, std::size_t heads) const override;
  std::vector<std::byte> frame(const DeviceLayout& layout, std::span<const std::byte> sections,
                               std::size_t head) const override;
  void take_frame(std::span<const std::byte> frame, const DeviceLayout& layout, std::size_t head,
                  std::span<std::byte> sections) const override;

  // Pages of a budget, of single heads.
  DeviceLayout page_layout(std::size_t page, std::size_t pages) const final {
    return layout(page, pages);
  }
  void place_parts(const LonePageCall& call, std::span<const std::string> names,
                   kernels::BudgetPool& pool) const final;
  void prepare_pages(const kernels::Vectors&, const LonePageCall&) const final {}
  void code_pages(const kernels::Vectors& x, const LonePageCall& call) const final;
  void restore_pages(const kernels::Vectors& y, const LonePageCall& call) const final;
  void restore_coded(const kernels::Vectors& x, const kernels::Vectors& y,
                     const LonePageCall& call) const final;

 protected:
  /// One a head, of the same format and kept_bytes.
  KltOnDevice(std::vector<std::unique_ptr<Codec>> hosts, std::vector<TransformFrames> frames);

  virtual const kernels::Klt& kernel() const = 0;
  /// Bytes of `more`, device memory besides, for so many tokens.
  virtual std::size_t more_bytes(std::size_t tokens) const = 0;
  /// Writes points and bounds. `klt` is kernel(), or that of pages of a budget.
  virtual void find_points(const kernels::Klt& klt, const kernels::Vectors& x,
                           const kernels::KltWork& work, std::byte* more,
                           const Call& call) const = 0;
  /// Writes the vectors that are not kept.
  virtual void put_vectors(const kernels::Klt& klt, const kernels::KltWork& work, std::byte* more,
                           const kernels::Vectors& y, const Call& call) const = 0;

 private:
  struct Workspace;
  struct Pieces;
  kernels::PagePoints page_points(std::size_t tokens) const;
  std::size_t slot_bytes() const;
  kernels::FieldPages field_pages(const kernels::Klt& klt) const;
  bool is_prefix() const;
  bool is_tiles() const;
  /// Whether points in memory have 16 bits where pages are encoded, or there are none: those of product=exact.
  bool has_near_points() const;
  /// Whether they have where pages are decoded: those of rANS and of prefix codes.
  bool decodes_near_points() const;
  std::size_t page_bytes(const kernels::PagePoints& points, int heads) const;
  Workspace workspace(std::size_t tokens, std::size_t heads) const;
  Pieces pieces_of(const Call& call) const;
  static Call call_of(const LonePageCall& call);
  kernels::Klt kernel_of(const LonePageCall& call) const;
  void code_points(const kernels::Klt& klt, const kernels::Vectors& x, const Pieces& all,
                   const Call& call, bool move_up) const;
  void encode(const kernels::Klt& klt, const kernels::Vectors& x, const Call& call) const;
  void decode(const kernels::Klt& klt, const kernels::Vectors& y, const Call& call) const;
  void there_and_back(const kernels::Klt& klt, const kernels::Vectors& x, const kernels::Vectors& y,
                      const Call& call) const;
  void run_encode(const DeviceVectors& vectors, const Call& call) const final;
  void run_decode(const DeviceVectors& vectors, const Call& call) const final;
  void run_round_trip(const DeviceVectors& from, const DeviceVectors& to,
                      const Call& call) const final;

  std::vector<TransformFrames> frames_;  // one a head
  PagedFormat format_;
  std::size_t kept_bytes_;
};

}  // namespace kakeya
