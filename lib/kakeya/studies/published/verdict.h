// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kakeya/studies/published/value.h"

namespace kakeya {

/// How a published cell stands beside ours.
enum class Verdict {
  reproduces,  ///< every number is ours rounded to the digits printed, every word the same
  rounding,    ///< some number, not a count, is off by at most one unit of its last digit printed
  differs,
  no_data  ///< the record lacks what the cell is computed from
};

/// "reproduces", "rounding", "differs", "no data".
std::string_view to_text(Verdict verdict);

/// A published cell, "3.60 ± 1.02" or "1.714 q=152 0.485", as the parts between spaces and ±.
std::vector<std::string> parts_of(const std::string& published);

/// Compares part by part. `ours` has a value for each part; a missing one is no data, another count
/// of them differs.
Verdict judge(const std::string& published, const std::vector<FormulaValue>& ours);

/// Ours in the digits of the published cell: "3.60 ± 1.02". Words as they are; "-" for nothing.
std::string in_digits_of(const std::string& published, const std::vector<FormulaValue>& ours);

/// The same where nothing was published, with so many decimals: "-13.5 to 37.8".
std::string in_decimals(int decimals, const std::vector<FormulaValue>& ours);

}  // namespace kakeya
