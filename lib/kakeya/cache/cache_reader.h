// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/cache/cache_file.h"
#include "kakeya/cache/kv_cache.h"
#include "kakeya/cache/part_codec.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// Where the bytes of a cache file are.
struct CacheBytes {
  std::uint64_t frames = 0;          ///< of the coded tokens
  std::uint64_t exact_tokens = 0;    ///< sinks and residual window of coded layers
  std::uint64_t skipped_layers = 0;  ///< layers that are not coded
  std::uint64_t container = 0;       ///< head, table, token ids, checksums

  /// What a sweep of the same policy counts as written.
  std::uint64_t written() const { return frames + exact_tokens; }
  std::uint64_t file() const { return written() + skipped_layers + container; }
};

/// A cache file (cache_file.h), any block of which is read alone.
class CacheReader {
 public:
  /// `file` is the whole file and must outlive the reader. Throws as read_cache_head().
  explicit CacheReader(std::span<const std::byte> file);

  const CacheFacts& facts() const { return head_.facts; }
  const std::vector<std::int32_t>& token_ids() const { return head_.token_ids; }
  const std::vector<CacheBlock>& blocks() const { return head_.blocks; }
  CacheBytes bytes() const;

  /// What is stored of a block: a frame, or bf16 values and their checksum.
  std::span<const std::byte> bytes_of(const CacheBlock& block) const {
    return file_.subspan(block.offset, block.bytes);
  }

  /// The codecs that the file names. Throws InputError where one needs a profile that `profiles`
  /// does not have or that is of another cache, CorruptStream where there are no such codecs for
  /// vectors of this length, the names are not canonical, or the frames are not such as these
  /// codecs write. Asks for at most 256 bytes of memory for a byte of the file, 1536 for a
  /// coordinate of a head and 64 KiB, besides what is kept and shared (tables of entropy coders) or
  /// the profile has.
  CacheCodecs codecs(const ProfileSource* profiles) const;

  /// What one frame holds, float32 [tokens, scalars a vector], by `codecs` of the file. Throws
  /// CorruptStream, saying which block, when it is damaged or not what the table says.
  std::vector<float> decode(const CacheBlock& block, const CacheCodecs& codecs) const;

  /// An empty cache of the file's shape.
  KvCache make_cache() const;

  /// Puts one block, decoded values rounded to finite bf16, in its place in a cache of the file's
  /// shape. Throws as decode(). Different blocks may be restored at the same time where every part
  /// has been written to before.
  void restore(const CacheBlock& block, const CacheCodecs& codecs, KvCache& cache) const;

  /// All of it.
  KvCache restore_all(const CacheCodecs& codecs, WorkerPool& pool) const;

  /// The same, frames of single heads decoded by `coder`. Throws CorruptStream on a file with
  /// frames of whole tokens.
  KvCache restore_all(PartCodec& coder, WorkerPool& pool) const;

 private:
  KvCache empty_cache() const;
  std::span<const std::byte> file_;
  CacheHead head_;
};

}  // namespace kakeya
