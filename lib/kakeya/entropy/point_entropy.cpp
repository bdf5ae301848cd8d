// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "kakeya/entropy/page_plan.h"
#include "kakeya/entropy/point_coder.h"
#include "kakeya/entropy/value_counts.h"

namespace kakeya {

struct PointEntropy::Counts {
  Lattice lattice;
  ValueCounts coset;
  std::array<ValueCounts, 2> free;
  std::array<ValueCounts, 4> last;
};

PointEntropy::PointEntropy(Lattice lattice) : counts_(std::make_unique<Counts>()) {
  counts_->lattice = lattice;
}

PointEntropy::~PointEntropy() = default;

void PointEntropy::add(std::span<const std::int32_t> twice, std::size_t vectors, std::size_t dim) {
  const Lattice lattice = counts_->lattice;
  require_lanes(lattice, twice.size(), vectors, dim);
  const auto length = static_cast<std::size_t>(block_length(lattice));
  for (std::size_t i = 0; i < dim; ++i) {
    const int bits = scale_bits(lattice, i);
    for (std::size_t vector = 0; vector < vectors; ++vector) {
      const std::int32_t value = twice[lane_value(vector, i, dim)];
      const std::size_t context = context_of(lattice, i, value);
      (is_last(lattice, i) ? counts_->last[context] : counts_->free[context]).add(value >> bits);
      if (lattice == Lattice::e8 && i % length == 0) counts_->coset.add(value & 1);
    }
  }
}

double PointEntropy::total_bits() const {
  double bits = counts_->coset.entropy_bits();
  for (const auto& counts : counts_->free) bits += counts.entropy_bits();
  for (const auto& counts : counts_->last) bits += counts.entropy_bits();
  return bits;
}

}  // namespace kakeya
