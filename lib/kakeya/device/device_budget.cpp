// SPDX-License-Identifier: Apache-2.0
// Pages of a budget where the vectors are: section "pool", page p at p times the budget. What codes pages is
// LonePages; here their steps are searched, and their parts put together and taken apart.
#include <algorithm>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/budget_pages.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/device/kernel_view.h"
#include "kakeya/device/lone_pages.h"
#include "kernels/budget.h"

namespace kakeya {
namespace {

static_assert(kRungs == kernels::kBudgetSteps && kRungsAnOctave == kernels::kStepsAnOctave);

const BudgetPages& budget_of(const Codec& host) { return dynamic_cast<const BudgetPages&>(host); }

class BudgetOnDevice final : public DeviceCodec {
 public:
  template <typename... Hosts>
  explicit BudgetOnDevice(std::unique_ptr<const LonePages> pages, Hosts&&... hosts)
      : DeviceCodec(std::forward<Hosts>(hosts)...),
        pages_(std::move(pages)),
        page_(host().page_vectors()),
        budget_(budget_of(host()).budget()) {}

  DeviceLayout layout(std::size_t tokens, std::size_t heads) const override {
    DeviceLayout layout{tokens, heads, {}, 0, workspace(tokens, heads).bytes};
    const std::size_t bytes = pages(tokens) * budget_;
    layout.sections.push_back({"pool", bytes, 0, device_room(bytes)});
    layout.bytes = heads * device_room(bytes);
    return layout;
  }

  std::vector<std::byte> frame(const DeviceLayout& layout, std::span<const std::byte> sections,
                               std::size_t head) const override {
    const auto site = budget_of(host(head)).site();
    std::vector<std::string_view> names;
    if (!site.empty()) names.push_back("site");
    names.push_back("pool");
    std::vector<std::byte> out(host(head).encoded_bound(layout.tokens));
    FrameWriter writer(out, spec(), dim(), layout.tokens, names);
    if (!site.empty()) std::ranges::copy(site, writer.section(site.size()).begin());
    const auto pool = bytes_of(layout.sections[0], sections, head);
    std::ranges::copy(pool, writer.section(pool.size()).begin());
    out.resize(writer.finish());
    return out;
  }

  void take_frame(std::span<const std::byte> frame, const DeviceLayout& layout, std::size_t head,
                  std::span<std::byte> sections) const override {
    const FrameView view = open(frame, layout, head);
    const auto site = budget_of(host(head)).site();
    if (!site.empty() && !std::ranges::equal(view.section(0, "site"), site)) {
      throw CorruptStream(spec() + ": a frame of another site or step");
    }
    put_section(view.section(site.empty() ? 0 : 1, "pool"), layout.sections[0], head, sections);
  }

 private:
  // The pieces of a workspace, one after another.
  struct Workspace {
    std::size_t vectors, active, steps, flags, searches, sections, pages, bytes;
    DeviceLayout layout;  // of pages
  };
  // One call's pieces, as launchers take them.
  struct Pieces {
    kernels::BudgetPool pool;
    DeviceLayout layout;
    std::byte *sections, *workspace;
    kernels::BudgetWork work;
  };

  std::size_t pages(std::size_t tokens) const { return (tokens + page_ - 1) / page_; }

  Workspace workspace(std::size_t tokens, std::size_t heads) const {
    Workspace places{};
    const auto add = [&](std::size_t bytes) {
      const std::size_t at = places.bytes;
      places.bytes += device_room(bytes);
      return at;
    };
    const std::size_t all = heads * pages(tokens);
    if (all == 0) return places;
    places.layout = pages_->page_layout(std::min(page_, tokens), all);
    places.vectors = add(4 * all);
    places.active = add(4 * all);
    places.steps = add(4 * all);
    places.flags = add(4 * all);
    places.searches = add(sizeof(kernels::BudgetSearch) * all);
    places.sections = add(places.layout.bytes);
    places.pages = add(places.layout.workspace_bytes);
    return places;
  }

