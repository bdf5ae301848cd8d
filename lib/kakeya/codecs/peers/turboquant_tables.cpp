// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/peers/turboquant_tables.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr std::size_t kMostTables = 4;

double power(double base, std::size_t exponent) {
  double result = 1.0;
  for (; exponent != 0; exponent >>= 1, base *= base) {
    if ((exponent & 1) != 0) result *= base;
  }
  return result;
}

// (1 - t^2)^(exponent / 2).
double density(double t, std::size_t exponent) {
  return power(std::sqrt(std::max(0.0, (1.0 - t) * (1.0 + t))), exponent);
}

// The mass of a cell [low, high], 0 or above, and its mean.
struct Cell {
  double low, high, mass, mean;
};

// Five points of Gauss and Legendre in each of some panels.
Cell cell_of(double low, double high, std::size_t exponent) {
  constexpr double kNode[] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                              0.9061798459386640};
  constexpr double kWeight[] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                0.4786286704993665, 0.2369268850561891};
  const int panels = high == 1.0 ? 1024 : 16;
  const double half = (high - low) / (2 * panels);
  double mass = 0.0, moment = 0.0;
  for (int panel = 0; panel < panels; ++panel) {
    const double middle = low + (2 * panel + 1) * half;
    for (int i = 0; i < 5; ++i) {
      const double t = middle + half * kNode[i], part = kWeight[i] * density(t, exponent);
      mass += part;
      moment += part * t;
    }
  }
  return {low, high, mass * half, moment / mass};
}

std::vector<Cell> cells_of(const std::vector<double>& thresholds, std::size_t exponent) {
  std::vector<Cell> cells;
  double low = 0.0;
  for (const double high : thresholds)
    cells.push_back(cell_of(std::exchange(low, high), high, exponent));
  cells.push_back(cell_of(low, 1.0, exponent));
  return cells;
}

// Cells of equal mass under a third of the exponent: where an optimal quantiser of many levels has
// them (Panter and Dite).
std::vector<double> first_thresholds(std::size_t count, std::size_t exponent) {
  constexpr std::size_t kSteps = 8192;
  const std::size_t third = (exponent + 1) / 3;
  std::vector<double> below(kSteps + 1, 0.0);
  for (std::size_t i = 0; i < kSteps; ++i) {
    below[i + 1] = below[i] + density((static_cast<double>(i) + 0.5) / kSteps, third);
  }
  std::vector<double> thresholds;
  for (std::size_t k = 1; k < count; ++k) {
    const double wanted = below.back() * static_cast<double>(k) / static_cast<double>(count);
    const auto above = std::lower_bound(below.begin() + 1, below.end(), wanted);
    const double rest = (wanted - above[-1]) / (*above - above[-1]);
    thresholds.push_back((static_cast<double>(above - below.begin() - 1) + rest) / kSteps);
  }
  return thresholds;
}

// How far thresholds are from halfway between means.
std::vector<double> misses(const std::vector<double>& thresholds, const std::vector<Cell>& cells) {
  std::vector<double> miss;
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    miss.push_back(thresholds[i] - (cells[i].mean + cells[i + 1].mean) / 2);
  }
  return miss;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::fabs(value));
  return most;
}

// Newton's step: a tridiagonal system, solved by elimination.
std::vector<double> newton_step(const std::vector<double>& miss, const std::vector<Cell>& cells,
                                std::size_t exponent) {
  const std::size_t n = miss.size();
  const auto by_low = [&](const Cell& c) {  // how a mean moves with the ends of its cell
    return density(c.low, exponent) * (c.mean - c.low) / c.mass;
  };
  const auto by_high = [&](const Cell& c) {
    return density(c.high, exponent) * (c.high - c.mean) / c.mass;
  };
  std::vector<double> upper(n), step(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double lower = i == 0 ? 0.0 : -by_low(cells[i]) / 2;
    double diagonal = 1.0 - (by_high(cells[i]) + by_low(cells[i + 1])) / 2;
    step[i] = miss[i];
    if (i != 0) {
      diagonal -= lower * upper[i - 1];
      step[i] -= lower * step[i - 1];
    }
    upper[i] = i + 1 == n ? 0.0 : -by_high(cells[i + 1]) / 2 / diagonal;
    step[i] /= diagonal;
  }
  for (std::size_t i = n; i-- > 1;) step[i - 1] -= upper[i - 1] * step[i];
  return step;
}

bool ascending(const std::vector<double>& thresholds) {
  double before = 0.0;
  for (const double t : thresholds) {
    if (!(t > before && t < 1.0)) return false;
    before = t;
  }
  return true;
}

// ln of a number above 0: its exponent, and the series of the inverse hyperbolic tangent.
double natural_logarithm(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < 0.70710678118654752) mantissa *= 2, --exponent;
  const double z = (mantissa - 1) / (mantissa + 1), square = z * z;
  double sum = 0.0;
  for (int term = 23; term >= 1; term -= 2) sum = sum * square + 1.0 / term;
  return exponent * 0.69314718055994531 + 2 * z * sum;
}

double dot(const double* a, const double* b, std::size_t length) {
  double part[8] = {};
  for (std::size_t i = 0; i < length; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) part[k] += a[i + k] * b[i + k];
  }
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

// Marsaglia's polar method, which takes no sine.
std::vector<double> normal_numbers(std::uint64_t seed, std::uint64_t stream, std::size_t count) {
  const Random random(seed, stream);
  std::vector<double> numbers;
  numbers.reserve(count + 1);
  for (std::uint64_t index = 0; numbers.size() < count; index += 2) {
    const double u = 2 * random.uniform(index) - 1, v = 2 * random.uniform(index + 1) - 1;
    const double square = u * u + v * v;
    if (square >= 1.0 || square == 0.0) continue;
    const double factor = std::sqrt(-2 * natural_logarithm(square) / square);
    numbers.push_back(u * factor);
    numbers.push_back(v * factor);
  }
  numbers.resize(count);
  return numbers;
}

}  // namespace

