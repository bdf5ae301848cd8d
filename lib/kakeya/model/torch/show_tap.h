// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "kakeya/model/kv_tap.h"

namespace at {
class Tensor;
}

namespace kakeya {

/// Shows `tap` one part of a layer on the host, and takes over what it wrote where it says that it
/// writes; a tap that works on the device gets the part itself.
///   part   (tokens, heads, dim), a view: what is shown, and KvView::data afterwards
///   exact  the same shape, a view that holds what `part` does: KvView::exact afterwards; undefined
///          where the tap is to see none
///   host   scratch in float32, which grows as needed
void show_tap(KvTap& tap, KvSite site, const at::Tensor& part, const at::Tensor& exact,
              at::Tensor& host);

/// The same of keys and values together, for a tap on the host that wants pairs.
void show_tap_pair(KvTap& tap, int layer, const std::array<at::Tensor, 2>& parts,
                   const std::array<at::Tensor, 2>& exact, at::Tensor& host);

}  // namespace kakeya
