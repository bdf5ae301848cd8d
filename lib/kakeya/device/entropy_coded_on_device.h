// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/codec/paged_points.h"
#include "kakeya/codec/scale_code.h"
#include "kakeya/device/device_classes.h"
#include "kakeya/device/device_codec.h"
#include "kakeya/device/device_step_plan.h"
#include "kakeya/device/kernel_view.h"
#include "kakeya/device/lone_pages.h"
#include "kernels/budget.h"
#include "kernels/entropy_coded.h"
#include "kernels/page_classes.h"

namespace kakeya {

/// ece8, ecd4 and ecz where the vectors are. Sections: "scales", "classes", "pages", "streams", "windows", "exact",
/// "centre", "outliers" and "owindows"; where every vector has a scale of its own "exact" is empty, without room here.
/// "padding" follows from lengths, and "site", which center=bias has in place of "centre", from the codec.
class EntropyCodedOnDevice final : public DeviceCodec, public LonePages {
 public:
  /// As a DeviceCodec: for any number of heads, or for those whose centres are known.
  template <typename... Hosts>
  explicit EntropyCodedOnDevice(Hosts&&... hosts)
      : DeviceCodec(std::forward<Hosts>(hosts)...),
        format_(*plan_of(this->host()).format),
        kernel_(kernel_of(plan_of(this->host()))),
        reach_(reach_of(plan_of(this->host()))),
        classes_(shared_device_classes(format_.model)),
        widest_(format_.model, classes_->widest(format_.dim)),
        signs_(signs_of(plan_of(this->host()))),
        known_(known_means(*this)) {
    if (!plan_of(this->host()).signs.empty()) {
      kernel_.signs = static_cast<const float*>(signs_.data());
    }
  }

  DeviceLayout layout(std::size_t tokens, std::size_t heads) const override;
  std::vector<std::byte> frame(const DeviceLayout& layout, std::span<const std::byte> sections,
                               std::size_t head) const override;
  void take_frame(std::span<const std::byte> frame, const DeviceLayout& layout, std::size_t head,
                  std::span<std::byte> sections) const override;

  /// Steps of pages of a budget: what LonePageCall::steps number.
  void set_steps(std::span<const StepPlan> plans);
  DeviceLayout page_layout(std::size_t page, std::size_t pages) const override {
    return layout(page, pages);
  }
  void place_parts(const LonePageCall& call, std::span<const std::string> names,
                   kernels::BudgetPool& pool) const override;
  void prepare_pages(const kernels::Vectors& x, const LonePageCall& call) const override;
  void code_pages(const kernels::Vectors& x, const LonePageCall& call) const override;
  void restore_pages(const kernels::Vectors& y, const LonePageCall& call) const override;
  void restore_coded(const kernels::Vectors& x, const kernels::Vectors& y,
                     const LonePageCall& call) const override;

