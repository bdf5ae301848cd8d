// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/core/error.h"
#include "kakeya/core/kv.h"
#include "kakeya/device/device_vectors.h"

namespace kakeya {

/// The K, V or Q of one layer for a run of tokens where the model computes, [tokens, heads, dim] in
/// its own memory: what a tap writes there is what the model goes on with. `first_token` is the
/// position of the first row in the sequence.
struct DeviceKvView {
  DeviceVectors values;  ///< bf16 or fp32
  std::size_t first_token = 0;
  /// For a tap with an exact window: KvView::exact, of the shape and strides of its own. Its data is
  /// null without one, and for Q.
  DeviceVectors exact = {};
  /// What the tap puts on this stream happens after what made `values`, and before they are read.
  DeviceStream stream = nullptr;
};

/// Sees every K and V the model is about to store, layer by layer, K before V, and may overwrite
/// them.
class KvTap {
 public:
  virtual ~KvTap() = default;

  virtual void visit(KvSite site, KvView view) = 0;

  /// Whether the keys and values of a layer are shown together, where both are wanted, to
  /// visit_pair() in place of visit(): to a tap that needs both before it can write either.
  virtual bool wants_pairs() const { return false; }

  /// Both [tokens, heads, dim] of one layer, before RoPE or after as tap_point() says for keys;
  /// KvView::exact of either is null or not as in visit(). What writes() allows is taken over.
  virtual void visit_pair(int layer, KvView keys, KvView values);

  /// Whether the tap works where the model does: parts are shown to visit_device() in place of
  /// visit() and visit_pair(), and nothing is copied.
  virtual bool on_device() const { return false; }

  /// One part as the model holds it. Nothing may wait for the device here unless it has to. Nothing
  /// reads a layer's keys before its values have been shown, until when they may be written. Throws
  /// InputError here.
  virtual void visit_device(KvSite site, const DeviceKvView& view);

  /// Whether visit() wants this site at all. Where false, the model neither copies nor calls.
  virtual bool wants(KvSite site) const { return site.part != Part::query; }

  /// Whether visit() may change the data of this site. Where false, the model goes on with its own
  /// tensor.
  virtual bool writes(KvSite site) const { return site.part != Part::query; }

  virtual TapPoint tap_point() const { return TapPoint::pre_rope; }

  /// Of how many first tokens visit() sets K and V of every layer, whatever they are before. Asked
  /// once a forward. Where nobody else needs these tokens the model computes nothing of them, and
  /// their rows, of Q too, are zeros.
  virtual std::size_t replaced_tokens() const { return 0; }

  /// How many of the last tokens, its own included, a query sees as visit() left them in
  /// KvView::exact; all before them it sees as left in KvView::data. Asked once a forward. With 0,
  /// the model keeps one version.
  virtual std::size_t exact_window() const { return 0; }
};

inline void KvTap::visit_pair(int layer, KvView keys, KvView values) {
  visit({layer, Part::key}, keys);
  visit({layer, Part::value}, values);
}

inline void KvTap::visit_device(KvSite site, const DeviceKvView&) {
  throw InputError(site_name(site) + ": shown on the device to a tap that works on the host");
}

}  // namespace kakeya
