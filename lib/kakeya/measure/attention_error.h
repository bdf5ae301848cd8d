// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/measure/measure_source.h"
#include "kakeya/stats/interval.h"
#include "kakeya/store/kv_store.h"

namespace kakeya {

/// What a codec of both K and V does to attention outputs. Relative MSE of a query head in a layer and
/// a passage: sum over tokens of ||o' - o||^2 / sum of ||o||^2, o over the captured K and V, o' over
/// decoded ones, the captured Q in both.
struct AttentionPoint {
  std::string spec;
  Interval rel_mse;              ///< over passages
  std::vector<double> passages;  ///< of each, the mean over its layers and their query heads
  std::vector<double> layers;    ///< of each of AttentionResult::layers, over heads and passages
};

/// The attention outputs of a dump with queries, and every codec on them.
struct AttentionResult {
  std::string name;         ///< of the dump: its sources are name/k and name/v
  std::string title;        ///< of its model
  std::string missing;      ///< why nothing was measured; empty where it was
  double scale = 0;         ///< of q k^T, as it was taken
  bool scale_told = false;  ///< by the dump; else it is 1 / sqrt(head_dim)
  LayerWindows windows;     ///< layers whose queries saw their last tokens only
  KvShape shape;
  std::vector<int> layers;  ///< which are in the dump
  int passages = 0, tokens = 0;
  std::vector<AttentionPoint> points;
};

/// Why the attention of a dump with queries cannot be computed: keys and queries from before RoPE, or
/// query heads that do not divide. Nothing where it can.
std::optional<std::string> attention_obstacle(const DumpHead& dump);

/// Codes K and V of every layer and passage of `dump`, which has queries, rounded to bf16, as frames of
/// heads, with every codec of `specs` that can be built for both, and attends over what was decoded
/// (attend_causal.h): query head h to KV head h / (query_heads / kv_heads). The results do not depend
/// on `threads` (0: as many as the machine has). `name`: of the result. With an obstacle nothing is
/// measured, and `missing` says so. Throws InputError where the dump has no queries, and what codecs
/// and the reader throw.
AttentionResult measure_attention(const DumpReader& dump, const std::string& name,
                                  std::span<const std::string> specs, int threads,
                                  const MeasureProgress& progress = {});

/// Gives the points of `results` that are of this dump's K and V their attention error.
void tell_points(const AttentionResult& attention, std::span<SourceResult> results);

}  // namespace kakeya
