// SPDX-License-Identifier: Apache-2.0
// From a spec to its kernels.
#include <algorithm>
#include <array>

#include "kakeya/codec/spec_args.h"
#include "kakeya/core/error.h"
#include "kakeya/device/device_codec.h"
#include "kakeya/device/device_entropy_coded.h"
#include "kakeya/device/device_klt.h"
#include "kakeya/device/kernel_view.h"
#include "kakeya/lattice/enumerate.h"
#include "kernels/kernels.h"

namespace kakeya {
namespace {

// `sections`: names and bytes, in the order of a frame.
DeviceLayout place(std::size_t tokens, std::size_t heads,
                   std::initializer_list<std::pair<std::string_view, std::size_t>> sections) {
  DeviceLayout layout{tokens, heads, {}, 0, 0};
  for (const auto& [name, bytes] : sections) {
    layout.sections.push_back({name, bytes, layout.bytes, device_room(bytes)});
    layout.bytes += heads * device_room(bytes);
  }
  return layout;
}

kernels::Sections sections_of(const DeviceLayout& layout, std::byte* data) {
  kernels::Sections all;
  for (const DeviceLayout::Section& section : layout.sections) {
    const kernels::Section one{reinterpret_cast<std::uint8_t*>(data) + section.offset,
                               static_cast<std::int64_t>(section.stride)};
    if (section.name == "scales") all.scales = one;
    if (section.name == "codes" || section.name == "indices" || section.name == "values")
      all.codes = one;
    if (section.name == "windows") all.windows = one;
    if (section.name == "open") all.open = one;
  }
  return all;
}

// What kivi's section "part" says.
bool is_values(const kernels::Blocks& codec) { return codec.kind == kernels::Blocks::kivi; }
template <typename Kernel>
bool is_values(const Kernel&) {
  return false;
}

// A codec whose kernels take `Kernel`.
template <typename Kernel>
class KernelCodec final : public DeviceCodec {
 public:
  using Layout = DeviceLayout (*)(const Kernel&, std::size_t dim, std::size_t tokens,
                                  std::size_t heads);
  KernelCodec(std::unique_ptr<Codec> host, const Kernel& kernel, Layout layout_of)
      : DeviceCodec(std::move(host), is_values(kernel) ? std::byte{1} : std::byte{0}),
        kernel_(kernel),
        layout_of_(layout_of) {}

  DeviceLayout layout(std::size_t tokens, std::size_t heads) const override {
    return layout_of_(kernel_, dim(), tokens, heads);
  }

 private:
  void run_encode(const DeviceVectors& x, const Call& call) const override {
    kernels::encode(kernel_, kernel_view(x), sections_of(call.layout, call.sections), call.flags,
                    call.stream);
  }
  void run_decode(const DeviceVectors& y, const Call& call) const override {
    kernels::decode(kernel_, sections_of(call.layout, call.sections), kernel_view(y), call.flags,
                    call.stream);
  }
  void run_round_trip(const DeviceVectors& x, const DeviceVectors& y,
                      const Call& call) const override {
    kernels::round_trip(kernel_, kernel_view(x), kernel_view(y), call.flags, call.stream);
  }

