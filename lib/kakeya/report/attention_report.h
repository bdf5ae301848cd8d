// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/report/document.h"
#include "kakeya/report/result_group.h"
#include "kakeya/store/provenance.h"

namespace kakeya {

/// Decode attention over packed pages at one shape, as `kakeya-bench attention --json` has it, or a
/// step of all layers, as `kakeya-bench step --json` has it; and PyTorch's over bf16, as
/// scripts/gpu_sdpa.py has it.
struct AttentionSpeed {
  std::string codec, shape;  ///< a spec; KV heads x query heads x head_dim, of a step layers before
  int layers = 1;
  std::size_t batch = 0, tokens = 0;
  double bits_per_value = 0;
  double us = 0, us_p99 = 0;
  /// Of codecs whose pages kernels write: those of a sequence; of a step what writing them adds to it.
  std::optional<double> pack_us;
  double gb_per_second = 0, of_copy = 0, values_per_second = 0, relative_error = 0;
  std::optional<double> bf16_us;  ///< of the fastest backend

  std::optional<double> ratio() const {
    return bf16_us ? std::optional(*bf16_us / us) : std::nullopt;
  }
};

/// A codec without its profile: the benchmark makes one of its own, which no other program has.
std::string without_profile(const std::string& codec);

/// A run of the benchmark.
struct AttentionSpeeds {
  std::string device, cuda;
  std::vector<AttentionSpeed> rows;
  std::string charted;    ///< the codec of the chart; empty: the slowest that every shape has
  std::string bf16_with;  ///< what bf16_us ran on: "PyTorch 2.11.0, cuDNN 9.1"; empty: not measured
};

/// A table for each shape, and a chart of the ratio to bf16 against tokens: a panel a batch, a line a
/// shape, of one codec; with `losses`, add_choice(). Throws InputError when there are
/// no rows, or none of the charted codec.
Document make_attention_report(const AttentionSpeeds& speeds, const Provenance& measured,
                               std::span<const ResultGroup> losses = {});

}  // namespace kakeya
