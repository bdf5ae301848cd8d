// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace kakeya {

/// What a formula is worth: nothing (the record lacks what it needs), a number, numbers, or a word
/// ("d4:q=38", "oor").
using FormulaValue = std::variant<std::monostate, double, std::vector<double>, std::string>;

inline bool has_value(const FormulaValue& value) {
  return !std::holds_alternative<std::monostate>(value);
}

}  // namespace kakeya
