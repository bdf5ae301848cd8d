// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/host/start_host.h"
#include "kakeya/model/chat/chat_template.h"
#include "kakeya/model/weights/gguf.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

std::optional<ChatTemplate> of_gguf(const std::string& path) {
  const GgufFile file(path);
  if (file.find("tokenizer.chat_template") == nullptr) return {};
  std::map<std::string, std::string> tokens;
  const std::pair<const char*, const char*> kIds[] = {{"bos_token", "bos_token_id"},
                                                      {"eos_token", "eos_token_id"},
                                                      {"unk_token", "unknown_token_id"},
                                                      {"pad_token", "padding_token_id"}};
  for (const auto& [name, id] : kIds) {
    const std::string key = std::string("tokenizer.ggml.") + id;
    if (file.find(key) == nullptr) continue;
    const std::vector<std::string>& all = file.texts("tokenizer.ggml.tokens");
    const std::int64_t at = file.integer(key);
    if (at < 0 || static_cast<std::size_t>(at) >= all.size()) {
      throw CorruptStream(path + ": " + key + " " + std::to_string(at) + ": expected one of " +
                          std::to_string(all.size()) + " tokens");
    }
    tokens[name] = all[static_cast<std::size_t>(at)];
  }
  return ChatTemplate(file.text("tokenizer.chat_template"), std::move(tokens));
}

nlohmann::json object_of(const fs::path& path) {
  if (!fs::exists(path)) return nlohmann::json::object();
  nlohmann::json document = parse_json(read_text_file(path.string()), path.string());
  if (!document.is_object()) throw CorruptStream(path.string() + ": expected a JSON object");
  return document;
}

// A token of a configuration: its text, or an object with it.
std::optional<std::string> token_of(const nlohmann::json& document, const char* name) {
  const auto found = document.find(name);
  if (found == document.end()) return {};
  const nlohmann::json* text = &*found;
  if (found->is_object() && found->contains("content")) text = &(*found)["content"];
  return text->is_string() ? std::optional(text->get<std::string>()) : std::nullopt;
}

std::optional<std::string> template_of(const nlohmann::json& config, const std::string& path) {
  const auto found = config.find("chat_template");
  if (found == config.end() || found->is_null()) return {};
  if (found->is_string()) return found->get<std::string>();
  if (found->is_array()) {
    for (const nlohmann::json& one : *found) {
      if (one.is_object() && one.value("name", nlohmann::json()) == "default" &&
          one.contains("template") && one["template"].is_string()) {
        return one["template"].get<std::string>();
      }
    }
  }
  throw InputError(path +
                   ": chat_template: expected a string, or a list with one named \"default\"");
}

std::optional<ChatTemplate> of_folder(const fs::path& folder) {
  const fs::path config_path = folder / "tokenizer_config.json";
  const nlohmann::json config = object_of(config_path),
                       map = object_of(folder / "special_tokens_map.json");
  std::optional<std::string> source;
  if (const fs::path jinja = folder / "chat_template.jinja"; fs::exists(jinja)) {
    source = read_text_file(jinja.string());
  } else {
    source = template_of(config, config_path.string());
  }
  if (!source) return {};
  std::map<std::string, std::string> tokens;
  for (const char* name : {"bos_token", "eos_token", "unk_token", "pad_token", "sep_token",
                           "cls_token", "mask_token"}) {
    for (const nlohmann::json* document : {&map, &config}) {  // the configuration has the last word
      if (const auto text = token_of(*document, name)) tokens[name] = *text;
    }
  }
  return ChatTemplate(*source, std::move(tokens));
}

}  // namespace

std::optional<ChatTemplate> load_chat_template(const std::string& model) {
  if (is_hosted(model)) {
    throw InputError(model +
                     ": chat templates of models in a host are not read: expected a prompt without "
                     "one, or the model's own folder or .gguf file");
  }
  try {
    return fs::is_directory(model) ? of_folder(model) : of_gguf(model);
  } catch (const InputError& error) {
    const std::string what = error.what();
    throw InputError(what.starts_with("chat template") ? model + ": " + what : what);
  }
}

}  // namespace kakeya
