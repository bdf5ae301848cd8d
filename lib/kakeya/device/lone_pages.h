// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kakeya/device/device_codec.h"

namespace kakeya {

namespace kernels {
struct BudgetPool;  // kernels/budget.h
struct BudgetWork;
struct Vectors;  // kernels/kernels.h
}  // namespace kernels

/// One call of LonePages: memory as DeviceCodec's, of page_layout().
struct LonePageCall {
  const DeviceLayout& layout;
  std::byte *sections, *workspace;
  const kernels::BudgetWork&
      work;            ///< which pages are coded, with which steps, and what is wrong with them
  std::int64_t pages;  ///< of each head: page p of head h is number h * pages + p
  DeviceStream stream;
};

/// What codes the pages of a budget where the vectors are: pages of all heads, each as the only one of a frame, each
/// with a step of its own. Views are of kernels::Vectors whose heads are the pages.
class LonePages {
 public:
  virtual ~LonePages() = default;

  /// Where sections of `pages` pages of at most `page` vectors are.
  virtual DeviceLayout page_layout(std::size_t page, std::size_t pages) const = 0;
  /// Says where the parts of pages are, in the order of `names`, those of BudgetPages::parts().
  virtual void place_parts(const LonePageCall& call, std::span<const std::string> names,
                           kernels::BudgetPool& pool) const = 0;

  /// What no step changes, of all pages.
  virtual void prepare_pages(const kernels::Vectors& x, const LonePageCall& call) const = 0;
  /// Writes the sections of the active pages with their steps.
  virtual void code_pages(const kernels::Vectors& x, const LonePageCall& call) const = 0;
  /// The vectors that the sections of all pages stand for.
  virtual void restore_pages(const kernels::Vectors& y, const LonePageCall& call) const = 0;
  /// The same of what code_pages() of `x` wrote last.
  virtual void restore_coded(const kernels::Vectors& x, const kernels::Vectors& y,
                             const LonePageCall& call) const = 0;
};

/// A codec with pages of a budget; of a codec that knows its heads `hosts` are those, else one. All are BudgetPages,
/// and `pages` codes what they have at step 0 and all others.
std::unique_ptr<DeviceCodec> make_budget_on_device(std::vector<std::unique_ptr<Codec>> hosts,
                                                   bool knows_heads,
                                                   std::unique_ptr<const LonePages> pages);

}  // namespace kakeya
