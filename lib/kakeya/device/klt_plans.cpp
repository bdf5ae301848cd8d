// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/klt_plans.h"

#include <algorithm>
#include <vector>

#include "kakeya/device/device_memory.h"
#include "kakeya/device/device_pages.h"
#include "kakeya/device/device_prefix.h"
#include "kakeya/device/klt_plan_parts.h"
#include "kakeya/entropy/field_coder.h"
#include "kakeya/entropy/tile_coder.h"
#include "kernels/klt.h"

namespace kakeya {
namespace {

using Classes = std::vector<std::vector<std::uint8_t>>;

Classes classes_of(std::span<const TransformPlan> heads) {
  Classes classes;
  for (const TransformPlan& head : heads) classes.push_back(*head.format->known_classes);
  return classes;
}

std::shared_ptr<const DeviceTables> tables_of(std::span<const TransformPlan> heads) {
  std::vector<std::uint8_t> all;
  for (const TransformPlan& head : heads) {
    all.insert(all.end(), head.format->known_classes->begin(), head.format->known_classes->end());
  }
  return shared_device_tables(heads[0].format->model, all);
}

// What codes the pages of a head, or null.
const FixedPages* fields_of(const TransformPlan& head) {
  return dynamic_cast<const FixedPages*>(head.format->readable.get());
}
std::uint32_t kind_of_pages(const TransformPlan& head) {
  const FixedPages* const pages = fields_of(head);
  return pages == nullptr ? 0 : (dynamic_cast<const TileCoder*>(pages) == nullptr ? 1 : 2);
}
const PrefixCoder* prefix_of(const TransformPlan& head) {
  return dynamic_cast<const PrefixCoder*>(head.format->readable.get());
}

std::unique_ptr<const DevicePrefixPlans> prefix_plans_of(std::span<const TransformPlan> heads) {
  if (prefix_of(heads[0]) == nullptr) return nullptr;
  std::vector<const PrefixCoder*> coders;
  for (const TransformPlan& head : heads) coders.push_back(prefix_of(head));
  return std::make_unique<const DevicePrefixPlans>(coders);
}

// Bits a step beyond which no coordinate goes that is counted with a field of so many: most_number_bits().
float field_slope(Lattice lattice, int width) {
  // A field of two bits has room for 0 alone; beyond the others' there are one far entry, or some.
  if (width == 2) return lattice == Lattice::z ? 32.0f : 64.0f;
  return std::max(32.0f / static_cast<float>((1 << (width - 1)) - 2), 64.0f / 32764);
}

// The numbers of all heads: each array for all of them, then the next.
struct HeadFloats {
  KltFloats floats;
  std::size_t forward, backward, negative_mean, mean, slope, base;
  std::size_t field_bits = 0;  // of pages=fixed and pages=tiles
  std::size_t to_whole = 0, forward_scale = 0, backward_scale = 0;  // of product=exact

  explicit HeadFloats(std::span<const TransformPlan> heads) {
    const std::size_t dim = heads[0].mean.size();
    forward = of_each(heads, [&](const TransformPlan& h) { floats.add_rows(h.forward, dim); });
    backward = of_each(heads, [&](const TransformPlan& h) { floats.add_rows(h.backward, dim); });
    negative_mean = of_each(heads, [&](const auto& h) { floats.add_vector(h.negative_mean); });
    mean = of_each(heads, [&](const TransformPlan& h) { floats.add_vector(h.mean); });
    std::vector<float> bases;
    slope = of_each(heads, [&](const TransformPlan& h) {
      if (prefix_of(h) != nullptr) {
        const PrefixCosts costs(*prefix_of(h));
        floats.add_vector(costs.slopes);
        return bases.push_back(costs.base);
      }
      if (fields_of(h) != nullptr) return bases.push_back(add_slopes(h));
      const PointCoder coder = h.format->known_coder();
      const DearVectors dear(coder, 8 * h.kept_bytes);
      floats.add_vector(dear.slopes());
      bases.push_back(dear.base());
    });
    if (fields_of(heads[0]) != nullptr) {
      field_bits = of_each(heads, [&](const auto& h) { floats.add_vector(widths_of(h)); });
    }
    base = floats.values().size();
    for (const float value : bases) floats.add_number(value);
    if (heads[0].exact == nullptr) return;
    to_whole = of_each(heads, [&](const auto& h) { floats.add_vector(h.exact->to_whole); });
    forward_scale =
        of_each(heads, [&](const auto& h) { floats.add_vector(h.exact->forward_scale); });
    backward_scale =
        of_each(heads, [&](const auto& h) { floats.add_vector(h.exact->backward_scale); });
  }

  // By coordinate.
  static std::vector<float> widths_of(const TransformPlan& head) {
    std::vector<float> widths;
    for (const std::uint8_t bits : fields_of(head)->widths()) {
      widths.insert(widths.end(), kFieldGroup, bits);
    }
    return widths;
  }
  // Adds slopes, returns the base.
  float add_slopes(const TransformPlan& head) {
    std::vector<float> slopes;
    float bits = 0;
    for (const float width : widths_of(head)) {
      bits += width;
      slopes.push_back(field_slope(head.format->lattice, static_cast<int>(width)));
    }
    floats.add_vector(slopes);
    return bits;
  }

