// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/transform_beside.h"

#include <algorithm>

namespace kakeya {
namespace {

constexpr char kCodec[] = "ece8:bits=4";

}  // namespace

TransformBeside::TransformBeside(const SiteTransform& transform, std::size_t vectors,
                                 std::size_t threads)
    : transform_(transform),
      vectors_(vectors),
      codec_(make_codec(kCodec, CodecInput{transform.mean.size()})),
      input_(bench_vectors(vectors, transform.mean.size())),
      decoded_(vectors, transform.mean.size()),
      fused_(vectors, transform.mean.size()),
      parts_(*codec_, input_, decoded_, fused_, threads),
      pool_(static_cast<int>(threads)) {
  for (std::size_t i = 0; i < threads; ++i) {
    const std::size_t first = vectors * i / threads, end = vectors * (i + 1) / threads;
    Tiles& tiles = tiles_.emplace_back(transform.mean.size());
    tiles.count = (end - first + kTileRows - 1) / kTileRows;
    std::uint32_t largest[kTileRows];
    load_tile(input_.rows().slice(first, std::min(kTileRows, end - first)), tiles.given.data(),
              largest);
  }
  encode_ = std::make_unique<Operation>([this] { parts_.encode(); });
  decode_ = std::make_unique<Operation>([this] { parts_.decode(); });
  products_ = std::make_unique<Operation>([this] { multiply(); });
}

// As often as there are tiles, of one tile a thread: what is counted is arithmetic, not memory.
void TransformBeside::multiply(const SiteTransform& transform, const Tiles& tiles) {
  const std::size_t dim = transform.mean.size();
  for (std::size_t tile = 0; tile < tiles.count; ++tile) {
    multiply_tile(tiles.given.data(), dim, transform.forward.data(), tiles.there.data());
    multiply_tile(tiles.there.data(), dim, transform.backward.data(), tiles.back.data());
  }
}

void TransformBeside::multiply() {
  if (tiles_.size() == 1) return multiply(transform_, tiles_.front());
  pool_.run(tiles_.size(), [&](std::size_t i) { multiply(transform_, tiles_[i]); });
}

void TransformBeside::sample() {
  encode_->sample();
  decode_->sample();
  products_->sample();
}

BesideSpeeds TransformBeside::speeds() const {
  return {kCodec, encode_->speed(vectors_), decode_->speed(vectors_), products_->speed(vectors_)};
}

}  // namespace kakeya
