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

// What TorchLibrary hands on, a function each.

std::unique_ptr<Model> run_on_torch(const std::string& path, const Checkpoint& checkpoint,
                                    const ModelOptions& options);
std::unique_ptr<DeviceAlgebra> torch_algebra(const std::string& device);
std::unique_ptr<ReferenceCodec> torch_reference_codec(std::string_view name, std::size_t dim,
                                                      int levels);
std::vector<float> torch_product(Rows<const float> x, std::span<const float> matrix);
void set_torch_threads(int threads);
std::string torch_name();

}  // namespace kakeya
