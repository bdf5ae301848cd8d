// SPDX-License-Identifier: Apache-2.0
#include "kakeya/eval/codec_tap.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point started) {
  return std::chrono::duration<double>(Clock::now() - started).count();
}

/// Frames not yet written, written, and lost to an exception of encode().
enum Stage : int { kPending, kEncoded, kFailed };

void set_stage(std::atomic<int>& stage, Stage value) {
  stage.store(value, std::memory_order_release);
  stage.notify_all();
}

/// Says of a codec's InputError where it was met: "layer 3 keys, head 1: ...". A codec knows only
/// the vectors that it was given.
template <typename Work>
void naming_head(KvSite site, std::size_t head, const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    throw InputError(site_name(site) + ", head " + std::to_string(head) + ": " + error.what());
  }
}

}  // namespace

PartCoder::PartCoder(const Codec& keys, const Codec& values, const CachePolicy& policy,
                     WorkerPool& pool)
    : keys_(keys), values_(values), policy_(policy), pool_(pool) {
  for (int layer = 0; layer < policy.layers; ++layer) {
    if (policy.codes(layer)) record_.layers.push_back({layer, {}, {}});
  }
}

void PartCoder::code(KvSite site, KvView view, std::size_t tokens) {
  const bool is_key = site.part == Part::key;
  if (site.part == Part::query || !policy_.codes(site.layer)) {
    throw InputError(site_name(site) + ": not a part that the policy codes");
  }
  const Codec& codec = is_key ? keys_ : values_;
  const auto sinks = static_cast<std::size_t>(policy_.sinks);
  if (tokens > view.tokens || tokens <= sinks) {
    throw InputError(site_name(site) + ": " + std::to_string(tokens) + " tokens to code of " +
                     std::to_string(view.tokens) + ", expected more than the " +
                     std::to_string(sinks) + " sinks");
  }
  const std::size_t coded = tokens - sinks, stride = view.heads * view.dim;
  heads_.resize(view.heads);
  const auto rows_of = [&](std::size_t head) {
    return Rows<float>{view.data + sinks * stride + head * view.dim, coded, view.dim, stride};
  };

  // Tasks 0 .. heads-1 encode, the next `heads` decode: with few heads (3 on 2 threads, say) the
  // halves fill the gap that whole heads would leave. The pool starts tasks in order, so the frame
  // a decoder waits for is already being written.
  std::vector<std::atomic<int>> stages(view.heads);
  for (std::atomic<int>& stage : stages) stage.store(kPending, std::memory_order_relaxed);
  const auto encode_head = [&](std::size_t index) {
    Head& head = heads_[index];
    const auto started = Clock::now();
    try {
      head.frame.resize(codec.encoded_bound(coded));
      head.bytes = codec.encode(rows_of(index), head.frame);
      if (head.bytes > head.frame.size()) {
        throw InputError(codec.spec() + ": wrote a frame of " + std::to_string(head.bytes) +
                         " bytes, expected at most its bound of " +
                         std::to_string(head.frame.size()));
      }
    } catch (...) {
      set_stage(stages[index], kFailed);
      throw;
    }
    head.encode_seconds = seconds_since(started);
    set_stage(stages[index], kEncoded);
  };
  const auto decode_head = [&](std::size_t index) {
    Head& head = heads_[index];
    stages[index].wait(kPending, std::memory_order_acquire);
    if (stages[index].load(std::memory_order_acquire) == kFailed) return;
    const auto started = Clock::now();
    head.decoded.resize(coded * view.dim);
    const Rows<float> decoded = dense_rows(head.decoded.data(), coded, view.dim);
    codec.decode(std::span<const std::byte>(head.frame).first(head.bytes), decoded);
    head.decode_seconds = seconds_since(started);
    head.distortion = {};
    const Rows<float> rows = rows_of(index);
    for (std::size_t row = 0; row < coded; ++row) head.distortion.add(rows[row], decoded[row]);
    round_to_bf16(head.decoded);
    for (std::size_t row = 0; row < coded; ++row) {
      std::copy(decoded[row].begin(), decoded[row].end(), rows[row].begin());
    }
  };
  pool_.run(2 * view.heads, [&](std::size_t task) {
    const std::size_t head = task % view.heads;
    naming_head(site, head, [&] { task < view.heads ? encode_head(head) : decode_head(head); });
  });

  CodingRecord::Layer& layer =
      record_.layers[static_cast<std::size_t>(site.layer - policy_.boundary)];
  for (const Head& head : heads_) {
    (is_key ? layer.keys : layer.values).merge(head.distortion);
    record_.frame_bytes += head.bytes;
    record_.encode_seconds += head.encode_seconds;
    record_.decode_seconds += head.decode_seconds;
  }
  record_.sink_bytes += 2 * sinks * stride;
  record_.values += tokens * stride;
  ++record_.visits;
}

CodecTap::CodecTap(EvalMode mode, TapPoint tap, const CachePolicy& policy, PartCoder& coder,
                   const CleanCache* clean, std::size_t tokens, std::size_t context,
                   std::size_t heads, std::size_t dim)
    : mode_(mode),
      tap_(tap),
      policy_(policy),
      coder_(coder),
      clean_(clean),
      tokens_(tokens),
      context_(context),
      heads_(heads),
      dim_(dim) {
  if (mode != EvalMode::in_forward && !clean) {
    throw InputError("mode " + std::string(mode_name(mode)) +
                     ": expected the K and V of a clean pass");
  }
}

void CodecTap::visit(KvSite site, KvView view) {
  const auto started = Clock::now();
  check_view(site, view, tokens_, heads_, dim_);
  const std::size_t stride = heads_ * dim_;
  const std::span<float> values(view.data, tokens_ * stride);
  // Tokens whose K and V the mode takes from the clean pass; the others are this pass's own.
  const std::size_t replaced = mode_ == EvalMode::in_forward ? 0 : coded_tokens();
  if (replaced > 0) clean_->load(site, replaced, values);
  round_to_bf16(values.subspan(replaced * stride));
  if (policy_.codes(site.layer)) coder_.code(site, view, coded_tokens());
  tap_seconds_ += seconds_since(started);
}

}  // namespace kakeya
