// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/streams/v4_config.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char* kType = "deepseek_v4";
constexpr const char* kCsa = "compressed_sparse_attention";
constexpr const char* kHca = "heavily_compressed_attention";
constexpr int kMost = 1 << 24;

json read_object(const std::string& path) {
  const std::vector<std::byte> file = read_file(path);
  json object = parse_json({reinterpret_cast<const char*>(file.data()), file.size()}, path);
  if (!object.is_object()) throw CorruptStream(path + ": a JSON object expected");
  return object;
}

// An object of the file, whose keys are asked for one by one. An absent key and null are the same.
class Keys {
 public:
  Keys(std::string origin, const json& object) : origin_(std::move(origin)), object_(object) {}

  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const {
    throw InputError(origin_ + ": " + key + " is " +
                     (find(key) ? object_[key].dump().substr(0, 80) : "missing") + ", expected " +
                     expected);
  }
  const json* find(const std::string& key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }
  int integer(const std::string& key, int fallback) const {
    const json* value = find(key);
    if (value == nullptr && fallback > 0) return fallback;
    if (value == nullptr || !value->is_number_integer() || *value < 1 || *value > kMost)
      refuse(key, "a positive whole number");
    return value->get<int>();
  }
  double positive(const std::string& key, double fallback) const {
    const json* value = find(key);
    if (value == nullptr && fallback > 0) return fallback;
    if (value == nullptr || !value->is_number() || !(value->get<double>() > 0))
      refuse(key, "a number above 0");
    return value->get<double>();
  }
  void demand(const std::string& key, const json& only) const {
    const json* value = find(key);
    if (value != nullptr && *value != only) refuse(key, only.dump());
  }
  Keys child(const std::string& key) const {
    if (!find(key) || !find(key)->is_object()) refuse(key, "an object");
    return {origin_ + ": " + key, object_[key]};
  }
  std::string type() const {  // older files say "type"
    for (const char* key : {"rope_type", "type"}) {
      const json* value = find(key);
      if (value == nullptr) continue;
      if (!value->is_string()) refuse(key, "default or yarn");
      return value->get<std::string>();
    }
    return "default";
  }

 private:
  std::string origin_;
  const json& object_;
};

V4Rope read_rope(const Keys& keys, double base, bool bare) {
  V4Rope rope{.base = keys.positive("rope_theta", base)};
  const std::string type = keys.type();
  if (type == "default") return rope;
  if (type != "yarn") keys.refuse(keys.find("rope_type") ? "rope_type" : "type", "default or yarn");
  rope.factor = keys.positive("factor", 0);
  rope.original_context = keys.positive("original_max_position_embeddings", 0);
  rope.beta_fast = keys.positive("beta_fast", rope.beta_fast);
  rope.beta_slow = keys.positive("beta_slow", rope.beta_slow);
  keys.demand("truncate", true);
  // transformers scales cosines by another factor where a nested set says none.
  keys.demand("attention_factor", 1.0);
  if (!bare && !keys.find("attention_factor")) keys.refuse("attention_factor", "1.0");
  return rope;
}

// "rope_parameters": {"main": ..., "compress": ...}, or one set, which is for the compressed streams.
// One of the two alone is no set: the other is missing.
void read_ropes(const Keys& keys, V4Config& config) {
  const double main = keys.positive("rope_theta", 10000),
               compress = keys.positive("compress_rope_theta", 160000);
  config.main.base = main;
  config.compress.base = compress;
  const bool newer = keys.find("rope_parameters") != nullptr;
  if (newer && keys.find("rope_scaling"))
    keys.refuse("rope_scaling", "null beside rope_parameters");
  const char* const name = newer ? "rope_parameters" : "rope_scaling";
  if (!keys.find(name)) return;
  const Keys all = keys.child(name);
  if (!all.find("main") && !all.find("compress")) {
    all.demand("rope_theta", compress);
    config.compress = read_rope(all, compress, true);
    return;
  }
  for (const char* kind : {"main", "compress"}) {
    const Keys of_kind = all.child(kind);
    const double share = static_cast<double>(config.rope_dim) / config.head_dim;
    if (of_kind.positive("partial_rotary_factor", 1) != share)
      of_kind.refuse("partial_rotary_factor", json(share).dump() + ", as of the whole model");
    (kind == std::string("main") ? config.main : config.compress) =
        read_rope(of_kind, kind == std::string("main") ? main : compress, false);
  }
  if (config.main.factor > 0) all.child("main").refuse("rope_type", "default");
}

// Named, or by their ratios: 0, 4 and 128; behind the last layer those of other heads may follow.
std::vector<V4Attention> read_layers(const Keys& keys) {
  const auto count = static_cast<std::size_t>(keys.integer("num_hidden_layers", 0));
  std::vector<V4Attention> layers;
  const auto read = [&](const char* key, const json& sliding, const json& csa, const json& hca,
                        bool more) {
    const json* const list = keys.find(key);
    if (!list->is_array() || list->size() < count || (list->size() > count && !more))
      keys.refuse(key, "an array of " + std::to_string(count) + " entries, as num_hidden_layers");
    for (const json& entry : *list) {
      if (entry != sliding && entry != csa && entry != hca)
        keys.refuse(key, sliding.dump() + ", " + csa.dump() + " or " + hca.dump() + " a layer");
      if (layers.size() == count) continue;
      layers.push_back(entry == sliding ? V4Attention::sliding
                                        : (entry == csa ? V4Attention::csa : V4Attention::hca));
    }
  };
  if (keys.find("layer_types")) {
    read("layer_types", "sliding_attention", kCsa, kHca, false);
  } else if (keys.find("compress_ratios")) {
    read("compress_ratios", 0, 4, 128, true);
  } else {
    keys.refuse("layer_types", "the kind of each layer, or compress_ratios");
  }
  return layers;
}

