// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kakeya {
namespace {

int exponent_of(double number) {
  return number == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::fabs(number))));
}

bool plain(int exponent) { return exponent >= -3 && exponent < 5; }

std::string fixed(double number, int decimals, bool plus) {
  return plus ? fmt::format("{:+.{}f}", number, decimals)
              : fmt::format("{:.{}f}", number, decimals);
}

}  // namespace

std::string significant(double number, int digits) {
  if (number == 0) return "0";
  if (!std::isfinite(number)) return number > 0 ? "∞" : number < 0 ? "-∞" : "NaN";
  const int exponent = exponent_of(number);
  if (!plain(exponent)) return fmt::format("{:.{}e}", number, digits - 1);
  return fixed(number, std::max(0, digits - 1 - exponent), false);
}

std::string with_interval(const Interval& interval, bool plus) {
  if (interval.count < 2) {
    return fmt::format("{}{} (n=1)", plus && interval.mean > 0 ? "+" : "",
                       significant(interval.mean));
  }
  if (interval.half_width == 0) {
    return fmt::format("{}{}", plus && interval.mean > 0 ? "+" : "", significant(interval.mean));
  }
  const int width = exponent_of(interval.half_width),
            largest = std::max(width, exponent_of(interval.mean));
  if (plain(largest)) {
    const int decimals = std::clamp(1 - width, 0, 6);
    return fmt::format("{} ± {}", fixed(interval.mean, decimals, plus),
                       fixed(interval.half_width, decimals, false));
  }
  const double scale = std::pow(10.0, largest);
  const int decimals = std::clamp(1 - width + largest, 1, 4);
  return fmt::format("({} ± {})e{:+03d}", fixed(interval.mean / scale, decimals, plus),
                     fixed(interval.half_width / scale, decimals, false), largest);
}

std::string p_value_text(double p_value) {
  return p_value < 1e-4 ? "< 0.0001" : fmt::format("{:.4f}", p_value);
}

std::string grouped(unsigned long long number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string full_precision(double number) {
  return std::isnan(number) ? std::string() : fmt::format("{}", number);
}

}  // namespace kakeya
