// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/page_plan.h"

#include <string>

#include "kakeya/core/error.h"

namespace kakeya {

// The sum of a product of weights over the integer points of E8, those with an even sum, is half of
// the sum over all integers plus half of that with the sign of the sum; over its half-integer
// points it is half of the sum over all half-integers, as their signed sums cancel.
CosetTable make_coset_table(std::span<const ClassModels* const> block) {
  double integers = 1.0, signed_integers = 1.0, halves = 1.0;
  for (const ClassModels* models : block) {
    integers *= models->integers;
    signed_integers *= models->signed_integers;
    halves *= models->halves;
  }
  const double weights[] = {integers + signed_integers, halves};
  const FrequencyTable table(weights);
  CosetTable coset;
  coset.integers = table.frequency(0);
  for (std::size_t i = 0; i < 2; ++i) {
    coset.encoders[i] = RansSymbol(table.start(i), table.frequency(i));
  }
  return coset;
}

PagePlan make_page_plan(const PointModel& model, std::span<const std::uint8_t> classes,
                        std::size_t path) {
  const Lattice lattice = model.lattice();
  const auto length = static_cast<std::size_t>(block_length(lattice));
  if (classes.empty() || classes.size() % length != 0) {
    throw InputError("point coder: " + std::to_string(classes.size()) +
                     " classes, expected a multiple of " + std::to_string(length));
  }
  PagePlan plan;
  plan.lattice = lattice;
  plan.path = path == 0 ? classes.size() : path;
  if (classes.size() % plan.path != 0) {
    throw InputError("point coder: paths of " + std::to_string(path) + " coordinates, expected a " +
                     "divisor of " + std::to_string(classes.size()));
  }
  std::vector<const ClassModels*> all;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] >= model.class_count()) {
      throw InputError("point coder: coordinate " + std::to_string(i) + " has class " +
                       std::to_string(classes[i]) + ", the model has " +
                       std::to_string(model.class_count()));
    }
    const ClassTables& tables = model.tables(classes[i]);
    all.push_back(&model.models(classes[i]));
    plan.tables.push_back(is_last(lattice, i) ? tables.last.data() : tables.free.data());
    plan.constants.push_back(lane_constants(plan.tables.back(), contexts_of(lattice, i)));
  }
  for (std::size_t i = 0; i < all.size() && lattice == Lattice::e8; i += length) {
    plan.cosets.push_back(make_coset_table(std::span(all).subspan(i, length)));
  }
  return plan;
}

}  // namespace kakeya
