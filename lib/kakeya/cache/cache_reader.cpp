// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/cache_reader.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

void restore_exact_values(std::span<const std::byte> stored, const CacheBlock& block,
                          KvCache& cache) {
  const auto values = stored.first(stored.size() - kBlockChecksumBytes);
  std::uint32_t checksum;
  std::memcpy(&checksum, stored.data() + values.size(), sizeof checksum);
  if (checksum != crc32c(values)) {
    throw CorruptStream(describe_block(block) + ": the checksum does not match: damaged");
  }
  const std::size_t width = cache.heads() * cache.dim();
  const auto to = cache.writable_patterns(*block.exact)
                      .subspan(block.place.tokens.first * width, block.place.tokens.count * width);
  std::memcpy(to.data(), values.data(), values.size());
  const auto finite = [](std::uint16_t value) { return (value & 0x7f80) != 0x7f80; };
  if (!std::all_of(to.begin(), to.end(), finite)) {
    throw CorruptStream(describe_block(block) + ": a value that is not finite");
  }
}

// Throws CorruptStream where frames hold something else than the codecs code. Codecs of single
// heads are made one a head: so no more of them than a small multiple of the file's length.
void require_frames_of(const std::vector<CacheBlock>& blocks, VectorScope scope,
                       const std::string& spec) {
  const bool tokens = scope == VectorScope::token;
  for (const CacheBlock& block : blocks) {
    if (block.exact || block.place.site.has_value() != tokens) continue;
    throw CorruptStream("cache file: " + describe_block(block) + ": a frame of " +
                        (tokens ? "one head" : "whole tokens") + ", but " + spec + " codes " +
                        (tokens ? "whole tokens" : "single heads"));
  }
}

// What a file names. Throws CorruptStream on a plan that is none.
std::vector<std::string> stored_specs(const CodecPair& specs) {
  try {
    return specs_in(specs);
  } catch (const SpecError& error) {
    throw CorruptStream("cache file: " + std::string(error.what()));
  }
}

}  // namespace

CacheReader::CacheReader(std::span<const std::byte> file)
    : file_(file), head_(read_cache_head(file)) {}

CacheBytes CacheReader::bytes() const {
  CacheBytes bytes;
  for (const CacheBlock& block : head_.blocks) {
    if (!block.exact) {
      bytes.frames += block.bytes;
      continue;
    }
    const bool coded = head_.facts.extent.policy.codes(block.exact->layer);
    (coded ? bytes.exact_tokens : bytes.skipped_layers) += block.bytes - kBlockChecksumBytes;
  }
  bytes.container = file_.size() - bytes.written() - bytes.skipped_layers;
  return bytes;
}

CacheCodecs CacheReader::codecs(const ProfileSource* profiles) const {
  const CacheExtent& extent = head_.facts.extent;
  const CacheInput cache{extent.shape, extent.policy, profiles};
  const CodecPair& specs = head_.facts.codecs;
  const std::vector<std::string> named = stored_specs(specs);
  const bool calibrated = is_calibrated(specs);
  if (profiles == nullptr && calibrated) {
    throw InputError("cache of " + specs.keys + ": expected the profile that it was made with");
  }
  for (const std::string& spec : named) {
    if (spec.size() > kMaxSpecBytes) {
      throw CorruptStream("cache file: names a codec in " + std::to_string(spec.size()) +
                          " bytes, expected at most " + std::to_string(kMaxSpecBytes));
    }
    require_stored_spec(spec);
  }
  require_frames_of(head_.blocks, codes_tokens(specs) ? VectorScope::token : VectorScope::any,
                    specs.keys);
  try {
    CacheCodecs codecs = make_cache_codecs(specs, cache);
    if (codecs.canonical() == specs) return codecs;
  } catch (const SpecError& error) {
    throw CorruptStream("cache file: names codecs that are not known here: " +
                        std::string(error.what()));
  } catch (const InputError& error) {
    if (calibrated) throw;  // of the profile, or a cache that it is not of
    throw CorruptStream("cache file: names codecs that its vectors are not of: " +
                        std::string(error.what()));
  }
  throw CorruptStream("cache file: names codecs " + specs.keys + " and " + specs.values +
                      ", which is not canonical");
}