  Kernel kernel_;
  Layout layout_of_;
};

template <typename Kernel>
std::unique_ptr<DeviceCodec> make(std::unique_ptr<Codec> host, const Kernel& kernel,
                                  typename KernelCodec<Kernel>::Layout layout) {
  return std::make_unique<KernelCodec<Kernel>>(std::move(host), kernel, layout);
}

DeviceLayout plain_layout(const kernels::Plain&, std::size_t dim, std::size_t tokens,
                          std::size_t heads) {
  return place(tokens, heads, {{"values", 2 * dim * tokens}});
}

// Bits of eight coordinates.
int field_bits(const kernels::FixedRate& codec) {
  if (codec.lattice == kernels::FixedRate::z) {
    return 8 * index_bits(static_cast<PointIndex>(2 * codec.q + 1));
  }
  if (codec.lattice == kernels::FixedRate::d4) return 2 * index_bits(D4Book(codec.q).count());
  return index_bits(E8Book(codec.q, codec.q).count());
}

DeviceLayout fixed_rate_layout(const kernels::FixedRate& codec, std::size_t dim, std::size_t tokens,
                               std::size_t heads) {
  const std::size_t bytes = dim / 64 * static_cast<std::size_t>(field_bits(codec));
  const bool codes = codec.lattice == kernels::FixedRate::z;
  return place(
      tokens, heads,
      {{"scales", 4 * tokens}, {codes ? "codes" : "indices", bytes * tokens}, {"windows", tokens}});
}

std::unique_ptr<DeviceCodec> make_fixed_rate_kernel(std::unique_ptr<Codec> host, SpecArgs& args) {
  kernels::FixedRate codec;
  if (args.name() == "tq") {
    codec.q = (1 << (args.whole("b") - 1)) - 1;
  } else {
    codec.lattice = args.name() == "d4" ? kernels::FixedRate::d4 : kernels::FixedRate::e8;
    codec.q = args.whole("q");
  }
  return make(std::move(host), codec, fixed_rate_layout);
}

DeviceLayout blocks_layout(const kernels::Blocks& codec, std::size_t dim, std::size_t tokens,
                           std::size_t heads) {
  const std::size_t blocks = tokens * dim / static_cast<std::size_t>(codec.block);
  const std::size_t codes = tokens * dim / 8 * static_cast<std::size_t>(codec.bits);
  if (codec.kind == kernels::Blocks::ggml) {
    return place(tokens, heads, {{"scales", 2 * blocks}, {"codes", codes}, {"windows", blocks}});
  }
  if (codec.kind == kernels::Blocks::kivi) {
    return place(
        tokens, heads,
        {{"part", 1}, {"scales", 4 * blocks}, {"codes", codes}, {"open", 0}, {"windows", blocks}});
  }
  if (codec.scale == 1) {
    return place(tokens, heads, {{"scales", 2 * blocks}, {"codes", codes}, {"windows", blocks}});
  }
  return place(tokens, heads, {{"scales", (codec.scale == 0 ? 4 : 1) * blocks}, {"codes", codes}});
}

// Throws unless kernels take blocks of `block` coordinates.
void require_block(const Codec& host, std::string_view key, int block) {
  const bool power = (block & (block - 1)) == 0;
  if (!power || block < 8 || block > 256 || host.dim() % static_cast<std::size_t>(block) != 0) {
    throw NoKernelError(host.spec() + ": no CUDA kernel for " + std::string(key) + "=" +
                            std::to_string(block) + " and dim " + std::to_string(host.dim()) +
                            ": there are kernels for a power of two in [8, 256] that divides dim",
                        NoKernelError::kOnHost);
  }
}

std::unique_ptr<DeviceCodec> make_fp8_kernel(std::unique_ptr<Codec> host, SpecArgs& args) {
  kernels::Blocks codec;
  codec.block = args.whole("block");
  codec.scale = static_cast<int>(args.choice("scale"));
  require_block(*host, "block", codec.block);
  return make(std::move(host), codec, blocks_layout);
}

kernels::Blocks ggml_blocks(int bits) { return {kernels::Blocks::ggml, bits, 32, 0}; }

DeviceLayout rotated_layout(const kernels::RotatedBlocks& codec, std::size_t dim,
                            std::size_t tokens, std::size_t heads) {
  return blocks_layout(ggml_blocks(codec.bits), dim, tokens, heads);
}

std::unique_ptr<DeviceCodec> make_ggml_kernel(std::unique_ptr<Codec> host, SpecArgs& args) {
  const int bits = args.name() == "q4_0" ? 4 : (args.name() == "q5_0" ? 5 : 8);
  const int rotate = args.whole("rotate");
  if (rotate == 0) return make(std::move(host), ggml_blocks(bits), blocks_layout);
  return make(std::move(host), kernels::RotatedBlocks{bits, rotate}, rotated_layout);
}

DeviceLayout kivi_keys_layout(const kernels::KiviKeys& codec, std::size_t dim, std::size_t tokens,
                              std::size_t heads) {
  const std::size_t groups = tokens / static_cast<std::size_t>(codec.group);
  const std::size_t closed = groups * static_cast<std::size_t>(codec.group);
  return place(tokens, heads,
               {{"part", 1},
                {"scales", 4 * groups * dim},
                {"codes", closed * dim / 8 * static_cast<std::size_t>(codec.bits)},
                {"open", 2 * (tokens - closed) * dim},
                {"windows", groups * dim}});
}

std::unique_ptr<DeviceCodec> make_kivi_kernel(std::unique_ptr<Codec> host, SpecArgs& args,
                                              bool keys) {
  const int bits = args.whole("b"), group = args.whole("group");
  if (keys) return make(std::move(host), kernels::KiviKeys{bits, group}, kivi_keys_layout);
  require_block(*host, "group", group);
  return make(std::move(host), kernels::Blocks{kernels::Blocks::kivi, bits, group, 0},
              blocks_layout);
}

// What there is a kernel for: a codec with these keys, whatever they say, the others at their
// default; or with any key but some, or but some values of one.
struct KernelOf {
  std::string_view name;
  std::array<std::string_view, 2> keys;
  bool any = false;
  std::array<std::string_view, 2> all_but = {};

