// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kakeya {

/// Text in which gnuplot's enhanced mode finds nothing to do.
std::string gnuplot_literal(const std::string& text);

/// A gnuplot string in single quotes; a line end becomes a space.
std::string gnuplot_quoted(const std::string& text);

}  // namespace kakeya
