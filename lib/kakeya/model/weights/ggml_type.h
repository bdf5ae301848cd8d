// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kakeya {

/// How ggml stores a type: blocks of `values` scalars in `bytes` bytes (Q4_1: 32 in 20).
struct GgmlLayout {
  std::uint32_t type = 0;  ///< ggml type number
  const char* name = "";   ///< "Q4_1"
  std::uint32_t values = 0;
  std::uint32_t bytes = 0;
};

/// The layout of ggml type number `type`; null where the number is not known here.
/// https://github.com/ggml-org/ggml/blob/master/src/ggml.c, type_traits.
const GgmlLayout* ggml_layout(std::uint32_t type);

}  // namespace kakeya
