// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "kakeya/codec/codec.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/grid.h"

namespace kakeya::testing {

/// Writes frames of `identity` (so vectors should be bf16) and gives back what was stored times
/// `gain`.
class FakeCodec : public AccountedCodec {
 public:
  FakeCodec(std::string name, std::size_t dim, float gain)
      : name_(std::move(name)), inner_(make_codec("identity", {.dim = dim})), gain_(gain) {}

  const std::string& name() const { return name_; }
  /// Bytes of a frame besides its values, 2 bytes each.
  std::size_t header() const { return inner_->encoded_bound(0); }

  std::string spec() const override { return inner_->spec(); }
  std::size_t dim() const override { return inner_->dim(); }
  Rates rates() const override { return rate; }
  std::size_t side_bytes() const override { return side; }
  std::size_t encoded_bound(std::size_t count) const override {
    return inner_->encoded_bound(count);
  }
  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    ++frames;
    if (refuse) throw InputError("refused on purpose");
    return inner_->encode(x, out) + overrun;
  }
  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    inner_->decode(in, out);
    for (std::size_t i = 0; i < out.count; ++i) {
      for (float& value : out[i]) value *= gain_;
    }
  }
  void check_frame(const FrameInfo& info) const override { inner_->check_frame(info); }
  std::optional<double> index_entropy_bits_per_value(Rows<const float>) const override {
    return entropy;
  }

  Rates rate{};
  std::optional<double> entropy;
  std::size_t side = 0, overrun = 0;
  bool refuse = false;
  mutable std::atomic<int> frames{0};

 private:
  std::string name_;
  std::unique_ptr<Codec> inner_;
  float gain_;
};

inline GridCell fake_cell(std::unique_ptr<FakeCodec> keys, std::unique_ptr<FakeCodec> values) {
  GridCell cell;
  cell.specs = {keys->name(), values->name()};
  cell.keys.emplace(std::shared_ptr<const Codec>(std::move(keys)));
  cell.values.emplace(std::shared_ptr<const Codec>(std::move(values)));
  return cell;
}

}  // namespace kakeya::testing
