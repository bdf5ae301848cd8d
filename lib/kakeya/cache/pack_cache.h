// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kakeya/cache/cache_file.h"
#include "kakeya/cache/kv_cache.h"
#include "kakeya/cache/part_codec.h"
#include "kakeya/core/worker_pool.h"

namespace kakeya {

/// The file (cache_file.h) of a cache whose shape facts.extent says: frames of `codecs`, the same
/// that a sweep of the same policy writes, and the rest as bf16. facts.codecs is set from `codecs`.
/// Throws what the codecs throw, an InputError with the place before it, and InputError on a cache
/// of another shape, or with values to be kept that are not finite. Where `coder` is given it writes
/// the frames: `codecs` are then of single heads, and the file is the same.
std::vector<std::byte> pack_cache(CacheFacts facts, std::vector<std::int32_t> token_ids,
                                  const KvCache& cache, const CacheCodecs& codecs, WorkerPool& pool,
                                  PartCodec* coder = nullptr);

}  // namespace kakeya