  // `pool` without parts.
  Pieces pieces_of(const Call& call) const {
    const Workspace places = workspace(call.layout.tokens, call.layout.heads);
    const auto words = [&](std::size_t at) {
      return reinterpret_cast<std::uint32_t*>(call.workspace + at);
    };
    Pieces all{};
    all.layout = places.layout;
    all.sections = call.workspace + places.sections;
    all.workspace = call.workspace + places.pages;
    all.work = {words(places.vectors), words(places.active), words(places.steps),
                words(places.flags),
                reinterpret_cast<kernels::BudgetSearch*>(call.workspace + places.searches)};
    all.pool.data = reinterpret_cast<std::uint8_t*>(call.sections);
    all.pool.stride = static_cast<std::int64_t>(call.layout.sections[0].stride);
    all.pool.budget = static_cast<std::int64_t>(budget_);
    all.pool.heads = static_cast<std::int64_t>(call.layout.heads);
    all.pool.pages = static_cast<std::int64_t>(pages(call.layout.tokens));
    all.pool.tokens = static_cast<std::int64_t>(call.layout.tokens);
    all.pool.page = static_cast<std::int32_t>(page_);
    all.pool.dim = static_cast<std::int32_t>(dim());
    return all;
  }

  LonePageCall page_call(Pieces& all, const Call& call) const {
    const LonePageCall made{all.layout, all.sections,   all.workspace,
                            all.work,   all.pool.pages, call.stream};
    pages_->place_parts(made, budget_of(host()).parts(), all.pool);
    return made;
  }

  // A view whose heads are pages.
  kernels::Vectors pages_of(const DeviceVectors& vectors, const Pieces& all) const {
    kernels::Vectors x = kernel_view(vectors);
    x.pages = all.pool.pages;
    x.page_stride = x.token_stride * all.pool.page;
    x.heads *= x.pages;
    x.tokens = static_cast<std::int64_t>(all.layout.tokens);
    x.counts = all.work.active;
    return x;
  }

  // Codes all pages with steps that fit.
  void code_all(const kernels::Vectors& x, const Pieces& all, const LonePageCall& pages) const {
    kernels::begin_budget(all.pool, all.work, pages.stream);
    pages_->prepare_pages(x, pages);
    for (int step = 0; step < kRungs; ++step) {
      pages_->code_pages(x, pages);
      kernels::next_budget_step(all.pool, all.work, pages.stream);
    }
    kernels::end_budget(all.pool, all.work, pages.stream);
    pages_->code_pages(x, pages);
  }

  void run_encode(const DeviceVectors& vectors, const Call& call) const override {
    if (vectors.tokens == 0) return;
    Pieces all = pieces_of(call);
    const LonePageCall pages = page_call(all, call);
    code_all(pages_of(vectors, all), all, pages);
    kernels::write_budget_pages(all.pool, all.work, call.stream);
    kernels::add_budget_flags(all.pool, all.work, call.flags, call.stream);
  }

  void run_decode(const DeviceVectors& vectors, const Call& call) const override {
    if (vectors.tokens == 0) return;
    Pieces all = pieces_of(call);
    const LonePageCall pages = page_call(all, call);
    kernels::read_budget_pages(all.pool, all.work, call.stream);
    pages_->restore_pages(pages_of(vectors, all), pages);
    kernels::add_budget_flags(all.pool, all.work, call.flags, call.stream);
  }

  void run_round_trip(const DeviceVectors& from, const DeviceVectors& to,
                      const Call& call) const override {
    if (from.tokens == 0) return;
    Pieces all = pieces_of(call);
    const LonePageCall pages = page_call(all, call);
    const kernels::Vectors x = pages_of(from, all);
    code_all(x, all, pages);
    pages_->restore_coded(x, pages_of(to, all), pages);
    kernels::add_budget_flags(all.pool, all.work, call.flags, call.stream);
  }

  std::unique_ptr<const LonePages> pages_;
  std::size_t page_, budget_;
};

}  // namespace

std::unique_ptr<DeviceCodec> make_budget_on_device(std::vector<std::unique_ptr<Codec>> hosts,
                                                   bool knows_heads,
                                                   std::unique_ptr<const LonePages> pages) {
  if (knows_heads) return std::make_unique<BudgetOnDevice>(std::move(pages), std::move(hosts));
  return std::make_unique<BudgetOnDevice>(std::move(pages), std::move(hosts.front()), std::byte{});
}

}  // namespace kakeya
