// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/torch/torch_device.h"

#include <ATen/core/Tensor.h>
#include <torch/cuda.h>

#include <algorithm>

#include "kakeya/core/error.h"
#include "kakeya/model/device_name.h"

namespace kakeya {

c10::Device parse_device(const std::string& text) {
  const std::optional<int> index = gpu_number(text);
  if (!index) return c10::Device(c10::kCPU);
  const auto devices = static_cast<int>(torch::cuda::device_count());
  if (devices == 0)
    throw InputError("device " + text + ": LibTorch sees no CUDA device here, expected cpu");
  if (*index >= devices) {
    throw InputError("device " + text + ": expected cuda:0 to cuda:" + std::to_string(devices - 1));
  }
  return c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(*index));
}

std::vector<c10::Device> parse_devices(const std::string& text) {
  std::vector<c10::Device> devices;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    devices.push_back(parse_device(text.substr(at, end - at)));
    if (devices.back().type() != devices.front().type()) {
      throw SpecError("device " + text + ": expected devices of one kind, as cuda:0,cuda:1");
    }
    at = end + 1;
  }
  return devices;
}

std::size_t place_of_layer(int layer, int layers, std::size_t devices) {
  const auto count = static_cast<std::size_t>(layers);
  if (devices > count) {
    throw SpecError(std::to_string(devices) + " devices for a model of " + std::to_string(layers) +
                    " layers: expected at most one a layer");
  }
  return static_cast<std::size_t>(layer) * devices / count;
}

c10::ScalarType parse_dtype(const std::string& text) {
  if (text == "fp32") return c10::kFloat;
  if (text == "bf16") return c10::kBFloat16;
  throw SpecError("dtype " + text + ": expected fp32 or bf16");
}

int worker_count(const ModelOptions& options) {
  if (options.threads < 0 || options.threads > 4096) {
    throw SpecError("threads " + std::to_string(options.threads) + ": expected 0 to 4096");
  }
  if (options.block_tokens < 0) {
    throw SpecError("block_tokens " + std::to_string(options.block_tokens) +
                    ": expected 0 or more");
  }
  if (!options.device.starts_with("cpu")) return 1;  // a GPU has its own
  return options.threads;
}

}  // namespace kakeya
