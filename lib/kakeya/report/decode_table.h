// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// Of a group of mode decode whose folder has mode inforward too: a row a setting that both have, with
/// its KL divergence here, there and their paired ratio, the whole-cache bits, and how much of the coded values
/// lay in pages that were not full at the end. Without rows elsewhere.
Table decode_table(const ResultGroup& group, std::span<const ResultGroup> groups);

}  // namespace kakeya
