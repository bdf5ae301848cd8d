// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/config.h"

#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/host/start_host.h"
#include "kakeya/measure/text_splits.h"
#include "kakeya/store/arrays.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// What a reader of one key is given: the value, the words that begin its messages, and the
/// configuration's folder.
struct Value {
  const Json& json;
  std::string where;
  fs::path folder;

  [[noreturn]] void expected(const std::string& what) const {
    std::string given = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (given.size() > 60) given = given.substr(0, 57) + "...";
    throw InputError(where + ": " + given + ": expected " + what);
  }
  std::string text() const {
    if (!json.is_string()) expected("a text in quotes");
    return json.get<std::string>();
  }
  std::vector<std::string> texts() const {
    if (json.is_string()) return {text()};
    if (!json.is_array() || json.empty()) expected("a text in quotes or an array of such");
    std::vector<std::string> list;
    for (const Json& item : json) list.push_back(Value{item, where, folder}.text());
    return list;
  }
  int whole(int lowest) const {
    const bool fits = json.is_number_unsigned()
                          ? json.get<std::uint64_t>() <= std::numeric_limits<int>::max()
                          : json.is_number_integer();
    if (!fits || json.get<std::int64_t>() < lowest) {
      expected("a whole number of at least " + std::to_string(lowest));
    }
    return json.get<int>();
  }
  bool yes_or_no() const {
    if (!json.is_boolean()) expected("true or false");
    return json.get<bool>();
  }
  double positive() const {
    if (!json.is_number() || !(json.get<double>() > 0)) expected("a number above 0");
    return json.get<double>();
  }
  std::uint64_t seed() const {
    if (!json.is_number_unsigned()) expected("a whole number of at least 0");
    return json.get<std::uint64_t>();
  }
  std::string path() const {
    const fs::path given = text();
    return given.is_absolute() ? given.string() : (folder / given).lexically_normal().string();
  }
  std::vector<std::string> paths() const {
    std::vector<std::string> list = texts();
    for (std::string& item : list) item = Value{Json(item), where, folder}.path();
    return list;
  }
  std::string model() const {
    const std::string given = text();
    if (is_hosted(given)) {  // a folder, or what the host knows by its name
      const std::string name = hosted_name(given);
      const std::string beside = (folder / name).lexically_normal().string();
      return fs::exists(beside) ? std::string(kHostedPrefix) + beside : given;
    }
    const bool is_file =
        given.find('/') != std::string::npos || fs::path(given).extension() == ".gguf";
    return is_file ? path() : given;
  }
};

struct Key {
  std::string_view name;
  void (*read)(SweepConfig&, const Value&);
};

constexpr Key kKeys[] = {
    {"description", [](SweepConfig&, const Value& v) { v.text(); }},
    {"model", [](SweepConfig& c, const Value& v) { c.model = v.model(); }},
    {"tokenizer", [](SweepConfig& c, const Value& v) { c.tokenizer = v.path(); }},
    {"text", [](SweepConfig& c, const Value& v) { c.text = v.path(); }},
    {"cut", [](SweepConfig& c, const Value& v) { c.cut = v.text(); }},
    {"dump", [](SweepConfig& c, const Value& v) { c.dump = v.path(); }},
    {"replace", [](SweepConfig& c, const Value& v) { c.replace = v.path(); }},
    {"claim_bits", [](SweepConfig& c, const Value& v) { c.claim_bits = v.positive(); }},
    {"plugins", [](SweepConfig& c, const Value& v) { c.plugins = v.paths(); }},
    {"codec", [](SweepConfig& c, const Value& v) { c.grid.both = v.texts(); }},
    {"codec_k", [](SweepConfig& c, const Value& v) { c.grid.keys = v.texts(); }},
    {"codec_v", [](SweepConfig& c, const Value& v) { c.grid.values = v.texts(); }},
    {"plan", [](SweepConfig& c, const Value& v) { c.plans = v.paths(); }},
    {"layer_study", [](SweepConfig& c, const Value& v) { c.layer_study = v.yes_or_no(); }},
    {"mode", [](SweepConfig& c, const Value& v) { c.modes = v.texts(); }},
    {"passages", [](SweepConfig& c, const Value& v) { c.passages = v.whole(0); }},
    {"first_passage", [](SweepConfig& c, const Value& v) { c.first_passage = v.whole(0); }},
    {"split", [](SweepConfig& c, const Value& v) { c.split = v.text(); }},
    {"splits", [](SweepConfig& c,
                  const Value& v) { c.splits = v.text() == kNoSplits ? v.text() : v.path(); }},
    {"ctx", [](SweepConfig& c, const Value& v) { c.context = v.whole(1); }},
    {"eval", [](SweepConfig& c, const Value& v) { c.scored = v.whole(1); }},
    {"layers", [](SweepConfig& c, const Value& v) { c.layers.only = v.text(); }},
    {"skip_layers", [](SweepConfig& c, const Value& v) { c.layers.skip = v.text(); }},
    {"profile", [](SweepConfig& c, const Value& v) { c.profiles = v.paths(); }},
    {"tap", [](SweepConfig& c, const Value& v) { c.tap = v.text(); }},
    {"device", [](SweepConfig& c, const Value& v) { c.device = v.text(); }},
    {"codec_device", [](SweepConfig& c, const Value& v) { c.codec_device = v.text(); }},
    {"dtype", [](SweepConfig& c, const Value& v) { c.dtype = v.text(); }},
    {"batch_invariant", [](SweepConfig& c, const Value& v) { c.batch_invariant = v.yes_or_no(); }},
    {"threads", [](SweepConfig& c, const Value& v) { c.threads = v.whole(0); }},
    {"seed", [](SweepConfig& c, const Value& v) { c.seed = v.seed(); }},
    {"noise_floor", [](SweepConfig& c, const Value& v) { c.noise_floor = v.yes_or_no(); }},
};

