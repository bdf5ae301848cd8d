// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/point_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <optional>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/entropy/density.h"

namespace kakeya {
namespace {

constexpr double kLargestDeviation = 16384.0;

// A symbol in the table takes at least one slot of 4096 from the others, about log2(e) / 4096 bits
// from each value coded; out of it, the symbol costs 32 bits more than in. So it belongs in from
// this probability on.
constexpr double kWorthASlot = 1.4426950408889634 / 4096 / 32;

bool has_halves(Lattice lattice) { return lattice == Lattice::e8 || lattice == Lattice::trellis; }

// A density at all points of a grid that matter: computed once for all contexts, which is most of
// the time that a wide class takes, and for one side.
class SampledDensity {
 public:
  // The lattice's points are whole numbers or, for E8 and the trellis, also half-integers.
  SampledDensity(const GridDensity& density, Lattice lattice)
      : reach_(density.reach()),
        shift_(has_halves(lattice) ? 0 : 1),
        at_(density.sample(has_halves(lattice) ? 0.5 : 1.0, density.reach() + kBeyond)) {}

  double reach() const { return reach_; }
  // At half of `twice`.
  double at_half(std::int32_t twice) const {
    return at_[static_cast<std::size_t>(std::abs(twice) >> shift_)];
  }

 private:
  static constexpr double kBeyond = 2.0;  // the spacing of a context's values, at most
  double reach_;
  int shift_;
  std::vector<double> at_;
};

// The weights of values low, low + 1, ..., outside of which nothing matters.
struct Weights {
  std::int32_t low = 0;
  std::vector<double> of;
  double sum = 0;
  std::int32_t worthy_low, worthy_high;  // from the first to the last value worth a slot

  Weights(const SampledDensity& density, ValueGrid grid) {
    const double scale = 1 << grid.scale_bits, reach = 2.0 * density.reach();
    low = static_cast<std::int32_t>(std::floor(-(reach + grid.offset) / scale));
    const auto high = static_cast<std::int32_t>(std::ceil((reach - grid.offset) / scale));
    of.reserve(static_cast<std::size_t>(high - low + 1));
    for (std::int32_t value = low; value <= high; ++value) {
      of.push_back(density.at_half(grid.twice(value)));
      sum += of.back();
    }
    worthy_low = low;
    worthy_high = high;
    while (worthy_low <= high && of[place(worthy_low)] < least()) ++worthy_low;
    while (worthy_high >= worthy_low && of[place(worthy_high)] < least()) --worthy_high;
  }

  std::size_t place(std::int32_t value) const { return static_cast<std::size_t>(value - low); }
  double least() const { return kWorthASlot * sum; }

  // Symbols that alphabet() needs at least: a group with a value worth a slot is worth one, and
  // those between the first and the last such group are in the table as well.
  std::size_t fewest_symbols(int raw_bits) const {
    if (worthy_low > worthy_high) return 0;
    return static_cast<std::size_t>((worthy_high >> raw_bits) - (worthy_low >> raw_bits) + 1);
  }
};

// What a table is made of. `weights` ends with the escape's.
struct Alphabet {
  std::vector<double> weights;
  std::int32_t first = 0;
};

// The values grouped by `raw_bits`, from the first to the last group that is worth a slot. Nothing
// when there are none or more than a table holds.
std::optional<Alphabet> alphabet(const Weights& weights, int raw_bits) {
  if (weights.fewest_symbols(raw_bits) >= kMaxSymbols) return std::nullopt;
  const std::int32_t first = weights.low >> raw_bits;
  std::vector<double> groups;
  for (std::size_t i = 0; i < weights.of.size();) {
    const std::int32_t group = first + static_cast<std::int32_t>(groups.size());
    const std::size_t end = std::min(weights.of.size(), weights.place((group + 1) << raw_bits));
    double sum = 0.0;
    for (; i < end; ++i) sum += weights.of[i];
    groups.push_back(sum);
  }
  const double least = weights.least();
  std::size_t begin = 0, end = groups.size();
  while (begin < end && groups[begin] < least) ++begin;
  while (end > begin && groups[end - 1] < least) --end;
  if (begin == end || end - begin >= kMaxSymbols) return std::nullopt;
  Alphabet result;
  result.first = first + static_cast<std::int32_t>(begin);
  double outside = 0.0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i < begin || i >= end) outside += groups[i];
  }
  result.weights.assign(groups.begin() + static_cast<std::ptrdiff_t>(begin),
                        groups.begin() + static_cast<std::ptrdiff_t>(end));
  result.weights.push_back(outside);
  return result;
}

// Bits that a value costs, up to the common factor of the weights.
double expected_bits(const Alphabet& alphabet, int raw_bits) {
  const FrequencyTable table(alphabet.weights);
  double bits = 32.0 * alphabet.weights.back();
  for (std::size_t i = 0; i < table.symbols(); ++i) {
    bits += alphabet.weights[i] * (frequency_bits(table.frequency(i)) + raw_bits);
  }
  return bits;
}

struct Alphabets {
  std::vector<Alphabet> of;
  int raw_bits = 0;
};

