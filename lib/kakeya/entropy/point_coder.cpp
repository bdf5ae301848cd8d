// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/point_coder.h"

#include <algorithm>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/entropy/page_plan.h"

namespace kakeya {

PointCoder::PointCoder(std::shared_ptr<const PointModel> model,
                       const std::vector<std::uint8_t>& classes, std::size_t path)
    : model_(std::move(model)), plan_(make_page_plan(*model_, classes, path)) {}

std::size_t PointCoder::page_bound(std::size_t vectors) const { return page_room(plan_, vectors); }

std::size_t PointCoder::encode(std::span<const std::int32_t> twice, std::size_t vectors,
                               std::span<std::byte> out) const {
  require_lanes(plan_.lattice, twice.size(), vectors, dim());
  require_points(plan_.lattice, twice, vectors, dim(), plan_.path);
  const std::size_t room = page_bound(vectors);
  if (out.size() < room) {
    throw InputError("page: " + std::to_string(out.size()) + " bytes of room, expected " +
                     std::to_string(room));
  }
  return encode_page(plan_, twice, vectors, out.first(room));
}

void PointCoder::decode(std::span<const std::byte> in, std::size_t vectors,
                        std::span<std::int32_t> twice) const {
  require_lanes(plan_.lattice, twice.size(), vectors, dim());
  decode_page(plan_, in, vectors, twice);
}

std::uint64_t PointCoder::most_cost(std::span<const std::int32_t> twice, std::size_t vector) const {
  const auto length = static_cast<std::size_t>(block_length(plan_.lattice));
  std::uint64_t cost = 0;
  for (std::size_t i = 0; i < dim(); ++i) {
    const std::int32_t value = twice[lane_value(vector, i, dim())];
    if (plan_.lattice == Lattice::e8 && i % length == 0) {
      const std::uint32_t integers = plan_.cosets[i / length].integers;
      cost += most_cost_of((value & 1) != 0 ? kFrequencyTotal - integers : integers, 0);
    }
    const ValueTable& table = plan_.tables[i][context_of(plan_.lattice, i, value)];
    const int high_bits = table.model().grid().scale_bits + table.model().raw_bits();
    cost += table.most_cost(table.model().symbol(value >> high_bits));
  }
  return cost;
}

CostLine PointCoder::cost_line(std::size_t i) const {
  const auto length = static_cast<std::size_t>(block_length(plan_.lattice));
  const std::size_t contexts = contexts_of(plan_.lattice, i);
  CostLine line;
  for (std::size_t context = 0; context < contexts; ++context) {
    const CostLine other = plan_.tables[i][context].cost_line();
    line = {std::max(line.base, other.base), std::max(line.slope, other.slope)};
  }
  if (plan_.lattice == Lattice::e8 && i % length == 0) {
    const std::uint32_t integers = plan_.cosets[i / length].integers;
    const std::uint32_t rarer = std::min(integers, kFrequencyTotal - integers);
    line.base += static_cast<float>(most_cost_of(rarer, 0)) / kCostsABit;
  }
  return line;
}

double PointCoder::model_bits(std::span<const std::int32_t> twice, std::size_t vectors) const {
  require_lanes(plan_.lattice, twice.size(), vectors, dim());
  require_points(plan_.lattice, twice, vectors, dim(), plan_.path);
  const auto length = static_cast<std::size_t>(block_length(plan_.lattice));
  double bits = 0.0;
  for (std::size_t vector = 0; vector < vectors; ++vector) {
    for (std::size_t i = 0; i < dim(); ++i) {
      const std::int32_t value = twice[lane_value(vector, i, dim())];
      if (plan_.lattice == Lattice::e8 && i % length == 0) {
        const std::uint32_t integers = plan_.cosets[i / length].integers;
        bits += frequency_bits((value & 1) != 0 ? kFrequencyTotal - integers : integers);
      }
      const ValueModel& model = plan_.tables[i][context_of(plan_.lattice, i, value)].model();
      bits += model.bits(value >> model.grid().scale_bits);
    }
  }
  return bits;
}

}  // namespace kakeya
