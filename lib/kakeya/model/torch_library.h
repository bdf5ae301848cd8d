// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/core/rows.h"
#include "kakeya/model/device_algebra.h"
#include "kakeya/model/model.h"
#include "kakeya/model/reference.h"
#include "kakeya/model/weights/checkpoint.h"

namespace kakeya {

/// All that computes with LibTorch (torch/README.md): a shared library of its own, which is loaded when
/// it is first asked for. LibTorch takes half a second to load, and most calls of a program run no model.
class TorchLibrary {
 public:
  virtual ~TorchLibrary() = default;

  /// load_model() of a checkpoint, that of `path`.
  virtual std::unique_ptr<Model> model(const std::string& path, const Checkpoint& checkpoint,
                                       const ModelOptions& options) const = 0;
  /// make_device_algebra().
  virtual std::unique_ptr<DeviceAlgebra> device_algebra(const std::string& device) const = 0;
  /// require_device().
  virtual void require_device(const std::string& device) const = 0;
  /// make_reference_codec().
  virtual std::unique_ptr<ReferenceCodec> reference_codec(std::string_view name, std::size_t dim,
                                                          int levels) const = 0;
  /// x W^T, [x.count, outputs], of a matrix [outputs, x.dim], in float32. `x` must be dense.
  virtual std::vector<float> product(Rows<const float> x, std::span<const float> matrix) const = 0;
  /// LibTorch's and its BLAS's threads for product() and reference_codec() from now on; at least 1.
  virtual void set_threads(int threads) const = 0;
  /// "LibTorch 1.13.0, OpenBLAS 0.3.21 ...".
  virtual std::string name() const = 0;
};

/// Whether this build has it.
bool has_torch_library();

/// It. Throws InputError, "WHAT: this build has no LibTorch ...", where it has none; IoError where its
/// file is not where it belongs (lib/kakeya beside the bin of this program, or in the folder of this
/// build), cannot be loaded, or is of another build.
const TorchLibrary& torch_library(const std::string& what);

}  // namespace kakeya
