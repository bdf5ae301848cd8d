// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/measure/speed/launch_times.h"

namespace kakeya {

/// What is timed of decode attention over packed pages.
struct AttentionBenchPlan {
  std::vector<std::string> codecs;
  std::vector<KvShape> shapes;
  std::vector<std::size_t> batches, tokens;  ///< sequences; tokens a sequence
  std::size_t exact = 64;  ///< of these tokens, in bf16: sinks, residual window, open page
  std::size_t rounds = 20;
};

/// One codec at one shape.
struct AttentionBenchRow {
  std::string spec;  ///< canonical
  KvShape shape;
  std::size_t batch = 0, tokens = 0, exact = 0;
  double bits_per_value = 0;  ///< of full pages
  std::size_t bytes = 0;      ///< of keys and values that a launch must read
  LaunchTimes us;             ///< a launch
  /// Coding the packed tokens of a sequence, from bf16 to pages, where kernels do.
  std::optional<LaunchTimes> pack_us;
  double relative_error = 0;      ///< of one head, against doubles over what the codec decodes
  double copy_gb_per_second = 0;  ///< of a copy within device memory, read and written

  double gb_per_second() const { return static_cast<double>(bytes) * 1e-3 / us.median; }
  double of_copy() const { return gb_per_second() / copy_gb_per_second; }
  double values_per_second() const {
    return 2e6 * static_cast<double>(batch * tokens * shape.part_width()) / us.median;
  }
};

/// Times a launch of attention, one query a head and sequence, in CUDA graphs of ten launches whose
/// pages take turns among buffers that together are four times the L2 cache or more. Keys and values
/// are coded by the codec's kernels from vectors made for the purpose. Throws InputError where there
/// is no GPU, as DeviceAttention does, and Error where a result is not that of the decoded values.
std::vector<AttentionBenchRow> time_attention(const AttentionBenchPlan& plan);

}  // namespace kakeya
