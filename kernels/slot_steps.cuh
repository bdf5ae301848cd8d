// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/attention.cuh"
#include "kernels/budget.h"
#include "kernels/field_attention.h"

// Steps of pages in slots, where each has its own (budget_slots.cu): the last four bytes of a page's room are how
// many bytes it has, in 24 bits, and above them its step k. A vector is 2^(k/16) z B + mean.

namespace kakeya::kernels {
namespace {

/// Of `bytes` bytes of a page's room those before its step.
__device__ __forceinline__ int bytes_before_step(const FieldRoom& room, int bytes) {
  return room.steps ? bytes - 4 : bytes;
}

/// The step of a page whose room ends at `end`.
__device__ __forceinline__ std::uint32_t step_before(const std::uint8_t* end) {
  return reinterpret_cast<const std::uint32_t*>(end)[-1] >> 24;
}

/// False where the step of a page is none.
__device__ __forceinline__ bool has_step(const FieldRoom& room, const std::uint8_t* end) {
  return !room.steps || step_before(end) < static_cast<std::uint32_t>(kBudgetSteps);
}

/// Octaves that a page's step is above the one asked for: 0 where pages have no steps.
__device__ __forceinline__ float octaves_before(const FieldRoom& room, const std::uint8_t* end) {
  if (!room.steps) return 0.0f;
  return static_cast<float>(step_before(end)) * (1.0f / kStepsAnOctave);
}
/// What it multiplies z B by: 1 where pages have no steps.
__device__ __forceinline__ float factor_before(const FieldRoom& room, const std::uint8_t* end) {
  return power_of_two(octaves_before(room, end));
}

}  // namespace
}  // namespace kakeya::kernels
