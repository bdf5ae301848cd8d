// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/torch_library.h"

#include <c10/core/Device.h>

#include "kakeya/model/torch/torch_device.h"
#include "kakeya/model/torch/torch_functions.h"
#include "kakeya/version.h"

namespace kakeya {
namespace {

class Library : public TorchLibrary {
 public:
  std::unique_ptr<Model> model(const std::string& path, const Checkpoint& checkpoint,
                               const ModelOptions& options) const override {
    return run_on_torch(path, checkpoint, options);
  }
  std::unique_ptr<DeviceAlgebra> device_algebra(const std::string& device) const override {
    return torch_algebra(device);
  }
  void require_device(const std::string& device) const override { parse_device(device); }
  std::unique_ptr<ReferenceCodec> reference_codec(std::string_view name, std::size_t dim,
                                                  int levels) const override {
    return torch_reference_codec(name, dim, levels);
  }
  std::vector<float> product(Rows<const float> x, std::span<const float> matrix) const override {
    return torch_product(x, matrix);
  }
  void set_threads(int threads) const override { set_torch_threads(threads); }
  std::string name() const override { return torch_name(); }
};

}  // namespace
}  // namespace kakeya

/// What a program asks this library for; null for one of another build.
extern "C" const kakeya::TorchLibrary* kakeya_torch_library(std::string_view commit) {
  static const kakeya::Library library;
  return commit == kakeya::build_commit() ? &library : nullptr;
}
