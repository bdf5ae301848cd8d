// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/torch/show_tap.h"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>

#include "kakeya/model/torch/tensor_views.h"

namespace kakeya {
namespace {

// One part on the host: [1, or 2 with an exact version][tokens, heads, dim].
class HostPart {
 public:
  HostPart(const at::Tensor& part, const at::Tensor& exact, const at::Tensor& memory)
      : part_(part),
        exact_(exact),
        dense_(memory.narrow(0, 0, need(part, exact))
                   .view({exact.defined() ? 2 : 1, part.size(0), part.size(1), part.size(2)})) {
    dense_.select(0, 0).copy_(part);
    if (exact.defined()) dense_.select(0, 1).copy_(dense_.select(0, 0));
  }

  static std::int64_t need(const at::Tensor& part, const at::Tensor& exact) {
    return (exact.defined() ? 2 : 1) * part.numel();
  }

  KvView view() const {
    const auto count = [this](int axis) { return static_cast<std::size_t>(part_.size(axis)); };
    float* const data = dense_.data_ptr<float>();
    return {.data = data,
            .tokens = count(0),
            .heads = count(1),
            .dim = count(2),
            .exact = exact_.defined() ? data + part_.numel() : nullptr};
  }

  void take_over() const {
    part_.copy_(dense_.select(0, 0));
    if (exact_.defined()) exact_.copy_(dense_.select(0, 1));
  }

 private:
  const at::Tensor &part_, &exact_;
  at::Tensor dense_;
};

void grow(at::Tensor& host, std::int64_t values) {
  if (!host.defined() || host.numel() < values) host = at::empty({values}, at::kFloat);
}

void show_on_device(KvTap& tap, KvSite site, const at::Tensor& part, const at::Tensor& exact) {
  const c10::DeviceGuard guard(part.device());  // what the tap makes and launches belongs there
  tap.visit_device(site, {.values = device_vectors(part),
                          .first_token = 0,
                          .exact = exact.defined() ? device_vectors(exact) : DeviceVectors(),
                          .stream = stream_of(part)});
}

}  // namespace

void show_tap(KvTap& tap, KvSite site, const at::Tensor& part, const at::Tensor& exact,
              at::Tensor& host) {
  if (tap.on_device()) return show_on_device(tap, site, part, exact);
  grow(host, HostPart::need(part, exact));
  const HostPart shown(part, exact, host);
  tap.visit(site, shown.view());
  if (site.part != Part::query && tap.writes(site)) shown.take_over();
}

void show_tap_pair(KvTap& tap, int layer, const std::array<at::Tensor, 2>& parts,
                   const std::array<at::Tensor, 2>& exact, at::Tensor& host) {
  const std::int64_t of_keys = HostPart::need(parts[0], exact[0]);
  grow(host, of_keys + HostPart::need(parts[1], exact[1]));
  const HostPart keys(parts[0], exact[0], host), values(parts[1], exact[1], host.slice(0, of_keys));
  tap.visit_pair(layer, keys.view(), values.view());
  if (tap.writes({layer, Part::key})) keys.take_over();
  if (tap.writes({layer, Part::value})) values.take_over();
}

}  // namespace kakeya
