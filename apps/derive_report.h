// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kakeya {

/// What kakeya-report is run with to derive a committed report.
struct Recipe {
  std::vector<std::string> arguments;  ///< without --out; empty: it cannot be derived here
  std::vector<std::string> folders;    ///< of samples, by path; arguments name their last parts
  std::string why_not;                 ///< where it cannot
};

/// Of a folder: derive.txt has the arguments, one a line, the paths in it from that folder ("none:
/// WHY" where it is not derived from what is committed); otherwise it holds samples, or folders of
/// samples do that it has in it, and charts.txt has the patterns of --families, one a line. Throws
/// InputError where it is no such folder.
Recipe recipe_of(const std::string& folder);

/// Runs this program by the recipe of `folder`, without charts, and writes into `out`. Throws
/// InputError with what it said where it failed.
void derive_report(const Recipe& recipe, const std::string& folder, const std::string& out);

}  // namespace kakeya
