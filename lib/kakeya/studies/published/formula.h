// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "kakeya/studies/published/record.h"
#include "kakeya/studies/published/value.h"

namespace kakeya {

/// What the names of a formula stand for.
struct FormulaScope {
  const PublishedRecord* record = nullptr;
  std::map<std::string, FormulaValue> defined;
};

/// The value of a formula over the record:
///
///     formula    = sum [("<" | "<=" | ">" | ">=" | "==") sum]          1 or 0
///     sum        = product {("+" | "-") product}
///     product    = power {("*" | "/") power}
///     power      = unary ["^" power]
///     unary      = "-" power | number | "'" word "'" | "(" formula ")"
///                | "{" formula {"," formula} "}"                        numbers, one after another
///                | name "(" [formula {"," formula}] ")"                 functions.h
///                | name ["?"] "[" kind {key "=" value} "]"              numbers of one row
///                | "nothing"                                            not in the record
///                | name                                                 of `scope.defined`
///
/// Operators work entry by entry; a single number goes with every entry. Nothing stays nothing, and
/// a word where a number is expected is the value of the whole (what is out of reach has no ratio).
/// A row that does not exist, or lacks the numbers, is an error; after "?" it is nothing. No row of
/// the kind with such numbers or keys at all is always an error.
/// Throws InputError naming the formula and the place where it does not parse, names something
/// unknown, joins numbers of unequal count, or is more than 64 levels deep.
FormulaValue evaluate(std::string_view formula, const FormulaScope& scope);

}  // namespace kakeya
