// SPDX-License-Identifier: Apache-2.0
#include "kakeya/generate/decode_speed.h"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <memory>

#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::uint64_t peak_process_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024 * static_cast<std::uint64_t>(usage.ru_maxrss);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Token `at` of sequence `sequence`, of texts that begin so many parts of the whole apart.
std::int32_t token_of(std::span<const std::int32_t> text, std::size_t sequence, std::size_t at) {
  return text[(sequence * (text.size() * 5 / 13 + 1) + at) % text.size()];
}

// A cache that decodes, and what was measured of it.
class Decoder {
 public:
  Decoder(LoadedModel& loaded, const ProfileShelf& shelf, const SessionRequest& request,
          std::span<const std::int32_t> text)
      : session_(loaded, is_calibrated(request) ? shelf : none_, request),
        chunk_(request.prefill_chunk),
        text_(text) {
    result.codecs = session_.codecs();
  }

  void prefill(std::size_t context) {
    sequences_.push_back(session_.add_sequence());
    const std::size_t number = sequences_.size() - 1;
    for (std::size_t at = 0; at < context;) {
      std::vector<std::int32_t> tokens;
      for (; tokens.size() < chunk_ && at < context; ++at)
        tokens.push_back(token_of(text_, number, at));
      const StepInput input{sequences_.back(), tokens, 0};
      session_.model().step({&input, 1}, session_.step_cache());
    }
    length_ = context;
  }

  // A token of each sequence.
  void step() {
    std::vector<std::int32_t> tokens;
    for (std::size_t s = 0; s < sequences_.size(); ++s)
      tokens.push_back(token_of(text_, s, length_));
    std::vector<StepInput> batch;
    for (std::size_t s = 0; s < sequences_.size(); ++s)
      batch.push_back({sequences_[s], {&tokens[s], 1}, 1});
    session_.model().step(batch, session_.step_cache());
    ++length_;
  }

  void turn(std::size_t steps) {
    const auto started = Clock::now();
    const double cpu = cpu_seconds();
    for (std::size_t i = 0; i < steps; ++i) step();
    seconds_.push_back(seconds_since(started) / static_cast<double>(steps));
    cpu_seconds_.push_back((cpu_seconds() - cpu) / static_cast<double>(steps));
    result.live = session_.live_bytes();
    result.peak_live = std::max(result.peak_live, result.live.total());
  }

  void finish() {
    result.seconds_per_step = median(seconds_);
    result.cpu_seconds_per_step = median(cpu_seconds_);
    result.peak_process = peak_process_bytes();
  }

  LiveBytes live() const { return session_.live_bytes(); }
  DecodeSpeed result;

 private:
  static bool is_calibrated(const SessionRequest& request) {
    return request.codecs && (kakeya::is_calibrated(request.codecs->keys) ||
                              kakeya::is_calibrated(request.codecs->values));
  }

  ProfileShelf none_;  // for codecs without a profile, beside others
  Session session_;
  std::size_t chunk_, length_ = 0;
  std::span<const std::int32_t> text_;
  std::vector<int> sequences_;
  std::vector<double> seconds_, cpu_seconds_;
};

void compare_with_bf16(std::vector<DecodeSpeed>& results) {
  const auto bf16 = std::find_if(results.begin(), results.end(), [](const DecodeSpeed& each) {
    return each.codecs == CodecPair{"identity", "identity"};
  });
  if (bf16 == results.end()) return;
  const double speed = bf16->tokens_per_second();
  for (DecodeSpeed& each : results) each.of_bf16 = each.tokens_per_second() / speed;
}

void check(const LoadedModel& loaded, std::size_t tokens, std::span<const std::int32_t> text) {
  const auto context = static_cast<std::size_t>(loaded.model->facts().context);
  if (tokens > context || tokens > text.size()) {
    throw InputError(std::to_string(tokens) + " tokens a sequence, expected at most the " +
                     std::to_string(context) + " of the model's context and the " +
                     std::to_string(text.size()) + " of the text");
  }
}

}  // namespace

std::vector<DecodeSpeed> time_decoding(LoadedModel& loaded, const ProfileShelf& shelf,
                                       const DecodePlan& plan, std::span<const std::int32_t> text,
                                       const DecodeProgress& progress) {
  if (plan.batch == 0 || plan.tokens == 0 || plan.rounds == 0 || plan.context == 0) {
    throw InputError("no sequences, tokens, context or rounds to time, expected at least one");
  }
  check(loaded, plan.context + 1 + plan.tokens, text);
  std::vector<std::unique_ptr<Decoder>> decoders;
  for (const SessionRequest& request : plan.caches)
    decoders.push_back(std::make_unique<Decoder>(loaded, shelf, request, text));
  std::size_t done = 0;
  for (const auto& decoder : decoders) {
    if (progress) progress(decoder->result.codecs.label(), done);
    const auto started = Clock::now();
    for (std::size_t s = 0; s < plan.batch; ++s) decoder->prefill(plan.context);
    decoder->step();
    decoder->result.first_token_seconds = seconds_since(started);
    decoder->result.peak_live = decoder->live().total();
    ++done;
  }
  const std::size_t rounds = std::min(plan.rounds, plan.tokens);
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::size_t steps = plan.tokens * (round + 1) / rounds - plan.tokens * round / rounds;
    for (const auto& decoder : decoders) {
      if (progress) progress(decoder->result.codecs.label(), done);
      decoder->turn(steps);
      ++done;
    }
  }
  std::vector<DecodeSpeed> results;
  for (const auto& decoder : decoders) {
    decoder->finish();
    decoder->result.context = plan.context;
    decoder->result.batch = plan.batch;
    decoder->result.tokens = plan.tokens;
    results.push_back(decoder->result);
  }
  compare_with_bf16(results);
  return results;
}

FittingBatch largest_batch(LoadedModel& loaded, const ProfileShelf& shelf,
                           const SessionRequest& request, std::size_t context, std::uint64_t bytes,
                           std::size_t most, std::span<const std::int32_t> text,
                           const DecodeProgress& progress) {
  check(loaded, context, text);
  Decoder decoder(loaded, shelf, request, text);
  FittingBatch fitting{decoder.result.codecs, 0, 0};
  while (fitting.batch < most) {
    if (progress) progress(fitting.codecs.label(), fitting.batch);
    decoder.prefill(context);
    const std::uint64_t live = decoder.live().total();
    if (live > bytes) break;
    fitting.batch += 1;
    fitting.live = live;
  }
  return fitting;
}

}  // namespace kakeya
