// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/gnuplot_text.h"

#include <string_view>

namespace kakeya {

std::string gnuplot_literal(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (std::string_view("_^{}@&~\\").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string gnuplot_quoted(const std::string& text) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\'') result += '\'';
    result += c == '\n' ? ' ' : c;
  }
  return result + "'";
}

}  // namespace kakeya
