// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/codec_tap.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "kakeya/cache/partition.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/codec/paged_frame.h"
#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/reference_tap.h"

namespace kakeya {
namespace {

/// Frames not yet written, written, and lost to an exception of encode().
enum Stage : int { kPending, kEncoded, kFailed };

void set_stage(std::atomic<int>& stage, Stage value) {
  stage.store(value, std::memory_order_release);
  stage.notify_all();
}

}  // namespace

/// What is done with each head of one part. decode() waits for encode(); measure_entropy() waits
/// for nothing, but reads the originals as they do, so the later of it and decode() puts the
/// decoded values in their place.
class PartCoder::Tasks {
 public:
  /// Codes what frames hold of the part that `view` shows.
  Tasks(const SiteCodecs& codecs, KvView view, const std::vector<FramePlace>& frames,
        std::vector<Head>& heads)
      : codecs_(codecs),
        view_(view),
        frames_(frames),
        heads_(heads),
        stages_(frames.size()),
        readers_(frames.size()) {
    for (std::atomic<int>& stage : stages_) stage.store(kPending, std::memory_order_relaxed);
    for (std::atomic<int>& left : readers_) left.store(2, std::memory_order_relaxed);
  }

  void encode(std::size_t index) {
    Head& head = heads_[index];
    const Codec& codec = codec_of(index);
    const auto started = Clock::now();
    try {
      head.frame.resize(codec.encoded_bound(frames_[index].tokens.count));
      const FrameWithOpenPage frame = encode_with_open_page(codec, rows(index), head.frame);
      head.bytes = frame.bytes;
      head.open = {frame.open_vectors * codec.dim(), frame.open_bytes,
                   codec.page_vectors() * codec.dim()};
      if (head.bytes > head.frame.size()) {
        throw InputError(codec.spec() + ": wrote a frame of " + std::to_string(head.bytes) +
                         " bytes, expected at most its bound of " +
                         std::to_string(head.frame.size()));
      }
    } catch (...) {
      set_stage(stages_[index], kFailed);
      throw;
    }
    head.encode_seconds = seconds_since(started);
    set_stage(stages_[index], kEncoded);
  }

  void measure_entropy(std::size_t index) {
    heads_[index].entropy = codec_of(index).account().index_entropy_bits_per_value(rows(index));
    finish_reading(index);
  }

  void decode(std::size_t index) {
    stages_[index].wait(kPending, std::memory_order_acquire);
    if (stages_[index].load(std::memory_order_acquire) == kFailed) return;
    Head& head = heads_[index];
    const Codec& codec = codec_of(index);
    const std::size_t count = frames_[index].tokens.count;
    const auto started = Clock::now();
    const auto frame = std::span<const std::byte>(head.frame).first(head.bytes);
    head.decoded.resize(count * view_.dim);
    const Rows<float> decoded = dense_rows(head.decoded.data(), count, view_.dim);
    codec.decode(frame, decoded);
    head.decode_seconds = seconds_since(started);
    const Rows<float> originals = rows(index);
    head.ledger = ledger_of(codec, originals, frame, false);
    head.distortion = {};
    head.distortion.add(originals, decoded);
    round_to_finite_bf16(head.decoded);
    finish_reading(index);
  }

 private:
  const Codec& codec_of(std::size_t index) const {
    const KvSite& site = *frames_[index].site;
    return codecs_.at(site.layer, static_cast<std::size_t>(site.head));
  }

  Rows<float> rows(std::size_t index) const {
    const FramePlace& place = frames_[index];
    const std::size_t stride = view_.heads * view_.dim,
                      channel = static_cast<std::size_t>(place.site->head) * view_.dim;
    return {view_.data + place.tokens.first * stride + channel, place.tokens.count, view_.dim,
            stride};
  }

  void finish_reading(std::size_t index) {
    if (readers_[index].fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    const Rows<float> places = rows(index);
    const Rows<float> decoded = dense_rows(heads_[index].decoded.data(), places.count, places.dim);
    for (std::size_t row = 0; row < places.count; ++row) {
      std::copy(decoded[row].begin(), decoded[row].end(), places[row].begin());
    }
  }

  const SiteCodecs& codecs_;
  KvView view_;
  const std::vector<FramePlace>& frames_;
  std::vector<Head>& heads_;
  std::vector<std::atomic<int>> stages_, readers_;
};

PartCoder::PartCoder(SiteCodecs keys, SiteCodecs values, const CachePolicy& policy,
                     WorkerPool& pool)
    : keys_(std::move(keys)),
      values_(std::move(values)),
      policy_(policy),
      ends_(policy.exact_ends("a sweep on the host")),
      pool_(pool) {
  record_.add_layers(policy);
}

void PartCoder::code(KvSite site, KvView view, std::size_t tokens) {
  const bool is_key = site.part == Part::key;
  if (site.part == Part::query || !policy_.codes(site.layer)) {
    throw InputError(site_name(site) + ": not a part that the policy codes");
  }
  const std::vector<FramePlace> frames =
      frames_of_part(site, view.heads, ends_.coded(tokens, view.tokens));
  heads_.resize(frames.size());
  Tasks tasks(is_key ? keys_ : values_, view, frames, heads_);
  // All heads encode and measure their entropy, which takes as long, then all decode: with many
  // threads the entropy costs no time, and with few heads (3 on 2 threads, say) the thirds fill the
  // gap that whole heads would leave. The pool starts tasks in order, so the frame that a decoder
  // waits for is already being written.
  pool_.run(3 * view.heads, [&](std::size_t task) {
    const std::size_t head = task % view.heads, what = task / view.heads;
    at_place(frames[head], [&] {
      what == 0 ? tasks.encode(head) : what == 1 ? tasks.measure_entropy(head) : tasks.decode(head);
    });
  });

  for (const Head& head : heads_) record_.add(policy_, site, head);
  record_.finish_part(site, policy_.exact_tokens(tokens), view.heads, view.dim);
}

CodecTap::CodecTap(EvalMode mode, TapPoint tap, const CachePolicy& policy, PartCoder& coder,
                   const KvCache* clean, std::size_t tokens, std::size_t context, std::size_t heads,
                   std::size_t dim)
    : mode_(mode),
      tap_(tap),
      policy_(policy),
      coder_(coder),
      clean_(clean),
      tokens_(tokens),
      context_(context),
      heads_(heads),
      dim_(dim) {
  require_clean_pass(mode, clean);
}

void CodecTap::visit(KvSite site, KvView view) {
  const auto started = Clock::now();
  check_view(site, view, tokens_, heads_, dim_);
  const std::size_t stride = heads_ * dim_;
  const std::span<float> values(view.data, tokens_ * stride);
  // Tokens whose K and V the mode takes from the clean pass; the others are this pass's own.
  const std::size_t replaced = replaced_tokens();
  if (replaced > 0) clean_->load(site, replaced, values);
  round_to_bf16(values.subspan(replaced * stride));
  if (mode_ != EvalMode::prefix) keep_exact(site, view, exact_window());
  if (policy_.codes(site.layer)) coder_.code(site, view, coded_tokens());
  // After a prefill nothing leaves the window: every query sees the cache as it was coded then.
  if (mode_ == EvalMode::prefix) keep_exact(site, view, exact_window());
  tap_seconds_ += seconds_since(started);
}

}  // namespace kakeya