std::uint8_t TurboCodebook::code_of(float t) const {
  const double size = std::fabs(double{t});
  const auto above = std::upper_bound(thresholds.begin(), thresholds.end(), size);
  const auto place = static_cast<std::size_t>(above - thresholds.begin());
  return static_cast<std::uint8_t>(t < 0.0f ? levels.size() - 1 - place : levels.size() + place);
}

float TurboCodebook::value_of(std::uint8_t code) const {
  const std::size_t half = levels.size();
  return static_cast<float>(code < half ? -levels[half - 1 - code] : levels[code - half]);
}

TurboCodebook make_turbo_codebook(std::size_t dim, int bits) {
  const std::size_t count = std::size_t{1} << (bits - 1), exponent = dim - 3;
  std::vector<double> thresholds = first_thresholds(count, exponent);
  std::vector<Cell> cells = cells_of(thresholds, exponent);
  for (int round = 0; round < 20; ++round) {  // Lloyd's, to where Newton's steps lead on
    for (std::size_t i = 0; i + 1 < count; ++i)
      thresholds[i] = (cells[i].mean + cells[i + 1].mean) / 2;
    cells = cells_of(thresholds, exponent);
  }
  std::vector<double> miss = misses(thresholds, cells);
  for (int round = 0; round < 100 && largest(miss) > 1e-16; ++round) {
    const std::vector<double> step = newton_step(miss, cells, exponent);
    double part = 1.0;
    std::vector<double> next(thresholds.size());
    do {
      for (std::size_t i = 0; i < next.size(); ++i) next[i] = thresholds[i] - part * step[i];
      part /= 2;
    } while (!ascending(next) && part > 1e-6);
    if (!ascending(next)) break;
    std::vector<Cell> next_cells = cells_of(next, exponent);
    std::vector<double> next_miss = misses(next, next_cells);
    if (largest(next_miss) >= largest(miss) && largest(miss) < 1e-14) break;  // as near as doubles
    thresholds = std::move(next);
    cells = std::move(next_cells);
    miss = std::move(next_miss);
  }
  if (largest(miss) > 1e-13) {
    throw Error("turboquant: no quantiser of " + std::to_string(bits) + " bits found for dim " +
                std::to_string(dim));
  }
  TurboCodebook book;
  for (const Cell& cell : cells) book.levels.push_back(cell.mean);
  book.thresholds = std::move(thresholds);
  return book;
}

void multiply(const SquareMatrix& a, std::span<const float> x, std::span<float> y) {
  std::vector<double> wide(x.begin(), x.end()), row(a.dim);
  for (std::size_t i = 0; i < a.dim; ++i) {
    std::copy_n(a.row(i).begin(), a.dim, row.begin());
    y[i] = static_cast<float>(dot(row.data(), wide.data(), a.dim));
  }
}

void multiply_transposed(const SquareMatrix& a, std::span<const float> x, std::span<float> y) {
  std::vector<double> sum(a.dim, 0.0);
  for (std::size_t i = 0; i < a.dim; ++i) {
    const double factor = x[i];
    const std::span<const float> row = a.row(i);
    for (std::size_t k = 0; k < a.dim; ++k) sum[k] += factor * row[k];
  }
  std::transform(sum.begin(), sum.end(), y.begin(), [](double s) { return static_cast<float>(s); });
}

SquareMatrix normal_matrix(std::uint64_t seed, std::uint64_t stream, std::size_t dim) {
  const std::vector<double> numbers = normal_numbers(seed, stream, dim * dim);
  return {dim, std::vector<float>(numbers.begin(), numbers.end())};
}

SquareMatrix random_rotation(std::uint64_t seed, std::size_t dim) {
  std::vector<double> rows = normal_numbers(seed, 1, dim * dim);
  for (std::size_t i = 0; i < dim; ++i) {
    double* row = &rows[i * dim];
    for (std::size_t j = 0; j < i; ++j) {
      const double* other = &rows[j * dim];
      const double shared = dot(row, other, dim);
      for (std::size_t k = 0; k < dim; ++k) row[k] -= shared * other[k];
    }
    const double norm = std::sqrt(dot(row, row, dim));
    for (std::size_t k = 0; k < dim; ++k) row[k] /= norm;
  }
  return {dim, std::vector<float>(rows.begin(), rows.end())};
}

std::shared_ptr<const TurboTables> turbo_tables(std::uint64_t seed, std::size_t dim,
                                                int levels_bits, bool projection) {
  using Key = std::tuple<std::uint64_t, std::size_t, int, bool>;
  static std::mutex mutex;
  static std::deque<std::pair<Key, std::shared_ptr<const TurboTables>>> kept;  // last used first
  const Key key(seed, dim, levels_bits, projection);
  const std::lock_guard lock(mutex);
  const auto found =
      std::find_if(kept.begin(), kept.end(), [&](const auto& each) { return each.first == key; });
  if (found != kept.end()) {
    std::rotate(kept.begin(), found, found + 1);
    return kept.front().second;
  }
  TurboTables made;
  if (levels_bits != 0) made.codebook = make_turbo_codebook(dim, levels_bits);
  made.rotation = random_rotation(seed, dim);
  if (projection) made.projection = normal_matrix(seed, 2, dim);
  if (kept.size() == kMostTables) kept.pop_back();
  kept.emplace_front(key, std::make_shared<const TurboTables>(std::move(made)));
  return kept.front().second;
}

}  // namespace kakeya
