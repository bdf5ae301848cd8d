// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/descriptor.h"

namespace kakeya {

// To add a codec: its .cpp with a descriptor, one word here and one there.
extern const CodecDescriptor kIdentity, kE8, kD4, kTq, kEcz, kEcd4, kEce8, kKlt, kKltLayers,
    kKltProfileless, kKvtc, kFp8, kQ4_0, kQ5_0, kQ8_0, kQ4_1, kQ5_1, kIq4Nl, kInt8, kInt4, kNvfp4,
    kMxfp4, kTurboQuant, kKivi;

std::span<const CodecDescriptor* const> builtin_codecs() {
  static constexpr const CodecDescriptor* kCodecs[] = {
      &kIdentity,       &kE8,        &kD4,   &kTq,   &kEcz,   &kEcd4,  &kEce8,       &kKlt,
      &kKltProfileless, &kKltLayers, &kKvtc, &kFp8,  &kQ4_0,  &kQ5_0,  &kQ8_0,       &kQ4_1,
      &kQ5_1,           &kIq4Nl,     &kInt8, &kInt4, &kNvfp4, &kMxfp4, &kTurboQuant, &kKivi,
  };
  return kCodecs;
}

}  // namespace kakeya
