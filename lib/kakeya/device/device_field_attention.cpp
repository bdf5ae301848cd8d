// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_field_attention.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/budget_pages.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/codec/transform_codec.h"
#include "kakeya/core/error.h"
#include "kakeya/device/kernel_view.h"
#include "kakeya/entropy/tile_coder.h"
#include "kernels/field_attention.h"
#include "kernels/rope_attention.h"

namespace kakeya {
namespace {

constexpr std::size_t kTokens = kernels::kFieldSlotTokens;
constexpr std::size_t sixteens(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
constexpr std::size_t kMostHeads = kernels::kMostLayHeads;
constexpr std::size_t kLiftedPages = 16;  // at once
// `any_byte`: as kernels::FieldRoom has it.
std::size_t directory_bytes(std::size_t heads, bool any_byte) {
  return 16 * static_cast<std::size_t>(kernels::field_directory(static_cast<int>(heads), any_byte));
}

// The codec of a head's pages; of pages of several steps, that of the step asked for.
const Codec& coder_of(const DeviceCodec& codec, std::size_t head) {
  const auto* budget = dynamic_cast<const BudgetPages*>(&codec.host(head));
  return budget == nullptr ? codec.host(head) : budget->asked();
}

TransformPlan plan_of(const DeviceCodec& codec, std::size_t head) {
  return dynamic_cast<const TransformCodec&>(coder_of(codec, head)).transform_plan();
}

void require_pages(const DeviceCodec& codec, Part part) {
  const FieldOrder order = part == Part::key ? FieldOrder::keys : FieldOrder::values;
  for (std::size_t head = 0; head < codec.heads(); ++head) {
    const TransformPlan plan = plan_of(codec, head);
    const auto* fields = dynamic_cast<const FixedPages*>(plan.format->readable.get());
    if (fields == nullptr || plan.format->lattice != Lattice::z || plan.format->page != kTokens) {
      throw NoKernelError(codec.spec() +
                          ": no pages for attention: of klt there are some with lattice=z, "
                          "pages=fixed, tiles or prefix, and page=128");
    }
    if (fields->order() != order) {
      throw InputError(
          codec.spec() + ": attention: the site of a " +
          (part == Part::key ? "value given for that of a key" : "key given for that of a value"));
    }
  }
}

// z B + mean: B of a head at (j, i).
std::vector<float> backward_of(const TransformPlan& plan) {
  const std::size_t dim = plan.mean.size();
  if (plan.exact == nullptr) return {plan.backward.begin(), plan.backward.end()};
  std::vector<float> made(dim * dim);
  for (std::size_t j = 0; j < dim; ++j) {
    for (std::size_t i = 0; i < dim; ++i) {
      made[j * dim + i] =
          2 * static_cast<float>(plan.exact->backward.at(j, i)) * plan.exact->backward_scale[i];
    }
  }
  return made;
}

// Bytes of the pages of a frame. Those of a budget are alike.
std::vector<std::uint32_t> pages_of(const FrameView& view) {
  if (!view.sections.empty() && view.sections.back().name == "pool") {
    const std::size_t pages = (view.count + kTokens - 1) / kTokens,
                      bytes = view.sections.back().bytes.size();
    return std::vector<std::uint32_t>(
        pages, static_cast<std::uint32_t>(bytes / std::max<std::size_t>(pages, 1)));
  }
  const auto section = section_of(view, "pages");
  std::vector<std::uint32_t> pages(section.size() / 4);
  std::memcpy(pages.data(), section.data(), 4 * pages.size());
  return pages;
}

// The least that pages fit whose bytes are bytes_of(part, head, page).
template <typename BytesOf>
AttentionRoom room_for(std::size_t heads, bool any_byte, std::size_t pages,
                       const BytesOf& bytes_of) {
  AttentionRoom room;
  for (std::size_t page = 0; page < pages; ++page) {
    std::size_t slot = directory_bytes(heads, any_byte);
    for (std::size_t head = 0; head < heads; ++head) {
      const std::size_t parts[] = {sixteens(bytes_of(Part::key, head, page)),
                                   sixteens(bytes_of(Part::value, head, page))},
                        both = parts[0] + parts[1];
      room.head_bytes = std::max(room.head_bytes, both);
      room.part_bytes = std::max({room.part_bytes, parts[0], parts[1]});
      slot += both;
    }
    room.slot_bytes = std::max(room.slot_bytes, slot);
  }
  return room;
}

}  // namespace

AttentionRoom attention_room(std::span<const std::vector<std::byte>> keys,
                             std::span<const std::vector<std::byte>> values) {
  std::vector<std::vector<std::uint32_t>> all;
  bool any_byte = false;
  for (std::size_t head = 0; head < keys.size() && keys.size() == values.size(); ++head) {
    for (const std::vector<std::byte>* frame : {&keys[head], &values[head]}) {
      const FrameView view = parse_frame(*frame);
      any_byte = any_byte || view.spec.find("pages=prefix") != std::string::npos;
      all.push_back(pages_of(view));
    }
  }
  const bool same = std::all_of(all.begin(), all.end(),
                                [&](const auto& pages) { return pages.size() == all[0].size(); });
  if (all.empty() || !same) {
    throw InputError("attention: " + std::to_string(keys.size()) + " frames of keys and " +
                     std::to_string(values.size()) +
                     " of values, expected one of either a head, of the same tokens");
  }
  return room_for(keys.size(), any_byte, all[0].size(),
                  [&](Part part, std::size_t head, std::size_t page) {
                    return std::size_t{all[2 * head + (part == Part::key ? 0 : 1)][page]};
                  });
}

DeviceAttention::Fields::Fields(std::string_view spec, const KvShape& shape,
                                std::span<const CodecInput> keys,
                                std::span<const CodecInput> values, const AttentionRoom& of_slots)
    : room{sixteens(of_slots.slot_bytes), sixteens(of_slots.head_bytes),
           sixteens(of_slots.part_bytes)},
      dim(shape.dim()) {
  if (shape.heads() > kMostHeads) {
    throw NoKernelError(std::string(spec) + ": attention: " + std::to_string(shape.heads()) +
                        " KV heads, expected at most " + std::to_string(kMostHeads));
  }
  if (keys.size() != shape.heads() || values.size() != shape.heads()) {
    throw InputError(std::string(spec) + ": attention: " + std::to_string(keys.size()) +
                     " inputs of keys and " + std::to_string(values.size()) +
                     " of values, expected " + std::to_string(shape.heads()) + ", one a KV head");
  }
  codecs[0] = make_device_codec(spec, keys);
  codecs[1] = make_device_codec(spec, values);
  if (const auto* pages = dynamic_cast<const BudgetPages*>(&codecs[0]->host())) {
    budget = pages->budget();
  }
  if (dynamic_cast<const TransformCodec*>(&coder_of(*codecs[0], 0)) == nullptr) {
    throw NoKernelError(codecs[0]->spec() + ": no pages for attention with profiles: klt has some");
  }
  if (budget == 0 && DevicePrefixAttention::has_pages(*codecs[0])) {
    prefix = std::make_unique<DevicePrefixAttention>(*codecs[0], *codecs[1], keys, values);
  } else {
    require_pages(*codecs[0], Part::key);
    require_pages(*codecs[1], Part::value);
  }
  const std::size_t directory = directory_bytes(shape.heads(), prefix != nullptr);
  if (of_slots.slot_bytes == 0 && budget != 0) {
    room = budget_room();
  } else if (of_slots.slot_bytes == 0) {  // of two bits a value
    room.part_bytes = sixteens(kTokens * dim / 4);
    room.head_bytes = 2 * room.part_bytes;
    room.slot_bytes = directory + shape.heads() * room.head_bytes;
  }
  if (room.part_bytes == 0 || room.part_bytes > room.head_bytes) room.part_bytes = room.head_bytes;
  if (room.slot_bytes < directory) {
    throw InputError(std::string(spec) + ": attention: slots of " +
                     std::to_string(room.slot_bytes) + " bytes, expected at least " +
                     std::to_string(directory) + " for their directory");
  }
  tiles = dynamic_cast<const TileCoder*>(plan_of(*codecs[0], 0).format->readable.get()) != nullptr;
  // Keys as [i][j], values as [j][i], then the means.
  std::vector<float> all;
  for (const bool of_values : {false, true}) {
    for (std::size_t head = 0; head < shape.heads(); ++head) {
      const std::vector<float> backward = backward_of(plan_of(*codecs[of_values ? 1 : 0], head));
      for (std::size_t a = 0; a < dim; ++a) {
        for (std::size_t b = 0; b < dim; ++b) {
          all.push_back(of_values ? backward[a * dim + b] : backward[b * dim + a]);
        }
      }
    }
  }
  for (const auto& codec : codecs) {
    for (std::size_t head = 0; head < shape.heads(); ++head) {
      const auto mean = plan_of(*codec, head).mean;
      all.insert(all.end(), mean.begin(), mean.end());
    }
  }
  floats = std::make_unique<DeviceBuffer>(4 * all.size());
  floats->copy_in(all.data(), 4 * all.size());
}

kernels::FieldRoom DeviceAttention::Fields::kernel_room() const {
  return {static_cast<std::int64_t>(room.slot_bytes),
          static_cast<std::int32_t>(room.head_bytes),
          static_cast<std::int32_t>(room.part_bytes),
          0,
          budget != 0,
          prefix != nullptr};
}

kernels::FieldTransforms DeviceAttention::Fields::transforms() const {
  const auto* data = static_cast<const float*>(floats->data());
  const std::size_t matrices = heads() * dim * dim;
  return {data, data + matrices, data + 2 * matrices, data + 2 * matrices + heads() * dim};
}

void DeviceAttention::Fields::set_rope(std::shared_ptr<const DeviceRope> given) {
  if (given != nullptr && !tiles) {
    throw NoKernelError(
        codecs[0]->spec() +
        ": attention: keys before RoPE given, expected pages=tiles: there is no "
        "kernel for them with " +
        (prefix ? "pages=prefix, of which there is one for keys after it" : "pages=fixed"));
  }
  if (given != nullptr && given->head_dim() != dim) {
    throw InputError(codecs[0]->spec() + ": attention: a RoPE for head_dim " +
                     std::to_string(given->head_dim()) + " given, expected " + std::to_string(dim));
  }
  if (given == nullptr) {
    rope_matrices.reset();
    rope.reset();
    return;
  }
  const auto bytes = static_cast<std::size_t>(kernels::rope_matrix_bytes(static_cast<int>(dim)));
  std::vector<std::byte> all(heads() * (bytes + sizeof(float)));
  for (std::size_t head = 0; head < heads(); ++head) {
    const TransformPlan plan = plan_of(*codecs[0], head);
    const RopeMatrix made = rope_matrix(given->rope(), backward_of(plan), plan.mean);
    std::memcpy(&all[head * bytes], made.halves.data(), bytes);
    std::memcpy(&all[heads() * bytes + head * sizeof(float)], &made.unit, sizeof(float));
  }
  auto matrices = std::make_unique<DeviceBuffer>(all.size());
  matrices->copy_in(all.data(), all.size());
  rope_matrices = std::move(matrices);
  rope = std::move(given);
}

kernels::RopeTables DeviceAttention::Fields::rope_tables(
    const std::int32_t* first_positions) const {
  const auto bytes = static_cast<std::size_t>(kernels::rope_matrix_bytes(static_cast<int>(dim)));
  const auto* const matrices = static_cast<const std::uint8_t*>(rope_matrices->data());
  kernels::RopeTables made;
  made.matrices = matrices;
  made.units = reinterpret_cast<const float*>(matrices + heads() * bytes);
  made.fine = rope->fine(), made.coarse = rope->coarse();
  made.coarse_rows = static_cast<std::int64_t>(rope->coarse_rows());
  made.turned = static_cast<int>(2 * rope->rope().frequencies.size());
  made.interleaved = rope->rope().pairing == RopePairing::interleaved;
  made.first_positions = first_positions;
  return made;
}

kernels::FieldSections DeviceAttention::Fields::sections(Part part, const void* data,
                                                         std::size_t tokens) const {
  const DeviceLayout layout = codecs[part == Part::key ? 0 : 1]->layout(tokens, heads());
  const DeviceLayout::Section &pages = layout.sections[0], &streams = layout.sections[1],
                              &exact = layout.sections[2];
  auto* from = static_cast<std::uint8_t*>(const_cast<void*>(data));  // launchers only read it
  kernels::FieldSections made;
  made.pages.streams = from + streams.offset;
  made.pages.stream_stride = static_cast<std::int64_t>(streams.stride);
  made.pages.stream_room = static_cast<std::int64_t>(streams.bytes);
  made.pages.pages = reinterpret_cast<std::uint32_t*>(from + pages.offset);
  made.pages.page_stride = static_cast<std::int64_t>(pages.stride / 4);
  made.pages.stream_bytes = reinterpret_cast<std::uint64_t*>(from + streams.sizes);
  made.exact_bytes = reinterpret_cast<const std::uint64_t*>(from + exact.sizes);
  return made;
}

DeviceAttention::Fields::Places DeviceAttention::Fields::places(std::size_t tokens) const {
  Places made;
  std::size_t borrowed =
      kernels::lay_fields_workspace(static_cast<std::int64_t>(tokens), static_cast<int>(heads()));
  for (const auto& codec : codecs) {
    const DeviceLayout layout = codec->layout(tokens, heads());
    made.bytes += device_room(layout.bytes);
    borrowed = std::max(borrowed, layout.workspace_bytes);
    if (made.values == 0) made.values = made.bytes;
  }
  made.borrowed = made.bytes;
  made.bytes += device_room(borrowed);
  return made;
}

AttentionRoom DeviceAttention::Fields::code(const DeviceVectors& keys, const DeviceVectors& values,
                                            std::uint32_t* flags, DeviceStream stream,
                                            void* workspace) const {
  const Places at = places(keys.tokens);
  auto* const data = static_cast<std::byte*>(workspace);
  std::byte* const sections[] = {data, data + at.values};
  codecs[0]->encode(keys, sections[0], flags, stream, data + at.borrowed);
  codecs[1]->encode(values, sections[1], flags, stream, data + at.borrowed);
  if (budget != 0) return budget_room();
  device_wait(stream);
  std::vector<std::uint32_t> bytes[2];
  std::size_t stride = 0;
  for (const std::size_t part : {0u, 1u}) {
    const DeviceLayout::Section pages = codecs[part]->layout(keys.tokens, heads()).sections[0];
    stride = pages.stride / 4;
    bytes[part].resize(heads() * stride);
    device_copy_out(bytes[part].data(), sections[part] + pages.offset, 4 * bytes[part].size());
  }
  return room_for(heads(), prefix != nullptr, (keys.tokens + kTokens - 1) / kTokens,
                  [&](Part part, std::size_t head, std::size_t page) {
                    return std::size_t{bytes[part == Part::key ? 0 : 1][head * stride + page]};
                  });
}

std::size_t DeviceAttention::Fields::unpack_workspace_bytes(std::size_t tokens) const {
  const std::size_t pages = std::min(kLiftedPages, tokens / kTokens + 2), lifted = pages * kTokens;
  return places(lifted).bytes + 2 * device_room(2 * lifted * heads() * dim);
}

void DeviceAttention::Fields::unpack(const DevicePagePool& pool, const std::int32_t* slots,
                                     TokenRange range, const DeviceVectors& keys,
                                     const DeviceVectors& values, std::uint32_t* flags,
                                     DeviceStream stream, void* workspace) const {
  const kernels::PagePool from{static_cast<std::uint8_t*>(pool.data),
                               static_cast<std::int64_t>(pool.slots), static_cast<int>(heads()),
                               static_cast<int>(dim)};
  const std::size_t end = range.first + range.count;
  for (std::size_t at = range.first; at < end;) {
    const std::size_t page = at / kTokens,
                      pages = std::min(kLiftedPages, (end + kTokens - 1) / kTokens - page),
                      lifted = pages * kTokens, begin = page * kTokens,
                      last = std::min(end, begin + lifted);
    const Places where = places(lifted);
    auto* const data = static_cast<std::byte*>(workspace);
    std::byte* const sections[] = {data, data + where.values};
    if (budget != 0) {
      lift_budget(from, slots + page, pages, sections[0], sections[1], flags, stream);
    } else {
      kernels::lift_fields(from, kernel_room(), slots + page, static_cast<std::int64_t>(pages),
                           this->sections(Part::key, sections[0], lifted).pages,
                           this->sections(Part::value, sections[1], lifted).pages,
                           data + where.borrowed, flags, stream);
    }
    for (const std::size_t part : {0u, 1u}) {
      const DeviceLayout layout = codecs[part]->layout(lifted, heads());
      if (budget == 0) {
        device_fill(sections[part] + layout.sections[2].sizes, 0, 8 * heads(), stream);
      }
      const DeviceVectors made =
          dense_device_vectors(data + where.bytes + part * device_room(2 * lifted * heads() * dim),
                               DeviceScalar::bf16, lifted, heads(), dim);
      codecs[part]->decode(sections[part], made, flags, stream, data + where.borrowed);
      convert_vectors(made.slice({at - begin, last - at}),
                      (part == 0 ? keys : values).slice({at - range.first, last - at}), stream);
    }
    at = last;
  }
}

}  // namespace kakeya
