// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/device_tap.h"

#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

[[noreturn]] void refuse_host(KvSite site) {
  throw InputError(site_name(site) + ": shown on the host to a tap that works on the device");
}

double seconds_of(const std::deque<DeviceTimer>& visits) {
  double seconds = 0;
  for (const DeviceTimer& visit : visits) seconds += 1e-6 * visit.microseconds();
  return seconds;
}

}  // namespace

void DeviceReferenceTap::visit_device(KvSite site, const DeviceKvView& view) {
  check_view(site, view, tokens_, heads_, dim_);
  count(site);
  round_vectors_to_bf16(view.values, view.stream);
  keep_exact(site, view, exact_window());
  if (keep_ != nullptr) keep_->store(site, view.values, view.stream);
}

DeviceCodecTap::DeviceCodecTap(EvalMode mode, TapPoint tap, const CachePolicy& policy,
                               DevicePartCoder& coder, const DeviceKvCache* clean,
                               std::size_t tokens, std::size_t context, std::size_t heads,
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

void DeviceCodecTap::visit_device(KvSite site, const DeviceKvView& view) {
  visits_.emplace_back();
  visits_.back().start(view.stream);
  check_view(site, view, tokens_, heads_, dim_);
  // As CodecTap::visit(), which says why.
  const std::size_t replaced = replaced_tokens();
  if (replaced > 0) clean_->load(site, view.values.slice({0, replaced}), view.stream);
  round_vectors_to_bf16(view.values.slice({replaced, tokens_ - replaced}), view.stream);
  if (mode_ != EvalMode::prefix) keep_exact(site, view, exact_window());
  if (policy_.codes(site.layer)) coder_.code(site, view.values, coded_tokens(), view.stream);
  if (mode_ == EvalMode::prefix) keep_exact(site, view, exact_window());
  visits_.back().stop(view.stream);
}

void DeviceCodecTap::visit(KvSite site, KvView) { refuse_host(site); }

double DeviceCodecTap::tap_seconds() const { return seconds_of(visits_); }

void DeviceLayerTap::visit_device(KvSite site, const DeviceKvView& view) {
  visits_.emplace_back();
  visits_.back().start(view.stream);
  check_view(site, view, tokens_, heads_, dim_);
  round_vectors_to_bf16(view.values, view.stream);
  keep_exact(site, view, exact_window());
  if (site.part == Part::key) {
    keys_.emplace(site.layer, view.values);
  } else if (policy_.codes(site.layer)) {
    if (!keys_ || keys_->first != site.layer) {
      throw InputError(site_name(site) + ": shown without the keys of the layer before them");
    }
    coder_.code_layer(site.layer, keys_->second, view.values, tokens_, view.stream);
    keys_.reset();
  }
  visits_.back().stop(view.stream);
}

void DeviceLayerTap::visit(KvSite site, KvView) { refuse_host(site); }

double DeviceLayerTap::tap_seconds() const { return seconds_of(visits_); }

void DeviceReplayTap::visit_device(KvSite site, const DeviceKvView& view) {
  const DeviceVectors shape = cache_.part(site), first = view.values.slice({0, replaced_});
  check_view(site, view, shape.tokens, shape.heads, shape.dim);
  round_vectors_to_bf16(view.values.slice({replaced_, shape.tokens - replaced_}), view.stream);
  if (replaced_ > 0) exact_.load(site, first, view.stream);
  keep_exact(site, view, exact_window_);
  if (replaced_ > 0) cache_.load(site, first, view.stream);
}

void DeviceReplayTap::visit(KvSite site, KvView) { refuse_host(site); }

}  // namespace kakeya
