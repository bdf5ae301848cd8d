// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pages.h"

// Pages of exactly so many bytes (lib/kakeya/codec/budget.md) on the device, in plain C++17 as kernels.h. A
// page is coded as the only one of a frame: here it is a head of its own, page p of head h is head h * pages +
// p, with sections of its own in the caller's workspace. The kernels of this file choose the step of each page,
// as BudgetPages::finest() does, put its sections together, and take them apart again.

namespace kakeya::kernels {

/// kRungs and kRungsAnOctave of lib/kakeya/codec/budget_pages.h: steps that a page chooses from.
inline constexpr int kBudgetSteps = HeadPlans::kSteps, kStepsAnOctave = 16;

/// What a kernel found wrong, beside the flags of the other headers.
enum BudgetFlag : std::uint32_t {
  kBadBudgetPage = 1 << 22,  ///< a page that does not come apart: it decodes as zeros
  kOverBudget =
      1 << 23,  ///< a page that fits with none of the steps: it is zeros, the frame is no good
};

/// A part of a page: of page h at place.data + h * place.stride.
struct BudgetPart {
  enum Counts : int { once, vectors, scales } counts = once;
  Section place;
  /// [pages of all heads]: its bytes, at most `room`; null: as many as `bits` for each that it counts take.
  std::uint64_t* sizes = nullptr;
  std::int64_t room = 0;
  std::int32_t bits = 0;
  bool or_none = false;  ///< without bytes where all of them are 0
};
inline constexpr int kMostBudgetParts = 8;

/// The pages of all heads and their parts; by value.
struct BudgetPool {
  std::uint8_t* data = nullptr;  ///< section "pool": that of head h at data + h * stride
  std::int64_t stride = 0, budget = 0;
  std::int64_t heads = 0, pages = 0, tokens = 0;
  std::int32_t page = 0, dim = 0;
  std::int32_t part_count = 0;
  BudgetPart parts[kMostBudgetParts];  ///< the first is the stream
  std::uint32_t* lengths = nullptr;    ///< PageSections::pages of the streams, with their stride
  std::int64_t length_stride = 0;
};

/// How far the search of a page's step has come.
struct BudgetSearch {
  std::int32_t too_fine, fits, next, done;
  std::uint32_t tried[kBudgetSteps / 32];
};

/// Memory between the launchers, one of each for each page of all heads.
struct BudgetWork {
  std::uint32_t* vectors = nullptr;  ///< how many the page has
  std::uint32_t* active = nullptr;   ///< the same, or 0 where its step is found
  std::uint32_t* steps = nullptr;    ///< below kBudgetSteps
  std::uint32_t* flags = nullptr;
  BudgetSearch* searches = nullptr;
};

/// Before the first try: vectors, active, steps of 0, flags of 0.
void begin_budget(const BudgetPool& pool, const BudgetWork& work, Stream stream);
/// After a try with work.steps of the pages with work.active: what it took says what the next one is. A step is
/// tried once at most, so that kBudgetSteps tries are enough for any page.
void next_budget_step(const BudgetPool& pool, const BudgetWork& work, Stream stream);
/// After the last try: the steps that were found, all pages active again. A page that fits with none is coded with
/// the coarsest and flagged kOverBudget.
void end_budget(const BudgetPool& pool, const BudgetWork& work, Stream stream);

/// From parts to the pool; and back: writes all of work but searches.
void write_budget_pages(const BudgetPool& pool, const BudgetWork& work, Stream stream);
void read_budget_pages(const BudgetPool& pool, const BudgetWork& work, Stream stream);

/// Adds the flags of pages to those of their heads.
void add_budget_flags(const BudgetPool& pool, const BudgetWork& work, std::uint32_t* flags,
                      Stream stream);

}  // namespace kakeya::kernels
