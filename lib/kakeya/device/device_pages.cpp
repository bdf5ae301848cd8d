// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_pages.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/device/device_table_parts.h"
#include "kakeya/device/kernel_view.h"
#include "kakeya/entropy/page_plan.h"
#include "kernels/pages.h"

namespace kakeya {
namespace {

using kernels::HeadPlan;
using kernels::PageContext;
using kernels::PutStep;
using kernels::TableCopy;
using kernels::TableOffset;
using kernels::TakeUnit;

constexpr bool same(std::uint32_t ours, std::uint32_t theirs) { return ours == theirs; }
static_assert(same(kDamagedPage, kernels::kBadPage) &&
              same(kWrongPageSizes, kernels::kBadPageSizes) &&
              same(kLongPage, kernels::kPageTooLong) &&
              same(kLongStreams, kernels::kStreamTooLong));
static_assert(sizeof(TakeUnit) == 16 && sizeof(PutStep) == 16 && sizeof(TableCopy) == 16);

// Where the contexts of a head lie in shared memory.
struct Places {
  std::map<std::uint32_t, TableOffset> of;  // by number of the context
  std::vector<TableCopy> copies;
  std::uint32_t bytes = 0;

  // `from` is `before` bytes behind the first that are copied, and is found there again.
  void add(std::uint32_t number, TableOffset from, std::uint32_t before, std::uint32_t size) {
    of[number] = bytes + before;
    copies.push_back({from - before, bytes, size, 0});
    bytes += size;
  }
};

Places take_places(const std::vector<PageContext>& contexts, const std::set<std::uint32_t>& used,
                   std::uint32_t slots_behind, bool buckets) {
  Places places;
  for (const std::uint32_t number : used) {
    const PageContext& context = contexts[number];
    const std::uint32_t slot_bytes = buckets ? kernels::kBucketBytes : kernels::kSlotBytes;
    places.add(number, buckets ? context.bucket_zero : context.zero,
               kernels::entries_before(context),
               kernels::taken_bytes(context, slots_behind, slot_bytes));
  }
  return places;
}

Places put_places(const std::vector<PageContext>& contexts, const std::set<std::uint32_t>& used) {
  Places places;
  for (const std::uint32_t number : used) {
    places.add(number, contexts[number].putters, 0, 16 * (contexts[number].escape + 1));
  }
  return places;
}

// The steps of one head.
struct Steps {
  std::vector<TableOffset> take, take_shared, take_buckets;
  std::vector<PutStep> put, put_shared;
  std::vector<std::uint32_t> context;
};

void append_step(const PageContext& context, std::uint32_t number, bool raw_near,
                 const Places& take, const Places& bucket, const Places& put, Steps& steps) {
  const std::uint32_t bits = static_cast<std::uint32_t>(context.raw_bits) |
                             static_cast<std::uint32_t>(context.scale_bits) << 8 |
                             (raw_near ? kernels::kRawNear : 0);
  steps.take.push_back(context.zero);
  steps.take_shared.push_back(take.of.at(number));
  steps.take_buckets.push_back(bucket.of.at(number));
  steps.put.push_back({context.putters, context.first, context.escape, bits});
  steps.put_shared.push_back({put.of.at(number), context.first, context.escape, bits});
  steps.context.push_back(number);
}

std::size_t stride_of(Lattice lattice) {
  return lattice == Lattice::z ? 1 : (lattice == Lattice::e8 ? 4 : 2);
}

// Where the pieces of a HeadPlan are in the image.
struct PlanPlaces {
  std::size_t take, take_shared, units, put, put_shared, context, cosets, coset_putters,
      coset_costs, take_copies, put_copies, take_buckets, bucket_copies;
  std::uint32_t take_copy_count, put_copy_count, bucket_copy_count;
};

HeadPlan plan_at(const std::byte* base, const PlanPlaces& at) {
  const auto place = [&](std::size_t offset, auto* pointer) {
    pointer = reinterpret_cast<decltype(pointer)>(base + offset);
    return pointer;
  };
  HeadPlan plan{};
  plan.take = place(at.take, plan.take);
  plan.take_shared = place(at.take_shared, plan.take_shared);
  plan.units = place(at.units, plan.units);
  plan.put = place(at.put, plan.put);
  plan.put_shared = place(at.put_shared, plan.put_shared);
  plan.context = place(at.context, plan.context);
  plan.cosets = place(at.cosets, plan.cosets);
  plan.coset_putters = place(at.coset_putters, plan.coset_putters);
  plan.coset_costs = place(at.coset_costs, plan.coset_costs);
  plan.take_copies = place(at.take_copies, plan.take_copies);
  plan.put_copies = place(at.put_copies, plan.put_copies);
  plan.take_copy_count = at.take_copy_count;
  plan.put_copy_count = at.put_copy_count;
  plan.take_buckets = place(at.take_buckets, plan.take_buckets);
  plan.bucket_copies = place(at.bucket_copies, plan.bucket_copies);
  plan.bucket_copy_count = at.bucket_copy_count;
  return plan;
}

// The number of the context of each coordinate, those of fewer contexts than others padded with
// their first.
std::vector<std::uint32_t> numbers_of(const PagePlan& plan,
                                      const std::map<const ValueTable*, std::uint32_t>& numbers) {
  const std::size_t stride = stride_of(plan.lattice);
  std::vector<std::uint32_t> result;
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    const std::size_t contexts = contexts_of(plan.lattice, i);
    for (std::size_t k = 0; k < stride; ++k) {
      const auto found = numbers.find(plan.tables[i] + (k < contexts ? k : 0));
      if (found == numbers.end()) {
        throw InputError("device pages: coordinate " + std::to_string(i) +
                         " has a class that is not among the tables on the device");
      }
      result.push_back(found->second);
    }
  }
  return result;
}

// HeadPlan::units.
std::vector<TakeUnit> units_of(const PagePlan& plan) {
  constexpr std::size_t kUnit = kernels::kPageUnit;
  const std::size_t dim = plan.tables.size();
  std::vector<TakeUnit> units((dim + kUnit - 1) / kUnit);
  std::uint32_t run = 0;
  bool run_is_raw = false;
  for (std::size_t after = 0; after < units.size(); ++after) {  // against the decoding order
    const std::size_t u = coordinate_of_step(plan.lattice, units.size() - 1 - after, units.size());
    const std::size_t first = kUnit * u, end = std::min(first + kUnit, dim);
    int most = 0;
    for (std::size_t i = first; i < end; ++i) {
      const int raw_bits = plan.constants[i].raw_bits;
      (i % 8 < 4 ? units[u].raw_low : units[u].raw_high) |= static_cast<std::uint32_t>(raw_bits)
                                                            << (8 * (i % 4));
      most = std::max(most, raw_bits);
    }
    const bool path_ends = plan.lattice == Lattice::trellis && first % plan.path == 0;
    if (run_is_raw != (most > 0) || path_ends) run = 0;
    run_is_raw = most > 0;
    run = end - first == kUnit && most <= kernels::kMostQuickRawBits ? run + 1 : 0;
    units[u].run = run | (run_is_raw ? kernels::kRunIsRaw : 0);
  }
  return units;
}

PlanPlaces append_plan(const PagePlan& plan, const std::vector<PageContext>& contexts,
                       const std::vector<std::uint32_t>& numbers, DeviceImage& image,
                       kernels::PageCoding& coding) {
  const std::set<std::uint32_t> used(numbers.begin(), numbers.end());
  const Places take = take_places(contexts, used, coding.slots_behind, false),
               bucket = take_places(contexts, used, coding.slots_behind, true),
               put = put_places(contexts, used);
  coding.take_shared_bytes = std::max(coding.take_shared_bytes, take.bytes);
  coding.put_shared_bytes = std::max(coding.put_shared_bytes, put.bytes);
  coding.bucket_shared_bytes = std::max(coding.bucket_shared_bytes, bucket.bytes);
  const std::size_t stride = stride_of(plan.lattice), each = 8 * stride;
  Steps steps;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::size_t first = k / each * each, end = std::min(first + each, numbers.size());
    bool raw_near = false;
    for (std::size_t n = first; n < end; ++n) raw_near |= contexts[numbers[n]].raw_bits != 0;
    append_step(contexts[numbers[k]], numbers[k], raw_near, take, bucket, put, steps);
  }
  std::vector<std::uint32_t> cosets, costs;
  std::vector<RansSymbol> putters;
  for (const CosetTable& coset : plan.cosets) {
    cosets.push_back(coset.integers);
    for (const RansSymbol& symbol : coset.encoders) {
      putters.push_back(symbol);
      costs.push_back(most_cost_of(symbol.frequency(), 0));
    }
  }
  PlanPlaces at{};
  at.take = image.append(steps.take);
  at.take_shared = image.append(steps.take_shared);
  at.units = image.append(units_of(plan));
  at.put = image.append(steps.put);
  at.put_shared = image.append(steps.put_shared);
  at.context = image.append(steps.context);
  at.cosets = image.append(cosets);
  at.coset_putters = image.append(putters);
  at.coset_costs = image.append(costs);
  at.take_copies = image.append(take.copies);
  at.put_copies = image.append(put.copies);
  at.take_buckets = image.append(steps.take_buckets);
  at.bucket_copies = image.append(bucket.copies);
  at.take_copy_count = static_cast<std::uint32_t>(take.copies.size());
  at.put_copy_count = static_cast<std::uint32_t>(put.copies.size());
  at.bucket_copy_count = static_cast<std::uint32_t>(bucket.copies.size());
  return at;
}

}  // namespace

