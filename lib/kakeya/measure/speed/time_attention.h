// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/measure/speed/attention_pages.h"
#include "kakeya/measure/speed/launch_times.h"

namespace kakeya {

/// What is timed of decode attention over packed pages.
struct AttentionBenchPlan {
  std::vector<std::string> codecs;
  std::vector<KvShape> shapes;  ///< of several layers: a step of a model, a launch a layer
  std::vector<std::size_t> batches, tokens;  ///< sequences; tokens a sequence
  std::size_t exact = 64;  ///< of these tokens, in bf16: sinks, residual window, open page
  std::size_t rounds = 20;
  /// pre_rope: keys in pages are before RoPE with base kBenchRopeBase, which turns whole vectors; klt with pages=tiles.
  TapPoint tap = TapPoint::post_rope;
  const BenchCaches* caches = nullptr;  ///< keys and values of klt, in place of drawn ones
};

/// Base of the RoPE of AttentionBenchPlan, Llama 3.1's.
inline constexpr double kBenchRopeBase = 500000;

/// One codec at one shape.
struct AttentionBenchRow {
  std::string spec;  ///< canonical
  KvShape shape;
  TapPoint tap = TapPoint::post_rope;
  std::size_t batch = 0, tokens = 0, exact = 0;
  double bits_per_value = 0;  ///< of full pages
  std::size_t bytes = 0;      ///< of keys and values that all layers' launches must read
  LaunchTimes us;             ///< a launch, or those of all layers, one after another
  /// Coding the packed tokens of a sequence, from bf16 to pages, where kernels do.
  std::optional<LaunchTimes> pack_us;
  /// Of several layers, and where kernels code: what coding pages costs a step, a page of every
  /// sequence and layer by itself, spread over the page's tokens.
  std::optional<double> seal_us;
  std::size_t pools = 0;          ///< caches of a layer that memory held: layers take turns in them
  double relative_error = 0;      ///< of one head, against doubles over what the codec decodes
  double copy_gb_per_second = 0;  ///< of a copy within device memory, read and written

  double gb_per_second() const { return static_cast<double>(bytes) * 1e-3 / us.median; }
  double of_copy() const { return gb_per_second() / copy_gb_per_second; }
  double values_per_second() const {
    return 1e6 * static_cast<double>(batch * tokens * shape.parts() * shape.part_width()) /
           us.median;
  }
};

/// Times a launch of attention, one query a head and sequence, in CUDA graphs of ten launches whose
/// pages take turns among buffers that together are four times the L2 cache or more; of a shape of
/// several layers a graph of a launch a layer, each over a cache of its own as far as memory goes. Keys and values
/// are coded by the codec from vectors made for the purpose, or those of plan.caches. Throws InputError where there
/// is no GPU, as DeviceAttention does, and Error where a result is not that of the decoded values.
std::vector<AttentionBenchRow> time_attention(const AttentionBenchPlan& plan);

}  // namespace kakeya
