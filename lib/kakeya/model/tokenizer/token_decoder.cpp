// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/token_decoder.h"

#include <charconv>
#include <functional>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/byte_alphabet.h"
#include "kakeya/model/tokenizer/normalizer.h"

namespace kakeya {
namespace {

class Step : public TokenDecoder {
 public:
  explicit Step(std::function<void(std::vector<std::string>&)> apply) : apply_(std::move(apply)) {}
  void apply(std::vector<std::string>& tokens) const override { apply_(tokens); }

 private:
  std::function<void(std::vector<std::string>&)> apply_;
};

std::unique_ptr<TokenDecoder> each_token(std::function<std::string(std::string)> rewrite) {
  return std::make_unique<Step>([rewrite = std::move(rewrite)](std::vector<std::string>& tokens) {
    for (std::string& token : tokens) token = rewrite(std::move(token));
  });
}

std::string stripped(std::string token, const std::string& content, std::size_t first,
                     std::size_t last) {
  for (; first > 0 && token.starts_with(content); --first) token.erase(0, content.size());
  for (; last > 0 && token.ends_with(content); --last) token.erase(token.size() - content.size());
  return token;
}

}  // namespace

int byte_of_token(const std::string& token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return -1;
  int byte = -1;
  const char* const end = token.data() + 5;
  const auto parsed = std::from_chars(token.data() + 3, end, byte, 16);
  return parsed.ec == std::errc() && parsed.ptr == end && byte >= 0 ? byte : -1;
}

std::unique_ptr<TokenDecoder> make_byte_level_decoder() {
  return each_token([](const std::string& token) {
    auto bytes = bytes_of_alphabet(token);
    return bytes ? *std::move(bytes) : token;
  });
}

std::unique_ptr<TokenDecoder> make_byte_fallback_decoder() {
  return each_token([](const std::string& token) {
    const int byte = byte_of_token(token);
    return byte < 0 ? token : std::string(1, static_cast<char>(byte));
  });
}

std::unique_ptr<TokenDecoder> make_replace_decoder(std::string pattern, std::string content) {
  if (pattern.empty()) throw InputError("a Replace of an empty pattern: a text expected");
  return each_token([pattern = std::move(pattern), content = std::move(content)](
                        const std::string& token) { return replace_all(token, pattern, content); });
}

std::unique_ptr<TokenDecoder> make_fuse_decoder() {
  return std::make_unique<Step>([](std::vector<std::string>& tokens) {
    std::string all;
    for (const std::string& token : tokens) all += token;
    tokens = {std::move(all)};
  });
}

std::unique_ptr<TokenDecoder> make_strip_decoder(std::string content, std::size_t first,
                                                 std::size_t last) {
  if (content.empty()) throw InputError("a Strip of an empty content: a character expected");
  return each_token([content = std::move(content), first, last](std::string token) {
    return stripped(std::move(token), content, first, last);
  });
}

std::unique_ptr<TokenDecoder> make_metaspace_decoder(std::string mark, bool prefixed) {
  if (mark.empty()) throw InputError("a Metaspace of an empty replacement: a text expected");
  return std::make_unique<Step>(
      [mark = std::move(mark), prefixed](std::vector<std::string>& tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
          tokens[i] = replace_all(tokens[i], mark, i == 0 && prefixed ? "" : " ");
        }
      });
}

std::unique_ptr<TokenDecoder> make_spacing_decoder() {
  return std::make_unique<Step>([](std::vector<std::string>& tokens) {
    for (std::size_t i = 1; i < tokens.size(); ++i) tokens[i].insert(tokens[i].begin(), ' ');
  });
}

std::unique_ptr<TokenDecoder> make_decoder_sequence(
    std::vector<std::unique_ptr<TokenDecoder>> steps) {
  // A shared_ptr, since std::function wants to be copyable.
  auto shared = std::make_shared<std::vector<std::unique_ptr<TokenDecoder>>>(std::move(steps));
  return std::make_unique<Step>([shared](std::vector<std::string>& tokens) {
    for (const auto& step : *shared) step->apply(tokens);
  });
}

}  // namespace kakeya
