// SPDX-License-Identifier: Apache-2.0
// Codecs on a GPU: kakeya_device.h but for frames.
#include "bindings/c/device_handles.h"

using namespace kakeya;
using c::guarded_device;

namespace {

constexpr std::size_t kSections =
    256;  // what addresses of sections and workspaces are multiples of

DeviceScalar scalar_of(kakeya_dtype dtype) {
  switch (dtype) {
    case KAKEYA_FLOAT32:
      return DeviceScalar::fp32;
    case KAKEYA_FLOAT16:
      return DeviceScalar::fp16;
    case KAKEYA_BFLOAT16:
      return DeviceScalar::bf16;
    default:
      throw SpecError("dtype " + std::to_string(dtype) +
                      ": expected KAKEYA_FLOAT32, KAKEYA_FLOAT16 or KAKEYA_BFLOAT16");
  }
}

// Throws InputError where vectors of an axis would lie in each other, or beyond 2^48 scalars.
void require_stride(const char* name, std::size_t stride, std::size_t count, std::size_t dim) {
  if (count < 2) return;
  if (stride < dim) {
    throw InputError(std::string("rows: ") + name + " " + std::to_string(stride) +
                     " given, expected 0 or at least the " + std::to_string(dim) +
                     " scalars of a vector");
  }
  c::require_fewer(count, stride, "rows");
}

DeviceVectors vectors_of(const kakeya_device_rows* given, const DeviceCodec& codec) {
  const kakeya_device_rows rows = c::read_struct(given, "rows");
  if (rows.reserved != 0) throw InputError("rows: reserved is not 0");
  DeviceVectors x{rows.data, scalar_of(rows.dtype), rows.tokens, rows.heads, codec.dim()};
  c::require_device_vectors(codec, x.tokens, x.heads);
  x.head_stride = rows.head_stride != 0 ? rows.head_stride : x.dim;
  require_stride("head_stride", x.head_stride, x.heads, x.dim);
  x.token_stride = rows.token_stride != 0 ? rows.token_stride : x.heads * x.head_stride;
  require_stride("token_stride", x.token_stride, x.tokens, x.dim);
  if (x.tokens != 0) c::require(x.data, "rows.data");
  return x;
}

// Throws unless there is room for `expected` bytes or words from such an address on.
void require_room(const void* data, std::size_t given, std::size_t expected, std::size_t multiple,
                  const char* name) {
  if (given < expected) {
    throw c::TooSmall(std::string("memory: ") + name + " " + std::to_string(given) +
                      " given, expected at least " + std::to_string(expected));
  }
  if (expected != 0) c::require(data, name);
  if (reinterpret_cast<std::uintptr_t>(data) % multiple != 0) {
    throw InputError(std::string("memory: the address of ") + name + " is no multiple of " +
                     std::to_string(multiple));
  }
}

kakeya_device_memory memory_of(const kakeya_device_memory* given, const DeviceCodec& codec,
                               const DeviceVectors& x) {
  const kakeya_device_memory memory = c::read_struct(given, "memory");
  const DeviceLayout layout = codec.layout(x.tokens, x.heads);
  require_room(memory.sections, memory.sections_bytes, layout.bytes, kSections, "sections_bytes");
  require_room(memory.workspace, memory.workspace_bytes, layout.workspace_bytes, kSections,
               "workspace_bytes");
  require_room(memory.flags, memory.flag_words, x.heads, sizeof(std::uint32_t), "flag_words");
  return memory;
}

// What the codecs of heads were made of. Throws InputError unless one launch can code them.
std::vector<CodecInput> inputs_of(const kakeya_codec* const* codecs, std::size_t count) {
  if (count == 0) throw InputError("codecs: 0 given, expected one or more");
  c::require(codecs, "codecs");
  std::vector<CodecInput> inputs;
  for (std::size_t i = 0; i < count; ++i) {
    c::require(codecs[i], "codecs");
    if (!codecs[i]->input) {
      throw InputError(codecs[i]->spec +
                       ": a codec of kakeya_codec_of_frame() given, expected one that "
                       "kakeya_codec_create() made, with its site");
    }
    inputs.push_back(*codecs[i]->input);
    if (codecs[i]->spec != codecs[0]->spec || inputs[i].dim != inputs[0].dim) {
      throw InputError(codecs[i]->spec + " of dim " + std::to_string(inputs[i].dim) +
                       " given beside " + codecs[0]->spec + " of dim " +
                       std::to_string(inputs[0].dim) + ", expected one spec and dim");
    }
    const bool sites = inputs[i].site && inputs[0].site;
    if (sites && inputs[i].site->part != inputs[0].site->part) {
      throw InputError(codecs[i]->spec + ": keys and values given, expected one of the two");
    }
  }
  return inputs;
}

}  // namespace

