// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kakeya/studies/published/derive.h"

namespace kakeya {

/// "table,row,column,published,ours,value,verdict" and a line a cell: ours in the digits published,
/// and in full precision (`value`, its parts with a space between them). Cells of columns that
/// nobody published have neither `published` nor `verdict`.
std::string results_csv(std::span<const DerivedTable> tables);

/// The recorded form: "table,row,column,verdict" and a line a cell.
std::string verdicts_csv(std::span<const DerivedTable> tables);

/// What differs between two recorded forms, a sentence each: "iso-bit: Qwen3-4B, D4 Q10: differs,
/// recorded reproduces".
std::vector<std::string> changed_verdicts(const std::string& recorded, const std::string& now);

}  // namespace kakeya
