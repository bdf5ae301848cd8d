// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/studies/published/record.h"
#include "kakeya/studies/published/value.h"

namespace kakeya {

/// One function of formulas.
struct FormulaFunction {
  std::string_view name;
  std::size_t arguments;  ///< how many it takes
  std::string_view help;  ///< what it gives, for the report
  FormulaValue (*call)(std::span<const FormulaValue> arguments, const PublishedRecord& record);
};

/// Of numbers: mean, sum, half_width, spearman, ...
std::span<const FormulaFunction> number_functions();

/// Of a run of the record: nominal bits, ratio, the best channel within a budget, ...
std::span<const FormulaFunction> run_functions();

/// Calls one by its name. Nothing as an argument gives nothing, a word where numbers are expected
/// gives that word, except to functions that say otherwise. Throws InputError naming `formula` on
/// an unknown name, a wrong count of arguments, or what the function refuses.
FormulaValue call_function(const std::string& name, const std::vector<FormulaValue>& arguments,
                           const PublishedRecord& record, std::string_view formula);

/// A number or numbers as a list. Throws InputError on anything else.
std::vector<double> to_numbers(const FormulaValue& value);
/// Throw InputError on anything else than a single number, a word.
double to_number(const FormulaValue& value);
const std::string& to_word(const FormulaValue& value);

}  // namespace kakeya
