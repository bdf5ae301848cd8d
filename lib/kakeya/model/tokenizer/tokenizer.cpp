// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/tokenizer.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/host/start_host.h"
#include "kakeya/model/tokenizer/gguf_tokenizer.h"
#include "kakeya/model/tokenizer/hosted_tokenizer.h"
#include "kakeya/model/tokenizer/json_tokenizer.h"
#include "kakeya/store/digest.h"

namespace kakeya {

std::unique_ptr<Tokenizer> load_tokenizer(const std::string& path) {
  if (is_hosted(path)) return std::make_unique<HostedTokenizer>(host(), hosted_name(path));
  std::error_code failed;
  const std::filesystem::path given(path);
  if (std::filesystem::is_directory(given, failed)) {
    const std::filesystem::path file = given / "tokenizer.json";
    if (!std::filesystem::exists(file, failed)) {
      throw IoError(
          path +
          ": no tokenizer.json in this folder, expected a Hugging Face folder or a .gguf file");
    }
    return load_json_tokenizer(file.string());
  }
  if (given.extension() == ".gguf") return gguf_tokenizer(GgufFile(path));
  if (given.extension() == ".json") return load_json_tokenizer(path);
  if (!std::filesystem::exists(given, failed)) throw IoError(path + ": no such file or folder");
  throw InputError(path + ": a folder with a tokenizer.json, a .json or a .gguf file expected");
}

Source tokenizer_source(const Tokenizer& tokenizer, const std::string& path,
                        const std::string& model, const std::string& model_sha256) {
  if (std::string digest = tokenizer.sha256(); !digest.empty()) {
    return {tokenizer.describe(), std::move(digest)};
  }
  const std::filesystem::path own = std::filesystem::path(path) / "tokenizer.json";
  if (std::filesystem::exists(own)) return {tokenizer.describe(), sha256_path(own.string())};
  return {tokenizer.describe(), path == model ? model_sha256 : sha256_path(path)};
}

std::optional<std::int32_t> bos_of(const Tokenizer& tokenizer) {
  const auto with = tokenizer.encode("a", true), without = tokenizer.encode("a", false);
  const bool added =
      with.size() > without.size() && std::equal(without.begin(), without.end(), with.begin() + 1);
  return added ? std::optional(with.front()) : std::nullopt;
}

}  // namespace kakeya
