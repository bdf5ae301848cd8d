// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/time_device.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "kakeya/codec/site_codecs.h"
#include "kakeya/codec/spec.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/device/device_codec.h"
#include "kakeya/measure/speed/bench_profile.h"
#include "kakeya/measure/speed/bench_vectors.h"
#include "kakeya/measure/speed/launch_times.h"

namespace kakeya {
namespace {

DeviceScalar scalar_of(const std::string& type) {
  return type == "bf16" ? DeviceScalar::bf16
                        : (type == "fp16" ? DeviceScalar::fp16 : DeviceScalar::fp32);
}

std::uint32_t pattern_of(DeviceScalar type, float value) {
  if (type == DeviceScalar::fp32) return bits_of(value);
  return type == DeviceScalar::fp16 ? float_to_finite_half(value) : float_to_finite_bfloat16(value);
}

// A codec, and vectors for it; of klt those of each head from its site, or whole tokens.
struct DeviceCase {
  std::string name;  // as asked for
  std::unique_ptr<DeviceCodec> codec;
  BenchVectors drawn;
  std::size_t heads;  // of a view
};

constexpr std::size_t kDrawn = 16384;

// The one profile there is.
class MadeProfile final : public ProfileSource {
 public:
  explicit MadeProfile(std::shared_ptr<const Profile> profile) : profile_(std::move(profile)) {}
  std::shared_ptr<const ProfileHead> find(std::string_view, std::string_view) const override {
    return profile_;
  }

