// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/cache/packed_cache.h"
#include "kakeya/codec/cache_codecs.h"
#include "kakeya/core/kv.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/coding_record.h"
#include "kakeya/model/model.h"

namespace kakeya {

/// Context tokens of a step: whole pages of the default codecs, and the scratch of a step stays small.
inline constexpr std::size_t kDecodeChunk = 512;

/// What came of decoding a passage over a cache that lives packed.
struct DecodedPassage {
  /// [scored, vocab]: row i predicts token context + i, as those of Model::logits() from position
  /// context - 1 on do.
  std::vector<float> logits;
  CodingRecord record;
  double step_seconds = 0;   ///< of all steps
  double cache_seconds = 0;  ///< of these in the cache, coding; reading it is attention's
};

/// EvalMode::decode. The first `context` tokens of a passage are given to the model in steps of
/// kDecodeChunk, the others one by one, whatever it predicts. Throws what PackedCache, Model::step()
/// and record_of_cache() throw.
DecodedPassage decode_passage(Model& model, std::span<const std::int32_t> passage,
                              std::size_t context, const CacheCodecs& codecs,
                              const CachePolicy& policy, TapPoint tap, WorkerPool& pool);

/// Throws SpecError naming the codec where a PackedCache of this model does not take it, and where none of
/// its pages fills in `tokens` tokens (but for `identity`, of which that is no matter).
void check_decoding(const ModelFacts& facts, const CacheCodecs& codecs, const CachePolicy& policy,
                    std::size_t tokens);

/// What a sequence of a packed cache costs and what it lost, from `given`, the bf16 values that it was
/// given: they are coded once more, as the cache codes them. Rates: the sealed pages of a lane
/// as one frame, or where the codec has no pages a frame each; the tokens behind them as the frame that
/// they would be, and as OpenPages. Tokens that a sliding window has left since count too. Distortion: of sealed pages alone,
/// before rounding; where nothing is sealed, of what the frame would give.
///
/// Throws InputError, the site named, where the cache gives back anything but the sealed pages decoded
/// here and the other tokens as they were given.
CodingRecord record_of_cache(const PackedCache& cache, int sequence, const KvCache& given,
                             const CacheCodecs& codecs, WorkerPool& pool);

}  // namespace kakeya
