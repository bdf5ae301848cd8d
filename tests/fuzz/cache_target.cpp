// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cache_target.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "fuzz/accepting.h"
#include "fuzz/allocation.h"
#include "fuzz/cache_seeds.h"
#include "fuzz/finding.h"
#include "fuzz/mending.h"
#include "kakeya/cache/cache_reader.h"
#include "kakeya/cache/pack_cache.h"

namespace kakeya::fuzz {
namespace {

constexpr Part kParts[] = {Part::key, Part::value};

WorkerPool& pool() {
  static WorkerPool one(1);
  return one;
}

// What read_cache_head() and CacheReader::codecs() promise.
std::size_t head_limit(std::size_t file_bytes) { return 8 * file_bytes + 4096; }
std::size_t codec_limit(std::size_t file_bytes, std::size_t dim) {
  return 256 * file_bytes + 1536 * dim + 65536;
}

std::size_t cache_limit(const CacheExtent& extent) {
  const std::size_t parts = extent.shape.parts();
  return parts * (sizeof(std::vector<std::uint16_t>) +
                  sizeof(std::uint16_t) * extent.tokens * extent.shape.part_width());
}

std::size_t block_limit(const CacheBlock& block, const CacheExtent& extent) {
  const std::size_t vector =
      block.exact ? extent.shape.dim() : block.place.vector_values(extent.shape);
  return allocation_limit(block.bytes, vector) + sizeof(float) * values_of(block, extent);
}

void check_head(const CacheReader& reader, std::span<const std::byte> file) {
  CacheHead head{reader.facts(), reader.token_ids(), reader.blocks()};
  const auto again = write_cache_head(head);
  require(again.size() == head.blocks.front().offset &&
              std::equal(again.begin(), again.end(), file.begin()),
          "a head that was read is written to other bytes");
  const CacheBytes bytes = reader.bytes();
  require(bytes.file() == file.size() && bytes.container < file.size(),
          "the parts of a file do not add up to it");
}

std::optional<CacheCodecs> codecs_of(const CacheReader& reader, std::size_t file_bytes) {
  const CodecPair& specs = reader.facts().codecs;
  const bool calibrated = is_calibrated(specs.keys) || is_calibrated(specs.values);
  // A calibrated codec has the matrices of its profile, whatever the file.
  const std::size_t limit = calibrated ? std::numeric_limits<std::size_t>::max()
                                       : codec_limit(file_bytes, reader.facts().extent.shape.dim());
  std::optional<CacheCodecs> codecs;
  try {
    accepts([&] { codecs.emplace(reader.codecs(&cache_profiles())); }, limit);
  } catch (const InputError&) {
    require(calibrated, "a profile was missed for codecs that need none");
  }
  return codecs;
}

void require_finite(const KvCache& cache) {
  for (int layer = 0; layer < cache.layers(); ++layer) {
    for (const Part part : kParts) {
      const auto values = cache.patterns({layer, part});
      require(std::none_of(values.begin(), values.end(),
                           [](std::uint16_t value) { return (value & 0x7f80) == 0x7f80; }),
              "a restored value is not finite");
    }
  }
}

// Of one token range of a part, the patterns.
std::span<const std::uint16_t> patterns_of(const KvCache& cache, const CacheBlock& block) {
  const std::size_t width = cache.heads() * cache.dim();
  return cache.patterns(*block.exact)
      .subspan(block.place.tokens.first * width, block.place.tokens.count * width);
}

void check_packing(const CacheReader& reader, const CacheCodecs& codecs, const KvCache& cache) {
  const KvCache together = reader.restore_all(codecs, pool());
  for (int layer = 0; layer < cache.layers(); ++layer) {
    for (const Part part : kParts) {
      require(std::ranges::equal(cache.patterns({layer, part}), together.patterns({layer, part})),
              "blocks are restored to other values together");
    }
  }
  const auto again = pack_cache(reader.facts(), reader.token_ids(), cache, codecs, pool());
  const CacheReader packed(again);
  require(packed.token_ids() == reader.token_ids(), "tokens do not survive packing");
  require(packed.facts().extent == reader.facts().extent &&
              packed.facts().codecs == reader.facts().codecs &&
              packed.facts().tap == reader.facts().tap,
          "facts do not survive packing");
  const KvCache back = packed.restore_all(packed.codecs(&cache_profiles()), pool());
  for (const CacheBlock& block : packed.blocks()) {
    if (!block.exact) continue;
    require(std::ranges::equal(patterns_of(back, block), patterns_of(cache, block)),
            "values that are kept exactly do not survive packing");
  }
}

}  // namespace

bool read_checked(std::span<const std::byte> file) {
  std::optional<CacheReader> reader;
  if (!accepts([&] { reader.emplace(file); }, head_limit(file.size()))) return false;
  check_head(*reader, file);
  const auto codecs = codecs_of(*reader, file.size());
  if (!codecs) return false;

  const CacheExtent& extent = reader->facts().extent;
  std::optional<KvCache> cache;
  const bool made = accepts(
      [&] {
        cache.emplace(reader->make_cache());
        for (int layer = 0; layer < cache->layers(); ++layer) {
          for (const Part part : kParts) cache->writable_patterns({layer, part});
        }
      },
      cache_limit(extent));
  require(made, "a cache of a head that was read is refused");
  bool accepted = true;
  for (const CacheBlock& block : reader->blocks()) {
    accepted &=
        accepts([&] { reader->restore(block, *codecs, *cache); }, block_limit(block, extent));
  }
  if (!accepted) return false;
  require_finite(*cache);
  check_packing(*reader, *codecs, *cache);
  return true;
}

bool run_cache(Input input) {
  const auto bytes = std::as_bytes(input);
  std::vector<std::byte> file(bytes.begin(), bytes.end());
  mend_cache_file(file, cache_pairs());
  return read_checked(
      std::vector<std::byte>(file.begin(), file.end()));  // ends where its room does
}

}  // namespace kakeya::fuzz
