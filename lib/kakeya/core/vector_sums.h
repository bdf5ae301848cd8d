// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__CUDACC__)
#define KAKEYA_BOTH_SIDES __host__ __device__
#else
#define KAKEYA_BOTH_SIDES
#endif

namespace kakeya {

/// How far a decoded vector y is from the original x, as sums of fp64 in an order that is the same
/// on every machine: coordinate i goes to running sum i % 4, and at the end (0 + 1) + (2 + 3).
/// Plain C++17: the same text compiles for CUDA.
struct VectorSums {
  double error = 0;           ///< sum of (x_i - y_i)^2
  double energy = 0;          ///< sum of x_i^2
  double energy_decoded = 0;  ///< sum of y_i^2
  double product = 0;         ///< sum of x_i y_i
  double largest = 0;         ///< max |x_i - y_i|
};

/// The four running sums of each of them.
struct RunningSums {
  double error[4] = {}, energy[4] = {}, energy_decoded[4] = {}, product[4] = {}, largest[4] = {};

  /// Coordinate i of both vectors, lane = i % 4. From the first to the last.
  KAKEYA_BOTH_SIDES void add(int lane, float original, float decoded) {
    const double x = original, y = decoded, difference = x - y;
    const double size = difference < 0 ? -difference : difference;
    error[lane] += difference * difference;
    energy[lane] += x * x;
    energy_decoded[lane] += y * y;
    product[lane] += x * y;
    largest[lane] = size > largest[lane] ? size : largest[lane];
  }

  KAKEYA_BOTH_SIDES VectorSums total() const {
    VectorSums all{sum(error), sum(energy), sum(energy_decoded), sum(product), 0};
    for (const double size : largest) all.largest = size > all.largest ? size : all.largest;
    return all;
  }

 private:
  KAKEYA_BOTH_SIDES static double sum(const double* lanes) {
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  }
};

}  // namespace kakeya
