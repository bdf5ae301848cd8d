// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "kakeya/model/tokenizer/byte_alphabet.h"

namespace kakeya::testing {

/// A byte-level BPE tokenizer.json: ids 0 to 255 are the bytes, then "th", "the", " the", and the
/// special <|end|> (259) and the plain <tag> (260).
inline nlohmann::json tiny_byte_level() {
  nlohmann::json vocabulary;
  for (int byte = 0; byte < 256; ++byte) {
    vocabulary[alphabet_of_bytes(std::string(1, static_cast<char>(byte)))] = byte;
  }
  vocabulary["th"] = 256;
  vocabulary["the"] = 257;
  vocabulary["\u0120the"] = 258;
  const auto added = [](const char* content, int id, bool special) {
    return nlohmann::json{{"id", id},
                          {"content", content},
                          {"special", special},
                          {"normalized", false},
                          {"single_word", false},
                          {"lstrip", false},
                          {"rstrip", false}};
  };
  return {{"version", "1.0"},
          {"truncation", nullptr},
          {"padding", nullptr},
          {"added_tokens", {added("<|end|>", 259, true), added("<tag>", 260, false)}},
          {"normalizer", nullptr},
          {"pre_tokenizer",
           {{"type", "Sequence"},
            {"pretokenizers",
             {{{"type", "Digits"}, {"individual_digits", true}},
              {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}}}}}},
          {"post_processor", nullptr},
          {"decoder", {{"type", "ByteLevel"}}},
          {"model",
           {{"type", "BPE"},
            {"vocab", vocabulary},
            {"merges", {"t h", nlohmann::json::array({"th", "e"}), "\u0120 the"}}}}};
}

}  // namespace kakeya::testing
