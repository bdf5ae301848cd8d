// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kakeya {

/// "8192", "8k" (8 x 1024), "1M" (1024 x 1024). Throws SpecError on anything else, and above 2^32.
std::size_t parse_tokens(std::string_view text);

/// The same, separated by commas.
std::vector<std::size_t> parse_token_list(std::string_view text);

/// "8k", "1M" where it is a whole number of them, else the digits.
std::string tokens_text(std::size_t tokens);

/// "141GB" (10^9), "80GiB" (2^30), also M and T, or a number of bytes; fractions are taken ("1.5GB").
/// Throws SpecError on anything else, and unless it is above 0.
double parse_bytes(std::string_view text);

/// parse_bytes() of what a flag gives, which messages name.
double parse_bytes_of(std::string_view flag, std::string_view text);

/// "2.02 GiB", "512.0 MiB", "96 B".
std::string bytes_text(double bytes);

}  // namespace kakeya
