// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// What a cache of `tokens` tokens takes: layers x 2 x kv_heads x head_dim values a token, the
/// skipped layers, the sink tokens and the residual window as bf16, where it grows half a page of every
/// frame too, and the rest at the bits per value that the sweep measured of full pages. Of samples that do
/// not tell their pages, of all. Layers with a window keep as many of the last tokens as that, and no sinks
/// that lie before.
struct Storage {
  double bytes = 0, bf16_bytes = 0;
  double ratio() const { return bf16_bytes / bytes; }
};

/// Throws InputError when the plan has no coded layer or too few tokens for its exact ones.
Storage cache_storage(const SweepPlan& plan, const CodecResult& codec, double tokens);

/// One row a codec of one folder (each codec once, whatever its modes): bytes and ratio at 131,072
/// tokens.
Table storage_table(std::span<const ResultGroup* const> groups);

constexpr double kLongContextTokens = 131072;

}  // namespace kakeya
