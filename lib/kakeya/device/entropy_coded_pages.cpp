// SPDX-License-Identifier: Apache-2.0
// ece8, ecd4 and ecz with pages of a budget: each page is a head here.
#include "kakeya/core/error.h"
#include "kakeya/device/entropy_coded_on_device.h"

namespace kakeya {

void EntropyCodedOnDevice::set_steps(std::span<const StepPlan> plans) {
  std::vector<kernels::StepFactors> steps;
  for (const StepPlan& plan : plans) steps.push_back({plan.factor, plan.reconstruct});
  steps_ = std::make_unique<DeviceBuffer>(steps.size() * sizeof(kernels::StepFactors));
  steps_->copy_in(steps.data(), steps_->bytes());
  kernel_.steps = static_cast<const kernels::StepFactors*>(steps_->data());
}

EntropyCodedOnDevice::Pieces EntropyCodedOnDevice::pieces_of(const LonePageCall& call) const {
  Pieces all = pieces_of(call_of(call));
  if (knows_centre()) all.work.sharing = static_cast<std::int32_t>(call.pages);
  all.work.steps = call.work.steps;
  all.choice.counts = call.work.active;
  return all;
}

void EntropyCodedOnDevice::place_parts(const LonePageCall& call, std::span<const std::string> names,
                                       kernels::BudgetPool& pool) const {
  using Piece = kernels::BudgetPart;
  const Pieces all = pieces_of(call);
  const Piece::Counts scales = !shares()                                  ? Piece::vectors
                               : kernel_.scales == kernels::ScaleOf::page ? Piece::scales
                                                                          : Piece::once;
  const bool has_scales = kernel_.scales != kernels::ScaleOf::frame;
  const auto bits = [](std::size_t bytes) { return static_cast<std::int32_t>(8 * bytes); };
  const auto part_of = [&](const std::string& name) -> Piece {
    if (name == "streams") {
      return {Piece::once,
              {all.pages.streams, all.pages.stream_stride},
              all.pages.stream_bytes,
              all.pages.stream_room};
    }
    if (name == "scales") {
      return {scales, all.sections.scales, nullptr, 0, has_scales ? bits(code_bytes()) : 0};
    }
    if (name == "windows") {
      return {scales, all.sections.windows, nullptr, 0, has_scales ? 8 : 0, true};
    }
    if (name == "classes") {
      return {Piece::once, all.classes, nullptr, 0, bits(format_.class_bytes(1))};
    }
    if (name == "exact" && !shares()) return {};
    if (name == "exact") {
      return {Piece::once, all.sections.exact.place, all.sections.exact.sizes,
              all.sections.exact.place.stride};
    }
    if (name == "centre") {
      return {Piece::once, all.sections.centre, nullptr, 0, bits(1 + 2 * dim())};
    }
    if (name == "outliers") {
      return {Piece::vectors, all.sections.outliers, nullptr, 0,
              kernel_.outliers * (kernel_.place_bits + 16)};
    }
    if (name == "owindows") {
      return {Piece::vectors, all.sections.outlier_windows, nullptr, 0, 8, true};
    }
    throw Error(spec() + ": no part of a page is called '" + name + "'");
  };
  for (const std::string& name : names) pool.parts[pool.part_count++] = part_of(name);
  pool.lengths = all.pages.pages;
  pool.length_stride = all.pages.page_stride;
}

void EntropyCodedOnDevice::prepare_pages(const kernels::Vectors& x,
                                         const LonePageCall& call) const {
  prepare(x, pieces_of(call), call_of(call));
}
void EntropyCodedOnDevice::code_pages(const kernels::Vectors& x, const LonePageCall& call) const {
  code(x, pieces_of(call), call_of(call));
}
void EntropyCodedOnDevice::restore_pages(const kernels::Vectors& y,
                                         const LonePageCall& call) const {
  restore(y, pieces_of(call), call_of(call));
}
void EntropyCodedOnDevice::restore_coded(const kernels::Vectors&, const kernels::Vectors& y,
                                         const LonePageCall& call) const {
  const Pieces all = pieces_of(call);
  put_points(y, all, call_of(call));
  if (shares()) kernels::put_exact_vectors(kernel_, all.sections, y, call.work.flags, call.stream);
}

}  // namespace kakeya
