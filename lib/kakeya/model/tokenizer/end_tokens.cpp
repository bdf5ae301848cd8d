// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/end_tokens.h"

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/host/start_host.h"
#include "kakeya/model/tokenizer/hosted_tokenizer.h"
#include "kakeya/model/weights/gguf.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

std::int32_t id_of(std::int64_t id, const std::string& where) {
  if (id < 0 || id > std::numeric_limits<std::int32_t>::max()) {
    throw InputError(where + ": " + std::to_string(id) + ", expected a token id");
  }
  return static_cast<std::int32_t>(id);
}

std::set<std::int32_t> ids_of_gguf(const std::string& path) {
  const GgufFile file(path);
  std::set<std::int32_t> ids;
  for (const std::string key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"}) {
    if (file.find(key) != nullptr) ids.insert(id_of(file.integer(key), path + ": " + key));
  }
  return ids;
}

std::set<std::int32_t> ids_of_json(const std::string& path) {
  std::set<std::int32_t> ids;
  const nlohmann::json document = parse_json(read_text_file(path), path);
  const auto found = document.is_object() ? document.find("eos_token_id") : document.end();
  if (found == document.end() || found->is_null()) return ids;
  const nlohmann::json all = found->is_array() ? *found : nlohmann::json::array({*found});
  for (const nlohmann::json& id : all) {
    if (!id.is_number_integer()) {
      throw InputError(path + ": eos_token_id: " + id.dump() + ", expected a token id");
    }
    ids.insert(id_of(id.get<std::int64_t>(), path + ": eos_token_id"));
  }
  return ids;
}

}  // namespace

std::vector<std::int32_t> end_tokens_of(const std::string& model) {
  if (is_hosted(model)) return HostedTokenizer(host(), hosted_name(model)).ends();
  const std::filesystem::path path(model);
  std::set<std::int32_t> ids;
  if (!std::filesystem::is_directory(path)) {
    ids = ids_of_gguf(model);
  } else {
    for (const char* name : {"generation_config.json", "config.json"}) {
      if (ids.empty() && std::filesystem::exists(path / name)) {
        ids = ids_of_json((path / name).string());
      }
    }
  }
  return {ids.begin(), ids.end()};
}

}  // namespace kakeya