  template <typename Add>
  std::size_t of_each(std::span<const TransformPlan> heads, const Add& add) {
    const std::size_t first = floats.values().size();
    for (const TransformPlan& head : heads) add(head);
    return first;
  }
};

// Signed digits of base 256: value = 256 high + low.
std::int8_t low_digit(std::int16_t value) { return static_cast<std::int8_t>(value & 0xff); }
std::int8_t high_digit(std::int16_t value) {
  return static_cast<std::int8_t>((value - low_digit(value)) / 256);
}

// One digit of each value, at plane `plane` of `planes`.
template <typename Digit>
void place_digits(const WholeMatrix& matrix, std::size_t planes, std::size_t plane, Digit digit,
                  std::uint32_t* to) {
  const int dim = static_cast<int>(matrix.dim);
  auto* bytes = reinterpret_cast<std::int8_t*>(to);
  for (int i = 0; i < dim; ++i) {
    for (int j = 0; j < dim; ++j) {
      const kernels::WholePlace place = kernels::klt_whole_place(dim, i, j);
      const auto fragment = static_cast<std::size_t>(place.fragment);
      bytes[8 * (fragment * planes + plane) + static_cast<std::size_t>(place.byte)] =
          digit(matrix.at(static_cast<std::size_t>(i), static_cast<std::size_t>(j)));
    }
  }
}

// Of product=exact both matrices of all heads as digits; none of other plans.
struct HeadWholes {
  std::vector<std::uint32_t> words;
  std::size_t backward = 0;

  explicit HeadWholes(std::span<const TransformPlan> heads) {
    if (heads[0].exact == nullptr) return;
    const auto words_a_plane = 2 * static_cast<std::size_t>(kernels::klt_whole_fragments(
                                       static_cast<int>(heads[0].mean.size())));
    backward = heads.size() * words_a_plane;
    words.resize(3 * backward);
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const ExactProduct& exact = *heads[h].exact;
      std::uint32_t* two_digits = &words[backward + 2 * h * words_a_plane];
      place_digits(exact.forward, 1, 0, low_digit, &words[h * words_a_plane]);
      place_digits(exact.backward, 2, 0, low_digit, two_digits);
      place_digits(exact.backward, 2, 1, high_digit, two_digits);
    }
  }
};

std::uint32_t checksum_of(std::span<const TransformPlan> heads) {
  KltChecksum sum;
  for (const TransformPlan& head : heads) {
    sum.add(head.record);
    sum.add(head.mean);
    sum.add(head.forward);
    sum.add(head.backward);
    // Of the same numbers:
    const std::uint32_t kinds[] = {head.exact == nullptr ? 0u : 1u, kind_of_pages(head),
                                   prefix_of(head) != nullptr ? 1u : 0u};
    sum.add(std::span<const std::uint32_t>(kinds));
    sum.add(std::span<const std::uint8_t>(*head.format->known_classes));
  }
  return sum.value();
}

}  // namespace

struct DeviceKltPlans::Parts {
  Parts(std::span<const TransformPlan> heads, const HeadFloats& from, const HeadWholes& digits)
      : floats(from.floats.values().size_bytes()),
        wholes(4 * digits.words.size()),
        tables(tables_of(heads)),
        pages(tables, classes_of(heads)),
        prefix(prefix_plans_of(heads)),
        kernel(klt_kernel_of(heads[0], heads[0].mean.size(), 1)) {
    floats.copy_in(from.floats.values().data(), floats.bytes());
    const auto* data = static_cast<const float*>(floats.data());
    kernel.forward = data + from.forward;
    kernel.backward = data + from.backward;
    kernel.negative_mean = data + from.negative_mean;
    kernel.mean = data + from.mean;
    kernel.slope = data + from.slope;
    kernel.base = data + from.base;
    if (prefix) kernel.prefix = prefix->kernel();
    if (fields_of(heads[0]) != nullptr) kernel.field_bits = data + from.field_bits;
    kernel.coding = pages.coding();
    if (heads[0].exact == nullptr) return;
    wholes.copy_in(digits.words.data(), wholes.bytes());
    const auto* words = static_cast<const std::uint32_t*>(wholes.data());
    kernel.parts = 1;
    kernel.whole_forward = words;
    kernel.whole_backward = words + digits.backward;
    kernel.to_whole = data + from.to_whole;
    kernel.forward_scale = data + from.forward_scale;
    kernel.backward_scale = data + from.backward_scale;
  }

  DeviceBuffer floats, wholes;
  std::shared_ptr<const DeviceTables> tables;
  DevicePagePlans pages;
  std::unique_ptr<const DevicePrefixPlans> prefix;
  kernels::Klt kernel;
};

DeviceKltPlans::DeviceKltPlans(std::span<const TransformPlan> heads)
    : parts_(std::make_unique<const Parts>(heads, HeadFloats(heads), HeadWholes(heads))) {}
DeviceKltPlans::~DeviceKltPlans() = default;
const kernels::Klt& DeviceKltPlans::kernel() const { return parts_->kernel; }

std::shared_ptr<const DeviceKltPlans> shared_klt_plans(std::span<const TransformPlan> heads) {
  return shared_plans<DeviceKltPlans>(
      heads[0], heads[0].mean.size(), heads.size(), checksum_of(heads),
      [&] { return std::make_shared<const DeviceKltPlans>(heads); });
}

}  // namespace kakeya
