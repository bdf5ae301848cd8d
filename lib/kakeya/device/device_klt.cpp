// SPDX-License-Identifier: Apache-2.0
// klt of single heads where the vectors are. Sections: "pages", "streams" and "exact"; "site" and
// "padding" follow from the codec and their lengths.
#include "kakeya/device/device_klt.h"

#include <algorithm>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/device/kernel_view.h"
#include "kakeya/device/klt_plans.h"
#include "kernels/klt.h"

namespace kakeya {
namespace {

TransformPlan plan_of(const Codec& codec) {
  return dynamic_cast<const TransformCodec&>(codec).transform_plan();
}

std::vector<TransformPlan> plans_of(const std::vector<std::unique_ptr<Codec>>& hosts) {
  std::vector<TransformPlan> plans;
  for (const auto& host : hosts) {
    plans.push_back(plan_of(*host));
    if (host->spec() != hosts[0]->spec() || host->dim() != hosts[0]->dim()) {
      throw InputError(host->spec() + ": heads of one launch given with " + hosts[0]->spec() +
                       ", expected the same spec and dim");
    }
  }
  return plans;
}

// The pieces of a workspace, one after another.
struct Workspace {
  std::size_t points, bounds, kept, vectors, pages, bytes;
};

class KltOnDevice final : public DeviceCodec {
 public:
  explicit KltOnDevice(std::vector<std::unique_ptr<Codec>> hosts)
      : DeviceCodec(std::move(hosts)), format_(*plan_of(host()).format) {
    std::vector<TransformPlan> plans;
    for (std::size_t head = 0; head < heads(); ++head) plans.push_back(plan_of(host(head)));
    kept_bytes_ = plans[0].kept_bytes;
    plans_ = shared_klt_plans(plans);
  }

  DeviceLayout layout(std::size_t tokens, std::size_t heads) const override {
    const std::size_t pages = format_.pages(tokens);
    DeviceLayout layout{
        tokens, heads, {}, 2 * device_room(8 * heads), workspace(tokens, heads).bytes};
    const auto add = [&](std::string_view name, std::size_t bytes, std::size_t sizes) {
      layout.sections.push_back({name, bytes, layout.bytes, device_room(bytes), sizes});
      layout.bytes += heads * device_room(bytes);
    };
    add("pages", 4 * pages, DeviceLayout::kAllBytes);
    add("streams", format_.bound_with_kept(tokens, kept_bytes_) - 4 * pages, 0);
    add("exact", tokens * kept_bytes_, device_room(8 * heads));
    return layout;
  }

  std::vector<std::byte> frame(const DeviceLayout& layout, std::span<const std::byte> sections,
                               std::size_t head) const override {
    const TransformPlan plan = plan_of(host(head));
    std::size_t room = host(head).encoded_bound(layout.tokens);
    for (const DeviceLayout::Section& section : layout.sections) {
      room += bytes_of(section, sections, head).size();  // forged lengths may be beyond the bound
    }
    std::vector<std::byte> out(room);
    const std::string_view names[] = {"site", "pages", "streams", "exact", "padding"};
    FrameWriter writer(out, spec(), dim(), layout.tokens, names);
    const auto put = [&](std::span<const std::byte> from) {
      std::copy(from.begin(), from.end(), writer.section(from.size()).begin());
    };
    put(plan.site);
    for (const DeviceLayout::Section& section : layout.sections) {
      put(bytes_of(section, sections, head));
    }
    writer.section(format_.padding_bytes(layout.tokens, writer.section_bytes()));
    out.resize(writer.finish());
    return out;
  }

  void take_frame(std::span<const std::byte> frame, const DeviceLayout& layout, std::size_t head,
                  std::span<std::byte> sections) const override {
    const FrameView view = open(frame, layout, head);
    const auto site = view.section(0, "site");
    const TransformPlan plan = plan_of(host(head));
    if (!std::equal(site.begin(), site.end(), plan.site.begin(), plan.site.end())) {
      throw CorruptStream(spec() + ": a frame of another site or step");
    }
    require_zeros(view.section(4, "padding"), spec());
    for (std::size_t i = 0; i < layout.sections.size(); ++i) {
      const DeviceLayout::Section& section = layout.sections[i];
      put_section(view.section(i + 1, section.name), section, head, sections);
    }
  }

