// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kakeya/stats/interval.h"

namespace kakeya {

/// `digits` significant digits, plain between 0.001 and 100000, else with an exponent: "0.0247",
/// "2.10e-05", "0".
std::string significant(double number, int digits = 3);

/// A mean and its half width with as many decimals as the half width has two significant digits:
/// "0.0247 ± 0.0031", "(2.10 ± 0.35)e-05"; "0" when both are 0; "0.0247 (n=1)" of one sample.
/// `plus` writes a sign before positive means.
std::string with_interval(const Interval& interval, bool plus = false);

/// Four decimals: "0.0123", "< 0.0001".
std::string p_value_text(double p_value);

/// Groups of three digits: "131,072".
std::string grouped(unsigned long long number);

/// The shortest text that reads back as the same double; "" for NaN.
std::string full_precision(double number);

}  // namespace kakeya
