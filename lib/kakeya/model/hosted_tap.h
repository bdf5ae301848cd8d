// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "kakeya/host/host.h"
#include "kakeya/model/kv_tap.h"

namespace kakeya {

/// A tap during a forward of a host: what the host is told of it, and what it is shown.
class HostedTap {
 public:
  /// Throws InputError of a tap that works on the device.
  HostedTap(KvTap& tap, const KvShape& shape, std::size_t tokens);

  /// The TAP of a request (host/protocol.md).
  nlohmann::json request() const;

  /// Shows it what a "visit" or "visit_pair" holds. Throws CorruptStream unless this is what comes
  /// next, layer by layer: keys, values, queries, of those that the tap wants.
  void show(const HostMessage& call);

  /// Throws CorruptStream unless all that the tap wants was shown before `reply`.
  void finish(const HostMessage& reply) const;

 private:
  struct Visit {
    KvSite site;
    bool pair;  // keys and values of the layer
  };

  KvView view(const HostMessage& call, Part part, const char* data, const char* exact) const;

  KvTap& tap_;
  KvShape shape_;
  std::size_t tokens_, window_, shown_ = 0;
  std::vector<Visit> visits_;
};

}  // namespace kakeya
