// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace kakeya {
namespace {

/// A printed number, and what its last digit is worth.
struct Printed {
  double number = 0, unit = 1;
  int decimals = 0;
  bool scientific = false;
};

std::optional<Printed> printed(const std::string& part) {
  const std::string digits = part.starts_with('+') ? part.substr(1) : part;
  Printed result;
  const char* end = digits.data() + digits.size();
  const auto [read, error] = std::from_chars(digits.data(), end, result.number);
  if (error != std::errc() || read != end) return std::nullopt;
  const std::size_t exponent_at = digits.find('e');
  const std::string mantissa = digits.substr(0, exponent_at);
  const std::size_t point = mantissa.find('.');
  if (point != std::string::npos) result.decimals = static_cast<int>(mantissa.size() - point - 1);
  int exponent = 0;
  if (exponent_at != std::string::npos) {
    result.scientific = true;
    const std::size_t begin = exponent_at + (digits[exponent_at + 1] == '+' ? 2 : 1);
    std::from_chars(digits.data() + begin, end, exponent);
  }
  result.unit = std::pow(10.0, exponent - result.decimals);
  return result;
}

Verdict judge_part(const std::string& part, const FormulaValue& ours) {
  if (!has_value(ours)) return Verdict::no_data;
  const std::optional<Printed> number = printed(part);
  if (!number) {
    const bool same =
        std::holds_alternative<std::string>(ours) && std::get<std::string>(ours) == part;
    return same ? Verdict::reproduces : Verdict::differs;
  }
  if (!std::holds_alternative<double>(ours)) return Verdict::differs;
  const double off = std::abs(std::get<double>(ours) - number->number) / number->unit;
  // Exact halves round either way; 1e-6 of a unit is for the arithmetic.
  if (off <= 0.5 + 1e-6) return Verdict::reproduces;
  // A count that is one off is not a matter of rounding.
  const bool count = std::get<double>(ours) == std::round(std::get<double>(ours));
  return off <= 1 + 1e-6 && !count ? Verdict::rounding : Verdict::differs;
}

std::string shown(const std::string& part, const FormulaValue& ours) {
  if (std::holds_alternative<std::string>(ours)) return std::get<std::string>(ours);
  if (!std::holds_alternative<double>(ours)) return "-";
  const double number = std::get<double>(ours);
  const Printed digits = printed(part).value_or(Printed{.unit = 0.001, .decimals = 3});
  const std::string sign = part.starts_with('+') && number >= 0 ? "+" : "";
  if (!std::isfinite(number)) return fmt::format("{}", number);
  if (!digits.scientific) return sign + fmt::format("{:.{}f}", number, digits.decimals);
  // "8.36e-3", as published, not "8.36e-03".
  std::string text = fmt::format("{:.{}e}", number, digits.decimals);
  const std::size_t exponent_at = text.find('e') + 2;
  if (text[exponent_at] == '0') text.erase(exponent_at, 1);
  return sign + text;
}

}  // namespace

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduces:
      return "reproduces";
    case Verdict::rounding:
      return "rounding";
    case Verdict::differs:
      return "differs";
    case Verdict::no_data:
      break;
  }
  return "no data";
}

std::vector<std::string> parts_of(const std::string& published) {
  constexpr std::string_view kPlusMinus = "±";
  std::string text = published;
  for (std::size_t at = 0; (at = text.find(kPlusMinus, at)) != std::string::npos;) {
    text.replace(at, kPlusMinus.size(), kPlusMinus.size(), ' ');
  }
  std::vector<std::string> parts;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(' ', begin)) != std::string::npos;) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return parts;
}

Verdict judge(const std::string& published, const std::vector<FormulaValue>& ours) {
  const std::vector<std::string> parts = parts_of(published);
  // What is out of reach has one word for all its parts.
  std::vector<FormulaValue> values = ours;
  if (!values.empty() && std::holds_alternative<std::string>(values.front()) &&
      std::get<std::string>(values.front()) == "oor") {
    values.resize(1);
  }
  if (std::any_of(values.begin(), values.end(), [](auto& each) { return !has_value(each); })) {
    return Verdict::no_data;
  }
  if (parts.size() != values.size()) return Verdict::differs;
  Verdict worst = Verdict::reproduces;
  for (std::size_t i = 0; i < parts.size(); ++i)
    worst = std::max(worst, judge_part(parts[i], values[i]));
  return worst;
}

std::string in_digits_of(const std::string& published, const std::vector<FormulaValue>& ours) {
  const std::vector<std::string> parts = parts_of(published);
  const bool interval = published.find("±") != std::string::npos;
  std::string text;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (i > 0) text += interval && i == 1 ? " ± " : " ";
    text += shown(i < parts.size() ? parts[i] : "", ours[i]);
    if (text == "oor") break;
  }
  return text;
}

std::string in_decimals(int decimals, const std::vector<FormulaValue>& ours) {
  const std::string digits = fmt::format("{:.{}f}", 0.0, decimals);
  std::string text;
  for (const FormulaValue& each : ours) {
    text += (text.empty() ? "" : " to ") + shown(digits, each);
    if (text == "oor") break;
  }
  return text;
}

}  // namespace kakeya
