// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_attention.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/spec_args.h"
#include "kakeya/core/error.h"
#include "kakeya/device/device_field_attention.h"
#include "kakeya/device/kernel_view.h"
#include "kernels/attention.h"
#include "kernels/field_attention.h"
#include "kernels/prefix_attention.h"
#include "kernels/rope_attention.h"

namespace kakeya {
namespace {

constexpr int kMostQ = 7;        // four bits hold -8 to 7
constexpr int kLeastBlock = 64;  // pages of fp8 have a scale for so many coordinates

std::string shape_text(const KvShape& shape) {
  return "head_dim " + std::to_string(shape.head_dim) + ", " + std::to_string(shape.query_heads) +
         " query heads, " + std::to_string(shape.kv_heads) + " KV heads";
}

KvShape checked(const KvShape& shape) {
  const bool dim = shape.head_dim == 64 || shape.head_dim == 128 || shape.head_dim == 256;
  if (!dim || shape.kv_heads < 1 || shape.query_heads < shape.kv_heads ||
      shape.query_heads % shape.kv_heads != 0) {
    throw InputError(
        "attention over packed pages: " + shape_text(shape) +
        " given, expected head_dim 64, 128 or 256 and as many query heads for each KV head");
  }
  return shape;
}

// The sections of `layout`, of fixed-rate codecs and of fp8, as kernels take them.
kernels::Sections code_sections(const DeviceLayout& layout, void* data) {
  kernels::Sections all;
  for (const DeviceLayout::Section& section : layout.sections) {
    const kernels::Section one{static_cast<std::uint8_t*>(data) + section.offset,
                               static_cast<std::int64_t>(section.stride)};
    if (section.name == "scales") {
      all.scales = one;
    } else if (section.name == "windows") {
      all.windows = one;
    } else {
      all.codes = one;
    }
  }
  return all;
}

kernels::PagePool kernel_pool(const KvShape& shape, const DevicePagePool& pool,
                              bool bytes = false) {
  return {static_cast<std::uint8_t*>(pool.data), static_cast<std::int64_t>(pool.slots),
          shape.kv_heads, shape.head_dim, bytes};
}

void require_views(const DeviceAttention& attention, const char* what, const DeviceVectors& given,
                   std::size_t tokens, std::size_t heads) {
  const std::size_t dim = attention.shape().dim();
  if (given.tokens == tokens && given.heads == heads && given.dim == dim) return;
  const auto text = [](std::size_t a, std::size_t b, std::size_t c) {
    return "[" + std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(c) + "]";
  };
  throw InputError(attention.codec().spec() + ": attention: " + what + " of " +
                   text(given.tokens, given.heads, given.dim) + " given, expected " +
                   text(tokens, heads, dim));
}

}  // namespace

DeviceAttention::DeviceAttention(std::string_view spec, const KvShape& shape)
    : codec_(make_device_codec(spec, CodecInput{.dim = checked(shape).dim()})), shape_(shape) {
  const Spec canonical = Spec::parse(codec_->spec());
  SpecArgs args(canonical, *find_descriptor(canonical));
  if (args.name() == "tq") {
    q_ = (1 << (args.whole("b") - 1)) - 1;
    lattice_ = kernels::FixedRate::z;
  } else if (args.name() == "d4" || args.name() == "e8") {
    q_ = args.whole("q");
    lattice_ = args.name() == "d4" ? kernels::FixedRate::d4 : kernels::FixedRate::e8;
  } else if (args.name() == "fp8") {
    block_ = args.whole("block");
    scale_ = static_cast<int>(args.choice("scale"));
  }
  if (block_ < kLeastBlock && (q_ < 1 || q_ > kMostQ)) {
    throw NoKernelError(
        canonical.text() +
        ": no pages for attention: there are some for tq with b of 2 to 4, for d4 and e8 with q "
        "of 1 to 7 and for fp8 with block of 64 or more");
  }
}

DeviceAttention::DeviceAttention(std::string_view spec, const KvShape& shape,
                                 std::span<const CodecInput> keys,
                                 std::span<const CodecInput> values, const AttentionRoom& room)
    : fields_(std::make_unique<Fields>(spec, checked(shape), keys, values, room)), shape_(shape) {}

DeviceAttention::~DeviceAttention() = default;
DeviceAttention::DeviceAttention(DeviceAttention&&) noexcept = default;

const DeviceCodec& DeviceAttention::codec(Part part) const {
  return fields_ ? *fields_->codecs[part == Part::key ? 0 : 1] : *codec_;
}

std::size_t DeviceAttention::page_tokens() const {
  return static_cast<std::size_t>(fields_ ? kernels::kFieldSlotTokens : kernels::kPageTokens);
}

std::size_t DeviceAttention::slot_bytes() const {
  if (fields_) return fields_->room.slot_bytes;
  return static_cast<std::size_t>(kernel_pool(shape_, {}, block_ != 0).slot_bytes());
}

double DeviceAttention::bits_per_value() const {
  return 8 * static_cast<double>(slot_bytes()) /
         static_cast<double>(2 * page_tokens() * shape_.part_width());
}

// Of the sections of keys, or of values, in a workspace.
std::size_t DeviceAttention::part_bytes(std::size_t tokens) const {
  return device_room(codec_->layout(tokens, shape_.heads()).bytes);
}

std::size_t DeviceAttention::pack_workspace_bytes(std::size_t tokens) const {
  return fields_ ? fields_->places(tokens).bytes : 2 * part_bytes(tokens);
}

void DeviceAttention::pack(const DeviceVectors& keys, const DeviceVectors& values,
                           const DevicePagePool& pool, const std::int32_t* slots,
                           std::uint32_t* flags, DeviceStream stream, void* workspace) const {
  code(keys, values, flags, stream, workspace);
  lay_coded(keys.tokens, pool, slots, flags, stream, workspace);
}

AttentionRoom DeviceAttention::code(const DeviceVectors& keys, const DeviceVectors& values,
                                    std::uint32_t* flags, DeviceStream stream,
                                    void* workspace) const {
  require_views(*this, "keys", keys, keys.tokens, shape_.heads());
  require_views(*this, "values", values, keys.tokens, shape_.heads());
  if (fields_) return fields_->code(keys, values, flags, stream, workspace);
  codec_->encode(keys, workspace, flags, stream);
  codec_->encode(values, static_cast<std::byte*>(workspace) + part_bytes(keys.tokens), flags,
                 stream);
  return room();
}

void DeviceAttention::lay_coded(std::size_t tokens, const DevicePagePool& pool,
                                const std::int32_t* slots, std::uint32_t* flags,
                                DeviceStream stream, void* workspace) const {
  auto* const data = static_cast<std::byte*>(workspace);
  if (fields_) {
    const Fields::Places at = fields_->places(tokens);
    return lay(data, data + at.values, tokens, pool, slots, flags, stream, data + at.borrowed);
  }
  const DeviceLayout layout = codec_->layout(tokens, shape_.heads());
  const kernels::FixedRate codec{static_cast<kernels::FixedRate::Kind>(lattice_), q_};
  const kernels::Blocks fp8{kernels::Blocks::fp8, 8, block_, scale_};
  for (const bool of_values : {false, true}) {
    const kernels::Sections in = code_sections(layout, data + (of_values ? part_bytes(tokens) : 0));
    const auto count = static_cast<std::int64_t>(tokens);
    const kernels::PagePool pages = kernel_pool(shape_, pool, block_ != 0);
    if (block_ != 0) {
      kernels::lay_byte_pages(fp8, in, count, of_values, pages, slots, flags, stream);
    } else {
      kernels::lay_pages(codec, in, count, of_values, pages, slots, flags, stream);
    }
  }
}

AttentionRoom DeviceAttention::room() const {
  if (fields_) return fields_->room;
  const std::size_t head = slot_bytes() / shape_.heads();
  return {slot_bytes(), head, head / 2};
}

AttentionRoom DeviceAttention::room_with(const AttentionRoom& least) const {
  AttentionRoom both = room();
  if (!fields_) return both;
  both.head_bytes = std::max(both.head_bytes, least.head_bytes);
  both.part_bytes = std::max(both.part_bytes, least.part_bytes);
  if (least.slot_bytes > both.slot_bytes) {
    both.slot_bytes = (least.slot_bytes + least.slot_bytes / 64 + 15) / 16 * 16;
  }
  return both;
}

void DeviceAttention::set_room(const AttentionRoom& room) {
  if (fields_) fields_->room = room;
}

void DeviceAttention::set_rope(std::shared_ptr<const DeviceRope> rope) {
  if (fields_) return fields_->set_rope(std::move(rope));
  if (rope == nullptr) return;
  throw NoKernelError(
      codec_->spec() +
      ": attention: keys before RoPE given, expected keys after it: of those before "
      "it there are pages of klt with pages=tiles alone");
}

std::size_t DeviceAttention::bytes() const {
  if (!fields_) return 0;
  return fields_->floats->bytes() + (fields_->rope ? fields_->rope_matrices->bytes() : 0) +
         (fields_->prefix ? fields_->prefix->bytes() : 0);
}

std::size_t DeviceAttention::unpack_workspace_bytes(std::size_t tokens) const {
  return fields_ ? fields_->unpack_workspace_bytes(tokens) : 0;
}

void DeviceAttention::unpack(const DevicePagePool& pool, const std::int32_t* slots,
                             TokenRange range, const DeviceVectors& keys,
                             const DeviceVectors& values, std::uint32_t* flags, DeviceStream stream,
                             void* workspace) const {
  require_views(*this, "keys", keys, range.count, shape_.heads());
  require_views(*this, "values", values, range.count, shape_.heads());
  if (fields_) {
    return fields_->unpack(pool, slots, range, keys, values, flags, stream, workspace);
  }
  const auto first = static_cast<std::int64_t>(range.first),
             count = static_cast<std::int64_t>(range.count);
  const kernels::PagePool pages = kernel_pool(shape_, pool, block_ != 0);
  if (block_ != 0) {
    return kernels::unpack_byte_pages(pages, slots, first, count, kernel_view(keys),
                                      kernel_view(values), flags, stream);
  }
  const kernels::FixedRate codec{static_cast<kernels::FixedRate::Kind>(lattice_), q_};
  kernels::unpack_pages(codec, pages, slots, first, count, kernel_view(keys), kernel_view(values),
                        flags, stream);
}

std::size_t DeviceAttention::lay_workspace_bytes(std::size_t tokens) const {
  return kernels::lay_fields_workspace(static_cast<std::int64_t>(tokens), shape_.kv_heads);
}

void DeviceAttention::lay(const void* key_sections, const void* value_sections, std::size_t tokens,
                          const DevicePagePool& pool, const std::int32_t* slots,
                          std::uint32_t* flags, DeviceStream stream, void* workspace) const {
  if (!fields_) {
    throw InputError(codec_->spec() + ": attention: sections given, expected vectors: pack()");
  }
  if (fields_->budget != 0) {
    return fields_->lay_budget(key_sections, value_sections, tokens, kernel_pool(shape_, pool),
                               slots, flags, stream);
  }
  kernels::lay_fields(fields_->sections(Part::key, key_sections, tokens),
                      fields_->sections(Part::value, value_sections, tokens),
                      static_cast<std::int64_t>(tokens), kernel_pool(shape_, pool),
                      fields_->kernel_room(), slots, workspace, flags, stream);
}

int DeviceAttention::splits_of(std::size_t batch, std::size_t most_packed_tokens) const {
  const int sequences = static_cast<int>(batch), group = shape_.query_heads / shape_.kv_heads;
  const auto tokens = static_cast<std::int64_t>(most_packed_tokens);
  if (!fields_) {
    return kernels::attend_splits(kernel_pool(shape_, {}, block_ != 0), sequences, group, tokens);
  }
  const auto splits =
      fields_->prefix ? kernels::attend_prefix_splits : kernels::attend_fields_splits;
  return splits(sequences, shape_.kv_heads, group, shape_.head_dim, tokens);
}

std::size_t DeviceAttention::run_workspace_bytes(std::size_t batch,
                                                 std::size_t most_packed_tokens) const {
  const int sequences = static_cast<int>(batch), group = shape_.query_heads / shape_.kv_heads;
  const int splits = splits_of(batch, most_packed_tokens);
  if (fields_ && fields_->prefix) {
    return static_cast<std::size_t>(kernels::attend_prefix_workspace_bytes(
        sequences, shape_.kv_heads, group, shape_.head_dim, splits,
        static_cast<std::int64_t>(most_packed_tokens)));
  }
  const auto bytes =
      fields_ ? kernels::attend_fields_workspace_bytes : kernels::attend_workspace_bytes;
  return static_cast<std::size_t>(
      bytes(sequences, shape_.kv_heads, group, shape_.head_dim, splits));
}

void DeviceAttention::run(const AttentionStep& step, std::uint32_t* flags, DeviceStream stream,
                          void* workspace) const {
  const auto query_heads = static_cast<std::size_t>(shape_.query_heads);
  require_views(*this, "queries", step.queries, step.batch, query_heads);
  require_views(*this, "results", step.out, step.batch, query_heads);
  kernels::AttendCall call;
  call.lattice = static_cast<kernels::FixedRate::Kind>(lattice_);
  call.pool = kernel_pool(shape_, step.pool, block_ != 0);
  call.batch = static_cast<int>(step.batch);
  call.group = shape_.query_heads / shape_.kv_heads;
  call.scale = step.scale != 0
                   ? step.scale
                   : static_cast<float>(1 / std::sqrt(static_cast<double>(shape_.head_dim)));
  call.table = step.table;
  call.table_stride = static_cast<std::int64_t>(step.table_stride);
  call.packed_tokens = step.packed_tokens;
  call.first_tokens = step.first_tokens;
  call.exact_keys = static_cast<const std::uint16_t*>(step.exact_keys);
  call.exact_values = static_cast<const std::uint16_t*>(step.exact_values);
  call.exact_tokens = step.exact_tokens;
  call.exact_room = static_cast<std::int64_t>(step.exact_room);
  call.exact_places = step.exact_places;
  call.exact_rows = static_cast<std::int64_t>(step.exact_rows);
  call.queries = kernel_view(step.queries);
  call.out = kernel_view(step.out);
  call.splits = splits_of(step.batch, step.most_packed_tokens);
  call.partial = static_cast<float*>(workspace);
  call.flags = flags;
  if (!fields_) return kernels::attend(call, stream);
  if (fields_->rope) {
    return kernels::attend_rope_tiles(call, fields_->kernel_room(), fields_->transforms(),
                                      fields_->rope_tables(step.first_positions), stream);
  }
  if (fields_->prefix) {
    return fields_->prefix->run(call, fields_->kernel_room(), fields_->transforms(),
                                step.most_packed_tokens, stream);
  }
  const auto attend = fields_->tiles ? kernels::attend_tiles : kernels::attend_fields;
  attend(call, fields_->kernel_room(), fields_->transforms(), stream);
}

void require_no_attention_flags(const DeviceAttention& attention,
                                std::span<const std::uint32_t> flags) {
  constexpr std::pair<std::uint32_t, const char*> kWrong[] = {
      {kernels::kBadSlot, "a slot that the pool lacks"},
      {kernels::kBadLength,
       "more tokens than its table, its room for bf16 or, with pages=prefix, the workspace holds, or "
       "fewer than 0"},
      {kernels::kBadScale, "a page with a factor that is negative, not finite or too large"},
      {kernels::kNoSuchPoint, "a page with a code that is NaN"},
      {kernels::kBadPage, "a damaged page, or a slot without pages"},
      {kernels::kBeyondFields,
       "fields of more than 4096 levels, coordinates 8192 steps beyond theirs, prefix codes of "
       "coordinates beyond 32639, or before RoPE keys that these take too far"},
      {kernels::kBadPosition, "tokens at positions that its RoPE lacks, or below 0"},
  };
  for (std::size_t sequence = 0; sequence < flags.size(); ++sequence) {
    for (const auto& [flag, what] : kWrong) {
      if ((flags[sequence] & flag) == 0) continue;
      const std::string told = attention.codec().spec() + ": attention: sequence " +
                               std::to_string(sequence) + ": " + what;
      if (flag == kernels::kBadPosition) throw InputError(told);
      throw CorruptStream(told);
    }
  }
}

}  // namespace kakeya
