// SPDX-License-Identifier: Apache-2.0
// Pages of a budget of klt in slots that attention reads. Each has a step of its own, 2^(k/16) times the one asked
// for, and attention has the transforms of that one: a page needs one factor besides. For the plans of a head's steps
// differ in what z B is multiplied by alone. HeadChain multiplies its backward matrix by the step, and the scales of
// product=exact, whose whole numbers are of no step; means are of none, and pages say their widths themselves. Each
// number is rounded to a float once more, by less than 2^-23 of it.
#include "kakeya/codec/budget_pages.h"
#include "kakeya/device/device_field_attention.h"
#include "kernels/budget_slots.h"

namespace kakeya {
namespace {

constexpr std::size_t kTokens = kernels::kFieldSlotTokens;

kernels::BudgetSections pool_of(const DeviceCodec& codec, const void* sections, std::size_t tokens,
                                std::size_t budget) {
  const DeviceLayout layout = codec.layout(tokens, codec.heads());
  const DeviceLayout::Section& pool = layout.sections[0];
  auto* const data = static_cast<std::uint8_t*>(const_cast<void*>(sections));
  return {{data + pool.offset, static_cast<std::int64_t>(pool.stride)},
          static_cast<std::int64_t>(budget)};
}

}  // namespace

AttentionRoom DeviceAttention::Fields::budget_room() const {
  const std::size_t part = (budget + 15) / 16 * 16,
                    directory = 16 * static_cast<std::size_t>(
                                         kernels::field_directory(static_cast<int>(heads())));
  return {directory + 2 * part * heads(), 2 * part, part};
}

void DeviceAttention::Fields::lay_budget(const void* key_sections, const void* value_sections,
                                         std::size_t tokens, const kernels::PagePool& pool,
                                         const std::int32_t* slots, std::uint32_t* flags,
                                         DeviceStream stream) const {
  kernels::lay_budget_pages(pool_of(*codecs[0], key_sections, tokens, budget),
                            pool_of(*codecs[1], value_sections, tokens, budget),
                            static_cast<std::int64_t>(tokens), pool, kernel_room(), slots, flags,
                            stream);
}

void DeviceAttention::Fields::lift_budget(const kernels::PagePool& pool, const std::int32_t* slots,
                                          std::size_t pages, void* key_sections,
                                          void* value_sections, std::uint32_t* flags,
                                          DeviceStream stream) const {
  kernels::lift_budget_pages(pool, kernel_room(), slots, static_cast<std::int64_t>(pages),
                             pool_of(*codecs[0], key_sections, pages * kTokens, budget),
                             pool_of(*codecs[1], value_sections, pages * kTokens, budget), flags,
                             stream);
}

}  // namespace kakeya
