// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace kakeya {

/// How deep arrays and objects of a file may stand in each other. nlohmann's copies and dumps call
/// themselves once a level, so that a deeper value than any real file has could end the program.
inline constexpr std::size_t kMaxJsonDepth = 64;

/// The value that `text` holds, at most kMaxJsonDepth levels deep. Throws CorruptStream, one line
/// that begins with `origin` (a file's name, perhaps a line's number) and shows nothing of the
/// text: "t.json: not JSON at byte 7: expected ']'". Bytes are counted from 1.
nlohmann::json parse_json(std::string_view text, const std::string& origin);

/// The same, with the keys of objects in the order of the text.
nlohmann::ordered_json parse_ordered_json(std::string_view text, const std::string& origin);

}  // namespace kakeya
