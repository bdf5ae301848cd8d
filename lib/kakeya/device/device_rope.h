// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kakeya/device/device_memory.h"

namespace kakeya {

/// Which coordinates of a vector RoPE turns together, of the first 2 n: i and i + n (Llama, Qwen, Gemma in
/// Hugging Face's files), or 2 i and 2 i + 1 (GPT-J, GLM).
enum class RopePairing { halves, interleaved };

/// The RoPE of a model's layers.
struct Rope {
  /// Radians a token, of each pair: the first 2 x frequencies.size() coordinates are turned, and those behind them are not.
  std::vector<double> frequencies;
  RopePairing pairing = RopePairing::halves;
  std::size_t positions = 0;  ///< tokens are at positions below this
};

/// base^(-2 i / turned) of `turned` / 2 pairs.
std::vector<double> rope_frequencies(double base, std::size_t turned);

/// Turns a vector of a token at `position` as `rope` says, in place.
void turn_by_rope(const Rope& rope, std::size_t position, std::span<float> vector);

/// What attention over keys before RoPE reads of a RoPE: cosines and sines, in device memory. Layers that have the same
/// share one. With head_dim 128 it is 4 MB for 262144 positions, and in proportion to head_dim squared.
class DeviceRope {
 public:
  /// Throws InputError where head_dim is not 64, 128 or 256, where pairs have more coordinates than vectors, or
  /// none, where a frequency is not finite, and where there are no positions or more than 2^30.
  DeviceRope(const Rope& rope, std::size_t head_dim);

  const Rope& rope() const { return rope_; }
  std::size_t head_dim() const { return dim_; }
  std::size_t bytes() const { return fine_->bytes() + coarse_->bytes(); }
  const float* fine() const { return static_cast<const float*>(fine_->data()); }
  const float* coarse() const { return static_cast<const float*>(coarse_->data()); }
  std::size_t coarse_rows() const { return coarse_rows_; }

 private:
  Rope rope_;
  std::size_t dim_, coarse_rows_;
  std::unique_ptr<DeviceBuffer> fine_, coarse_;
};

/// A head's matrix as kernels/rope_attention.h has it, and what products with it are multiplied by.
struct RopeMatrix {
  std::vector<std::uint16_t> halves;
  float unit = 1;
};
/// Of vectors z B + mean, B at (coordinate of z, coordinate). Throws InputError where a number is not finite.
RopeMatrix rope_matrix(const Rope& rope, std::span<const float> backward,
                       std::span<const float> mean);

}  // namespace kakeya
