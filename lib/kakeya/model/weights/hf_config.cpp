// SPDX-License-Identifier: Apache-2.0
// read_hf_config of model_config.h.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/model/weights/model_config.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// Keys that cannot change a forward pass in inference: training, generation, bookkeeping.
constexpr const char* kHarmless[] = {
    "attention_dropout",
    "bos_token_id",
    "cache_implementation",
    "dtype",
    "eos_token_id",
    "hidden_dropout",
    "id2label",
    "initializer_range",
    "is_llama_config",
    "label2id",
    "max_window_layers",
    "model_max_length",
    "output_attentions",
    "output_hidden_states",
    "pad_token_id",
    "pretraining_tp",
    "return_dict",
    "torch_dtype",
    "transformers.js_config",
    "transformers_version",
    "unsloth_fixed",
    "unsloth_version",
    "use_cache",
    "_name_or_path",
    "_attn_implementation_autoset",
};

// The config as a set of keys to be answered for: each is taken once, and what is left over is an
// error.
class Keys {
 public:
  Keys(std::string origin, json object) : origin_(std::move(origin)), object_(std::move(object)) {
    for (const auto& [key, value] : object_.items()) left_.insert(key);
    for (const char* key : kHarmless) left_.erase(key);
  }

  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const {
    throw InputError(origin_ + ": " + key + " is " +
                     (object_.contains(key) ? object_[key].dump().substr(0, 80) : "missing") +
                     ", expected " + expected);
  }

  /// Null where the key is absent or null.
  const json* take(const std::string& key) {
    left_.erase(key);
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  int integer(const std::string& key) {
    const json* value = take(key);
    if (value == nullptr || !value->is_number_integer() || *value < 1 || *value > (1 << 28)) {
      refuse(key, "a positive whole number");
    }
    return value->get<int>();
  }
  int integer_or(const std::string& key, int fallback) {
    return take(key) == nullptr ? fallback : integer(key);
  }
  double real(const std::string& key) {
    const json* value = take(key);
    if (value == nullptr || !value->is_number()) refuse(key, "a number");
    return value->get<double>();
  }
  double real_or(const std::string& key, double fallback) {
    return take(key) == nullptr ? fallback : real(key);
  }
  bool truth_or(const std::string& key, bool fallback) {
    const json* value = take(key);
    if (value == nullptr) return fallback;
    if (!value->is_boolean()) refuse(key, "true or false");
    return value->get<bool>();
  }
  std::string text(const std::string& key) {
    const json* value = take(key);
    if (value == nullptr || !value->is_string()) refuse(key, "a string");
    return value->get<std::string>();
  }

  /// `key` may be absent, null, or exactly `only`.
  void demand(const std::string& key, const json& only) {
    const json* value = take(key);
    if (value != nullptr && *value != only) refuse(key, only.dump());
  }

  void finish() const {
    if (!left_.empty()) {
      throw InputError(origin_ + ": key " + *left_.begin() + " (" +
                       object_[*left_.begin()].dump().substr(0, 80) +
                       ") is not known, and may change the maths");
    }
  }

 private:
  std::string origin_;
  json object_;
  std::set<std::string> left_;
};

const Architecture& find_architecture(Keys& keys) {
  const std::string type = keys.text("model_type");
  std::string names;
  for (const Architecture& each : known_architectures()) {
    if (each.name == type) return each;
    names += (names.empty() ? "" : ", ") + std::string(each.name);
  }
  keys.refuse("model_type", "one of " + names);
}

// A class of another name (a base model without output, a reward model) may compute something else.
void check_class(Keys& keys, const Architecture& architecture) {
  const json* classes = keys.take("architectures");
  if (classes != nullptr && *classes != json::array({architecture.hf_class})) {
    keys.refuse("architectures", json::array({architecture.hf_class}).dump() + " for model_type " +
                                     std::string(architecture.name));
  }
}

// The config.json of `folder`. Where a GGUF file lies in its place, the error names that.
std::string read_config_text(const fs::path& folder, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (in) return {std::istreambuf_iterator<char>(in), {}};
  std::error_code failed;
  if (!fs::is_directory(folder, failed) || fs::exists(path, failed)) {
    throw IoError(path + ": cannot be opened");
  }
  std::string gguf;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".gguf" && (gguf.empty() || name < gguf)) gguf = name;
  }
  throw IoError(folder.string() + ": holds no config.json" +
                (gguf.empty() ? ", expected a Hugging Face folder or a .gguf file"
                              : ", but a GGUF file: expected " + (folder / gguf).string()));
}