namespace kakeya::c {

void require_cuda() {
  if (!built_with_cuda()) {
    throw StatusError(KAKEYA_NO_CUDA,
                      "this libkakeya.so was built without CUDA (KAKEYA_CUDA): there are no codecs "
                      "on a GPU; kakeya_encode() codes on the host");
  }
}

void require_device_vectors(const DeviceCodec& codec, std::size_t tokens, std::size_t heads) {
  constexpr std::size_t kMost = std::size_t{1} << 31;
  if (codec.heads() != 0 && heads != codec.heads()) {
    throw InputError(codec.spec() + ": " + std::to_string(heads) + " heads given, expected the " +
                     std::to_string(codec.heads()) + " that the codec was made for");
  }
  if (heads == 0 || heads > kMost || tokens > kMost / heads) {
    throw InputError(codec.spec() + ": " + std::to_string(heads) + " heads of " +
                     std::to_string(tokens) + " tokens given, expected 1 to 2^31 vectors");
  }
}

}  // namespace kakeya::c

int32_t kakeya_device_available(void) { return device_count(); }

kakeya_status kakeya_device_use(int32_t device) {
  return guarded_device([&] { use_device(device); });
}

kakeya_status kakeya_device_codec_create(const kakeya_codec* const* codecs, size_t count,
                                         kakeya_device_codec** out) {
  return guarded_device([&] {
    c::require(out, "out");
    const std::vector<CodecInput> inputs = inputs_of(codecs, count);
    if (device_count() == 0) {
      throw c::StatusError(KAKEYA_NO_CUDA, codecs[0]->spec +
                                               ": CUDA finds no GPU or no driver here; "
                                               "kakeya_encode() codes on the host");
    }
    auto codec = make_device_codec(codecs[0]->spec, inputs);
    *out = new kakeya_device_codec{codecs[0]->profiles, std::move(codec)};
  });
}

void kakeya_device_codec_free(kakeya_device_codec* codec) { delete codec; }

size_t kakeya_device_codec_heads(const kakeya_device_codec* codec) {
  return codec == nullptr ? 0 : codec->codec->heads();
}

kakeya_status kakeya_device_codec_sizes(const kakeya_device_codec* codec, size_t tokens,
                                        size_t heads, kakeya_device_sizes* sizes) {
  return guarded_device([&] {
    c::require(codec, "codec");
    c::require_device_vectors(*codec->codec, tokens, heads);
    const DeviceLayout layout = codec->codec->layout(tokens, heads);
    kakeya_device_sizes told = {};
    told.sections_bytes = layout.bytes;
    told.workspace_bytes = layout.workspace_bytes;
    told.flag_words = heads;
    told.frame_bytes = codec->codec->host().encoded_bound(tokens);
    c::give_struct(told, sizes, "sizes");
  });
}

kakeya_status kakeya_device_encode(const kakeya_device_codec* codec, const kakeya_device_rows* rows,
                                   const kakeya_device_memory* memory, void* stream) {
  return guarded_device([&] {
    c::require(codec, "codec");
    const DeviceVectors x = vectors_of(rows, *codec->codec);
    const kakeya_device_memory room = memory_of(memory, *codec->codec, x);
    codec->codec->encode(x, room.sections, room.flags, stream, room.workspace);
  });
}

kakeya_status kakeya_device_decode(const kakeya_device_codec* codec,
                                   const kakeya_device_memory* memory,
                                   const kakeya_device_rows* rows, void* stream) {
  return guarded_device([&] {
    c::require(codec, "codec");
    const DeviceVectors y = vectors_of(rows, *codec->codec);
    const kakeya_device_memory room = memory_of(memory, *codec->codec, y);
    codec->codec->decode(room.sections, y, room.flags, stream, room.workspace);
  });
}

kakeya_status kakeya_device_check(const kakeya_device_codec* codec, const uint32_t* flags,
                                  size_t heads, void* stream) {
  return guarded_device([&] {
    c::require(codec, "codec");
    c::require_device_vectors(*codec->codec, 0, heads);
    c::require(flags, "flags");
    std::vector<std::uint32_t> words(heads);
    device_wait(stream);
    device_copy_out(words.data(), flags, words.size() * sizeof words[0]);
    require_no_flags(*codec->codec, words);
  });
}
