// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "kakeya/entropy/page_plan.h"
#include "kakeya/entropy/point_coder.h"
#include "kakeya/entropy/value_counts.h"

namespace kakeya {
namespace {

// What coordinates were found to be, in all contexts.
struct CoordinateCounts {
  std::array<ValueCounts, 2> free;
  std::array<ValueCounts, 4> last;
  std::array<double, 2> blocks{};  // integers, half-integers
  double squares = 0.0, values = 0.0;

  // Of `twice` the coordinate `i` of all vectors.
  void add(Lattice lattice, std::span<const std::int32_t> twice, std::size_t vectors,
           std::size_t dim, std::size_t i) {
    const auto length = static_cast<std::size_t>(block_length(lattice));
    const int bits = scale_bits(lattice, i);
    auto* contexts = is_last(lattice, i) ? last.data() : free.data();
    for (std::size_t vector = 0; vector < vectors; ++vector) {
      const std::int32_t value = twice[lane_value(vector, i, dim)];
      contexts[context_of(lattice, i, value)].add(value >> bits);
      if (i % length == 0) ++blocks[static_cast<std::size_t>(value & 1)];
      squares += 0.25 * static_cast<double>(value) * static_cast<double>(value);
    }
    values += static_cast<double>(vectors);
  }
};

// The same as lists of what did occur, for the many classes that are tried.
class Occurrences {
 public:
  explicit Occurrences(const CoordinateCounts& counts) {
    for (std::size_t i = 0; i < free_.size(); ++i) free_[i] = list_of(counts.free[i]);
    for (std::size_t i = 0; i < last_.size(); ++i) last_[i] = list_of(counts.last[i]);
  }

  double bits(const ClassModels& models) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < models.free.size(); ++i) sum += bits_of(free_[i], models.free[i]);
    for (std::size_t i = 0; i < models.last.size(); ++i) sum += bits_of(last_[i], models.last[i]);
    return sum;
  }

 private:
  struct Entry {
    std::int32_t value;
    double count;
  };
  static std::vector<Entry> list_of(const ValueCounts& counts) {
    std::vector<Entry> list;
    counts.each([&](std::int32_t value, std::uint64_t count) {
      list.push_back({value, static_cast<double>(count)});
    });
    return list;
  }
  static double bits_of(const std::vector<Entry>& list, const ValueModel& model) {
    double sum = 0.0;
    for (const Entry& entry : list) sum += entry.count * model.bits(entry.value);
    return sum;
  }
  std::array<std::vector<Entry>, 2> free_;
  std::array<std::vector<Entry>, 4> last_;
};

// The class that costs least, of several the one with the lowest number; `extra` adds bits that are
// not in the coordinate's own tables. Classes are tried from a variance above the measured one
// downwards, until they are far below the best so far: a few large values raise what is measured
// without end, not what is best for all the others.
template <typename Extra>
std::uint8_t cheapest_class(const PointModel& model, const CoordinateCounts& counts,
                            const Extra& extra) {
  const Occurrences occurrences(counts);
  const std::vector<std::uint32_t> falling = falling_classes(model);
  std::vector<double> variances;
  for (std::size_t index = 0; index < model.class_count(); ++index) {
    variances.push_back(quantised_variance(model, index));
  }
  const double lowest = variances[falling.back()];
  const double highest = 3.0 * std::max(counts.squares / counts.values, lowest);
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = falling.front();
  for (const std::size_t index : falling) {
    if (variances[index] > highest) continue;
    if (variances[index] < 0.17 * std::min(variances[best], highest)) break;
    const ClassModels& models = model.models(index);
    const double bits = occurrences.bits(models) + extra(models);
    if (bits > least || (bits == least && index > best)) continue;
    least = bits;
    best = index;
  }
  return static_cast<std::uint8_t>(best);
}

}  // namespace

double quantised_variance(const PointModel& model, std::size_t index) {
  const double deviation = model.shape(index).deviation;
  return deviation * deviation + cell_second_moment(model.lattice());
}

std::vector<std::uint32_t> falling_classes(const PointModel& model) {
  std::vector<std::uint32_t> falling(model.class_count());
  std::iota(falling.begin(), falling.end(), 0u);
  std::stable_sort(falling.begin(), falling.end(), [&](std::uint32_t a, std::uint32_t b) {
    return quantised_variance(model, a) > quantised_variance(model, b);
  });
  return falling;
}

std::vector<std::uint8_t> cheapest_classes(const PointModel& model,
                                           std::span<const std::int32_t> twice, std::size_t vectors,
                                           std::size_t dim, bool one_for_all) {
  const Lattice lattice = model.lattice();
  require_lanes(lattice, twice.size(), vectors, dim);
  if (one_for_all) {
    CoordinateCounts counts;
    for (std::size_t i = 0; i < dim; ++i) counts.add(lattice, twice, vectors, dim, i);
    const auto coset_bits = [&](const ClassModels& models) {
      if (lattice != Lattice::e8) return 0.0;
      const std::array<const ClassModels*, 8> block{&models, &models, &models, &models,
                                                    &models, &models, &models, &models};
      const std::uint32_t integers = make_coset_table(block).integers;
      return counts.blocks[0] * frequency_bits(integers) +
             counts.blocks[1] * frequency_bits(kFrequencyTotal - integers);
    };
    return std::vector<std::uint8_t>(dim, cheapest_class(model, counts, coset_bits));
  }
  std::vector<std::uint8_t> classes;
  for (std::size_t i = 0; i < dim; ++i) {
    CoordinateCounts counts;
    counts.add(lattice, twice, vectors, dim, i);
    classes.push_back(cheapest_class(model, counts, [](const ClassModels&) { return 0.0; }));
  }
  return classes;
}

}  // namespace kakeya
