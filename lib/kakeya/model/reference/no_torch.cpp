// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/error.h"
#include "kakeya/model/reference/reference.h"

namespace kakeya {

struct ReferenceCodec::State {};

ReferenceCodec::ReferenceCodec(std::string_view name, std::size_t, int) {
  throw InputError("published round trip of " + std::string(name) +
                   ": cannot run: this build has no LibTorch (see the configure output)");
}

ReferenceCodec::~ReferenceCodec() = default;

void ReferenceCodec::roundtrip(const float*, std::size_t, float*) const {}

void set_reference_threads(int) {}

std::string reference_library() { return {}; }

}  // namespace kakeya