// Raw bits make a table small, with frequencies that fit well; but within a group the density is
// not flat. The cost has one minimum. All contexts of a step have the same raw bits, so that the
// lanes of a page stay together; the contexts are taken to be equally frequent.
Alphabets cheapest_alphabets(std::span<const Weights> contexts) {
  double least = std::numeric_limits<double>::infinity();
  Alphabets best;
  for (int raw_bits = 0; raw_bits <= kMostRawBits; ++raw_bits) {
    Alphabets candidate{{}, raw_bits};
    double bits = 0.0;
    for (const Weights& weights : contexts) {
      const auto groups = alphabet(weights, raw_bits);
      if (!groups) break;
      bits += expected_bits(*groups, raw_bits) / weights.sum;
      candidate.of.push_back(*groups);
    }
    if (candidate.of.size() < contexts.size()) continue;
    if (bits >= least) break;
    least = bits;
    best = std::move(candidate);
  }
  return best;
}

std::vector<ValueModel> make_models(const SampledDensity& density,
                                    std::span<const ValueGrid> grids) {
  std::vector<Weights> contexts;
  for (const ValueGrid grid : grids) contexts.emplace_back(density, grid);
  const auto alphabets = cheapest_alphabets(contexts);
  std::vector<ValueModel> models;
  for (std::size_t i = 0; i < grids.size(); ++i) {
    const Alphabet& chosen = alphabets.of[i];
    models.emplace_back(chosen.weights, chosen.first, alphabets.raw_bits, grids[i]);
  }
  return models;
}

void require_shape(const CoordinateShape& shape) {
  const auto share = [](double value) { return value >= 0.0 && value < 1.0; };
  if (!(shape.deviation >= 0.0 && shape.deviation <= kLargestDeviation)) {
    throw InputError("point model: deviation " + std::to_string(shape.deviation) +
                     ", expected 0 to " + std::to_string(kLargestDeviation));
  }
  if (!share(shape.spread) || !share(shape.separation) ||
      (shape.spread != 0.0 && shape.separation != 0.0)) {
    throw InputError("point model: spread " + std::to_string(shape.spread) + " and separation " +
                     std::to_string(shape.separation) +
                     ", expected both in [0, 1) and one of them 0");
  }
}

}  // namespace

double quarter_octaves(int count) {
  constexpr std::array<double, 4> kQuarters{1.0, 1.189207115002721, 1.4142135623730951,
                                            1.681792830507429};  // 2^(k / 4)
  const int octave = (count + 128) / 4 - 32;
  return std::ldexp(kQuarters[static_cast<std::size_t>((count + 128) % 4)], octave);
}

std::vector<CoordinateShape> class_grid(double nominal_deviation) {
  std::vector<CoordinateShape> classes;
  for (CoordinateShape shape : kCoordinateShapes) {
    for (int k = 0; k < 48; ++k) {
      shape.deviation = nominal_deviation * quarter_octaves(k - kNominalClass);
      classes.push_back(shape);
    }
  }
  return classes;
}

ClassModels make_class_models(Lattice lattice, const CoordinateShape& shape) {
  require_shape(shape);
  const SampledDensity density(GridDensity(shape, cell_second_moment(lattice)), lattice);
  constexpr ValueGrid kFree[] = {{1, 0}, {1, 1}};
  constexpr ValueGrid kLastOfD4[] = {{2, 0}, {2, 2}};
  constexpr ValueGrid kLastOfE8[] = {{2, 0}, {2, 1}, {2, 2}, {2, 3}};
  ClassModels models;
  models.deviation = shape.deviation;
  models.free = make_models(density, std::span(kFree).first(has_halves(lattice) ? 2 : 1));
  if (lattice == Lattice::d4) models.last = make_models(density, kLastOfD4);
  if (lattice == Lattice::e8) {
    models.last = make_models(density, kLastOfE8);
    const double even = Weights(density, kLastOfE8[0]).sum,
                 odd = Weights(density, kLastOfE8[2]).sum;
    models.integers = even + odd;
    models.signed_integers = even - odd;
    models.halves = Weights(density, kFree[1]).sum;
  }
  return models;
}

struct PointModel::Lazy {
  std::once_flag models_once, tables_once;
  ClassModels models;
  ClassTables tables;
};

PointModel::PointModel(Lattice lattice, std::vector<CoordinateShape> classes)
    : lattice_(lattice), classes_(std::move(classes)) {
  if (classes_.empty() || classes_.size() > 256) {
    throw InputError("point model: " + std::to_string(classes_.size()) +
                     " classes, expected 1 to 256");
  }
  for (const CoordinateShape& shape : classes_) require_shape(shape);
  lazy_ = std::make_unique<Lazy[]>(classes_.size());
}

PointModel::~PointModel() = default;

const ClassModels& PointModel::models(std::size_t index) const {
  Lazy& lazy = lazy_[index];
  std::call_once(lazy.models_once, [&] {
    lazy.models = make_class_models(lattice_, classes_[index]);
    classes_made_.fetch_add(1, std::memory_order_relaxed);
  });
  return lazy.models;
}

const ClassTables& PointModel::tables(std::size_t index) const {
  Lazy& lazy = lazy_[index];
  std::call_once(lazy.tables_once, [&] {
    const ClassModels& models = this->models(index);
    for (const ValueModel& context : models.free) lazy.tables.free.emplace_back(context);
    for (const ValueModel& context : models.last) lazy.tables.last.emplace_back(context);
  });
  return lazy.tables;
}

}  // namespace kakeya
