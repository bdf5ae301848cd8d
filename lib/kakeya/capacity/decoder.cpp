// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/decoder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "kakeya/capacity/readers.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

std::array<std::span<const FamilyReader>, 3> tables() {
  return {plain_families(), gemma_families(), deepseek_families()};
}

const FamilyReader* find_reader(const std::string& model_type) {
  for (const std::span<const FamilyReader> table : tables()) {
    for (const FamilyReader& reader : table) {
      if (reader.model_type == model_type) return &reader;
    }
  }
  return nullptr;
}

std::string name_of(const fs::path& file) {
  if (file.filename() != "config.json") return file.stem().string();
  return fs::weakly_canonical(file).parent_path().filename().string();
}

}  // namespace

std::size_t CacheStream::vectors(std::size_t tokens) const {
  const std::size_t all = tokens / ratio;
  return window > 0 ? std::min(all, window) : all;
}

bool CacheStream::like(const CacheStream& other) const {
  return kind == other.kind && heads == other.heads && key_dim == other.key_dim &&
         value_dim == other.value_dim && window == other.window && ratio == other.ratio;
}

std::uint64_t Decoder::parameter_count() const {
  return std::accumulate(
      parameters.begin(), parameters.end(), std::uint64_t{0},
      [](std::uint64_t sum, const ParameterCount& each) { return sum + each.count; });
}

void Decoder::count(const std::string& block, std::uint64_t parameters_more) {
  if (parameters_more == 0) return;
  const auto at = std::find_if(parameters.begin(), parameters.end(),
                               [&](const ParameterCount& each) { return each.block == block; });
  if (at == parameters.end()) {
    parameters.push_back({block, parameters_more});
  } else {
    at->count += parameters_more;
  }
}

std::vector<std::string> decoder_families() {
  std::vector<std::string> names;
  for (const std::span<const FamilyReader> table : tables()) {
    for (const FamilyReader& reader : table) names.emplace_back(reader.model_type);
  }
  return names;
}

Decoder read_decoder(const std::string& path) {
  const fs::path file = fs::is_directory(path) ? fs::path(path) / "config.json" : fs::path(path);
  const nlohmann::json object = parse_json(read_text_file(file.string()), file.string());
  ConfigKeys keys(object, file.string());
  Decoder decoder;
  decoder.name = name_of(file);
  decoder.model_type = keys.text("model_type");
  decoder.quantised = keys.has("quantization_config");
  if (find_reader(decoder.model_type) == nullptr && keys.has("text_config")) {
    const std::string outer = decoder.model_type;
    keys = keys.inside("text_config");
    decoder.quantised = decoder.quantised || keys.has("quantization_config");
    if (keys.has("model_type")) decoder.model_type = keys.text("model_type");
    decoder.notes.push_back(fmt::format(
        "Of {} the text model alone: towers of images and sound are not counted.", outer));
  }
  const FamilyReader* reader = find_reader(decoder.model_type);
  if (reader == nullptr) {
    throw InputError(fmt::format(
        "{}: model_type {}: not known, and its cache could only be guessed; expected one of {} (a "
        "further family is a row in lib/kakeya/capacity: kinds of layers, heads, dims, windows)",
        file.string(), decoder.model_type, fmt::join(decoder_families(), ", ")));
  }
  reader->read(keys, decoder);
  return decoder;
}

CommonSizes read_common(const ConfigKeys& keys, Decoder& decoder, bool tied) {
  CommonSizes sizes;
  sizes.hidden = keys.whole("hidden_size");
  sizes.layers = keys.whole("num_hidden_layers");
  sizes.heads = keys.whole("num_attention_heads");
  sizes.vocab = keys.whole("vocab_size");
  constexpr std::uint64_t kMostLayers = 10000;
  if (sizes.layers > kMostLayers) keys.refuse("num_hidden_layers", "at most 10000");
  decoder.layers = static_cast<int>(sizes.layers);
  decoder.context = keys.whole("max_position_embeddings");
  decoder.count("embedding", sizes.vocab * sizes.hidden);
  if (!keys.truth_or("tie_word_embeddings", tied)) {
    decoder.count("output head", sizes.vocab * sizes.hidden);
  }
  decoder.count("norms", sizes.hidden);
  return sizes;
}

std::vector<bool> windowed_layers(const ConfigKeys& keys, std::size_t layers,
                                  std::size_t full_every) {
  const std::vector<std::string> types = keys.texts("layer_types");
  std::vector<bool> windowed;
  if (types.empty()) {
    for (std::size_t i = 0; i < layers; ++i) {
      windowed.push_back(full_every > 0 && (i + 1) % full_every != 0);
    }
    return windowed;
  }
  if (types.size() != layers) keys.refuse("layer_types", fmt::format("{} names", layers));
  for (const std::string& type : types) {
    if (type != "sliding_attention" && type != "full_attention") {
      keys.refuse("layer_types", "sliding_attention or full_attention of each layer");
    }
    windowed.push_back(type == "sliding_attention");
  }
  return windowed;
}

CacheStream attention_stream(int layer, std::size_t kv_heads, std::size_t head_dim,
                             std::size_t window) {
  CacheStream stream;
  stream.kind = window > 0 ? fmt::format("sliding window of {}", window) : "full attention";
  stream.layer = layer;
  stream.heads = kv_heads;
  stream.key_dim = stream.value_dim = head_dim;
  stream.window = window;
  return stream;
}

}  // namespace kakeya
