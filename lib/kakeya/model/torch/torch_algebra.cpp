// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "kakeya/core/error.h"
#include "kakeya/model/torch/torch_device.h"
#include "kakeya/model/torch/torch_functions.h"

namespace kakeya {
namespace {

using at::Tensor;

std::int64_t count_of(std::size_t n) { return static_cast<std::int64_t>(n); }

// [heads, tokens, dim], a view.
Tensor heads_of(const DeviceVectors& x, c10::Device device) {
  const at::ScalarType type = x.type == DeviceScalar::fp32   ? at::kFloat
                              : x.type == DeviceScalar::bf16 ? at::kBFloat16
                                                             : at::kHalf;
  return at::from_blob(x.data, {count_of(x.heads), count_of(x.tokens), count_of(x.dim)},
                       {count_of(x.head_stride), count_of(x.token_stride), 1},
                       at::TensorOptions().device(device).dtype(type));
}

Tensor on_device(std::span<const float> values, at::IntArrayRef shape, c10::Device device) {
  return at::from_blob(const_cast<float*>(values.data()), shape, at::kFloat)
      .to(device, at::kFloat, false, true);
}

template <typename T>
std::vector<T> on_host(const Tensor& values) {
  const Tensor dense = values.to(at::kCPU).contiguous();
  return {dense.data_ptr<T>(), dense.data_ptr<T>() + dense.numel()};
}

void require_shape(const DeviceVectors& x, std::int64_t heads, std::int64_t dim) {
  if (count_of(x.heads) == heads && count_of(x.dim) == dim) return;
  throw InputError("sums on the device: " + std::to_string(x.heads) + " heads of " +
                   std::to_string(x.dim) + " given, expected " + std::to_string(heads) + " of " +
                   std::to_string(dim));
}

class HeadSums final : public DeviceHeadSums {
 public:
  HeadSums(std::int64_t heads, std::int64_t dim, c10::Device device)
      : sums_(at::zeros({heads, dim}, at::TensorOptions().device(device).dtype(at::kDouble))),
        products_(at::zeros({heads, dim, dim}, sums_.options())) {}

  void add(const DeviceVectors& x) override {
    const c10::InferenceMode inference;
    require_shape(x, sums_.size(0), sums_.size(1));
    const Tensor wide = heads_of(x, sums_.device()).to(at::kDouble);
    sums_.add_(wide.sum(1));
    products_.baddbmm_(wide.transpose(1, 2), wide);
  }
  std::vector<double> sums() const override { return on_host<double>(sums_); }
  std::vector<double> products() const override { return on_host<double>(products_); }

 private:
  Tensor sums_, products_;
};

class Rows2d final : public DeviceRows {
 public:
  Rows2d(std::int64_t rows, std::int64_t columns, c10::Device device)
      : rows_(at::zeros({rows, columns}, at::TensorOptions().device(device).dtype(at::kFloat))) {}

  void put(std::size_t column, const DeviceVectors& x, std::span<const float> mean,
           std::span<const float> forward, float factor) override {
    const c10::InferenceMode inference;
    const std::int64_t heads = count_of(x.heads), dim = count_of(x.dim);
    if (mean.size() != x.heads * x.dim || forward.size() != x.heads * x.dim * x.dim) {
      throw InputError("rows on the device: " + std::to_string(mean.size()) + " means and " +
                       std::to_string(forward.size()) + " entries of matrices, expected those of " +
                       std::to_string(heads) + " heads of " + std::to_string(dim));
    }
    const c10::Device device = rows_.device();
    const Tensor left =
        heads_of(x, device).to(at::kFloat) - on_device(mean, {heads, 1, dim}, device);
    place(column, x).copy_(
        at::bmm(left, on_device(forward, {heads, dim, dim}, device)).mul_(factor).transpose(0, 1));
  }

  void put(std::size_t column, const DeviceVectors& x) override {
    const c10::InferenceMode inference;
    place(column, x).copy_(heads_of(x, rows_.device()).transpose(0, 1));
  }

