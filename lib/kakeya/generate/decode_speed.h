// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/generate/session.h"

namespace kakeya {

/// What is timed together: the same steps over a cache of each codec, in turn.
struct DecodePlan {
  std::vector<SessionRequest> caches;  ///< the codecs
  std::size_t context = 512;           ///< tokens of each sequence before the first that is timed
  std::size_t batch = 1;               ///< sequences, of different texts
  std::size_t tokens = 32;             ///< that each sequence decodes after the first
  std::size_t rounds = 4;              ///< turns that these are cut into, at least one token each
};

/// What a cache did. Wall time is what a user sees; CPU time is what a busy machine does not disturb.
struct DecodeSpeed {
  CodecPair codecs;
  std::size_t context = 0, batch = 0, tokens = 0;
  double first_token_seconds = 0;   ///< the prefill of all sequences and their first step
  double seconds_per_step = 0;      ///< a token of each sequence: the median over the rounds
  double cpu_seconds_per_step = 0;  ///< of all threads, also a median
  LiveBytes live;                   ///< after the last step
  std::uint64_t peak_live = 0;      ///< the most that a step ended with
  std::uint64_t peak_process = 0;  ///< resident bytes of the process at its peak so far: all caches
  /// tokens_per_second() over that of the cache of `identity`, bf16, that was timed beside; none without one.
  std::optional<double> of_bf16;

  double tokens_per_second() const { return static_cast<double>(batch) / seconds_per_step; }
  double tokens_per_cpu_second() const { return static_cast<double>(batch) / cpu_seconds_per_step; }
};

/// Says what is being done; of all codecs `done` of `all` steps.
using DecodeProgress = std::function<void(const std::string& codec, std::size_t done)>;

/// Prefills a cache of each codec with `context` tokens of `text` for each sequence, then lets them take
/// turns. The text itself follows, whatever the logits say, so that all caches do the same; sequence s
/// begins s parts into it, which goes round. Throws InputError where context and tokens are more than the
/// model's context or the text, SpecError and InputError as Session.
std::vector<DecodeSpeed> time_decoding(LoadedModel& loaded, const ProfileShelf& shelf,
                                       const DecodePlan& plan, std::span<const std::int32_t> text,
                                       const DecodeProgress& progress = {});

/// How many sequences of `context` tokens fit.
struct FittingBatch {
  CodecPair codecs;
  std::size_t batch = 0;
  std::uint64_t live = 0;  ///< bytes of these
};

/// The most sequences, of different texts, whose live bytes are at most `bytes`: they are prefilled and
/// held, one more after another, until there are more bytes or `most` sequences. Throws as time_decoding().
FittingBatch largest_batch(LoadedModel& loaded, const ProfileShelf& shelf,
                           const SessionRequest& request, std::size_t context, std::uint64_t bytes,
                           std::size_t most, std::span<const std::int32_t> text,
                           const DecodeProgress& progress = {});

}  // namespace kakeya
