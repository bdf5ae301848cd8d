// SPDX-License-Identifier: Apache-2.0
#include "kakeya/eval/token_coder.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point started) {
  return std::chrono::duration<double>(Clock::now() - started).count();
}

// One page of one run of layers.
struct Piece {
  const TokenCodecs::Run* run = nullptr;
  std::size_t first = 0, count = 0;  // tokens
  double encode_seconds = 0, decode_seconds = 0;
  std::vector<Distortion> distortions;  // [layer of the run][keys, values]
  RateLedger ledger;
};

// Calls visit(site, place of its first scalar in a vector) for keys and values of every layer.
template <typename Visit>
void for_each_part(LayerRange layers, std::size_t part_width, const Visit& visit) {
  for (int i = 0; i < layers.count; ++i) {
    const auto at = static_cast<std::size_t>(2 * i) * part_width;
    visit(KvSite{layers.first + i, Part::key}, at);
    visit(KvSite{layers.first + i, Part::value}, at + part_width);
  }
}

void code_piece(Piece& piece, const CleanCache& clean, CleanCache& decoded) {
  const Codec& codec = *piece.run->codec;
  const std::size_t part_width = clean.heads() * clean.dim(), dim = codec.dim();
  std::vector<float> values(piece.count * dim), back(values.size());
  const Rows<float> rows = dense_rows(values.data(), piece.count, dim);
  for_each_part(piece.run->layers, part_width, [&](KvSite site, std::size_t at) {
    clean.load_tokens(site, piece.first, {rows.data + at, piece.count, part_width, dim});
  });
  auto started = Clock::now();
  std::vector<std::byte> frame(codec.encoded_bound(piece.count));
  frame.resize(codec.encode(rows, frame));
  piece.encode_seconds = seconds_since(started);
  started = Clock::now();
  const Rows<float> out = dense_rows(back.data(), piece.count, dim);
  codec.decode(frame, out);
  piece.decode_seconds = seconds_since(started);
  piece.ledger = ledger_of(codec, rows, frame);
  piece.ledger.vectors = piece.ledger.values / clean.dim();
  for_each_part(piece.run->layers, part_width, [&](KvSite site, std::size_t at) {
    Distortion distortion;
    for (std::size_t row = 0; row < piece.count; ++row) {
      for (std::size_t head = at; head < at + part_width; head += clean.dim()) {
        distortion.add(rows[row].subspan(head, clean.dim()), out[row].subspan(head, clean.dim()));
      }
    }
    piece.distortions.push_back(distortion);
    decoded.store_tokens(site, piece.first, {out.data + at, piece.count, part_width, dim});
  });
}

}  // namespace

TokenCoder::TokenCoder(TokenCodecs codecs, const CachePolicy& policy, WorkerPool& pool)
    : codecs_(std::move(codecs)), policy_(policy), pool_(pool) {
  for (int layer = 0; layer < policy.layers; ++layer) {
    if (policy.codes(layer)) record_.layers.push_back({layer, {}, {}});
  }
}

void TokenCoder::code(const CleanCache& clean, std::size_t tokens, CleanCache& decoded) {
  decoded = clean;
  const auto sinks = static_cast<std::size_t>(policy_.sinks);
  const std::size_t exact = policy_.exact_tokens();
  if (tokens > clean.tokens() || tokens <= exact) {
    throw InputError(std::to_string(tokens) + " tokens to code of " +
                     std::to_string(clean.tokens()) + ", expected more than the " +
                     std::to_string(sinks) + " sinks and " + std::to_string(policy_.recent) +
                     " recent tokens");
  }
  const std::size_t end = sinks + tokens - exact;
  std::vector<Piece> pieces;
  for (const TokenCodecs::Run& run : codecs_.runs()) {
    const std::size_t page = run.codec->page_vectors();
    for (std::size_t first = sinks; first < end; first += page) {
      pieces.push_back({&run, first, std::min(page, end - first), 0, 0, {}, {}});
    }
  }
  pool_.run(pieces.size(), [&](std::size_t task) {
    Piece& piece = pieces[task];
    try {
      code_piece(piece, clean, decoded);
    } catch (const InputError& error) {
      const LayerRange layers = piece.run->layers;
      throw InputError("layers " + std::to_string(layers.first) + " to " +
                       std::to_string(layers.first + layers.count - 1) + ", tokens from " +
                       std::to_string(piece.first) + ": " + error.what());
    }
  });
  for (const Piece& piece : pieces) {
    for (std::size_t part = 0; part < piece.distortions.size(); ++part) {
      const auto layer =
          static_cast<std::size_t>(piece.run->layers.first - policy_.boundary) + part / 2;
      CodingRecord::Layer& to = record_.layers[layer];
      (part % 2 == 0 ? to.keys : to.values).merge(piece.distortions[part]);
    }
    record_.ledger_k.merge(piece.ledger);
    record_.encode_seconds += piece.encode_seconds;
    record_.decode_seconds += piece.decode_seconds;
  }
  const std::size_t parts = 2 * record_.layers.size();
  record_.ledger_k.merge(ledger_of_exact(parts * exact * clean.heads(), clean.dim()));
  record_.visits += parts;
}

}  // namespace kakeya
