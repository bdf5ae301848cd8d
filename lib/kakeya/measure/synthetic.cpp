// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/synthetic.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/stats/entropy_power.h"

namespace kakeya {
namespace {

constexpr std::size_t kBatches = 16;
constexpr double kDegrees = 5;

/// Streams of a seed: what was drawn for one distribution is never drawn for another.
enum Stream : std::uint64_t { kGaussian = 1, kLaplace, kStudentT, kUniform };

// Box and Muller 1958.
double gaussian(std::uint64_t seed, std::uint64_t index) {
  return Random(seed, kGaussian).normal(index);
}

// An exponential by inversion, -ln u, with a random sign (Devroye, Non-Uniform Random Variate
// Generation, 1986, chapter II.2); its variance is 2.
double laplace(std::uint64_t seed, std::uint64_t index) {
  const Random random(seed, kLaplace);
  const double magnitude = -std::log(random.uniform(2 * index)) / std::numbers::sqrt2;
  return (random.bits(2 * index + 1) & 1) != 0 ? magnitude : -magnitude;
}

// sqrt(n (u^(-2/n) - 1)) cos(2 pi v) has Student's t distribution of n degrees of freedom, exactly
// (Bailey, "Polar generation of random variates with the t-distribution", Mathematics of
// Computation 62, 1994); its variance is n / (n - 2).
double student_t(std::uint64_t seed, std::uint64_t index) {
  const Random random(seed, kStudentT);
  const double u = random.uniform(2 * index), v = random.uniform(2 * index + 1);
  const double radius = std::sqrt(kDegrees * std::expm1(-2 / kDegrees * std::log(u)));
  return radius * std::cos(2 * std::numbers::pi * v) / std::sqrt(kDegrees / (kDegrees - 2));
}

double uniform(std::uint64_t seed, std::uint64_t index) {
  return std::sqrt(12.0) * (Random(seed, kUniform).uniform(index) - 0.5);
}

constexpr Distribution kDistributions[] = {
    {"gaussian", "Gaussian", "independent normal values", gaussian, [] { return 1.0; }},
    {"laplace", "Laplace", "independent Laplace values (two-sided exponential)", laplace,
     laplace_entropy_power},
    {"student-t", "Student-t, 5 degrees of freedom",
     "independent values of Student's t with 5 degrees of freedom", student_t,
     [] { return student_t_entropy_power(kDegrees); }},
    {"uniform", "uniform", "independent uniform values", uniform, uniform_entropy_power},
};

class Synthetic : public VectorSource {
 public:
  Synthetic(const Distribution& distribution, std::size_t dim, std::size_t vectors,
            std::uint64_t seed)
      : distribution_(distribution), vectors_(vectors), seed_(seed) {
    facts_.name = distribution.name;
    facts_.title = distribution.title;
    facts_.description = std::string(distribution.summary) + ", variance 1, seed " +
                         std::to_string(seed) + "; one frame";
    facts_.dim = dim;
    facts_.slabs = 1;
    facts_.batches = std::min(kBatches, vectors);
    facts_.entropy_power = distribution.entropy_power();
  }

  const SourceFacts& facts() const override { return facts_; }

  Slab slab(std::size_t) const override {
    Slab slab;
    slab.vectors = vectors_;
    slab.dim = facts_.dim;
    slab.batches = facts_.batches;
    slab.values.resize(vectors_ * facts_.dim);
    for (std::size_t i = 0; i < slab.values.size(); ++i)
      slab.values[i] = static_cast<float>(distribution_.sample(seed_, i));
    return slab;
  }

 private:
  const Distribution& distribution_;
  std::size_t vectors_;
  std::uint64_t seed_;
  SourceFacts facts_;
};

}  // namespace

std::span<const Distribution> distributions() { return kDistributions; }

std::unique_ptr<VectorSource> make_synthetic(std::string_view name, std::size_t dim,
                                             std::size_t vectors, std::uint64_t seed) {
  if (dim == 0 || vectors == 0) {
    throw InputError(std::string(name) + ": " + std::to_string(vectors) + " vectors of " +
                     std::to_string(dim) + " values: expected at least one of each");
  }
  std::string names;
  for (const Distribution& each : kDistributions) {
    if (each.name == name) return std::make_unique<Synthetic>(each, dim, vectors, seed);
    names += (names.empty() ? "" : ", ") + std::string(each.name);
  }
  throw SpecError("source '" + std::string(name) + "': expected one of " + names);
}

}  // namespace kakeya