// A set of rope parameters called `origin`: its type with the numbers of that, and its base where
// that is there.
RopeScaling read_scaling(const std::string& origin, const json& object, double& base) {
  Keys keys(origin, object);
  base = keys.real_or("rope_theta", base);
  const std::string key = object.contains("rope_type") ? "rope_type" : "type";
  keys.take("type");  // older files write both names
  const std::string kind = keys.text(key);
  RopeScaling out;
  if (kind == "linear") {
    out.kind = RopeScalingKind::linear;
    out.factor = keys.real("factor");
  } else if (kind == "llama3") {
    out.kind = RopeScalingKind::llama3;
    out.factor = keys.real("factor");
    out.low_freq_factor = keys.real("low_freq_factor");
    out.high_freq_factor = keys.real("high_freq_factor");
    out.original_context = keys.real("original_max_position_embeddings");
  } else if (kind != "default") {
    keys.refuse(key, "default, linear or llama3");
  }
  keys.finish();
  return out;
}

// rope_parameters of a model with windows: a set for each kind of layer.
void read_rope_of_kinds(const std::string& origin, const json& parameters, ModelConfig& config) {
  Keys kinds(origin, parameters);
  const auto read = [&](const char* kind, double& base) {
    const json* object = kinds.take(kind);
    if (object == nullptr || !object->is_object()) kinds.refuse(kind, "an object");
    return read_scaling(origin + ": " + kind, *object, base);
  };
  config.rope_scaling = read("full_attention", config.rope_base);
  const RopeScaling window = read("sliding_attention", config.window.rope_base);
  if (window.kind != RopeScalingKind::none) {
    kinds.refuse("sliding_attention", "rope_type default");
  }
  kinds.finish();
}

// rope_theta, rope_local_base_freq and rope_scaling; newer files hold all in rope_parameters.
void read_rope(const std::string& origin, Keys& keys, ModelConfig& config) {
  const bool windows = config.architecture.full_every > 0;
  config.rope_base = keys.real_or("rope_theta", config.architecture.rope_base);
  if (windows) {
    config.window.rope_base = keys.real_or("rope_local_base_freq", config.window.rope_base);
  }
  const json* scaling = keys.take("rope_scaling");
  const json* parameters = keys.take("rope_parameters");
  if (scaling != nullptr && parameters != nullptr)
    keys.refuse("rope_scaling", "null beside rope_parameters");
  const std::string key = parameters ? "rope_parameters" : "rope_scaling";
  if (scaling == nullptr) scaling = parameters;
  if (scaling == nullptr) return;
  if (!scaling->is_object()) keys.refuse(key, "an object or null");
  if (windows && parameters != nullptr) {
    read_rope_of_kinds(origin + ": " + key, *parameters, config);
  } else {
    config.rope_scaling = read_scaling(origin + ": " + key, *scaling, config.rope_base);
  }
}

void refuse_sliding_window(Keys& keys) {
  const json* use = keys.take("use_sliding_window");
  const json* window = keys.take("sliding_window");
  const bool off = use != nullptr && *use == false;
  if (window != nullptr && !off)
    keys.refuse("sliding_window", "null: no sliding window is implemented");
  if (use != nullptr && !off)
    keys.refuse("use_sliding_window", "false: no sliding window is implemented");
  const json* types = keys.take("layer_types");
  if (types == nullptr) return;
  if (!types->is_array()) keys.refuse("layer_types", "an array");
  for (const json& type : *types) {
    if (type != "full_attention") keys.refuse("layer_types", "full_attention in every layer");
  }
}

