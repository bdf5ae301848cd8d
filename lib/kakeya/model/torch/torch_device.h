// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kakeya/model/model.h"

namespace c10 {
struct Device;
enum class ScalarType : signed char;
}  // namespace c10

namespace kakeya {

/// As gpu_number() (device_name.h). Throws SpecError for any other text, InputError for a device that is
/// not there.
c10::Device parse_device(const std::string& text);

/// ModelOptions::device: one device, or several of one kind with commas. Throws as parse_device().
std::vector<c10::Device> parse_devices(const std::string& text);

/// Of so many devices, the one that has `layer` of `layers`: runs of layers, as even as can be. Throws
/// SpecError where there are fewer layers than devices.
std::size_t place_of_layer(int layer, int layers, std::size_t devices);

/// "fp32" or "bf16". Throws SpecError for any other text.
c10::ScalarType parse_dtype(const std::string& text);

/// How many threads share the blocks of a forward, for a WorkerPool (0: as many as the machine has);
/// 1 where the device is no CPU. Throws SpecError on a number of threads, or of block tokens, that
/// cannot be.
int worker_count(const ModelOptions& options);

}  // namespace kakeya
