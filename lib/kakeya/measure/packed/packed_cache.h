// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kakeya/cache/cache_reader.h"
#include "kakeya/core/ledger.h"
#include "kakeya/core/rows.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/stats/distortion.h"
#include "kakeya/store/kv_store.h"

namespace kakeya {

// Between a dump and a packed cache (cache/cache_file.h), and what packing cost and did: counted as
// a sweep of the same codecs and policy counts it.

/// What the cache of one passage of a dump says of itself, its codecs left out, and the dump of one
/// passage, stored as bf16, that a packed cache goes back to; provenance is left for the caller.
CacheFacts cache_facts(const DumpHead& dump, const std::string& passage, const CachePolicy& policy);
DumpHead dump_head(const CacheFacts& facts);

/// The keys and values of `layers` of a passage, rounded to bf16. Throws as DumpReader::part().
KvCache read_cache(const DumpReader& dump, int passage, LayerRange layers);

/// Writes all keys and values of a cache as a passage of a dump. Throws as DumpWriter::write_part().
void write_cache(DumpWriter& dump, int passage, const KvCache& cache);

/// Values of the coded layers, sinks and residual window too: what a rate is taken over.
std::uint64_t coded_values(const CacheExtent& extent);

/// How far decoded vectors of a place are from the original ones, in a cache of `heads` heads of
/// `dim`: of the one head, or [layer][keys, values]. Head by head within a token.
std::vector<Distortion> distortions_of(const FramePlace& place, std::size_t heads, std::size_t dim,
                                       Rows<const float> original, Rows<const float> decoded);

/// rel-MSE of keys and of values, mean over the coded layers, of what the frames hold against
/// `original`, before it is rounded. Throws as CacheReader::decode().
struct PackedErrors {
  double keys = 0, values = 0;
};
PackedErrors packed_errors(const CacheReader& reader, const CacheCodecs& codecs,
                           const KvCache& original, WorkerPool& pool);

/// Of the coded layers: frames, but for the entropy, which takes the values themselves, and exact
/// tokens. Throws as ledger_of().
RateLedger ledger_of(const CacheReader& reader, const CacheCodecs& codecs);

}  // namespace kakeya
