// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_prefix.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/device/device_memory.h"
#include "kakeya/device/device_table_parts.h"
#include "kakeya/device/kernel_view.h"
#include "kernels/prefix.h"

namespace kakeya {
namespace {

constexpr std::size_t kTuples = kernels::kPrefixTuples, kEntries = kernels::kPrefixEntries;
static_assert(kEntries == std::size_t{1} << PrefixGroup::kMostBits);

// Coordinates whose digits are in tuple `number`, the first the least significant. `base`: how many
// digits count; the last of 26, or the first and the last of 7, stand for what is beyond the tables.
std::array<std::int32_t, 4> coordinates_of(const PrefixGroup& group, std::size_t number,
                                           std::int32_t base) {
  std::array<std::int32_t, 4> v{};
  for (std::size_t k = 0; k < group.together(); ++k) {
    const auto digit = static_cast<std::int32_t>(number % static_cast<std::size_t>(base));
    v[k] = group.planes() == 0 ? digit - base / 2 : digit << (group.planes() - 1);
    number /= static_cast<std::size_t>(base);
  }
  return v;
}

std::size_t power(std::size_t base, std::size_t exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

void append_group(const PrefixGroup& group, std::vector<std::uint16_t>& entries,
                  std::vector<std::uint32_t>& putters) {
  const bool quads = group.together() == 4;
  for (std::uint32_t bits = 0; bits < kEntries; ++bits) {
    const PrefixCode::Entry& entry = group.code().entry(bits);
    entries.push_back(
        kernels::prefix_entry(entry.length, quads, group.digits(entry.symbol).data()));
  }
  for (std::size_t number = 0; number < kTuples; ++number) {
    const auto v = coordinates_of(group, number, quads ? 5 : 25);
    auto near = v;
    const std::size_t symbol = group.nearest(near.data());
    putters.push_back(kernels::prefix_putter(group.code().word(symbol), group.code().length(symbol),
                                             quads, group.digits(symbol).data(), near != v));
  }
}

std::uint8_t kind_of(const PrefixGroup& group) {
  if (group.planes() > kernels::kMostPrefixPlanes) {
    throw InputError("device prefix codes: " + std::to_string(group.planes()) +
                     " planes, expected at most " + std::to_string(kernels::kMostPrefixPlanes));
  }
  return static_cast<std::uint8_t>(group.planes() |
                                   (group.together() == 4 ? kernels::kPrefixQuads : 0));
}

}  // namespace

struct DevicePrefixPlans::Parts {
  DeviceBuffer memory;
  kernels::PrefixPages kernel;
};

DevicePrefixPlans::DevicePrefixPlans(std::span<const PrefixCoder* const> heads) {
  if (heads.empty()) throw InputError("device prefix codes: no heads, expected one or more");
  const std::size_t dim = heads[0]->dim();
  std::vector<std::uint16_t> entries;
  std::vector<std::uint32_t> putters;
  std::vector<std::uint8_t> kinds(heads.size() * kernels::kMostPrefixGroups);
  for (std::size_t head = 0; head < heads.size(); ++head) {
    if (heads[head]->dim() != dim) {
      throw InputError("device prefix codes: heads of " + std::to_string(heads[head]->dim()) +
                       " and " + std::to_string(dim) + " coordinates, expected as many in each");
    }
    std::size_t at = head * kernels::kMostPrefixGroups;
    for (const PrefixGroup& group : heads[head]->groups()) {
      append_group(group, entries, putters);
      kinds[at++] = kind_of(group);
    }
  }
  DeviceImage image;
  const std::size_t tables_at = image.append(entries), putters_at = image.append(putters),
                    kinds_at = image.append(kinds);
  DeviceBuffer memory = image.uploaded();
  const auto* const base = static_cast<const std::byte*>(memory.data());
  kernels::PrefixPages kernel;
  kernel.heads = static_cast<std::int32_t>(heads.size());
  kernel.dim = static_cast<std::int32_t>(dim);
  kernel.tables = reinterpret_cast<const std::uint16_t*>(base + tables_at);
  kernel.putters = reinterpret_cast<const std::uint32_t*>(base + putters_at);
  kernel.kinds = reinterpret_cast<const std::uint32_t*>(base + kinds_at);
  parts_ = std::make_unique<const Parts>(Parts{std::move(memory), kernel});
}
DevicePrefixPlans::~DevicePrefixPlans() = default;

const kernels::PrefixPages& DevicePrefixPlans::kernel() const { return parts_->kernel; }
std::size_t DevicePrefixPlans::bytes() const { return parts_->memory.bytes(); }

std::size_t DevicePrefixPlans::encode_workspace(const DevicePoints& points) const {
  return kernels::prefix_encode_workspace(kernel_points(points), kernel().heads);
}
std::size_t DevicePrefixPlans::decode_workspace(const DevicePoints& points) const {
  return kernels::prefix_decode_workspace(kernel_points(points), kernel().heads);
}
void DevicePrefixPlans::encode(const DevicePoints& points, std::size_t tokens,
                               const DevicePageSections& out, void* workspace, std::uint32_t* flags,
                               DeviceStream stream) const {
  kernels::encode_prefix(kernel(), kernel_points(points), static_cast<std::int64_t>(tokens),
                         kernel_sections(out), workspace, flags, stream);
}
void DevicePrefixPlans::decode(const DevicePageSections& in, const DevicePoints& points,
                               std::size_t tokens, void* workspace, std::uint32_t* flags,
                               DeviceStream stream) const {
  kernels::decode_prefix(kernel(), kernel_sections(in), kernel_points(points),
                         static_cast<std::int64_t>(tokens), workspace, flags, stream);
}
void DevicePrefixPlans::sums(const DevicePageSections& in, const DevicePoints& points,
                             std::size_t tokens, std::int32_t* sums, void* workspace,
                             std::uint32_t* flags, DeviceStream stream) const {
  kernels::sum_prefix(kernel(), kernel_sections(in), kernel_points(points),
                      static_cast<std::int64_t>(tokens), sums, workspace, flags, stream);
}

// Of a group the steepest rise from the codeword of the middle. Who is corrected takes 32 bits, and 32 more
// for every 1023 steps at most.
PrefixCosts::PrefixCosts(const PrefixCoder& coder) {
  for (const PrefixGroup& group : coder.groups()) {
    const std::size_t together = group.together();
    const std::int32_t digits = group.planes() != 0 ? 26 : (together == 4 ? 7 : 27);
    std::array<std::int32_t, 4> middle{};
    const int least = group.code().length(group.nearest(middle.data()));
    double slope = 0;
    for (std::size_t n = 0; n < power(static_cast<std::size_t>(digits), together); ++n) {
      const auto v = coordinates_of(group, n, digits);
      auto near = v;
      int bits = group.code().length(group.nearest(near.data())) - least;
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < together; ++k) {
        sum += std::abs(v[k]);
        if (near[k] != v[k]) bits += 32;
      }
      if (sum == 0) continue;
      const double more = near == v ? 0 : 32.0 / 1023;
      slope = std::max(slope, static_cast<double>(bits) / sum + more);
    }
    base += static_cast<float>(8 * group.planes() +
                               static_cast<int>(PrefixGroup::kCoordinates / together) * least);
    slopes.insert(slopes.end(), PrefixGroup::kCoordinates, static_cast<float>(slope));
  }
}

}  // namespace kakeya
