// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kakeya/report/heat_map.h"
#include "kakeya/report/result_group.h"

namespace kakeya {

/// So many rows a map has at most.
inline constexpr std::size_t kLayerMapRows = 24;

/// Where codecs lose: for each group whose samples have layers two heat maps, a row a setting and a
/// column a layer, keys above values, mean over passages: rel-MSE in decibels, and log10(1 - mean
/// cosine). Layers that are not coded are grey. Settings are of the families that a chart shows
/// (chart_families() of the mode's loss, with `choices`), by family and rate; of families with many
/// settings some, spread over its rates, its ends among them, so that there are at most
/// kLayerMapRows rows. Files are called layers_rel_mse_MODE and layers_cosine_MODE, with the
/// group's source behind where several groups have the mode.
std::vector<HeatMap> layer_maps(std::span<const ResultGroup> groups,
                                std::span<const std::string> choices = {});

}  // namespace kakeya