// Which layers have a window: named one by one, or else all but every so many-th.
void read_window(Keys& keys, ModelConfig& config) {
  config.window.tokens = keys.integer("sliding_window");
  int full_every = config.architecture.full_every;
  for (const char* key : {"_sliding_window_pattern", "sliding_window_pattern"}) {
    full_every = keys.integer_or(key, full_every);
  }
  config.window.layers = window_layers(config.shape.layers, full_every);
  const json* types = keys.take("layer_types");
  if (types == nullptr) return;
  if (!types->is_array() || types->size() != config.window.layers.size()) {
    keys.refuse("layer_types", "an array of " + std::to_string(config.shape.layers) + " names");
  }
  for (std::size_t i = 0; i < types->size(); ++i) {
    const json& type = (*types)[i];
    config.window.layers[i] = type == "sliding_attention";
    if (!config.window.layers[i] && type != "full_attention") {
      keys.refuse("layer_types", "full_attention or sliding_attention in every layer");
    }
  }
}

// What Gemma 3 has and others have not.
void read_gemma(Keys& keys, ModelConfig& config) {
  read_window(keys, config);
  const double scalar = keys.real_or("query_pre_attn_scalar", 256);
  if (!(scalar > 0)) keys.refuse("query_pre_attn_scalar", "a number above 0");
  config.attention_scale = 1 / std::sqrt(scalar);
  keys.demand("final_logit_softcapping", nullptr);
  keys.demand("attn_logit_softcapping", nullptr);
  keys.demand("use_bidirectional_attention", false);
}

}  // namespace

ModelConfig read_hf_config(const std::string& folder) {
  const std::string path = (fs::path(folder) / "config.json").string();
  json object = parse_json(read_config_text(folder, path), path);
  if (!object.is_object()) throw CorruptStream(path + ": a JSON object expected");
  Keys keys(path, std::move(object));
  ModelConfig config;
  config.architecture = find_architecture(keys);
  check_class(keys, config.architecture);
  config.name = last_part(folder);
  config.shape.layers = keys.integer("num_hidden_layers");
  config.shape.query_heads = keys.integer("num_attention_heads");
  config.shape.kv_heads = keys.integer_or("num_key_value_heads", config.shape.query_heads);
  config.hidden = keys.integer("hidden_size");
  config.shape.head_dim =
      config.architecture.own_head_dim
          ? keys.integer("head_dim")
          : keys.integer_or("head_dim", config.hidden / config.shape.query_heads);
  config.ffn = keys.integer("intermediate_size");
  config.vocab = keys.integer("vocab_size");
  config.context = keys.integer("max_position_embeddings");
  config.norm_eps = keys.real_or("rms_norm_eps", 1e-6);
  config.tied_embeddings =
      keys.truth_or("tie_word_embeddings", config.architecture.tied_embeddings);
  config.attention_scale = 1 / std::sqrt(static_cast<double>(config.shape.head_dim));
  read_rope(path, keys, config);
  if (config.architecture.activation == Activation::gelu_tanh) {
    keys.demand("hidden_activation", "gelu_pytorch_tanh");
    keys.demand("hidden_act", "gelu_pytorch_tanh");
    read_gemma(keys, config);
  } else {
    keys.demand("hidden_act", "silu");
    refuse_sliding_window(keys);
  }
  keys.demand("attention_bias", false);
  keys.demand("mlp_bias", false);
  keys.demand("rope_interleaved", false);
  keys.demand("use_mrope", false);
  keys.demand("partial_rotary_factor", 1.0);
  keys.take("quantization_config") == nullptr
      ? void()
      : keys.refuse("quantization_config", "none: weights of F32, F16 or BF16");
  keys.finish();
  check_config(config, path);
  return config;
}

}  // namespace kakeya