struct DevicePagePlans::Parts {
  std::shared_ptr<const DeviceTables> tables;
  DeviceBuffer memory;
  kernels::PageCoding coding;
};

DevicePagePlans::DevicePagePlans(std::shared_ptr<const DeviceTables> tables,
                                 std::span<const std::vector<std::uint8_t>> classes,
                                 std::size_t path) {
  if (classes.empty()) throw InputError("device pages: no heads, expected one or more");
  const DeviceTables::Parts& parts = *tables->parts_;
  DeviceImage image;
  const std::vector<HeadPlan> room(classes.size());
  image.append(room);
  std::vector<PlanPlaces> places;
  kernels::PageCoding coding;
  coding.slots_behind = parts.slots_behind;
  for (const std::vector<std::uint8_t>& each : classes) {
    if (each.size() != classes.front().size()) {
      throw InputError("device pages: heads of " + std::to_string(each.size()) + " and " +
                       std::to_string(classes.front().size()) +
                       " coordinates, expected as many in each");
    }
    const PagePlan plan = make_page_plan(*parts.model, each, path);
    places.push_back(
        append_plan(plan, parts.contexts, numbers_of(plan, parts.numbers), image, coding));
    coding.path = static_cast<std::int32_t>(plan.path);
  }
  DeviceBuffer memory(image.size());
  const auto* base = static_cast<const std::byte*>(memory.data());
  for (std::size_t head = 0; head < places.size(); ++head) {
    const HeadPlan plan = plan_at(base, places[head]);
    image.replace(head * sizeof(HeadPlan), &plan, sizeof plan);
  }
  memory.copy_in(image.data(), image.size());
  coding.lattice = static_cast<kernels::PageLattice>(parts.model->lattice());
  coding.heads = static_cast<std::int32_t>(classes.size());
  coding.dim = static_cast<std::int32_t>(classes.front().size());
  coding.tables = static_cast<const std::uint8_t*>(parts.tables.data());
  coding.contexts = static_cast<const PageContext*>(parts.contexts_there.data());
  coding.head_plans = reinterpret_cast<const HeadPlan*>(base);
  parts_ = std::make_unique<const Parts>(Parts{std::move(tables), std::move(memory), coding});
}
DevicePagePlans::~DevicePagePlans() = default;
const kernels::PageCoding& DevicePagePlans::coding() const { return parts_->coding; }
std::size_t DevicePagePlans::bytes() const { return parts_->memory.bytes(); }