 private:
  static constexpr std::size_t kPages = 0, kStreams = 1, kExact = 2;

  kernels::PagePoints page_points(std::size_t tokens) const {
    kernels::PagePoints points;
    points.pages = static_cast<std::int64_t>(format_.pages(tokens));
    points.page = static_cast<std::int32_t>(format_.page);
    points.head_stride = points.pages * points.page * static_cast<std::int64_t>(dim());
    return points;
  }

  // Room for any page: more bits than that no vector takes in one.
  std::size_t slot_bytes() const {
    return (most_page_overhead(format_.page) + format_.page * kept_bytes_ + 15) / 16 * 16;
  }

  Workspace workspace(std::size_t tokens, std::size_t heads) const {
    const kernels::PagePoints points = page_points(tokens);
    const std::size_t groups = (tokens + 31) / 32;
    const auto padded = static_cast<std::size_t>(kernels::klt_padded(static_cast<int>(dim())));
    Workspace places{};
    const auto add = [&](std::size_t bytes) {
      const std::size_t at = places.bytes;
      places.bytes += device_room(bytes);
      return at;
    };
    places.points = add(4 * heads * static_cast<std::size_t>(points.head_stride));
    places.bounds = add(4 * padded / 64 * heads * 32 * groups);
    places.kept = add(4 * heads * groups);
    places.vectors = add(4 * heads * format_.pages(tokens));
    const int count = static_cast<int>(heads);
    places.pages = add(std::max(kernels::page_encode_workspace(points, count, slot_bytes()),
                                kernels::page_decode_workspace(points, count)));
    return places;
  }

  // One call's pieces, as launchers take them.
  struct Pieces {
    kernels::KltWork work;
    kernels::PagePoints points;
    kernels::PageSections pages;
    kernels::SizedSection exact;
    std::byte* page_workspace;
    std::size_t kept_bytes;  // of work.kept
  };
  Pieces pieces_of(const Call& call) const {
    const std::size_t tokens = call.layout.tokens, heads = call.layout.heads;
    const Workspace places = workspace(tokens, heads);
    Pieces all{};
    all.points = page_points(tokens);
    all.points.twice = reinterpret_cast<std::int32_t*>(call.workspace + places.points);
    all.work.points = all.points.twice;
    all.work.stride = all.points.head_stride;
    all.work.bounds = reinterpret_cast<float*>(call.workspace + places.bounds);
    all.work.kept = reinterpret_cast<std::uint32_t*>(call.workspace + places.kept);
    all.work.vectors = reinterpret_cast<std::uint32_t*>(call.workspace + places.vectors);
    all.points.vectors = all.work.vectors;
    all.page_workspace = call.workspace + places.pages;
    all.kept_bytes = 4 * heads * ((tokens + 31) / 32);
    if (call.sections == nullptr) return all;
    const auto& [pages, streams, exact] = sections_of(call.layout);
    auto* data = reinterpret_cast<std::uint8_t*>(call.sections);
    all.pages.streams = data + streams.offset;
    all.pages.stream_stride = static_cast<std::int64_t>(streams.stride);
    all.pages.stream_room = static_cast<std::int64_t>(streams.bytes);
    all.pages.pages = reinterpret_cast<std::uint32_t*>(data + pages.offset);
    all.pages.page_stride = static_cast<std::int64_t>(pages.stride / 4);
    all.pages.stream_bytes = reinterpret_cast<std::uint64_t*>(data + streams.sizes);
    all.exact.place = {data + exact.offset, static_cast<std::int64_t>(exact.stride)};
    all.exact.sizes = reinterpret_cast<std::uint64_t*>(data + exact.sizes);
    return all;
  }
  struct ThreeSections {
    const DeviceLayout::Section &pages, &streams, &exact;
  };
  static ThreeSections sections_of(const DeviceLayout& layout) {
    return {layout.sections[kPages], layout.sections[kStreams], layout.sections[kExact]};
  }

