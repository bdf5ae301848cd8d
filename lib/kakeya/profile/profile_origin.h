// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace kakeya {

/// What a profile is of, whichever codec it is for: a model, and the text it was calibrated on.
struct ProfileOrigin {
  std::string model_name, model_sha256;
  std::string text_name, text_sha256;
  std::string tokens_sha256;  ///< of the ids of all passages, int32 little-endian
  std::string tap;            ///< "pre-rope" or "post-rope": what keys were seen
  std::string dtype;          ///< of weights and activations: "fp32" or "bf16"
  int layers = 0, kv_heads = 0, head_dim = 0;
  int passages = 0, context = 0, sinks = 0;  ///< of the calibration
  std::string digest;  ///< SHA-256 of the file, hexadecimal; empty before it is stored

  /// The first digits of the digest: what a codec's canonical text calls the profile.
  std::string short_digest() const { return digest.substr(0, kShortDigest); }
  static constexpr std::size_t kShortDigest = 16;

  /// Scalars of one part, keys or values, of a token in one layer.
  std::size_t part_width() const {
    return static_cast<std::size_t>(kv_heads) * static_cast<std::size_t>(head_dim);
  }
};

/// Throws InputError, beginning with `where`, unless there is at least a layer and a KV head,
/// head_dim is a multiple of 8 up to 1024, and the tap is one of the two.
void check_origin(const ProfileOrigin& origin, const std::string& where);

/// Throws CorruptStream unless layers, KV heads and head_dim are within what any model has, so that
/// products of them do not overflow: of what was read from `path`.
void require_sane_shape(const ProfileOrigin& origin, const std::string& path);

}  // namespace kakeya