void read_ratios(const Keys& keys, V4Config& config) {
  const Keys rates = keys.find("compress_rates") ? keys.child("compress_rates") : keys;
  const bool nested = keys.find("compress_rates") != nullptr;
  config.csa_ratio = keys.integer("compress_rate_csa", nested ? rates.integer(kCsa, 0) : 4);
  config.hca_ratio = keys.integer("compress_rate_hca", nested ? rates.integer(kHca, 0) : 128);
}

int read_rope_dim(const Keys& keys, int head_dim) {
  const double share = keys.positive("partial_rotary_factor", 64.0 / 512);
  if (!(share <= 1)) keys.refuse("partial_rotary_factor", "a number above 0, at most 1");
  if (keys.find("qk_rope_head_dim")) return keys.integer("qk_rope_head_dim", 0);
  return static_cast<int>(head_dim * share);
}

}  // namespace

std::string v4_config_path(const std::string& path) {
  return fs::path(path).extension() == ".json" ? path : (fs::path(path) / "config.json").string();
}

bool is_v4(const std::string& path) {
  std::error_code failed;
  if (!fs::is_regular_file(v4_config_path(path), failed)) return false;
  try {
    const json object = read_object(v4_config_path(path));
    return object.contains("model_type") && object["model_type"] == kType;
  } catch (const Error&) {
    return false;  // whoever opens it as a model says what is wrong with it
  }
}

V4Config read_v4_config(const std::string& path) {
  const std::string file = v4_config_path(path);
  const json object = read_object(file);
  const Keys keys(file, object);
  if (!keys.find("model_type") || *keys.find("model_type") != kType)
    keys.refuse("model_type", std::string("\"") + kType + "\"");
  keys.demand("num_key_value_heads", 1);
  keys.demand("attention_bias", false);
  V4Config config;
  config.name = file == path ? fs::path(path).stem().string() : last_part(path);
  config.hidden = keys.integer("hidden_size", 0);
  config.query_heads = keys.integer("num_attention_heads", 64);
  config.head_dim = keys.integer("head_dim", 512);
  config.rope_dim = read_rope_dim(keys, config.head_dim);
  config.index_dim = keys.integer("index_head_dim", 128);
  config.window = keys.integer("sliding_window", 128);
  config.norm_eps = keys.positive("rms_norm_eps", 1e-6);
  read_ratios(keys, config);
  read_ropes(keys, config);
  config.layers = read_layers(keys);
  if (config.rope_dim < 2 || config.rope_dim % 2 != 0 ||
      config.rope_dim > std::min(config.head_dim, config.index_dim)) {
    throw InputError(file + ": " + std::to_string(config.rope_dim) + " values turned by RoPE of " +
                     std::to_string(config.head_dim) + " (head_dim) and of " +
                     std::to_string(config.index_dim) +
                     " (index_head_dim): expected an even number of at most as many");
  }
  if (!keys.find("quantization_config")) return config;
  const json* block = keys.child("quantization_config").find("weight_block_size");
  if (block == nullptr) return config;
  if (!block->is_array() || block->size() != 2 || !(*block)[0].is_number_unsigned() ||
      !(*block)[1].is_number_unsigned() || (*block)[0] == 0 || (*block)[1] == 0) {
    keys.child("quantization_config").refuse("weight_block_size", "rows and columns of a block");
  }
  config.weight_block = {(*block)[0].get<std::size_t>(), (*block)[1].get<std::size_t>()};
  return config;
}

// YaRN (arXiv 2309.00071): a pair keeps its frequency where it turns more than beta_fast times
// within the original context, takes 1 / factor of it where fewer than beta_slow times, and a mean
// of both between.
std::vector<double> v4_frequencies(const V4Rope& rope, int rope_dim) {
  std::vector<double> frequencies;
  const double dim = rope_dim;
  const auto pair_that_turns = [&](double times) {
    return dim * std::log(rope.original_context / (times * 2 * std::numbers::pi)) /
           (2 * std::log(rope.base));
  };
  for (int pair = 0; pair < rope_dim / 2; ++pair) {
    const double plain = std::pow(rope.base, -2.0 * pair / dim);
    double slowed = 0;
    if (rope.factor > 0) {
      const double low = std::max(std::floor(pair_that_turns(rope.beta_fast)), 0.0);
      double high = std::min(std::ceil(pair_that_turns(rope.beta_slow)), dim - 1);
      if (low == high) high += 0.001;  // as transformers does
      slowed = std::clamp((pair - low) / (high - low), 0.0, 1.0);
    }
    frequencies.push_back(plain * (1 - slowed) +
                          (rope.factor > 0 ? plain / rope.factor * slowed : 0));
  }
  return frequencies;
}

}  // namespace kakeya
