// SPDX-License-Identifier: Apache-2.0
// ece8, ecd4 and ecz where the vectors are. Sections: "scales", "classes", "pages", "streams",
// "windows", "exact", "centre", "outliers" and "owindows"; where every vector has a scale of its own "exact"
// is empty, without room here. "padding" follows from lengths, and "site", which center=bias has in place of
// "centre", from the codec.
#include "kakeya/device/device_entropy_coded.h"

#include <algorithm>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/exact_vectors.h"
#include "kakeya/codec/scale_code.h"
#include "kakeya/codec/site_section.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/device/device_classes.h"
#include "kakeya/device/device_step_plan.h"
#include "kakeya/device/kernel_view.h"
#include "kernels/entropy_coded.h"
#include "kernels/page_classes.h"

namespace kakeya {
namespace {

constexpr std::size_t sixteens(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

// The pieces of a workspace, one after another.
struct Workspace {
  std::size_t points, means, vectors, plans, taken, sizes, sums, kept, scales, windows, outliers,
      outlier_windows, pages, bytes;
};

class EntropyCodedOnDevice final : public DeviceCodec {
 public:
  /// As a DeviceCodec: for any number of heads, or for those whose centres are known.
  template <typename... Hosts>
  explicit EntropyCodedOnDevice(Hosts&&... hosts)
      : DeviceCodec(std::forward<Hosts>(hosts)...),
        format_(*plan_of(this->host()).format),
        kernel_(kernel_of(plan_of(this->host()))),
        reach_(reach_of(plan_of(this->host()))),
        classes_(shared_device_classes(format_.model)),
        widest_(format_.model, classes_->widest(format_.dim)),
        signs_(signs_of(plan_of(this->host()))),
        known_(known_means(*this)) {
    if (!plan_of(this->host()).signs.empty()) {
      kernel_.signs = static_cast<const float*>(signs_.data());
    }
  }

  DeviceLayout layout(std::size_t tokens, std::size_t heads) const override {
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

  std::vector<std::byte> frame(const DeviceLayout& layout, std::span<const std::byte> sections,
                               std::size_t head) const override {
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

  void take_frame(std::span<const std::byte> frame, const DeviceLayout& layout, std::size_t head,
                  std::span<std::byte> sections) const override {
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

 private:
  // Places among the sections of a frame.
  static constexpr std::size_t kScales = 0, kClasses = 1, kPages = 2, kStreams = 3, kWindows = 4,
                               kExact = 5;

  bool shares() const { return kernel_.scales != kernels::ScaleOf::vector; }
  bool knows_centre() const { return heads() != 0; }
  bool stores_centre() const { return kernel_.centres && !knows_centre(); }
  // The last section that has room here before "site".
  std::string_view before_site() const { return shares() ? "exact" : "windows"; }
  std::size_t code_bytes() const {
    return scale_bytes(kernel_.halves ? ScaleFormat::half : ScaleFormat::log8);
  }
  // How many scales `tokens` vectors have.
  std::size_t scales(std::size_t tokens) const {
    if (!shares()) return tokens;
    if (kernel_.scales == kernels::ScaleOf::frame || tokens == 0) return 0;
    return static_cast<std::size_t>(
        shared_scale(static_cast<std::int64_t>(tokens) - 1, kernel_.page) + 1);
  }

  std::size_t outlier_bytes(std::size_t tokens) const {
    const int entry = kernel_.place_bits + 16;
    return (tokens * static_cast<std::size_t>(kernel_.outliers * entry) + 7) / 8;
  }

  kernels::PagePoints page_points(std::size_t tokens) const {
    kernels::PagePoints points;
    points.pages = static_cast<std::int64_t>(format_.pages(tokens));
    points.page = static_cast<std::int32_t>(format_.page);
    points.head_stride = points.pages * points.page * static_cast<std::int64_t>(dim());
    return points;
  }

  // Room for any page: whatever its classes and points are.
  std::size_t slot_bytes() const { return sixteens(widest_.page_bound(format_.page)); }

  kernels::ClassChoice choice(std::size_t heads) const {
    return {static_cast<std::int32_t>(heads), kernel_.dim, format_.class_each, reach_,
            shares() ? kernel_.page * kernel_.dim : 0};
  }

  Workspace workspace(std::size_t tokens, std::size_t heads) const {
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

  std::size_t kept_bytes(std::size_t tokens, std::size_t heads) const {
    return shares() ? 4 * heads * ((tokens + 31) / 32) : 0;
  }

  // One call's pieces, as launchers take them.
  struct Pieces {
    kernels::EntropyCodedWork work;
    kernels::EntropyCodedSections sections;
    kernels::Section classes;
    kernels::PagePoints points;
    kernels::PageSections pages;
    kernels::ClassChoice choice;
    std::uint32_t* vectors;
    std::byte *plans, *pages_workspace;
  };
  Pieces pieces_of(const Call& call) const {
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

  void place_sections(const Call& call, Pieces& all) const {
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

  void plan_pages(const Call& call, const Pieces& all) const {
    kernels::plan_classes(classes_->kernel(), all.choice, all.classes, all.points,
                          static_cast<std::int64_t>(call.layout.tokens), all.vectors, all.plans,
                          call.flags, call.stream);
  }

  // What points are found with: means, outliers, and scales that vectors share.
  void prepare(const kernels::Vectors& x, const Pieces& all, const Call& call) const {
    if (stores_centre()) {
      kernels::take_means(kernel_, x, all.sections.centre, all.work, call.stream);
    }
    if (kernel_.outliers != 0) {
      kernels::take_outliers(kernel_, x, all.sections, all.work, call.flags, call.stream);
    }
    if (kernel_.scales == kernels::ScaleOf::page) {
      kernels::share_scales(kernel_, x, all.sections, all.work, call.flags, call.stream);
    }
  }

  void keep_none(const Pieces& all, const Call& call) const {
    kernels::fill(all.work.kept, 0, kept_bytes(call.layout.tokens, call.layout.heads), call.stream);
  }

  void run_encode(const DeviceVectors& vectors, const Call& call) const override {
    const kernels::Vectors x = kernel_view(vectors);
    const Pieces all = pieces_of(call);
    if (x.tokens == 0) return encode_nothing(call, all);
    prepare(x, all, call);
    if (shares()) keep_none(all, call);
    kernels::find_points(kernel_, x, all.sections, all.work, call.flags, call.stream);
    if (shares()) kernels::write_exact_vectors(kernel_, x, all.sections, all.work, call.stream);
    const auto first_page = static_cast<std::int32_t>(std::min(vectors.tokens, format_.page));
    kernels::choose_classes(classes_->kernel(), all.choice, all.points, first_page, all.classes,
                            all.pages_workspace, call.stream);
    plan_pages(call, all);
    kernels::encode_pages(kernels::class_coding(classes_->kernel(), all.choice, all.plans),
                          all.points, all.pages, all.pages_workspace, slot_bytes(), call.flags,
                          call.stream);
  }

  // Of a frame without vectors: no pages, means of 0.
  void encode_nothing(const Call& call, const Pieces& all) const {
    kernels::fill(all.pages.stream_bytes, 0, 8 * call.layout.heads, call.stream);
    if (shares()) kernels::fill(all.sections.exact.sizes, 0, 8 * call.layout.heads, call.stream);
    if (!stores_centre()) return;
    const auto bytes = call.layout.heads * static_cast<std::size_t>(all.sections.centre.stride);
    kernels::fill(all.sections.centre.data, 0, bytes, call.stream);
  }

  void run_decode(const DeviceVectors& vectors, const Call& call) const override {
    const kernels::Vectors y = kernel_view(vectors);
    const Pieces all = pieces_of(call);
    if (stores_centre()) {
      kernels::read_means(kernel_, y.heads, all.sections.centre, all.work, call.flags, call.stream);
    }
    if (y.tokens != 0) {
      plan_pages(call, all);
      kernels::decode_pages(kernels::class_coding(classes_->kernel(), all.choice, all.plans),
                            all.pages, all.points, all.pages_workspace, call.flags, call.stream);
      kernels::restore_vectors(kernel_, all.sections, all.work, y, call.flags, call.stream);
      if (kernel_.outliers != 0) {
        kernels::put_outliers(kernel_, all.sections, all.work, false, y, call.flags, call.stream);
      }
    }
    if (shares()) kernels::put_exact_vectors(kernel_, all.sections, y, call.flags, call.stream);
  }

  void run_round_trip(const DeviceVectors& from, const DeviceVectors& to,
                      const Call& call) const override {
    const kernels::Vectors x = kernel_view(from);
    const Pieces all = pieces_of(call);
    const kernels::Vectors y = kernel_view(to);
    prepare(x, all, call);
    if (kernel_.outliers != 0 && shares()) keep_none(all, call);
    kernels::round_trip(kernel_, x, all.sections, all.work, y, call.flags, call.stream);
    if (kernel_.outliers != 0) {
      kernels::put_outliers(kernel_, all.sections, all.work, shares(), y, call.flags, call.stream);
    }
  }

  PagedFormat format_;
  kernels::EntropyCoded kernel_;
  std::int32_t reach_;
  std::shared_ptr<const DeviceClasses> classes_;
  PointCoder widest_;  // whose pages have the largest bound
  DeviceBuffer signs_;
  DeviceBuffer known_;
};

}  // namespace

std::unique_ptr<DeviceCodec> make_entropy_coded_on_device(
    std::vector<std::unique_ptr<Codec>> hosts) {
  if (plan_of(*hosts.front()).known != nullptr) {
    return std::make_unique<EntropyCodedOnDevice>(std::move(hosts));
  }
  return std::make_unique<EntropyCodedOnDevice>(std::move(hosts.front()), std::byte{});
}

}  // namespace kakeya
