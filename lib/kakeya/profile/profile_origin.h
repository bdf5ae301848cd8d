// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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
  /// Of the passages in turn, window_digests() (token_windows.h): what else is of this text. Not in
  /// the digest. Empty: not recorded.
  std::vector<std::uint64_t> token_windows;
  std::string digest;  ///< which profile it is (profile_file.h); empty before it is stored

  /// How many windows the passages have.
  std::size_t window_count() const;

  /// The first digits of the digest: what a codec's canonical text calls the profile.
  std::string short_digest() const { return digest.substr(0, kShortDigest); }
  static constexpr std::size_t kShortDigest = 16;
};

/// Throws InputError, beginning with `where`, unless there is at least a layer and a KV head, and
/// head_dim is a multiple of 8 up to 1024, and the windows are none or those of all passages.
void check_head(const ProfileHead& head, const std::string& where);

/// Throws CorruptStream unless layers, KV heads and head_dim are within what any model has, so that
/// products of them do not overflow: of what was read from `path`.
void require_sane_shape(const KvShape& shape, const std::string& path);

}  // namespace kakeya
