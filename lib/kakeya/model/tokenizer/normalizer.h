// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kakeya {

/// A rewriting of text before it is cut into words. Immutable, thread-safe. Bytes that are not
/// UTF-8 stay as they are.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual std::string apply(std::string text) const = 0;
};

/// Unicode normalization; `form` is NFC, NFD, NFKC or NFKD (else InputError).
std::unique_ptr<Normalizer> make_unicode_normalizer(const std::string& form);

/// Puts `prefix` before a text that is not empty.
std::unique_ptr<Normalizer> make_prepend_normalizer(std::string prefix);

/// Every `pattern` (not empty, else InputError) becomes `content`.
std::unique_ptr<Normalizer> make_replace_normalizer(std::string pattern, std::string content);

/// One after the other.
std::unique_ptr<Normalizer> make_normalizer_sequence(
    std::vector<std::unique_ptr<Normalizer>> steps);

/// `text` with every `pattern` (not empty) replaced by `content`, from the left.
std::string replace_all(std::string_view text, std::string_view pattern, std::string_view content);

}  // namespace kakeya
