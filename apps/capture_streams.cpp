// SPDX-License-Identifier: Apache-2.0
#include "capture_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/core/index_set.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/capture_streams.h"
#include "kakeya/model/torch_library.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/provenance.h"
#include "progress.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

// Those asked for, or all but those that are not; of a folder of some shards, those that it has.
std::vector<int> chosen_layers(const LayerChoice& choice, const V4Config& config,
                               const V4Weights& weights) {
  const IndexSet asked = choice.of(static_cast<int>(config.layers.size()));
  if (choice.only) return layers_with_weights(config, weights, asked.numbers());
  std::vector<int> layers = layers_with_weights(config, weights, {});
  if (!choice.skip) return layers;
  std::erase_if(layers, [&](int layer) { return !asked.contains(layer); });
  if (!layers.empty()) return layers;
  throw SpecError("skip-layers " + *choice.skip + ": leaves no layer whose weights are there");
}

// A digest of what the latents follow from: the files, or the configuration and a seed.
Source source_of_weights(const std::string& folder, const V4Config& config,
                         const StreamOptions& options, const V4Weights& weights) {
  if (!options.random_seed) return {config.name, sha256_path(folder)};
  const std::string both = sha256_path(v4_config_path(folder)) + " " + weights.text();
  const auto* bytes = reinterpret_cast<const std::byte*>(both.data());
  return {config.name + " (weights " + weights.text() + ")", sha256({bytes, both.size()})};
}

// Streams of the captured layers that get no dump.
std::vector<std::string> left_out_texts(const StreamCapture& capture) {
  std::vector<std::string> texts;
  for (const StreamKind kind :
       too_short_streams(capture.config, capture.layers, capture.hidden.tokens())) {
    texts.push_back(fmt::format("{}, fewer than {} tokens", stream_name(kind),
                                stream_ratio(capture.config, kind)));
  }
  return texts;
}

Json stream_json(const CapturedStream& stream) {
  const StreamFacts& facts = *stream.head.stream;
  return {{"stream", facts.name},
          {"file", stream.path},
          {"layers", facts.layers},
          {"model_layers", facts.model_layers},
          {"ratio", facts.ratio},
          {"vectors", stream.head.tokens},
          {"dim", stream.head.shape.head_dim},
          {"byte_share", facts.byte_share},
          {"bytes_written", std::filesystem::file_size(stream.path)}};
}

void print_streams(const std::vector<CapturedStream>& streams) {
  fmt::print("{:<8} {:>6} {:>8} {:>4} {:>7} {:>6}  {}\n", "stream", "ratio", "vectors", "dim",
             "layers", "values", "file");
  for (const CapturedStream& each : streams) {
    const StreamFacts& facts = *each.head.stream;
    fmt::print("{:<8} {:>6} {:>8} {:>4} {:>7} {:>4.1f} %  {}\n", facts.name, facts.ratio,
               each.head.tokens, each.head.shape.head_dim,
               fmt::format("{}/{}", each.head.shape.layers, facts.model_layers),
               100 * facts.byte_share, each.path);
  }
  fmt::print(
      "vectors: of a passage in a layer. layers: captured / of the model. values: of all layers' caches "
      "behind {} tokens, the share of this stream ({} latents of the last tokens), equal bits in all\n",
      streams.front().head.stream->source_tokens, std::max(streams.front().head.stream->window, 1));
}

}  // namespace

void add_stream_options(CLI::App& app, StreamOptions& options) {
  app.add_option("--hidden", options.hidden,
                 "DeepSeek-V4: what its attentions are given, .npy of (tokens, hidden), (passages, "
                 "tokens, hidden) or (passages, layers, tokens, hidden)")
      ->type_name("FILE");
  app.add_option(
         "--random-weights", options.random_seed,
         "DeepSeek-V4: draw the weights by this seed, where its files are not at hand; every "
         "output says so")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("SEED");
}

void capture_v4(const StreamOptions& options, const StreamOutput& out,
                const std::vector<std::string>& arguments) {
  if (options.hidden.empty()) {
    throw SpecError(
        out.model +
        ": is a DeepSeek-V4, of which the KV streams are computed and no forward is run (no "
        "hyper-connections, queries, indexer's choice, attention or experts): expected --hidden "
        "FILE, what its attentions are given");
  }
  if (!options.random_seed && std::filesystem::is_regular_file(out.model)) {
    throw SpecError(out.model +
                    ": is a configuration without weights: expected --random-weights SEED, or a "
                    "folder with config.json and safetensors");
  }
  const V4Config config = read_v4_config(out.model);
  const auto weights = options.random_seed ? random_v4_weights(config, *options.random_seed)
                                           : open_v4_weights(out.model, config);
  const std::vector<int> layers = chosen_layers(out.layers, config, *weights);
  const HiddenStates hidden(options.hidden);
  const int threads = out.threads > 0 ? out.threads : machine_threads();
  torch_library("KV streams").set_threads(threads);
  StreamCapture capture{config, *weights, hidden, layers, out.passages.value_or(hidden.passages()),
                        {}};
  capture.head.origin.model = source_of_weights(out.model, config, options, *weights);
  capture.head.origin.text = source_of(options.hidden);
  capture.head.origin.tokenizer.name = "none: hidden states were given";
  capture.head.storage = out.storage;
  capture.head.seed = options.random_seed.value_or(0);
  capture.head.provenance = make_provenance(arguments, threads);
  capture.head.provenance.device = "cpu";
  std::vector<CapturedStream> streams;
  {
    Progress progress("capture", layers.size() * static_cast<std::size_t>(capture.passages));
    streams = capture_streams(capture, out.out,
                              [&](std::size_t done, std::size_t) { progress.update(done); });
  }
  const std::vector<std::string> left_out = left_out_texts(capture);
  const int all = static_cast<int>(config.layers.size());
  const std::string not_run =
      "no forward was run: hidden states are those of the file, and what attention, experts and "
      "hyper-connections make of the latents was not computed";
  if (out.json) {
    Json json = {{"folder", out.out},
                 {"model", capture.head.origin.model.name},
                 {"weights", weights->text()},
                 {"random_weights", options.random_seed.has_value()},
                 {"hidden", capture.head.origin.text.name},
                 {"passages", capture.passages},
                 {"tokens", hidden.tokens()},
                 {"layers", layers},
                 {"model_layers", all},
                 {"not_run", not_run},
                 {"left_out", left_out},
                 {"streams", Json::array()}};
    for (const CapturedStream& each : streams) json["streams"].push_back(stream_json(each));
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print("{}: KV streams of {}, layers {} of {}, {} passages of {} tokens\n", out.out,
             config.name, IndexSet::of(layers).text(), all, capture.passages, hidden.tokens());
  fmt::print("weights: {}; {}\n", weights->text(), not_run);
  print_streams(streams);
  for (const std::string& each : left_out) fmt::print("left out: {}\n", each);
}

}  // namespace kakeya
