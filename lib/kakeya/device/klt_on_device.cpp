// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/klt_on_device.h"

#include <algorithm>
#include <string>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/device/kernel_view.h"
#include "kakeya/entropy/tile_coder.h"
#include "kernels/budget.h"
#include "kernels/fields.h"
#include "kernels/klt.h"
#include "kernels/prefix.h"
#include "kernels/tiles.h"

namespace kakeya {
namespace {

struct ThreeSections {
  const DeviceLayout::Section &pages, &streams, &exact;
  explicit ThreeSections(const DeviceLayout& layout)
      : pages(layout.sections[0]), streams(layout.sections[1]), exact(layout.sections[2]) {}
};

}  // namespace

// The pieces of a workspace, one after another.
struct KltOnDevice::Workspace {
  std::size_t points, bounds, kept, vectors, pages, more, bytes;
};

// One call's pieces, as launchers take them.
struct KltOnDevice::Pieces {
  kernels::KltWork work;
  std::byte* more;
  kernels::PagePoints points;
  kernels::PageSections pages;
  kernels::SizedSection exact;
  std::byte* page_workspace;
};

KltOnDevice::KltOnDevice(std::vector<std::unique_ptr<Codec>> hosts,
                         std::vector<TransformFrames> frames)
    : DeviceCodec(std::move(hosts)),
      frames_(std::move(frames)),
      format_(*frames_[0].format),
      kept_bytes_(frames_[0].kept_bytes) {}

DeviceLayout KltOnDevice::layout(std::size_t tokens, std::size_t heads) const {
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

std::vector<std::byte> KltOnDevice::frame(const DeviceLayout& layout,
                                          std::span<const std::byte> sections,
                                          std::size_t head) const {
  std::size_t room = host(head).encoded_bound(layout.tokens);
  for (const DeviceLayout::Section& section : layout.sections) {
    room += bytes_of(section, sections, head).size();  // forged lengths may be beyond the bound
  }
  std::vector<std::byte> out(room);
  const std::string_view names[] = {frames_[head].record_name, "pages", "streams", "exact",
                                    "padding"};
  FrameWriter writer(out, spec(), dim(), layout.tokens, names);
  const auto put = [&](std::span<const std::byte> from) {
    std::copy(from.begin(), from.end(), writer.section(from.size()).begin());
  };
  put(frames_[head].record);
  for (const DeviceLayout::Section& section : layout.sections) {
    put(bytes_of(section, sections, head));
  }
  writer.section(format_.padding_bytes(layout.tokens, writer.section_bytes()));
  out.resize(writer.finish());
  return out;
}

void KltOnDevice::take_frame(std::span<const std::byte> frame, const DeviceLayout& layout,
                             std::size_t head, std::span<std::byte> sections) const {
  const FrameView view = open(frame, layout, head);
  const TransformFrames& known = frames_[head];
  const auto record = view.section(0, known.record_name);
  if (!std::equal(record.begin(), record.end(), known.record.begin(), known.record.end())) {
    throw CorruptStream(spec() + ": a frame with other " + std::string(known.record_name) +
                        " or another step");
  }
  require_zeros(view.section(4, "padding"), spec());
  for (std::size_t i = 0; i < layout.sections.size(); ++i) {
    const DeviceLayout::Section& section = layout.sections[i];
    put_section(view.section(i + 1, section.name), section, head, sections);
  }
}

kernels::PagePoints KltOnDevice::page_points(std::size_t tokens) const {
  kernels::PagePoints points;
  points.pages = static_cast<std::int64_t>(format_.pages(tokens));
  points.page = static_cast<std::int32_t>(format_.page);
  points.head_stride = points.pages * points.page * static_cast<std::int64_t>(dim());
  return points;
}

// Room for any page: more bits than that no vector takes in one.
std::size_t KltOnDevice::slot_bytes() const {
  return (most_page_overhead(format_.page) + format_.page * kept_bytes_ + 15) / 16 * 16;
}

kernels::FieldPages KltOnDevice::field_pages(const kernels::Klt& klt) const {
  const auto& fields = dynamic_cast<const FixedPages&>(*format_.readable);
  kernels::FieldPages pages;
  pages.lattice = static_cast<kernels::PageLattice>(format_.lattice);
  pages.values = fields.order() == FieldOrder::values;
  pages.heads = klt.coding.heads;
  pages.plans = klt.plans;
  pages.counts = klt.counts;
  pages.dim = static_cast<std::int32_t>(format_.dim);
  pages.usual_bits = klt.field_bits;
  pages.usual_stride = kernels::klt_padded(pages.dim);
  return pages;
}

bool KltOnDevice::is_prefix() const { return kernel().prefix.tables != nullptr; }
bool KltOnDevice::is_tiles() const {
  return dynamic_cast<const TileCoder*>(format_.readable.get()) != nullptr;
}

bool KltOnDevice::has_near_points() const {
  const kernels::Klt& klt = kernel();
  return klt.whole_forward != nullptr && klt.points != kernels::Klt::trellis;
}
bool KltOnDevice::decodes_near_points() const {
  return has_near_points() && (is_prefix() || !format_.readable);
}

// What coding pages borrows.
std::size_t KltOnDevice::page_bytes(const kernels::PagePoints& points, int heads) const {
  if (is_prefix()) {
    return std::max(kernels::prefix_encode_workspace(points, heads),
                    kernels::prefix_decode_workspace(points, heads));
  }
  if (is_tiles()) {
    return std::max(kernels::tile_encode_workspace(points, heads, static_cast<int>(format_.dim)),
                    kernels::tile_decode_workspace(points, heads));
  }
  if (format_.readable) {
    return std::max(kernels::field_encode_workspace(points, heads, static_cast<int>(format_.dim)),
                    kernels::field_decode_workspace(points, heads));
  }
  return std::max(kernels::page_encode_workspace(points, heads, slot_bytes()),
                  kernels::page_decode_workspace(points, heads));
}

KltOnDevice::Workspace KltOnDevice::workspace(std::size_t tokens, std::size_t heads) const {
  const kernels::PagePoints points = page_points(tokens);
  const std::size_t groups = (tokens + 31) / 32;
  Workspace places{};
  const auto add = [&](std::size_t bytes) {
    const std::size_t at = places.bytes;
    places.bytes += device_room(bytes);
    return at;
  };
  places.points =
      add((decodes_near_points() ? 2 : 4) * heads * static_cast<std::size_t>(points.head_stride));
  places.bounds = add(4 * static_cast<std::size_t>(kernel().parts) * heads * 32 * groups);
  places.kept = add(4 * heads * groups);
  places.vectors = add(4 * heads * format_.pages(tokens));
  const int count = static_cast<int>(heads);
  places.pages = add(page_bytes(points, count));
  places.more = add(more_bytes(tokens));
  return places;
}

KltOnDevice::Pieces KltOnDevice::pieces_of(const Call& call) const {
  const std::size_t tokens = call.layout.tokens, heads = call.layout.heads;
  const Workspace places = workspace(tokens, heads);
  Pieces all{};
  all.points = page_points(tokens);
  all.points.twice = reinterpret_cast<std::int32_t*>(call.workspace + places.points);
  all.work.points = all.points.twice;
  all.work.near = all.points.near = decodes_near_points();
  all.work.stride = all.points.head_stride;
  all.work.bounds = reinterpret_cast<float*>(call.workspace + places.bounds);
  all.work.kept = reinterpret_cast<std::uint32_t*>(call.workspace + places.kept);
  all.work.vectors = reinterpret_cast<std::uint32_t*>(call.workspace + places.vectors);
  all.points.vectors = all.work.vectors;
  all.page_workspace = call.workspace + places.pages;
  all.more = call.workspace + places.more;
  if (call.sections == nullptr) return all;
  const ThreeSections of(call.layout);
  auto* data = reinterpret_cast<std::uint8_t*>(call.sections);
  all.pages.streams = data + of.streams.offset;
  all.pages.stream_stride = static_cast<std::int64_t>(of.streams.stride);
  all.pages.stream_room = static_cast<std::int64_t>(of.streams.bytes);
  all.pages.pages = reinterpret_cast<std::uint32_t*>(data + of.pages.offset);
  all.pages.page_stride = static_cast<std::int64_t>(of.pages.stride / 4);
  all.pages.stream_bytes = reinterpret_cast<std::uint64_t*>(data + of.streams.sizes);
  all.exact.place = {data + of.exact.offset, static_cast<std::int64_t>(of.exact.stride)};
  all.exact.sizes = reinterpret_cast<std::uint64_t*>(data + of.exact.sizes);
  return all;
}

void KltOnDevice::code_points(const kernels::Klt& klt, const kernels::Vectors& x, const Pieces& all,
                              const Call& call, bool move_up) const {
  find_points(klt, x, all.work, all.more, call);
  kernels::klt_settle(klt, x.tokens, x.heads, all.work, move_up, call.stream);
}

void KltOnDevice::encode(const kernels::Klt& klt, const kernels::Vectors& x,
                         const Call& call) const {
  Pieces all = pieces_of(call);
  all.work.near = all.points.near = has_near_points();
  code_points(klt, x, all, call, true);
  if (is_prefix()) {
    kernels::encode_prefix(klt.prefix, all.points, x.tokens, all.pages, all.page_workspace,
                           call.flags, call.stream);
  } else if (format_.readable) {
    const auto encode = is_tiles() ? kernels::encode_tiles : kernels::encode_fields;
    encode(field_pages(klt), all.points, x.tokens, all.pages, all.page_workspace, call.flags,
           call.stream);
  } else {
    kernels::encode_pages(klt.coding, all.points, all.pages, all.page_workspace, slot_bytes(),
                          call.flags, call.stream);
  }
  kernels::klt_write_exact(klt, x, all.work, all.exact, call.stream);
}

void KltOnDevice::decode(const kernels::Klt& klt, const kernels::Vectors& y,
                         const Call& call) const {
  const Pieces all = pieces_of(call);
  const kernels::KltWork& work = all.work;
  kernels::klt_read_exact(klt, y.tokens, y.heads, all.exact, work, call.flags, call.stream);
  if (is_tiles() && kernels::has_tile_vectors(klt)) {
    kernels::decode_tile_vectors(klt, field_pages(klt), all.pages, all.points, work, y,
                                 all.page_workspace, call.flags, call.stream);
    return kernels::klt_put_exact(klt, all.exact, work, y, call.stream);
  }
  if (is_prefix()) {
    kernels::decode_prefix(klt.prefix, all.pages, all.points, y.tokens, all.page_workspace,
                           call.flags, call.stream);
  } else if (format_.readable) {
    const auto decode = is_tiles() ? kernels::decode_tiles : kernels::decode_fields;
    decode(field_pages(klt), all.pages, all.points, y.tokens, all.page_workspace, call.flags,
           call.stream);
  } else {
    kernels::decode_pages(klt.coding, all.pages, all.points, all.page_workspace, call.flags,
                          call.stream);
    kernels::klt_move_apart(klt, y.tokens, y.heads, work, call.stream);
  }
  put_vectors(klt, work, all.more, y, call);
  kernels::klt_put_exact(klt, all.exact, work, y, call.stream);
}

void KltOnDevice::there_and_back(const kernels::Klt& klt, const kernels::Vectors& x,
                                 const kernels::Vectors& y, const Call& call) const {
  Pieces all = pieces_of(call);
  all.work.near = has_near_points();  // there are no pages
  code_points(klt, x, all, call, false);
  put_vectors(klt, all.work, all.more, y, call);
  kernels::klt_copy_exact(klt, x, all.work, y, call.stream);
}

void KltOnDevice::run_encode(const DeviceVectors& vectors, const Call& call) const {
  if (vectors.tokens != 0) return encode(kernel(), kernel_view(vectors), call);
  const ThreeSections of(call.layout);
  kernels::fill(call.sections + of.streams.sizes, 0, 8 * vectors.heads, call.stream);
  kernels::fill(call.sections + of.exact.sizes, 0, 8 * vectors.heads, call.stream);
}

void KltOnDevice::run_decode(const DeviceVectors& vectors, const Call& call) const {
  if (vectors.tokens != 0) decode(kernel(), kernel_view(vectors), call);
}

void KltOnDevice::run_round_trip(const DeviceVectors& from, const DeviceVectors& to,
                                 const Call& call) const {
  there_and_back(kernel(), kernel_view(from), kernel_view(to), call);
}

KltOnDevice::Call KltOnDevice::call_of(const LonePageCall& call) {
  return {call.layout, call.sections, call.workspace, call.work.flags, call.stream};
}

kernels::Klt KltOnDevice::kernel_of(const LonePageCall& call) const {
  kernels::Klt klt = kernel();
  klt.plans = {call.work.steps, call.pages};
  klt.counts = call.work.active;
  klt.coding.plans = klt.plans;
  klt.coding.heads = static_cast<std::int32_t>(call.layout.heads);
  klt.prefix.plans = klt.plans;
  klt.prefix.counts = klt.counts;
  klt.prefix.heads = klt.coding.heads;
  return klt;
}

void KltOnDevice::place_parts(const LonePageCall& call, std::span<const std::string> names,
                              kernels::BudgetPool& pool) const {
  const Pieces all = pieces_of(call_of(call));
  for (const std::string& name : names) {
    kernels::BudgetPart& part = pool.parts[pool.part_count++];
    if (name == "streams") {
      part.place = {all.pages.streams, all.pages.stream_stride};
      part.sizes = all.pages.stream_bytes;
      part.room = all.pages.stream_room;
    } else if (name == "exact") {
      part.place = all.exact.place;
      part.sizes = all.exact.sizes;
      part.room = all.exact.place.stride;
    } else {
      throw Error(spec() + ": no part of a page is called '" + name + "'");
    }
  }
  pool.lengths = all.pages.pages;
  pool.length_stride = all.pages.page_stride;
}

void KltOnDevice::code_pages(const kernels::Vectors& x, const LonePageCall& call) const {
  encode(kernel_of(call), x, call_of(call));
}
void KltOnDevice::restore_pages(const kernels::Vectors& y, const LonePageCall& call) const {
  decode(kernel_of(call), y, call_of(call));
}
void KltOnDevice::restore_coded(const kernels::Vectors& x, const kernels::Vectors& y,
                                const LonePageCall& call) const {
  there_and_back(kernel_of(call), x, y, call_of(call));
}

}  // namespace kakeya
