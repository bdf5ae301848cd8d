// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kakeya {

/// `text` as a JSON string, its quotes included. Bytes that are no UTF-8 become U+FFFD, so that texts
/// from outside make no document that cannot be read.
std::string json_string(std::string_view text);

/// The shortest decimal that reads back as `value`; "null" where it is not finite.
std::string json_number(double value);

}  // namespace kakeya
