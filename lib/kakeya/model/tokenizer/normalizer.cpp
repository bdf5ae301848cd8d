// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/normalizer.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>

#include <limits>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/utf8.h"

namespace kakeya {
namespace {

class UnicodeNormalizer : public Normalizer {
 public:
  explicit UnicodeNormalizer(const std::string& form) {
    UErrorCode status = U_ZERO_ERROR;
    if (form == "NFC") normalizer_ = icu::Normalizer2::getNFCInstance(status);
    if (form == "NFD") normalizer_ = icu::Normalizer2::getNFDInstance(status);
    if (form == "NFKC") normalizer_ = icu::Normalizer2::getNFKCInstance(status);
    if (form == "NFKD") normalizer_ = icu::Normalizer2::getNFKDInstance(status);
    if (normalizer_ == nullptr || U_FAILURE(status)) {
      throw InputError("normalization form " + form + ": NFC, NFD, NFKC or NFKD expected");
    }
  }

  std::string apply(std::string text) const override {
    if (text.size() > std::numeric_limits<std::int32_t>::max()) {
      throw InputError("a text of " + std::to_string(text.size()) +
                       " bytes: at most 2^31 - 1 expected");
    }
    UErrorCode status = U_ZERO_ERROR;
    const bool valid = valid_utf8_bytes(text, 0) == text.size();
    if (valid && normalizer_->isNormalizedUTF8(text, status) && U_SUCCESS(status)) return text;
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t run = valid_utf8_bytes(text, at);
      if (run == 0) {
        result.push_back(text[at++]);
        continue;
      }
      status = U_ZERO_ERROR;
      icu::StringByteSink<std::string> sink(&result);
      const icu::StringPiece piece(text.data() + at, static_cast<std::int32_t>(run));
      normalizer_->normalizeUTF8(0, piece, sink, nullptr, status);
      if (U_FAILURE(status)) throw InputError(std::string("normalization: ") + u_errorName(status));
      at += run;
    }
    return result;
  }

 private:
  const icu::Normalizer2* normalizer_ = nullptr;  // ICU's own, lives for ever
};

class PrependNormalizer : public Normalizer {
 public:
  explicit PrependNormalizer(std::string prefix) : prefix_(std::move(prefix)) {}
  std::string apply(std::string text) const override {
    return text.empty() ? text : prefix_ + text;
  }

 private:
  std::string prefix_;
};

class ReplaceNormalizer : public Normalizer {
 public:
  ReplaceNormalizer(std::string pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {
    if (pattern_.empty()) throw InputError("a Replace of an empty pattern: a text expected");
  }
  std::string apply(std::string text) const override {
    return replace_all(text, pattern_, content_);
  }

 private:
  std::string pattern_, content_;
};

class NormalizerSequence : public Normalizer {
 public:
  explicit NormalizerSequence(std::vector<std::unique_ptr<Normalizer>> steps)
      : steps_(std::move(steps)) {}
  std::string apply(std::string text) const override {
    for (const auto& step : steps_) text = step->apply(std::move(text));
    return text;
  }

 private:
  std::vector<std::unique_ptr<Normalizer>> steps_;
};

}  // namespace

std::unique_ptr<Normalizer> make_unicode_normalizer(const std::string& form) {
  return std::make_unique<UnicodeNormalizer>(form);
}

std::unique_ptr<Normalizer> make_prepend_normalizer(std::string prefix) {
  return std::make_unique<PrependNormalizer>(std::move(prefix));
}

std::unique_ptr<Normalizer> make_replace_normalizer(std::string pattern, std::string content) {
  return std::make_unique<ReplaceNormalizer>(std::move(pattern), std::move(content));
}

std::unique_ptr<Normalizer> make_normalizer_sequence(
    std::vector<std::unique_ptr<Normalizer>> steps) {
  return std::make_unique<NormalizerSequence>(std::move(steps));
}

std::string replace_all(std::string_view text, std::string_view pattern, std::string_view content) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t hit; (hit = text.find(pattern, at)) != std::string_view::npos;) {
    result.append(text, at, hit - at).append(content);
    at = hit + pattern.size();
  }
  return result.append(text, at);
}

}  // namespace kakeya
