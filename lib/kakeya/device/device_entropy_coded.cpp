// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_entropy_coded.h"

#include <algorithm>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/budget_pages.h"
#include "kakeya/codec/exact_vectors.h"
#include "kakeya/codec/site_section.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/device/entropy_coded_on_device.h"

namespace kakeya {

DeviceLayout EntropyCodedOnDevice::layout(std::size_t tokens, std::size_t heads) const {
  const std::size_t lengths = device_room(8 * heads);  // of a section of all heads
  DeviceLayout layout{
      tokens, heads, {}, shares() ? 2 * lengths : lengths, workspace(tokens, heads).bytes};
  const auto add = [&](std::string_view name, std::size_t bytes,
                       std::size_t sizes = DeviceLayout::kAllBytes) {
    layout.sections.push_back({name, bytes, layout.bytes, device_room(bytes), sizes});
    layout.bytes += heads * device_room(bytes);
  };
  const std::size_t rest = tokens % format_.page;
  add("scales", scales(tokens) * code_bytes());
  add("classes", format_.class_bytes(tokens));
  add("pages", 4 * format_.pages(tokens));
  add("streams",
      sixteens(tokens / format_.page * widest_.page_bound(format_.page) +
               (rest == 0 ? 0 : widest_.page_bound(rest))),
      0);
  add("windows", scales(tokens));
  if (shares()) add("exact", tokens * exact_bytes(dim()), lengths);
  if (stores_centre()) add("centre", 1 + 2 * dim());
  if (kernel_.outliers != 0) {
    add("outliers", outlier_bytes(tokens));
    add("owindows", tokens);
  }
  return layout;
}

std::vector<std::byte> EntropyCodedOnDevice::frame(const DeviceLayout& layout,
                                                   std::span<const std::byte> sections,
                                                   std::size_t head) const {
  std::vector<std::string_view> names;
  std::size_t room = host().encoded_bound(layout.tokens);
  for (const DeviceLayout::Section& section : layout.sections) {
    names.push_back(section.name);
    if (section.name == "windows" && !shares()) names.push_back("exact");
    if (names.back() == "exact" && knows_centre()) names.push_back(kSiteSection);
    room += bytes_of(section, sections, head).size();  // forged lengths may be beyond the bound
  }
  names.push_back("padding");
  std::vector<std::byte> out(room);
  FrameWriter writer(out, spec(), dim(), layout.tokens, names);
  for (const DeviceLayout::Section& section : layout.sections) {
    auto from = bytes_of(section, sections, head);
    const bool windows = section.name == "windows";
    if ((windows || section.name == "owindows") &&
        std::all_of(from.begin(), from.end(),
                    [](std::byte value) { return value == std::byte{0}; })) {
      from = {};
    }
    std::copy(from.begin(), from.end(), writer.section(from.size()).begin());
    if (windows && !shares()) writer.section(0);
    if (section.name == before_site() && knows_centre()) {
      std::ranges::copy(site_record(plan_of(host(head)).known->site),
                        writer.section(kSiteBytes).begin());
    }
  }
  writer.section(format_.padding_bytes(layout.tokens, writer.section_bytes()));
  out.resize(writer.finish());
  return out;
}

void EntropyCodedOnDevice::take_frame(std::span<const std::byte> frame, const DeviceLayout& layout,
                                      std::size_t head, std::span<std::byte> sections) const {
  const FrameView view = open(frame, layout, head);
  std::size_t next = 0;  // of the frame: some of its sections have no room here
  for (const DeviceLayout::Section& section : layout.sections) {
    put_section(view.section(next++, section.name), section, head, sections);
    if (section.name == "windows" && !shares() && !view.section(next++, "exact").empty()) {
      throw CorruptStream(spec() + ": exact vectors in a frame, expected none on the device");
    }
    if (section.name == before_site() && knows_centre()) {
      require_same_site("center=bias", view.section(next++, kSiteSection),
                        plan_of(host(head)).known->site);
    }
  }
  require_zeros(view.section(next, "padding"), spec());
}

EntropyCodedOnDevice::Workspace EntropyCodedOnDevice::workspace(std::size_t tokens,
                                                                std::size_t heads) const {
  const kernels::PagePoints points = page_points(tokens);
  const kernels::ClassChoice choice = this->choice(heads);
  Workspace places{};
  const auto add = [&](std::size_t bytes) {
    const std::size_t at = places.bytes;
    places.bytes += device_room(bytes);
    return at;
  };
  places.points = add(4 * heads * static_cast<std::size_t>(points.head_stride));
  places.means = add(stores_centre() ? 8 * heads * dim() : 0);
  places.vectors = add(4 * heads * format_.pages(tokens));
  places.plans = add(kernels::class_plan_bytes(classes_->kernel(), choice));
  const std::size_t taking = kernel_.outliers != 0 ? tokens : 0;
  places.taken = add(heads * taking * dim() / 8);
  const std::size_t shared = shares() ? scales(tokens) : 0;
  places.sizes = add(shared == 0 ? 0 : 4 * heads * tokens);
  places.sums = add(8 * heads * shared);
  places.kept = add(kept_bytes(tokens, heads));
  // Of a round trip, which has no sections.
  places.scales = add(heads * device_room(shared * code_bytes()));
  places.windows = add(heads * device_room(shared));
  places.outliers = add(heads * device_room(outlier_bytes(taking)));
  places.outlier_windows = add(heads * device_room(taking));
  const int count = static_cast<int>(heads);
  // Classes are chosen before pages are coded.
  places.pages = add(std::max({kernels::page_encode_workspace(points, count, slot_bytes()),
                               kernels::page_decode_workspace(points, count),
                               kernels::class_workspace(classes_->kernel(), choice)}));
  return places;
}

EntropyCodedOnDevice::Pieces EntropyCodedOnDevice::pieces_of(const Call& call) const {
  const Workspace places = workspace(call.layout.tokens, call.layout.heads);
  Pieces all{};
  all.points = page_points(call.layout.tokens);
  all.choice = choice(call.layout.heads);
  all.work.points = reinterpret_cast<std::int32_t*>(call.workspace + places.points);
  all.work.stride = all.points.head_stride;
  all.work.means = knows_centre() ? static_cast<float*>(known_.data())
                                  : reinterpret_cast<float*>(call.workspace + places.means);
  all.vectors = reinterpret_cast<std::uint32_t*>(call.workspace + places.vectors);
  all.points.twice = all.work.points;
  all.points.vectors = all.vectors;
  all.plans = call.workspace + places.plans;
  all.pages_workspace = call.workspace + places.pages;
  all.work.taken = reinterpret_cast<std::uint32_t*>(call.workspace + places.taken);
  all.work.sizes = reinterpret_cast<std::int32_t*>(call.workspace + places.sizes);
  all.work.sums = reinterpret_cast<std::int32_t*>(call.workspace + places.sums);
  all.work.kept = reinterpret_cast<std::uint32_t*>(call.workspace + places.kept);
  if (call.sections != nullptr) {
    place_sections(call, all);
  } else {
    const std::size_t shared = scales(call.layout.tokens);
    const auto place = [&](std::size_t at, std::size_t bytes) {
      return kernels::Section{reinterpret_cast<std::uint8_t*>(call.workspace + at),
                              static_cast<std::int64_t>(device_room(bytes))};
    };
    all.sections.scales = place(places.scales, shared * code_bytes());
    all.sections.windows = place(places.windows, shared);
    if (kernel_.outliers != 0) {
      all.sections.outliers = place(places.outliers, outlier_bytes(call.layout.tokens));
      all.sections.outlier_windows = place(places.outlier_windows, call.layout.tokens);
    }
  }
  return all;
}

void EntropyCodedOnDevice::place_sections(const Call& call, Pieces& all) const {
  auto* data = reinterpret_cast<std::uint8_t*>(call.sections);
  const auto& sections = call.layout.sections;
  const auto place = [&](std::size_t which) {
    return kernels::Section{data + sections[which].offset,
                            static_cast<std::int64_t>(sections[which].stride)};
  };
  all.sections.scales = place(kScales);
  all.sections.windows = place(kWindows);
  std::size_t next = shares() ? kExact + 1 : kExact;
  if (stores_centre()) all.sections.centre = place(next++);
  if (kernel_.outliers != 0) {
    all.sections.outliers = place(next);
    all.sections.outlier_windows = place(next + 1);
  }
  if (shares()) {
    all.sections.exact = {place(kExact),
                          reinterpret_cast<std::uint64_t*>(data + sections[kExact].sizes)};
  }
  all.classes = place(kClasses);
  const DeviceLayout::Section& streams = sections[kStreams];
  all.pages.streams = data + streams.offset;
  all.pages.stream_stride = static_cast<std::int64_t>(streams.stride);
  all.pages.stream_room = static_cast<std::int64_t>(streams.bytes);
  all.pages.pages = reinterpret_cast<std::uint32_t*>(data + sections[kPages].offset);
  all.pages.page_stride = static_cast<std::int64_t>(sections[kPages].stride / 4);
  all.pages.stream_bytes = reinterpret_cast<std::uint64_t*>(data + streams.sizes);
}

namespace {

std::unique_ptr<EntropyCodedOnDevice> of_hosts(std::vector<std::unique_ptr<Codec>> hosts) {
  if (plan_of(*hosts.front()).known != nullptr) {
    return std::make_unique<EntropyCodedOnDevice>(std::move(hosts));
  }
  return std::make_unique<EntropyCodedOnDevice>(std::move(hosts.front()), std::byte{});
}

}  // namespace

std::unique_ptr<DeviceCodec> make_entropy_coded_on_device(
    std::vector<std::unique_ptr<Codec>> hosts) {
  const auto* budget = dynamic_cast<const BudgetPages*>(hosts.front().get());
  if (budget == nullptr) return of_hosts(std::move(hosts));
  std::vector<StepPlan> steps;
  for (int rung = 0; rung < kRungs; ++rung) steps.push_back(plan_of(*budget->codec_of(rung)));
  std::vector<std::unique_ptr<Codec>> alone;
  for (const auto& host : hosts) {
    alone.push_back(dynamic_cast<const BudgetPages&>(*host).codec_of(0));
  }
  const bool knows_heads = plan_of(*alone.front()).known != nullptr;
  auto pages = of_hosts(std::move(alone));
  pages->set_steps(steps);
  return make_budget_on_device(std::move(hosts), knows_heads, std::move(pages));
}

}  // namespace kakeya
