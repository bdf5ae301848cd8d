// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "kakeya/core/kv.h"
#include "kakeya/core/origin.h"

namespace kakeya {

/// What a profile is of, whichever codec it is for: a model, and the text it was calibrated on.
struct ProfileHead {
  Origin origin;  ///< its model and text
  KvShape shape;
  TapPoint tap = TapPoint::pre_rope;
  std::string tokens_sha256;                 ///< of the ids of all passages, int32 little-endian
  std::string dtype;                         ///< of weights and activations: "fp32" or "bf16"
  int passages = 0, context = 0, sinks = 0;  ///< of the calibration
  std::string digest;  ///< SHA-256 of the file, hexadecimal; empty before it is stored

  /// The first digits of the digest: what a codec's canonical text calls the profile.
  std::string short_digest() const { return digest.substr(0, kShortDigest); }
  static constexpr std::size_t kShortDigest = 16;
};

/// Throws InputError, beginning with `where`, unless there is at least a layer and a KV head, and
/// head_dim is a multiple of 8 up to 1024.
void check_head(const ProfileHead& head, const std::string& where);

/// Throws CorruptStream unless layers, KV heads and head_dim are within what any model has, so that
/// products of them do not overflow: of what was read from `path`.
void require_sane_shape(const KvShape& shape, const std::string& path);

}  // namespace kakeya