  bool takes(const SpecItem& item) const {
    if (!any) return std::find(keys.begin(), keys.end(), item.key) != keys.end();
    return std::none_of(all_but.begin(), all_but.end(), [&](std::string_view but) {
      return but == item.key || but == item.key + "=" + item.value;
    });
  }
};
constexpr KernelOf kKernels[] = {
    {"d4", {"q"}},
    {"e8", {"q"}},
    {"tq", {"b"}},
    {"fp8", {"block", "scale"}},
    {"q4_0", {"rotate"}},
    {"q5_0", {"rotate"}},
    {"q8_0", {"rotate"}},
    {"kivi", {"b", "group"}},
    {"klt", {}, true, {"adapt"}},
    {"ece8", {}, true},
    {"ecd4", {}, true},
    {"ecz", {}, true},
    {"identity", {}},
};

std::string known_kernels() {
  std::string text;
  for (const KernelOf& kernel : kKernels) {
    text += (text.empty() ? "" : ", ") + std::string(kernel.name);
    for (const std::string_view key : kernel.keys) {
      if (!key.empty()) text += (key == kernel.keys[0] ? ":" : ",") + std::string(key);
    }
    if (!kernel.any) continue;
    text += " (any key";
    for (const std::string_view key : kernel.all_but) {
      if (!key.empty()) text += (key == kernel.all_but[0] ? " but " : " and ") + std::string(key);
    }
    text += ")";
  }
  return text;
}

void require_kernel(const Spec& spec, std::size_t dim) {
  const auto* known =
      std::find_if(std::begin(kKernels), std::end(kKernels),
                   [&](const KernelOf& kernel) { return kernel.name == spec.name(); });
  std::string lacks = known == std::end(kKernels) ? spec.name() : "";
  if (spec.has("profile", "none")) lacks = "profile=none";
  for (const SpecItem& item : spec.items()) {
    if (!lacks.empty()) break;
    if (!known->takes(item)) lacks = item.key + "=" + item.value;
  }
  if (!lacks.empty()) {
    throw NoKernelError(spec.text() + ": no CUDA kernel for " + lacks + ": there are kernels for " +
                            known_kernels() + ", other keys at their default",
                        NoKernelError::kOnHost);
  }
  if (spec.name() != "klt" && dim != 64 && dim != 128 && dim != 256 && dim != 512) {
    throw NoKernelError(spec.text() + ": no CUDA kernel for dim " + std::to_string(dim) +
                            ": there are kernels for 64, 128, 256 and 512",
                        NoKernelError::kOnHost);
  }
}

}  // namespace

std::unique_ptr<DeviceCodec> make_device_codec(std::string_view spec, const CodecInput& input) {
  return make_device_codec(spec, std::span(&input, 1));
}

std::unique_ptr<DeviceCodec> make_device_codec(std::string_view spec,
                                               std::span<const CodecInput> heads) {
  if (heads.empty()) throw InputError(std::string(spec) + ": no heads given, expected one or more");
  const CodecInput& input = heads.front();
  std::unique_ptr<Codec> host = make_codec(spec, input);
  Spec canonical = Spec::parse(host->spec());
  require_kernel(canonical, input.dim);
  const std::string name = canonical.name();
  if (name == "klt" || name.starts_with("ec")) {
    std::vector<std::unique_ptr<Codec>> hosts;
    hosts.push_back(std::move(host));
    for (const CodecInput& head : heads.subspan(1)) hosts.push_back(make_codec(spec, head));
    return name == "klt" ? make_klt_on_device(std::move(hosts))
                         : make_entropy_coded_on_device(std::move(hosts));
  }
  const CodecDescriptor& descriptor = *find_descriptor(canonical);
  SpecArgs args(std::move(canonical), descriptor);
  if (name == "fp8") return make_fp8_kernel(std::move(host), args);
  if (name == "kivi") {
    return make_kivi_kernel(std::move(host), args, input.site->part == Part::key);
  }
  if (name == "identity") return make(std::move(host), kernels::Plain{}, plain_layout);
  if (name[0] == 'q') return make_ggml_kernel(std::move(host), args);
  return make_fixed_rate_kernel(std::move(host), args);
}

}  // namespace kakeya
