// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/time_device.h"

#include <algorithm>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/device/device_codec.h"
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

// The bench's vectors in device memory, repeated as often as it takes.
void fill_with_vectors(DeviceBuffer& to, DeviceScalar type, std::size_t vectors, std::size_t dim) {
  const std::size_t made = std::min<std::size_t>(vectors, 16384),
                    width = type == DeviceScalar::fp32 ? 4 : 2;
  const BenchVectors drawn = bench_vectors(made, dim);
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

void measure(const DeviceBenchPlan& plan, const DeviceCodec& codec, const std::string& spec,
             const std::string& type, std::size_t vectors, std::size_t l2, double copy_us,
             std::vector<DeviceBenchRow>& rows) {
  const DeviceScalar scalar = scalar_of(type);
  const std::size_t dim = codec.dim(), tokens = vectors / plan.heads;
  const std::size_t bytes = vectors * dim * (scalar == DeviceScalar::fp32 ? 4 : 2);
  const DeviceLayout layout = codec.layout(tokens, plan.heads);
  std::size_t coded = 0;
  for (const auto& section : layout.sections) {
    if (section.name != "windows" && section.name != "part") coded += plan.heads * section.bytes;
  }
  std::vector<DeviceBuffer> x = buffers(bytes, l2), y = buffers(bytes, l2);
  const std::vector<DeviceBuffer> sections = buffers(layout.bytes, l2);
  DeviceBuffer flags(4 * plan.heads);
  flags.fill(0, nullptr);
  auto* words = static_cast<std::uint32_t*>(flags.data());
  for (DeviceBuffer& buffer : x) fill_with_vectors(buffer, scalar, vectors, dim);
  const auto view = [&](const std::vector<DeviceBuffer>& of, std::size_t round) {
    return dense_device_vectors(of[round % of.size()].data(), scalar, tokens, plan.heads, dim);
  };
  const auto place = [&](std::size_t round) { return sections[round % sections.size()].data(); };
  for (std::size_t i = 0; i < sections.size(); ++i)
    codec.encode(view(x, i), place(i), words, nullptr);

  const auto add = [&](const char* operation, std::size_t moved, const LaunchTimes& us) {
    rows.push_back({spec, type, operation, dim, vectors, moved, us, copy_us, 2 * bytes});
  };
  add("encode", bytes + coded, time_launches(plan.rounds, [&](std::size_t round) {
        codec.encode(view(x, round), place(round), words, nullptr);
      }));
  add("decode", bytes + coded, time_launches(plan.rounds, [&](std::size_t round) {
        codec.decode(place(round), view(y, round), words, nullptr);
      }));
  add("round trip", 2 * bytes, time_launches(plan.rounds, [&](std::size_t round) {
        codec.round_trip(view(x, round), view(y, round), words, nullptr);
      }));
  std::vector<std::uint32_t> found(plan.heads);
  flags.copy_out(found.data(), 4 * found.size());
  require_no_flags(codec, found);
}

}  // namespace

std::vector<DeviceBenchRow> time_device(const DeviceBenchPlan& plan) {
  constexpr std::string_view kKeys = "@keys";
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
          const bool keys = name.ends_with(kKeys);
          const std::string spec = keys ? name.substr(0, name.size() - kKeys.size()) : name;
          CodecInput input;
          input.dim = dim;
          input.site = KvSite{0, keys ? Part::key : Part::value, 0};
          measure(plan, *make_device_codec(spec, input), name, type, vectors, l2, copy_us, rows);
        }
      }
    }
  }
  return rows;
}

}  // namespace kakeya
