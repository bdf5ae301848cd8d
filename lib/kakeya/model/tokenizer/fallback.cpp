// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kakeya/model/tokenizer/token_model.h"

namespace kakeya {

bool Fallback::covers(std::string_view bytes) const {
  return unknown >= 0 || std::all_of(bytes.begin(), bytes.end(), [&](char byte) {
           return byte_tokens[static_cast<std::uint8_t>(byte)] >= 0;
         });
}

void Fallback::append(std::string_view bytes, std::vector<std::int32_t>& ids,
                      bool& previous) const {
  const auto token = [&](char byte) { return byte_tokens[static_cast<std::uint8_t>(byte)]; };
  if (std::all_of(bytes.begin(), bytes.end(), [&](char byte) { return token(byte) >= 0; })) {
    for (const char byte : bytes) ids.push_back(token(byte));
    previous = false;
  } else if (unknown >= 0) {
    if (!(previous && fuse_unknown)) ids.push_back(unknown);
    previous = true;
  }
}

}  // namespace kakeya
