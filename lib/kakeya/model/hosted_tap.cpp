// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/hosted_tap.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr Part kParts[] = {Part::key, Part::value, Part::query};

const char* name_of(Part part) {
  return part == Part::key ? "key" : part == Part::value ? "value" : "query";
}

}  // namespace

HostedTap::HostedTap(KvTap& tap, const KvShape& shape, std::size_t tokens)
    : tap_(tap), shape_(shape), tokens_(tokens), window_(tap.exact_window()) {
  if (tap.on_device()) {
    throw InputError("a tap on the device, expected one on the host: the model runs in a host");
  }
  for (int layer = 0; layer < shape.layers; ++layer) {
    const bool pair =
        tap.wants_pairs() && tap.wants({layer, Part::key}) && tap.wants({layer, Part::value});
    for (const Part part : kParts) {
      if (!tap.wants({layer, part}) || (pair && part == Part::value)) continue;
      visits_.push_back({{layer, part}, pair && part == Part::key});
    }
  }
}

nlohmann::json HostedTap::request() const {
  std::string sites;
  for (int layer = 0; layer < shape_.layers; ++layer) {
    for (const Part part : kParts) {
      const KvSite site{layer, part};
      const bool writes = part != Part::query && tap_.writes(site);
      sites += !tap_.wants(site) ? '0' : writes ? '2' : '1';
    }
  }
  return {{"point", tap_name(tap_.tap_point())},
          {"sites", sites},
          {"pairs", tap_.wants_pairs()},
          {"window", std::min(window_, tokens_)}};
}

KvView HostedTap::view(const HostMessage& call, Part part, const char* data,
                       const char* exact) const {
  const std::size_t values = tokens_ * shape_.heads(part) * shape_.dim();
  const bool two = window_ > 0 && part != Part::query;
  if (!two && call.has(exact)) call.refuse(exact, "null: the tap has no exact window here");
  return {.data = call.floats(data, values).data(),
          .tokens = tokens_,
          .heads = shape_.heads(part),
          .dim = shape_.dim(),
          .exact = two ? call.floats(exact, values).data() : nullptr};
}

void HostedTap::show(const HostMessage& call) {
  if (shown_ == visits_.size()) call.refuse("a visit after the last that the tap wants");
  const Visit& next = visits_[shown_++];
  const int layer = next.site.layer;
  call.whole("tokens", static_cast<std::int64_t>(tokens_), static_cast<std::int64_t>(tokens_));
  call.whole("first_token", 0, 0);
  if (next.pair) {
    call.whole("visit_pair", layer, layer);
    const KvView keys = view(call, Part::key, "keys", "exact_keys"),
                 values = view(call, Part::value, "values", "exact_values");
    return tap_.visit_pair(layer, keys, values);
  }
  const nlohmann::json expected = {layer, name_of(next.site.part)};
  if (!call.has("visit") || call.json()["visit"] != expected) call.refuse("visit", expected.dump());
  tap_.visit(next.site, view(call, next.site.part, "at", "exact"));
}

void HostedTap::finish(const HostMessage& reply) const {
  if (shown_ == visits_.size()) return;
  reply.refuse("the forward ended before " + site_name(visits_[shown_].site) + " were shown");
}

}  // namespace kakeya
