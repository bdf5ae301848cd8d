// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kakeya/device/device_vectors.h"

namespace kakeya {

// Sums over tokens where a model computes: what calibration keeps of what taps are shown. The sums are
// LibTorch's, in float64, each in the order that it takes there. Nothing waits for the device but
// what returns numbers.

/// Sums of the vectors of each head of a part, and of their outer products.
class DeviceHeadSums {
 public:
  virtual ~DeviceHeadSums() = default;
  /// Adds the vectors of all heads. Throws InputError on another number of heads or another dim.
  virtual void add(const DeviceVectors& x) = 0;
  /// [heads, dim] and [heads, dim, dim].
  virtual std::vector<double> sums() const = 0;
  virtual std::vector<double> products() const = 0;
};

/// What is gathered of some tokens, a row a token, in float32.
class DeviceRows {
 public:
  virtual ~DeviceRows() = default;
  /// Puts (x - mean) forward * factor, head beside head, into the columns from `column` on: `mean`
  /// [heads, dim], `forward` [heads, dim, dim], row-major. Throws InputError where they do not fit.
  virtual void put(std::size_t column, const DeviceVectors& x, std::span<const float> mean,
                   std::span<const float> forward, float factor) = 0;
  /// Puts x as it is, head beside head, into the columns from `column` on. Throws InputError where
  /// it does not fit.
  virtual void put(std::size_t column, const DeviceVectors& x) = 0;
  /// Rows first, first + stride, ... as they are, one after another.
  virtual std::vector<float> every(std::size_t first, std::size_t stride) const = 0;
};

/// The sum of a^T b over rows of two DeviceRows of the same algebra.
class DeviceProduct {
 public:
  virtual ~DeviceProduct() = default;
  virtual void add(const DeviceRows& a, const DeviceRows& b) = 0;
  /// [columns, columns], row-major.
  virtual std::vector<double> sum() const = 0;
};

/// The mean of rows and their covariance.
class DeviceCovariance {
 public:
  virtual ~DeviceCovariance() = default;
  /// Throws InputError on another number of columns.
  virtual void add(const DeviceRows& rows) = 0;
  /// [columns]
  virtual std::vector<double> mean() const = 0;
  /// [columns, columns], row-major, symmetric, of float64 sums rounded once.
  virtual std::vector<float> covariance() const = 0;
};

/// Makes them on one device.
class DeviceAlgebra {
 public:
  virtual ~DeviceAlgebra() = default;
  virtual std::unique_ptr<DeviceHeadSums> head_sums(std::size_t heads, std::size_t dim) const = 0;
  virtual std::unique_ptr<DeviceRows> rows(std::size_t rows, std::size_t columns) const = 0;
  virtual std::unique_ptr<DeviceProduct> product(std::size_t columns) const = 0;
  virtual std::unique_ptr<DeviceCovariance> covariance(std::size_t columns) const = 0;
};

/// That of "cpu", "cuda" or "cuda:N", which is where the vectors have to be. Throws as load_model()
/// does on what is no such device.
std::unique_ptr<DeviceAlgebra> make_device_algebra(const std::string& device);

}  // namespace kakeya
