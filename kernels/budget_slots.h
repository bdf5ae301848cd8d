// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_attention.h"
#include "kernels/kernels.h"

// Pages of a budget of klt (lib/kakeya/codec/budget.md) in slots that attention reads, and back: launchers of
// budget_slots.cu. Slots are those of field_attention.h, but that a page's room ends with a word of its own:
//
//     page    the stream, as long as it is | zeros, none at least | u32: bytes of the stream, from bit 24 on the step
//
// The zeros of a budget stay behind: attention reads what there is to read. No page has a longer room than its budget,
// rounded up to 16 bytes: a stream of 128 bytes or more has lengths and a step of 4 bytes behind it, and shorter
// ones have zeros, as a budget has a byte for 32 values at least.

namespace kakeya::kernels {

/// Sections "pool" of all heads, of keys or of values: pages of 128 vectors.
struct BudgetSections {
  Section pool;
  std::int64_t budget = 0;  ///< bytes of a page
};

/// As lay_fields(), in one kernel. A page that does not come apart sets kBadBudgetPage of its head, one with vectors
/// beside it kKeptVectors; their slots are left without pages.
void lay_budget_pages(const BudgetSections& keys, const BudgetSections& values, std::int64_t tokens,
                      const PagePool& pool, const FieldRoom& room, const std::int32_t* slots,
                      std::uint32_t* flags, Stream stream);

/// The way back, in one kernel: pages of their budget, full ones. A slot that the pool lacks and one without pages,
/// or with some that are damaged, set kBadSlot or kBadPage of its heads, whose page is zeros: it has no vectors.
void lift_budget_pages(const PagePool& pool, const FieldRoom& room, const std::int32_t* slots,
                       std::int64_t pages, const BudgetSections& keys, const BudgetSections& values,
                       std::uint32_t* flags, Stream stream);

}  // namespace kakeya::kernels