/// Reads `name` where it is a number of the policy, by its newer or its older name.
bool read_policy_number(SweepConfig& config, std::string_view name, const Value& value) {
  for (std::size_t i = 0; i < kPolicyNumbers; ++i) {
    const PolicyNumber& number = policy_numbers()[i];
    if (name != number.name && name != number.file_name()) continue;
    if (config.policy[i]) {
      const char* other = name == number.name ? number.file_name() : number.name;
      throw InputError(value.where + ": says the same as \"" + other + "\": expected one of them");
    }
    config.policy[i] = value.whole(0);
    return true;
  }
  return false;
}

std::string known_keys() {
  std::string names;
  for (const std::string& key : sweep_config_keys()) names += (names.empty() ? "" : ", ") + key;
  return names;
}

/// Refuses what nlohmann would quietly overwrite: a key of the top level given twice.
Json parse_strictly(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  std::set<std::string> seen;
  std::string twice;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth == 1 && event == Json::parse_event_t::key) {
      const auto name = value.get<std::string>();
      if (!seen.insert(name).second && twice.empty()) twice = name;
    }
    return true;
  };
  const char* text = reinterpret_cast<const char*>(bytes.data());
  parse_json({text, bytes.size()}, path);  // throws what the next line would, and for depth
  Json json = Json::parse(text, text + bytes.size(), watch);
  if (!twice.empty()) throw InputError(path + ": key \"" + twice + "\" is given twice");
  if (!json.is_object()) throw InputError(path + ": expected an object {...} of " + known_keys());
  return json;
}

template <typename T>
void take(std::optional<T>& into, const std::optional<T>& from) {
  if (from) into = from;
}

}  // namespace

std::vector<std::string> sweep_config_keys() {
  std::vector<std::string> names;
  for (const Key& key : kKeys) {
    if (key.name == "profile") {
      for (const PolicyNumber& number : policy_numbers()) {
        names.emplace_back(number.name);
        if (number.old_name != nullptr) names.emplace_back(number.old_name);
      }
    }
    names.emplace_back(key.name);
  }
  return names;
}

SweepConfig read_sweep_config(const std::string& path) {
  const Json json = parse_strictly(path);
  SweepConfig config;
  for (const auto& [name, value] : json.items()) {
    const Key* found = nullptr;
    for (const Key& key : kKeys) {
      if (key.name == name) found = &key;
    }
    const Value read{value, path + ": " + name, fs::path(path).parent_path()};
    if (read_policy_number(config, name, read)) continue;
    if (!found)
      throw InputError(path + ": unknown key \"" + name + "\": expected one of " + known_keys());
    found->read(config, read);
  }
  return config;
}

SweepConfig override_config(SweepConfig file, const SweepConfig& flags) {
  take(file.model, flags.model);
  take(file.tokenizer, flags.tokenizer);
  take(file.text, flags.text);
  take(file.dump, flags.dump);
  take(file.replace, flags.replace);
  take(file.claim_bits, flags.claim_bits);
  const GridRequest& grid = flags.grid;
  if (!grid.empty() || !flags.plans.empty()) {
    file.grid = grid;
    file.plans = flags.plans;
    if (grid.empty()) {  // plans alone, which say themselves which layers are skipped
      file.layers = {};
      file.policy[kSkippedEdgeLayers].reset();
    }
  }
  take(file.layer_study, flags.layer_study);
  if (!flags.modes.empty()) file.modes = flags.modes;
  if (!flags.profiles.empty()) file.profiles = flags.profiles;
  if (!flags.plugins.empty()) file.plugins = flags.plugins;
  take(file.passages, flags.passages);
  take(file.first_passage, flags.first_passage);
  take(file.split, flags.split);
  take(file.splits, flags.splits);
  take(file.context, flags.context);
  take(file.scored, flags.scored);
  if (flags.layers.given()) {  // what says the same is replaced too
    file.layers = flags.layers;
    file.policy[kSkippedEdgeLayers].reset();
  }
  if (flags.policy[kSkippedEdgeLayers]) file.layers = flags.layers;
  for (std::size_t i = 0; i < kPolicyNumbers; ++i) take(file.policy[i], flags.policy[i]);
  take(file.threads, flags.threads);
  take(file.cut, flags.cut);
  take(file.tap, flags.tap);
  take(file.device, flags.device);
  take(file.codec_device, flags.codec_device);
  take(file.dtype, flags.dtype);
  take(file.batch_invariant, flags.batch_invariant);
  take(file.seed, flags.seed);
  take(file.noise_floor, flags.noise_floor);
  return file;
}

}  // namespace kakeya
