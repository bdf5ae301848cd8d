// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {

/// Reads `path` as JSON and hands it to `read`; a field that is missing or of another kind is named
/// with the file and with what should have written it.
template <typename Read>
void read_fields(const std::string& path, const char* writer, const Read& read) {
  const nlohmann::json json = parse_json(read_text_file(path), path);
  try {
    read(json);
  } catch (const nlohmann::json::exception& wrong) {
    throw CorruptStream(fmt::format("{}: not what {} prints: {}", path, writer, wrong.what()));
  }
}

}  // namespace kakeya
