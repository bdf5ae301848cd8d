// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kakeya/codec/cache_codecs.h"
#include "kakeya/measure/device_coder.h"

namespace kakeya {

/// What a sweep is asked to measure, as written: patterns for expand_spec()
/// (codec/spec_pattern.h).
struct GridRequest {
  std::vector<std::string> both;  ///< the same codec for keys and values
  std::vector<std::string> keys;  ///< codecs of the keys, each with each of `values`
  std::vector<std::string>
      values;  ///< of the values; where one of the two is empty, that part stays bf16 (`identity`)
  std::vector<std::string> plans = {};  ///< texts of plans (CodecPlan::text()), after those

  bool empty() const { return both.empty() && keys.empty() && values.empty() && plans.empty(); }
};

/// The pairs of a grid: `identity` for both first, then `both` in the order given, then every pair
/// of `keys` and `values`, then the plans, doubles left out. Throws SpecError on a pattern or a spec that makes no
/// sense (whatever the length of vectors; a spec that a pattern means is named with the pattern),
/// or when nothing was asked for.
std::vector<CodecPair> expand_grid(const GridRequest& request);

/// One column of a sweep: codecs built for a model's head_dim, or why they could not be.
struct GridCell : CacheCodecs {
  CodecPair specs;  ///< canonical where the codecs could be built, else as given; of a plan its
                    ///< plan_label(), twice
  std::optional<DeviceCacheCodecs>
      device;  ///< the same codecs where the model computes, if asked for
  std::optional<DeviceTokenCodecs> device_tokens;  ///< likewise of whole tokens
  bool on_host = false;  ///< has no kernel, and is measured on the host beside cells that have
  std::string failure;   ///< empty, or the reason (a dim the codec cannot take): no codecs then

  bool is_identity() const { return specs.keys == "identity" && specs.values == "identity"; }
};

/// Builds the codecs of every pair for a cache. Pairs that turn out to be the same
/// codecs (`e8:q=10` and `e8:q=10,rule=bounded`) are kept once. Throws
/// InputError where a calibrated codec lacks a profile that fits, SpecError where a codec of whole
/// tokens is given for keys or values alone.
std::vector<GridCell> build_grid(const std::vector<CodecPair>& pairs, const CacheInput& cache);

/// Gives every cell that has codecs those of the device. A codec without a kernel makes its cell
/// on_host where `host_too`, and otherwise throws NoKernelError, which says what codes it.
void add_device_codecs(std::vector<GridCell>& cells, const CacheInput& cache,
                       bool host_too = false);

/// The codecs of the cells that are on_host, as records name them.
std::vector<std::string> host_codecs(const std::vector<GridCell>& cells);

}  // namespace kakeya
