// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/show_tap.h"

#include <ATen/ATen.h>

namespace kakeya {

void show_tap(KvTap& tap, KvSite site, const at::Tensor& part, const at::Tensor& exact,
              at::Tensor& host) {
  const std::int64_t tokens = part.size(0), heads = part.size(1), dim = part.size(2);
  const std::int64_t versions = exact.defined() ? 2 : 1, need = versions * part.numel();
  if (!host.defined() || host.numel() < need) host = at::empty({need}, at::kFloat);
  const at::Tensor dense = host.narrow(0, 0, need).view({versions, tokens, heads, dim});
  dense.select(0, 0).copy_(part);
  if (exact.defined()) dense.select(0, 1).copy_(dense.select(0, 0));
  float* const data = dense.data_ptr<float>();
  const auto count = [](std::int64_t number) { return static_cast<std::size_t>(number); };
  tap.visit(site, {.data = data,
                   .tokens = count(tokens),
                   .heads = count(heads),
                   .dim = count(dim),
                   .exact = exact.defined() ? data + part.numel() : nullptr});
  if (site.part == Part::query || !tap.writes(site)) return;
  part.copy_(dense.select(0, 0));
  if (exact.defined()) exact.copy_(dense.select(0, 1));
}

}  // namespace kakeya