kernels::PagePoints kernel_points(const DevicePoints& points) {
  return {points.twice, static_cast<std::int64_t>(points.head_stride), points.vectors,
          static_cast<std::int64_t>(points.pages), static_cast<std::int32_t>(points.page)};
}

kernels::PageSections kernel_sections(const DevicePageSections& sections) {
  return {sections.streams,
          static_cast<std::int64_t>(sections.stream_stride),
          static_cast<std::int64_t>(sections.stream_room),
          sections.pages,
          static_cast<std::int64_t>(sections.page_stride),
          sections.stream_bytes};
}

std::size_t DevicePagePlans::encode_workspace(const DevicePoints& points,
                                              std::size_t slot_bytes) const {
  return kernels::page_encode_workspace(kernel_points(points), coding().heads, slot_bytes);
}
std::size_t DevicePagePlans::decode_workspace(const DevicePoints& points) const {
  return kernels::page_decode_workspace(kernel_points(points), coding().heads);
}
void DevicePagePlans::encode(const DevicePoints& points, const DevicePageSections& out,
                             void* workspace, std::size_t slot_bytes, std::uint32_t* flags,
                             DeviceStream stream) const {
  kernels::encode_pages(coding(), kernel_points(points), kernel_sections(out), workspace,
                        slot_bytes, flags, stream);
}
void DevicePagePlans::decode(const DevicePageSections& in, const DevicePoints& points,
                             void* workspace, std::uint32_t* flags, DeviceStream stream) const {
  kernels::decode_pages(coding(), kernel_sections(in), kernel_points(points), workspace, flags,
                        stream);
}
void DevicePagePlans::most_costs(const DevicePoints& points, std::uint32_t* costs,
                                 DeviceStream stream) const {
  kernels::cost_pages(coding(), kernel_points(points), costs, stream);
}
void DevicePagePlans::sums(const DevicePageSections& in, const DevicePoints& points,
                           std::int32_t* sums, void* workspace, std::uint32_t* flags,
                           DeviceStream stream) const {
  kernels::sum_pages(coding(), kernel_sections(in), kernel_points(points), sums, workspace, flags,
                     stream);
}

void require_good_pages(std::span<const std::uint32_t> flags) {
  constexpr std::pair<std::uint32_t, const char*> kWrong[] = {
      {kDamagedPage, "a page is damaged"},
      {kWrongPageSizes, "the pages do not add up to the streams"},
      {kLongPage, "a page is longer than its slot"},
      {kLongStreams, "the pages are longer than the room of the streams"},
  };
  for (std::size_t head = 0; head < flags.size(); ++head) {
    for (const auto& [flag, what] : kWrong) {
      if ((flags[head] & flag) == 0) continue;
      const std::string text = "pages: head " + std::to_string(head) + ": " + what;
      if (flag == kLongPage || flag == kLongStreams) throw InputError(text);
      throw CorruptStream(text);
    }
  }
}

}  // namespace kakeya
