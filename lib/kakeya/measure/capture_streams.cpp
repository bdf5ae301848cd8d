// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/capture_streams.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "kakeya/core/error.h"
#include "kakeya/core/index_set.h"

namespace kakeya {
namespace {

/// One dump being written: those of the captured layers that have the stream.
struct Draft {
  StreamKind kind;
  std::vector<int> layers;
  DumpHead head;
  std::string path;
  std::unique_ptr<DumpWriter> writer;

  int place(int layer) const {
    return static_cast<int>(std::find(layers.begin(), layers.end(), layer) - layers.begin());
  }
};

/// The captured layers that have the stream.
std::vector<int> layers_of(const V4Config& config, StreamKind kind,
                           const std::vector<int>& captured) {
  std::vector<int> layers = stream_layers(config, kind);
  std::erase_if(layers, [&](int layer) { return std::ranges::count(captured, layer) == 0; });
  return layers;
}

/// By which RoPE turns the stream; 0 where its layers have several.
double rope_base_of(const V4Config& config, StreamKind kind, const std::vector<int>& layers) {
  const auto base_of = [&](int layer) {
    return kind == StreamKind::sliding
               ? config.rope(config.layers[static_cast<std::size_t>(layer)]).base
               : config.compress.base;
  };
  const double first = base_of(layers.front());
  return std::ranges::all_of(layers, [&](int layer) { return base_of(layer) == first; }) ? first
                                                                                         : 0;
}

DumpHead head_of(const StreamCapture& capture, StreamKind kind, const std::vector<int>& layers) {
  const V4Config& config = capture.config;
  const auto source = static_cast<std::size_t>(capture.hidden.tokens());
  DumpHead head = capture.head;
  head.origin.architecture = "deepseek_v4";
  head.shape = {static_cast<int>(layers.size()), 1, config.query_heads, stream_dim(config, kind)};
  head.tap = TapPoint::post_rope;
  head.passages = capture.passages;
  head.tokens = capture.hidden.tokens() / stream_ratio(config, kind);
  const bool compressed = kind != StreamKind::sliding;
  head.rope_base = rope_base_of(config, kind, layers);
  head.rope_layout = "interleaved";
  head.stream = StreamFacts{.name = std::string(stream_name(kind)),
                            .layers = IndexSet::of(layers).text(),
                            .model_layers = static_cast<int>(stream_layers(config, kind).size()),
                            .ratio = stream_ratio(config, kind),
                            .source_tokens = capture.hidden.tokens(),
                            .window = compressed ? 0 : config.window,
                            .byte_share = stream_share(config, kind, source),
                            .weights = capture.weights.text()};
  return head;
}

// Where vectors have no one token: the position of the first of theirs.
std::vector<std::int32_t> positions(const DumpHead& head) {
  std::vector<std::int32_t> positions;
  for (int v = 0; v < head.tokens; ++v) positions.push_back(v * head.stream->ratio);
  return positions;
}

void require_fit(const StreamCapture& capture) {
  const HiddenStates& hidden = capture.hidden;
  const auto refuse = [](const std::string& what, int given, int expected) {
    throw InputError("hidden states of " + std::to_string(given) + " " + what + ", expected " +
                     std::to_string(expected));
  };
  if (hidden.width() != capture.config.hidden)
    refuse("values a token", hidden.width(), capture.config.hidden);
  if (hidden.layers() > 0 && hidden.layers() != static_cast<int>(capture.layers.size()))
    refuse("layers", hidden.layers(), static_cast<int>(capture.layers.size()));
  if (capture.passages < 1 || capture.passages > hidden.passages())
    refuse("passages", hidden.passages(), capture.passages);
}

}  // namespace

std::vector<int> layers_with_weights(const V4Config& config, const V4Weights& weights,
                                     const std::vector<int>& asked) {
  const int count = static_cast<int>(config.layers.size());
  for (const int layer : asked) {
    if (layer < 0 || layer >= count) {
      throw InputError("layer " + std::to_string(layer) + ": expected 0 to " +
                       std::to_string(count - 1));
    }
    if (const auto missing = weights.missing(layer))
      throw InputError("layer " + std::to_string(layer) + ": no tensor " + *missing);
  }
  std::vector<int> layers = asked;
  std::sort(layers.begin(), layers.end());
  layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
  if (!layers.empty()) return layers;
  for (int layer = 0; layer < count; ++layer) {
    if (!weights.missing(layer)) layers.push_back(layer);
  }
  if (layers.empty()) {
    throw InputError(config.name +
                     ": no layer has all weights of its streams; of layer 0 there is "
                     "no tensor " +
                     *weights.missing(0));
  }
  return layers;
}

std::vector<StreamKind> too_short_streams(const V4Config& config, const std::vector<int>& layers,
                                          int tokens) {
  std::vector<StreamKind> kinds;
  for (const StreamKind kind : kStreamKinds) {
    if (!layers_of(config, kind, layers).empty() && tokens < stream_ratio(config, kind))
      kinds.push_back(kind);
  }
  return kinds;
}

std::vector<CapturedStream> capture_streams(
    const StreamCapture& capture, const std::string& folder,
    const std::function<void(std::size_t, std::size_t)>& told) {
  require_fit(capture);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!std::filesystem::is_directory(folder)) {
    throw IoError(folder + ": cannot be made, expected the name of a folder" +
                  (failed ? ": " + failed.message() : ""));
  }
  std::vector<Draft> drafts;
  for (const StreamKind kind : kStreamKinds) {
    const std::vector<int> layers = layers_of(capture.config, kind, capture.layers);
    if (layers.empty() || capture.hidden.tokens() < stream_ratio(capture.config, kind)) continue;
    Draft draft{kind, layers, head_of(capture, kind, layers), {}, nullptr};
    draft.path = (std::filesystem::path(folder) / (draft.head.stream->name + ".h5")).string();
    draft.writer = std::make_unique<DumpWriter>(draft.path, draft.head);
    for (int p = 0; p < capture.passages; ++p)
      draft.writer->write_tokens(p, positions(draft.head), "passage " + std::to_string(p));
    drafts.push_back(std::move(draft));
  }
  const std::size_t all = capture.layers.size() * static_cast<std::size_t>(capture.passages);
  std::size_t done = 0;
  for (std::size_t i = 0; i < capture.layers.size(); ++i) {
    const int layer = capture.layers[i];
    const V4LayerWeights weights = capture.weights.read(layer);
    for (int p = 0; p < capture.passages; ++p) {
      if (told) told(done, all);
      const std::vector<float> hidden = capture.hidden.read(p, static_cast<int>(i));
      const auto width = static_cast<std::size_t>(capture.config.hidden);
      const LayerStreams streams =
          kv_streams(capture.config, capture.config.layers[static_cast<std::size_t>(layer)],
                     weights, dense_rows(hidden.data(), hidden.size() / width, width));
      for (const Draft& draft : drafts) {
        const KvStream* stream = streams.find(draft.kind);
        if (stream == nullptr) continue;
        draft.writer->write_part(p, {draft.place(layer), Part::key}, stream->values.data(),
                                 stream->vectors, 1, stream->dim);
      }
      ++done;
    }
  }
  if (told) told(all, all);
  std::vector<CapturedStream> written;
  for (Draft& draft : drafts) {
    draft.writer->commit();
    written.push_back({draft.kind, draft.path, draft.head});
  }
  return written;
}

}  // namespace kakeya