  void find_points(const kernels::Vectors& x, const Call& call, const Pieces& all,
                   bool move_up) const {
    const kernels::Klt& klt = plans_->kernel();
    kernels::klt_forward(klt, x, all.work, call.flags, call.stream);
    if (klt.points == kernels::Klt::trellis) {
      kernels::klt_paths(klt, x.tokens, x.heads, all.work, call.stream);
    }
    kernels::klt_settle(klt, x.tokens, x.heads, all.work, move_up, call.stream);
  }

  void run_encode(const DeviceVectors& vectors, const Call& call) const override {
    const kernels::Vectors x = kernel_view(vectors);
    const Pieces all = pieces_of(call);
    if (x.tokens == 0) {
      const auto& [pages, streams, exact] = sections_of(call.layout);
      kernels::fill(call.sections + streams.sizes, 0, 8 * vectors.heads, call.stream);
      kernels::fill(call.sections + exact.sizes, 0, 8 * vectors.heads, call.stream);
      return;
    }
    find_points(x, call, all, true);
    kernels::encode_pages(plans_->kernel().coding, all.points, all.pages, all.page_workspace,
                          slot_bytes(), call.flags, call.stream);
    kernels::klt_write_exact(plans_->kernel(), x, all.work, all.exact, call.stream);
  }

  void run_decode(const DeviceVectors& vectors, const Call& call) const override {
    const kernels::Klt& klt = plans_->kernel();
    const kernels::Vectors y = kernel_view(vectors);
    const Pieces all = pieces_of(call);
    if (y.tokens == 0) return;
    kernels::fill(all.work.kept, 0, all.kept_bytes, call.stream);
    kernels::klt_read_exact(klt, y.tokens, y.heads, all.exact, all.work, call.flags, call.stream);
    kernels::klt_count(klt, y.tokens, y.heads, all.work, call.stream);
    kernels::decode_pages(klt.coding, all.pages, all.points, all.page_workspace, call.flags,
                          call.stream);
    kernels::klt_move_apart(klt, y.tokens, y.heads, all.work, call.stream);
    kernels::klt_backward(klt, all.work, y, call.flags, call.stream);
    kernels::klt_put_exact(klt, all.exact, all.work, y, call.stream);
  }

  void run_round_trip(const DeviceVectors& from, const DeviceVectors& to,
                      const Call& call) const override {
    const kernels::Vectors x = kernel_view(from), y = kernel_view(to);
    const Pieces all = pieces_of(call);
    find_points(x, call, all, false);
    kernels::klt_backward(plans_->kernel(), all.work, y, call.flags, call.stream);
    kernels::klt_copy_exact(plans_->kernel(), x, all.work, y, call.stream);
  }

  PagedFormat format_;
  std::size_t kept_bytes_ = 0;
  std::shared_ptr<const DeviceKltPlans> plans_;
};

}  // namespace

void require_klt_dim(const std::string& spec, std::size_t dim) {
  if (dim % 8 == 0 && dim >= 8 && dim <= kernels::kMostKltDim) return;
  throw InputError(spec + ": no CUDA kernel for dim " + std::to_string(dim) +
                   ": there are kernels for multiples of 8 up to " +
                   std::to_string(kernels::kMostKltDim) + "; --codec-device cpu codes on the host");
}

std::unique_ptr<DeviceCodec> make_klt_on_device(std::vector<std::unique_ptr<Codec>> hosts) {
  const std::vector<TransformPlan> plans = plans_of(hosts);
  const std::size_t dim = plans[0].mean.size();
  if (plans[0].exact != nullptr && dim > kernels::kMostWholeDim) {
    throw InputError(hosts[0]->spec() + ": no CUDA kernel for product=exact with dim " +
                     std::to_string(dim) + ": there are kernels up to " +
                     std::to_string(kernels::kMostWholeDim) + "; --codec-device cpu codes on the host");
  }
  return std::make_unique<KltOnDevice>(std::move(hosts));
}

}  // namespace kakeya