  std::vector<float> every(std::size_t first, std::size_t stride) const override {
    const c10::InferenceMode inference;
    if (count_of(first) >= rows_.size(0)) return {};
    return on_host<float>(rows_.slice(0, count_of(first), rows_.size(0), count_of(stride)));
  }

  const Tensor& tensor() const { return rows_; }

 private:
  // [tokens, heads, dim] of the columns from `column` on.
  Tensor place(std::size_t column, const DeviceVectors& x) const {
    const std::int64_t width = count_of(x.heads * x.dim);
    if (count_of(x.tokens) != rows_.size(0) || count_of(column) + width > rows_.size(1)) {
      throw InputError("rows on the device: " + std::to_string(x.tokens) + " x " +
                       std::to_string(width) + " from column " + std::to_string(column) +
                       ", expected at most " + std::to_string(rows_.size(0)) + " x " +
                       std::to_string(rows_.size(1)));
    }
    return rows_.narrow(1, count_of(column), width)
        .view({rows_.size(0), count_of(x.heads), count_of(x.dim)});
  }

  Tensor rows_;
};

Tensor wide(const DeviceRows& rows) {
  return dynamic_cast<const Rows2d&>(rows).tensor().to(at::kDouble);
}

class Product final : public DeviceProduct {
 public:
  Product(std::int64_t columns, c10::Device device)
      : sum_(at::zeros({columns, columns}, at::TensorOptions().device(device).dtype(at::kDouble))) {
  }

  void add(const DeviceRows& a, const DeviceRows& b) override {
    const c10::InferenceMode inference;
    sum_.addmm_(wide(a).t(), wide(b));
  }
  std::vector<double> sum() const override { return on_host<double>(sum_); }

 private:
  Tensor sum_;
};

class Covariance final : public DeviceCovariance {
 public:
  Covariance(std::int64_t columns, c10::Device device)
      : sums_(at::zeros({columns}, at::TensorOptions().device(device).dtype(at::kDouble))),
        products_(at::zeros({columns, columns}, sums_.options())) {}

  void add(const DeviceRows& rows) override {
    const c10::InferenceMode inference;
    const Tensor x = wide(rows);
    if (x.size(1) != sums_.size(0)) {
      throw InputError("covariance on the device: rows of " + std::to_string(x.size(1)) +
                       ", expected " + std::to_string(sums_.size(0)));
    }
    sums_.add_(x.sum(0));
    products_.addmm_(x.t(), x);
    count_ += x.size(0);
  }
  std::vector<double> mean() const override {
    const c10::InferenceMode inference;
    return on_host<double>(sums_ / static_cast<double>(count_));
  }
  std::vector<float> covariance() const override {
    const c10::InferenceMode inference;
    const Tensor mean = sums_ / static_cast<double>(count_);
    Tensor made = products_ / static_cast<double>(count_);
    made.addr_(mean, mean, 1, -1);
    return on_host<float>(made.to(at::kFloat));
  }

 private:
  Tensor sums_, products_;
  std::int64_t count_ = 0;
};

class TorchAlgebra final : public DeviceAlgebra {
 public:
  explicit TorchAlgebra(c10::Device device) : device_(device) {}
  std::unique_ptr<DeviceHeadSums> head_sums(std::size_t heads, std::size_t dim) const override {
    const c10::InferenceMode inference;
    return std::make_unique<HeadSums>(count_of(heads), count_of(dim), device_);
  }
  std::unique_ptr<DeviceRows> rows(std::size_t rows, std::size_t columns) const override {
    const c10::InferenceMode inference;
    return std::make_unique<Rows2d>(count_of(rows), count_of(columns), device_);
  }
  std::unique_ptr<DeviceProduct> product(std::size_t columns) const override {
    const c10::InferenceMode inference;
    return std::make_unique<Product>(count_of(columns), device_);
  }
  std::unique_ptr<DeviceCovariance> covariance(std::size_t columns) const override {
    const c10::InferenceMode inference;
    return std::make_unique<Covariance>(count_of(columns), device_);
  }

 private:
  c10::Device device_;
};

}  // namespace

std::unique_ptr<DeviceAlgebra> torch_algebra(const std::string& device) {
  return std::make_unique<TorchAlgebra>(parse_device(device));
}

}  // namespace kakeya
