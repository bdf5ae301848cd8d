// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/token_coder.h"

#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/core/clock.h"
#include "kakeya/measure/packed/packed_cache.h"

namespace kakeya {
namespace {

// What became of one frame.
struct Coded {
  double encode_seconds = 0, decode_seconds = 0;
  std::vector<Distortion> distortions;  // [layer of the run][keys, values]
  RateLedger ledger;
  OpenPages open;
};

Coded code_frame(const Codec& codec, const FramePlace& place, const KvCache& clean,
                 KvCache& decoded) {
  Coded coded;
  const std::size_t count = place.tokens.count, dim = codec.dim();
  std::vector<float> values(count * dim), back(values.size());
  const Rows<float> rows = dense_rows(values.data(), count, dim);
  load_vectors(clean, place, rows);
  auto started = Clock::now();
  std::vector<std::byte> frame(codec.encoded_bound(count));
  frame.resize(codec.encode(rows, frame));
  coded.encode_seconds = seconds_since(started);
  started = Clock::now();
  const Rows<float> out = dense_rows(back.data(), count, dim);
  // What learns as it decodes would have to learn once more to be counted.
  const auto* entropy = dynamic_cast<const FrameEntropy*>(&codec);
  std::optional<CountedFrame> counted;
  if (entropy != nullptr) counted = entropy->decode_and_count(frame, out);
  if (!counted) codec.decode(frame, out);
  coded.decode_seconds = seconds_since(started) - (counted ? counted->seconds : 0);
  if (count < codec.page_vectors()) coded.open = {values.size(), frame.size(), 0};
  coded.ledger = ledger_of(codec, rows, frame, !counted);
  if (counted) {
    coded.ledger.entropy_bits =
        counted->bits_per_value.value_or(0) * static_cast<double>(values.size());
  }
  coded.ledger.vectors = coded.ledger.values / clean.dim();
  coded.distortions = distortions_of(place, clean.heads(), clean.dim(), rows, out);
  store_vectors(decoded, place, out);
  return coded;
}

}  // namespace

TokenCoder::TokenCoder(TokenCodecs codecs, const CachePolicy& policy, WorkerPool& pool)
    : policy_(policy), ends_(policy.exact_ends("a sweep on the host")), pool_(pool) {
  codecs_.tokens = std::move(codecs);
  record_.add_layers(policy);
}

void TokenCoder::code(const KvCache& clean, std::size_t tokens, KvCache& decoded) {
  decoded = clean;
  code_frames(frames_of_tokens(*codecs_.tokens, ends_.coded(tokens, clean.tokens())),
              record_.layers.size(), clean, tokens, decoded);
}

void TokenCoder::code_layer(int layer, const KvCache& clean, std::size_t tokens, KvCache& decoded) {
  std::vector<FramePlace> frames =
      frames_of_tokens(*codecs_.tokens, ends_.coded(tokens, clean.tokens()));
  std::erase_if(frames, [&](const FramePlace& place) {
    return place.layers != LayerRange{layer, 1};
  });
  if (frames.empty()) {
    throw InputError("layer " + std::to_string(layer) + ": not coded alone by " +
                     codecs_.tokens->spec());
  }
  code_frames(frames, 1, clean, tokens, decoded);
}

void TokenCoder::code_frames(const std::vector<FramePlace>& frames, std::size_t layers,
                             const KvCache& clean, std::size_t tokens, KvCache& decoded) {
  std::vector<Coded> coded(frames.size());
  pool_.run(frames.size(), [&](std::size_t i) {
    at_place(frames[i], [&] {
      coded[i] = code_frame(codec_at(codecs_, frames[i]), frames[i], clean, decoded);
    });
  });
  for (std::size_t i = 0; i < frames.size(); ++i) {
    for (std::size_t part = 0; part < coded[i].distortions.size(); ++part) {
      const std::size_t layer = policy_.coded_index(frames[i].layers.first) + part / 2;
      CodingRecord::Layer& to = record_.layers[layer];
      (part % 2 == 0 ? to.keys : to.values).merge(coded[i].distortions[part]);
    }
    record_.ledger_k.merge(coded[i].ledger);
    record_.open_pages.merge(coded[i].open);
    if (frames[i].tokens.first == frames.front().tokens.first) {  // the first page of a run
      record_.open_pages.page_values +=
          codecs_.tokens->page_vectors() * codec_at(codecs_, frames[i]).dim();
    }
    record_.encode_seconds += coded[i].encode_seconds;
    record_.decode_seconds += coded[i].decode_seconds;
  }
  const std::size_t parts = 2 * layers;
  record_.ledger_k.merge(
      ledger_of_exact(parts * policy_.exact_tokens(tokens) * clean.heads(), clean.dim()));
  record_.visits += parts;
}

}  // namespace kakeya