std::vector<float> CacheReader::decode(const CacheBlock& block, const CacheCodecs& codecs) const {
  try {
    const Codec& codec = codec_at(codecs, block.place);
    const std::span<const std::byte> frame = bytes_of(block);
    const FrameView view = parse_frame(frame);
    if (view.count != block.place.tokens.count) {
      throw CorruptStream("a frame of " + std::to_string(view.count) + " vectors, expected " +
                          std::to_string(block.place.tokens.count));
    }
    std::vector<float> values(view.count * codec.dim());
    codec.decode(frame, dense_rows(values.data(), view.count, codec.dim()));
    return values;
  } catch (const CorruptStream& error) {
    throw CorruptStream(describe_block(block) + ": " + error.what());
  } catch (const InputError& error) {  // no such place among those that the codecs code
    throw CorruptStream(describe_block(block) + ": " + error.what());
  }
}

KvCache CacheReader::make_cache() const {
  return KvCache(head_.facts.extent.shape, head_.facts.extent.tokens);
}

void CacheReader::restore(const CacheBlock& block, const CacheCodecs& codecs,
                          KvCache& cache) const {
  if (block.exact) return restore_exact_values(bytes_of(block), block, cache);
  const std::vector<float> values = decode(block, codecs);
  const std::size_t count = block.place.tokens.count;
  for_each_part(block.place.layers, 0, [&](KvSite site, std::size_t) {
    if (!block.place.site || block.place.site->part == site.part) {
      cache.writable_patterns(site);
    }
  });
  store_vectors(cache, block.place,
                dense_rows<const float>(values.data(), count, values.size() / count));
}

// One whose every part has been written to.
KvCache CacheReader::empty_cache() const {
  KvCache cache = make_cache();
  for (int layer = 0; layer < cache.layers(); ++layer) {
    cache.writable_patterns({layer, Part::key});
    cache.writable_patterns({layer, Part::value});
  }
  return cache;
}

KvCache CacheReader::restore_all(const CacheCodecs& codecs, WorkerPool& pool) const {
  KvCache cache = empty_cache();
  pool.run(head_.blocks.size(), [&](std::size_t i) { restore(head_.blocks[i], codecs, cache); });
  return cache;
}

KvCache CacheReader::restore_all(PartCodec& coder, WorkerPool& pool) const {
  require_frames_of(head_.blocks, VectorScope::head, head_.facts.codecs.keys);
  KvCache cache = empty_cache();
  std::vector<const CacheBlock*> exact, frames;
  for (const CacheBlock& block : head_.blocks) (block.exact ? exact : frames).push_back(&block);
  pool.run(exact.size(),
           [&](std::size_t i) { restore_exact_values(bytes_of(*exact[i]), *exact[i], cache); });
  // The heads of a part beside each other, as they are in every file of pack_cache().
  const auto place = [](const CacheBlock* block) {
    const KvSite& site = *block->place.site;
    return std::tuple(site.layer, site.part, block->place.tokens.first, site.head);
  };
  std::stable_sort(frames.begin(), frames.end(),
                   [&](const auto* a, const auto* b) { return place(a) < place(b); });
  const std::size_t heads = cache.heads();
  for (std::size_t i = 0; i < frames.size(); i += heads) {
    const FramePlace& first = frames[i]->place;
    std::vector<std::span<const std::byte>> part;
    for (std::size_t head = 0; head < heads && i + head < frames.size(); ++head) {
      const FramePlace& here = frames[i + head]->place;
      const bool beside = here.site->layer == first.site->layer &&
                          here.site->part == first.site->part && here.tokens == first.tokens;
      if (beside) part.push_back(bytes_of(*frames[i + head]));
    }
    if (part.size() != heads) {
      throw CorruptStream(describe_block(*frames[i]) +
                          ": the heads of this part are cut into "
                          "frames of different tokens, expected " +
                          std::to_string(heads) + " frames of the same");
    }
    coder.decode(part, *first.site, first.tokens, cache);
  }
  return cache;
}

}  // namespace kakeya
