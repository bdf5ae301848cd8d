// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/torch/tensor_views.h"

#include <ATen/ATen.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <string>

#include "kakeya/core/error.h"

namespace kakeya {

DeviceVectors device_vectors(const at::Tensor& part) {
  if (part.scalar_type() != at::kFloat && part.scalar_type() != at::kBFloat16) {
    throw InputError("vectors on the device: scalars of type " + std::string(part.dtype().name()) +
                     ", expected float32 or bfloat16");
  }
  const auto number = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  return {.data = part.data_ptr(),
          .type = part.scalar_type() == at::kFloat ? DeviceScalar::fp32 : DeviceScalar::bf16,
          .tokens = number(part.size(0)),
          .heads = number(part.size(1)),
          .dim = number(part.size(2)),
          .token_stride = number(part.stride(0)),
          .head_stride = number(part.stride(1))};
}

// Its handle is null in every CUDA library, and LibTorch gives no other without headers of CUDA.
DeviceStream stream_of(const at::Tensor& part) {
  if (part.device().is_cpu()) return nullptr;
  const c10::impl::VirtualGuardImpl guard(part.device().type());
  if (guard.getStream(part.device()) != guard.getDefaultStream(part.device())) {
    throw InputError(
        "vectors on the device: LibTorch works on a stream of its own, expected the "
        "default stream");
  }
  return nullptr;
}

at::Tensor tensor_of(const DeviceVectors& part, const c10::Device& device) {
  const auto number = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  const at::ScalarType type = part.type == DeviceScalar::fp32   ? at::kFloat
                              : part.type == DeviceScalar::bf16 ? at::kBFloat16
                                                                : at::kHalf;
  return at::from_blob(part.data, {number(part.tokens), number(part.heads), number(part.dim)},
                       {number(part.token_stride), number(part.head_stride), 1},
                       at::TensorOptions().dtype(type).device(device));
}

}  // namespace kakeya
