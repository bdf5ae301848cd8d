// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kakeya/device/device_memory.h"
#include "kakeya/measure/speed/launch_times.h"
#include "kakeya/profile/profile_source.h"

namespace kakeya {

/// What is timed on a GPU.
struct DeviceBenchPlan {
  std::vector<std::string> codecs;  ///< specs; of kivi also with "@keys" behind
  std::vector<std::size_t> dims, vectors;
  std::vector<std::string> types;  ///< bf16, fp16, fp32: of what is read and written
  std::size_t heads = 8, rounds = 50;
  /// For klt, whose heads are those of the keys of layer 0, 1, ..., or whose tokens those of its first
  /// layers; null: bench_profile().
  const ProfileSource* profiles = nullptr;
};

/// One operation of one codec.
struct DeviceBenchRow {
  std::string codec, type, operation;
  std::string spec;  ///< canonical
  std::size_t dim = 0, vectors = 0;
  std::size_t bytes = 0;      ///< that must move: vectors, scales and codes, each once
  double bits_per_value = 0;  ///< of scales and codes
  LaunchTimes us;
  double copy_us = 0;          ///< the median of copying the vectors within device memory
  std::size_t copy_bytes = 0;  ///< read and written by that copy

  double gb_per_second() const { return static_cast<double>(bytes) * 1e-3 / us.median; }
  /// The share of the copy's bandwidth.
  double of_copy() const {
    return gb_per_second() / (static_cast<double>(copy_bytes) * 1e-3 / copy_us);
  }
};

/// Times each codec where the vectors are, and beside it a copy: launches queued back to back, events
/// around each. Inputs and outputs take turns among buffers that together are four times the L2
/// cache or more. Throws InputError where there is no GPU, and as make_device_codec().
std::vector<DeviceBenchRow> time_device(const DeviceBenchPlan& plan);

}  // namespace kakeya