 private:
  static constexpr std::size_t sixteens(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

  // Places among the sections of a frame.
  static constexpr std::size_t kScales = 0, kClasses = 1, kPages = 2, kStreams = 3, kWindows = 4,
                               kExact = 5;

  bool shares() const { return kernel_.scales != kernels::ScaleOf::vector; }
  bool knows_centre() const { return heads() != 0; }
  bool stores_centre() const { return kernel_.centres && !knows_centre(); }
  // The last section that has room here before "site".
  std::string_view before_site() const { return shares() ? "exact" : "windows"; }
  std::size_t code_bytes() const {
    return scale_bytes(kernel_.halves ? ScaleFormat::half : ScaleFormat::log8);
  }
  // How many scales `tokens` vectors have.
  std::size_t scales(std::size_t tokens) const {
    if (!shares()) return tokens;
    if (kernel_.scales == kernels::ScaleOf::frame || tokens == 0) return 0;
    return static_cast<std::size_t>(
        shared_scale(static_cast<std::int64_t>(tokens) - 1, kernel_.page) + 1);
  }

  std::size_t outlier_bytes(std::size_t tokens) const {
    const int entry = kernel_.place_bits + 16;
    return (tokens * static_cast<std::size_t>(kernel_.outliers * entry) + 7) / 8;
  }

  kernels::PagePoints page_points(std::size_t tokens) const {
    kernels::PagePoints points;
    points.pages = static_cast<std::int64_t>(format_.pages(tokens));
    points.page = static_cast<std::int32_t>(format_.page);
    points.head_stride = points.pages * points.page * static_cast<std::int64_t>(dim());
    return points;
  }

  // Room for any page: whatever its classes and points are.
  std::size_t slot_bytes() const { return sixteens(widest_.page_bound(format_.page)); }

  kernels::ClassChoice choice(std::size_t heads) const {
    return {static_cast<std::int32_t>(heads), kernel_.dim, format_.class_each, reach_,
            shares() ? kernel_.page * kernel_.dim : 0};
  }

  // The pieces of a workspace, one after another.
  struct Workspace {
    std::size_t points, means, vectors, plans, taken, sizes, sums, kept, scales, windows, outliers,
        outlier_windows, pages, bytes;
  };
  Workspace workspace(std::size_t tokens, std::size_t heads) const;

  std::size_t kept_bytes(std::size_t tokens, std::size_t heads) const {
    return shares() ? 4 * heads * ((tokens + 31) / 32) : 0;
  }

  // One call's pieces, as launchers take them.
  struct Pieces {
    kernels::EntropyCodedWork work;
    kernels::EntropyCodedSections sections;
    kernels::Section classes;
    kernels::PagePoints points;
    kernels::PageSections pages;
    kernels::ClassChoice choice;
    std::uint32_t* vectors;
    std::byte *plans, *pages_workspace;
  };
  Pieces pieces_of(const Call& call) const;
  void place_sections(const Call& call, Pieces& all) const;
  static Call call_of(const LonePageCall& call) {
    return {call.layout, call.sections, call.workspace, call.work.flags, call.stream};
  }
  Pieces pieces_of(const LonePageCall& call) const;

  void plan_pages(const Call& call, const Pieces& all) const {
    kernels::plan_classes(classes_->kernel(), all.choice, all.classes, all.points,
                          static_cast<std::int64_t>(call.layout.tokens), all.vectors, all.plans,
                          call.flags, call.stream);
  }

  // What points are found with: means, outliers, and scales that vectors share.
  void prepare(const kernels::Vectors& x, const Pieces& all, const Call& call) const {
    if (stores_centre()) {
      kernels::take_means(kernel_, x, all.sections.centre, all.work, call.stream);
    }
    if (kernel_.outliers != 0) {
      kernels::take_outliers(kernel_, x, all.sections, all.work, call.flags, call.stream);
    }
    if (kernel_.scales == kernels::ScaleOf::page) {
      kernels::share_scales(kernel_, x, all.sections, all.work, call.flags, call.stream);
    }
  }

  void keep_none(const Pieces& all, const Call& call) const {
    kernels::fill(all.work.kept, 0, kept_bytes(call.layout.tokens, call.layout.heads), call.stream);
  }

  void run_encode(const DeviceVectors& vectors, const Call& call) const override {
    const kernels::Vectors x = kernel_view(vectors);
    const Pieces all = pieces_of(call);
    if (x.tokens == 0) return encode_nothing(call, all);
    prepare(x, all, call);
    code(x, all, call);
  }

  // All but what prepare() does.
  void code(const kernels::Vectors& x, const Pieces& all, const Call& call) const {
    if (shares()) keep_none(all, call);
    kernels::find_points(kernel_, x, all.sections, all.work, call.flags, call.stream);
    if (shares()) kernels::write_exact_vectors(kernel_, x, all.sections, all.work, call.stream);
    const auto first_page = static_cast<std::int32_t>(std::min(call.layout.tokens, format_.page));
    kernels::choose_classes(classes_->kernel(), all.choice, all.points, first_page, all.classes,
                            all.pages_workspace, call.stream);
    plan_pages(call, all);
    kernels::encode_pages(kernels::class_coding(classes_->kernel(), all.choice, all.plans),
                          all.points, all.pages, all.pages_workspace, slot_bytes(), call.flags,
                          call.stream);
  }

  // Of a frame without vectors: no pages, means of 0.
  void encode_nothing(const Call& call, const Pieces& all) const {
    kernels::fill(all.pages.stream_bytes, 0, 8 * call.layout.heads, call.stream);
    if (shares()) kernels::fill(all.sections.exact.sizes, 0, 8 * call.layout.heads, call.stream);
    if (!stores_centre()) return;
    const auto bytes = call.layout.heads * static_cast<std::size_t>(all.sections.centre.stride);
    kernels::fill(all.sections.centre.data, 0, bytes, call.stream);
  }

  void run_decode(const DeviceVectors& vectors, const Call& call) const override {
    restore(kernel_view(vectors), pieces_of(call), call);
  }

  void restore(const kernels::Vectors& y, const Pieces& all, const Call& call) const {
    if (stores_centre()) {
      kernels::read_means(kernel_, y.heads, all.sections.centre, all.work, call.flags, call.stream);
    }
    if (y.tokens != 0) {
      plan_pages(call, all);
      kernels::decode_pages(kernels::class_coding(classes_->kernel(), all.choice, all.plans),
                            all.pages, all.points, all.pages_workspace, call.flags, call.stream);
      put_points(y, all, call);
    }
    if (shares()) kernels::put_exact_vectors(kernel_, all.sections, y, call.flags, call.stream);
  }

  void put_points(const kernels::Vectors& y, const Pieces& all, const Call& call) const {
    kernels::restore_vectors(kernel_, all.sections, all.work, y, call.flags, call.stream);
    if (kernel_.outliers != 0) {
      kernels::put_outliers(kernel_, all.sections, all.work, false, y, call.flags, call.stream);
    }
  }

  void run_round_trip(const DeviceVectors& from, const DeviceVectors& to,
                      const Call& call) const override {
    const kernels::Vectors x = kernel_view(from);
    const Pieces all = pieces_of(call);
    const kernels::Vectors y = kernel_view(to);
    prepare(x, all, call);
    if (kernel_.outliers != 0 && shares()) keep_none(all, call);
    kernels::round_trip(kernel_, x, all.sections, all.work, y, call.flags, call.stream);
    if (kernel_.outliers != 0) {
      kernels::put_outliers(kernel_, all.sections, all.work, shares(), y, call.flags, call.stream);
    }
  }

  PagedFormat format_;
  kernels::EntropyCoded kernel_;
  std::int32_t reach_;
  std::shared_ptr<const DeviceClasses> classes_;
  PointCoder widest_;  // whose pages have the largest bound
  DeviceBuffer signs_;
  std::unique_ptr<DeviceBuffer> steps_;
  DeviceBuffer known_;
};

}  // namespace kakeya
