// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/pack_cache.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

void require_shape(const KvCache& cache, const CacheExtent& extent) {
  const KvShape& shape = extent.shape;
  if (cache.layers() != shape.layers || extent.policy.layers != shape.layers ||
      cache.tokens() != extent.tokens || cache.heads() != shape.heads() ||
      cache.dim() != shape.dim()) {
    throw InputError("cache of " + std::to_string(cache.layers()) + " layers, " +
                     std::to_string(cache.tokens()) + " tokens, " + std::to_string(cache.heads()) +
                     " heads of " + std::to_string(cache.dim()) + ", expected " +
                     std::to_string(shape.layers) + ", " + std::to_string(extent.tokens) + ", " +
                     std::to_string(shape.kv_heads) + " of " + std::to_string(shape.head_dim) +
                     ", and a policy for as many layers");
  }
}

// Bf16 values and their checksum.
std::vector<std::byte> exact_bytes_of(const KvCache& cache, const CacheBlock& block) {
  const std::size_t width = cache.heads() * cache.dim();
  const auto values =
      cache.patterns(*block.exact)
          .subspan(block.place.tokens.first * width, block.place.tokens.count * width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if ((values[i] & 0x7f80) != 0x7f80) continue;
    throw InputError(site_name(*block.exact) + ": token " +
                     std::to_string(block.place.tokens.first + i / width) + ", head " +
                     std::to_string(i % width / cache.dim()) +
                     ": NaN or infinity, expected a finite number");
  }
  std::vector<std::byte> bytes(values.size_bytes() + kBlockChecksumBytes);
  std::memcpy(bytes.data(), values.data(), values.size_bytes());
  const std::uint32_t checksum = crc32c(std::span(bytes).first(values.size_bytes()));
  std::memcpy(bytes.data() + values.size_bytes(), &checksum, sizeof checksum);
  return bytes;
}

std::vector<std::byte> frame_of(const KvCache& cache, const FramePlace& place, const Codec& codec) {
  const std::size_t count = place.tokens.count, dim = codec.dim();
  std::vector<float> values(count * dim);
  const Rows<float> rows = dense_rows(values.data(), count, dim);
  load_vectors(cache, place, rows);
  std::vector<std::byte> frame(codec.encoded_bound(count));
  frame.resize(codec.encode(rows, frame));
  return frame;
}

// The frames of single heads, in the order of frames_of_cache().
void code_parts(const KvCache& cache, std::span<const CacheBlock> blocks, PartCodec& coder,
                std::span<std::vector<std::byte>> bytes) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].exact) continue;
    std::vector<std::vector<std::byte>> frames =
        coder.encode(cache, *blocks[i].place.site, blocks[i].place.tokens);
    std::move(frames.begin(), frames.end(), bytes.begin() + static_cast<std::ptrdiff_t>(i));
    i += frames.size() - 1;
  }
}

}  // namespace

std::vector<std::byte> pack_cache(CacheFacts facts, std::vector<std::int32_t> token_ids,
                                  const KvCache& cache, const CacheCodecs& codecs, WorkerPool& pool,
                                  PartCodec* coder) {
  require_shape(cache, facts.extent);
  codecs.require_policy(facts.extent.policy);
  facts.codecs = codecs.canonical();
  CacheHead head{std::move(facts), std::move(token_ids), {}};
  head.blocks = plan_blocks(codecs, head.facts.extent);
  std::vector<std::vector<std::byte>> blocks(head.blocks.size());
  if (coder != nullptr) code_parts(cache, head.blocks, *coder, blocks);
  pool.run(blocks.size(), [&](std::size_t i) {
    CacheBlock& block = head.blocks[i];
    if (block.exact) {
      blocks[i] = exact_bytes_of(cache, block);
    } else if (coder == nullptr) {
      at_place(block.place,
               [&] { blocks[i] = frame_of(cache, block.place, codec_at(codecs, block.place)); });
    }
    block.bytes = blocks[i].size();
  });
  std::vector<std::byte> file = write_cache_head(head);
  file.reserve(head.blocks.back().offset + head.blocks.back().bytes);
  for (std::vector<std::byte>& block : blocks) {
    file.insert(file.end(), block.begin(), block.end());
    block = {};
  }
  return file;
}

}  // namespace kakeya