 private:
  std::shared_ptr<const Profile> profile_;
};

// Whole tokens of the first layers that the profile transforms together.
DeviceCase make_layers_case(const std::string& spec, const std::shared_ptr<const Profile>& profile,
                            const ProfileSource& source) {
  constexpr std::size_t kProducts = std::size_t{1} << 28;  // of drawing them
  const std::size_t width = profile->group_width(), most = kDrawn * profile->shape.dim() / width,
                    drawn = std::max<std::size_t>(std::min(kProducts / width / width, most), 32);
  CodecInput input{width, &source};
  input.layers = LayerRange{0, profile->layer_group};
  return {spec, make_device_codec(spec, input), bench_vectors(drawn, *profile), 1};
}

DeviceCase make_klt_case(const DeviceBenchPlan& plan, const std::string& spec, std::size_t dim) {
  const Spec parsed = Spec::parse(spec);
  const bool layers = scope_of(spec) == VectorScope::token;
  std::shared_ptr<const Profile> profile;
  if (plan.profiles == nullptr || !is_calibrated(spec)) {
    profile = bench_profile(dim, plan.heads, layers);
  } else {
    const std::string* name = parsed.find("profile");
    profile = plan.profiles->find<Profile>(name == nullptr ? "" : *name);
  }
  const MadeProfile made(profile);
  if (layers) return make_layers_case(spec, profile, made);
  const ProfileSource* source = plan.profiles == nullptr ? &made : plan.profiles;
  const int across = profile->shape.kv_heads;
  const std::size_t each = std::max<std::size_t>(kDrawn / plan.heads, 1);
  std::vector<CodecInput> inputs;
  BenchVectors drawn(each * plan.heads, dim);
  for (std::size_t head = 0; head < plan.heads; ++head) {
    const int place = static_cast<int>(head);
    const KvSite site{place / across % profile->shape.layers, Part::key, place % across};
    inputs.push_back({dim, source, site});
    const SiteTransform& transform = profile->transform(site, TransformVariant());
    if (transform.mean.size() != dim) continue;  // the codec says so
    const BenchVectors rows = bench_vectors(each, transform);
    for (std::size_t row = 0; row < each; ++row) {
      std::copy_n(rows.data() + row * dim, dim, drawn.data() + (row * plan.heads + head) * dim);
    }
  }
  return {spec, make_device_codec(spec, inputs), std::move(drawn), plan.heads};
}

DeviceCase make_case(const DeviceBenchPlan& plan, const std::string& name, std::size_t dim) {
  constexpr std::string_view kKeys = "@keys";
  const bool keys = name.ends_with(kKeys);
  const std::string spec = keys ? name.substr(0, name.size() - kKeys.size()) : name;
  if (Spec::parse(spec).name() == "klt") return make_klt_case(plan, spec, dim);
  CodecInput input;
  input.dim = dim;
  input.site = KvSite{0, keys ? Part::key : Part::value, 0};
  return {name, make_device_codec(spec, input), bench_vectors(kDrawn, dim), plan.heads};
}

// The drawn vectors in device memory, as far as there is room for them, and repeated.
void fill_with_vectors(DeviceBuffer& to, DeviceScalar type, std::size_t vectors,
                       const BenchVectors& drawn) {
  const std::size_t dim = drawn.rows().dim, made = std::min(vectors, drawn.rows().count),
                    width = type == DeviceScalar::fp32 ? 4 : 2;
  std::vector<std::byte> image(made * dim * width);
  for (std::size_t i = 0; i < made * dim; ++i) {
    const std::uint32_t pattern = pattern_of(type, drawn.data()[i]);
    std::copy_n(reinterpret_cast<const std::byte*>(&pattern), width, &image[i * width]);
  }
  to.copy_in(image.data(), image.size());
  for (std::size_t done = made; done < vectors;) {
    const std::size_t more = std::min(done, vectors - done);
    device_copy(static_cast<std::byte*>(to.data()) + done * dim * width, to.data(),
                more * dim * width, nullptr);
    done += more;
  }
  device_wait(nullptr);
}

// Bytes that a frame's reader needs: what encoding wrote.
std::size_t coded_bytes(const DeviceLayout& layout, const DeviceBuffer& sections) {
  std::size_t coded = 0, first = layout.bytes;
  for (const auto& section : layout.sections) first = std::min(first, section.offset);
  std::vector<std::byte> sizes(first);  // lengths stand before all sections
  sections.copy_out(sizes.data(), sizes.size());
  for (const auto& section : layout.sections) {
    if (section.name == "windows" || section.name == "part") continue;
    for (std::size_t head = 0; head < layout.heads; ++head) {
      std::uint64_t bytes = section.bytes;
      if (section.sizes != DeviceLayout::kAllBytes) {
        std::memcpy(&bytes, &sizes[section.sizes + 8 * head], 8);
      }
      coded += bytes;
    }
  }
  return coded;
}

// Buffers of `bytes` that together are at least four times the L2 cache, two or more.
std::vector<DeviceBuffer> buffers(std::size_t bytes, std::size_t l2) {
  std::vector<DeviceBuffer> made;
  const std::size_t count =
      std::clamp<std::size_t>(4 * l2 / std::max<std::size_t>(bytes, 1) + 1, 2, 256);
  for (std::size_t i = 0; i < count; ++i) made.emplace_back(bytes);
  return made;
}

double time_copy(const DeviceBenchPlan& plan, std::size_t bytes, std::size_t l2) {
  const std::vector<DeviceBuffer> from = buffers(bytes, l2), to = buffers(bytes, l2);
  return time_launches(plan.rounds,
                       [&](std::size_t round) {
                         device_copy(to[round % to.size()].data(), from[round % from.size()].data(),
                                     bytes, nullptr);
                       })
      .median;
}

// `values`: about as many, in whole tokens.
void measure(const DeviceBenchPlan& plan, const DeviceCase& timed, const std::string& type,
             std::size_t values, std::size_t l2, double copy_us,
             std::vector<DeviceBenchRow>& rows) {
  const DeviceCodec& codec = *timed.codec;
  const DeviceScalar scalar = scalar_of(type);
  const std::size_t dim = codec.dim(), heads = timed.heads, tokens = values / (heads * dim),
                    vectors = tokens * heads;
  const std::size_t width = scalar == DeviceScalar::fp32 ? 4 : 2, bytes = vectors * dim * width;
  const DeviceLayout layout = codec.layout(tokens, heads);
  std::vector<DeviceBuffer> x = buffers(bytes, l2), y = buffers(bytes, l2);
  const std::vector<DeviceBuffer> sections = buffers(layout.bytes, l2);
  DeviceBuffer flags(4 * heads);
  const DeviceBuffer workspace(layout.workspace_bytes);
  flags.fill(0, nullptr);
  auto* words = static_cast<std::uint32_t*>(flags.data());
  for (DeviceBuffer& buffer : x) fill_with_vectors(buffer, scalar, vectors, timed.drawn);
  const auto view = [&](const std::vector<DeviceBuffer>& of, std::size_t round) {
    return dense_device_vectors(of[round % of.size()].data(), scalar, tokens, heads, dim);
  };
  const auto place = [&](std::size_t round) { return sections[round % sections.size()].data(); };
  for (std::size_t i = 0; i < sections.size(); ++i) {
    codec.encode(view(x, i), place(i), words, nullptr, workspace.data());
  }
  const std::size_t coded = coded_bytes(layout, sections[0]);

  const auto add = [&](const char* operation, std::size_t moved, const LaunchTimes& us) {
    const double bits = 8.0 * static_cast<double>(coded) / static_cast<double>(vectors * dim);
    rows.push_back({timed.name, type, operation, codec.spec(), dim, vectors, moved, bits, us,
                    copy_us, 2 * values * width});
  };
  add("encode", bytes + coded, time_launches(plan.rounds, [&](std::size_t round) {
        codec.encode(view(x, round), place(round), words, nullptr, workspace.data());
      }));
  add("decode", bytes + coded, time_launches(plan.rounds, [&](std::size_t round) {
        codec.decode(place(round), view(y, round), words, nullptr, workspace.data());
      }));
  add("round trip", 2 * bytes, time_launches(plan.rounds, [&](std::size_t round) {
        codec.round_trip(view(x, round), view(y, round), words, nullptr, workspace.data());
      }));
  std::vector<std::uint32_t> found(heads);
  flags.copy_out(found.data(), 4 * found.size());
  require_no_flags(codec, found);
}

}  // namespace

std::vector<DeviceBenchRow> time_device(const DeviceBenchPlan& plan) {
  if (device_count() == 0) {
    throw InputError("no GPU here, or a build without CUDA (see the configure output)");
  }
  const std::size_t l2 = device_info().l2_bytes;
  std::vector<DeviceBenchRow> rows;
  for (const std::size_t dim : plan.dims) {
    for (const std::size_t vectors : plan.vectors) {
      for (const std::string& type : plan.types) {
        const double copy_us = time_copy(plan, vectors * dim * (type == "fp32" ? 4 : 2), l2);
        for (const std::string& name : plan.codecs) {
          measure(plan, make_case(plan, name, dim), type, vectors * dim, l2, copy_us, rows);
        }
      }
    }
  }
  return rows;
}

}  // namespace kakeya
