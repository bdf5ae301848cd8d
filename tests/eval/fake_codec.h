// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <string>

#include "kakeya/codec/codec.h"
#include "kakeya/core/error.h"
#include "kakeya/eval/grid.h"

namespace kakeya::testing {

/// Stores float32 after a header of 8 bytes and gives back what was stored times `gain`.
class FakeCodec : public Codec {
 public:
  static constexpr std::size_t kHeader = 8;

  FakeCodec(std::string name, std::size_t dim, float gain)
      : name_(std::move(name)), dim_(dim), gain_(gain) {}

  std::string spec() const override { return name_; }
  std::size_t dim() const override { return dim_; }
  Rates rates() const override { return rate; }
  std::size_t side_bytes() const override { return side; }
  std::size_t encoded_bound(std::size_t count) const override { return kHeader + 4 * count * dim_; }
  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    ++frames;
    if (refuse) throw InputError("refused on purpose");
    std::memset(out.data(), 0, kHeader);
    for (std::size_t i = 0; i < x.count; ++i) {
      std::memcpy(out.data() + kHeader + 4 * i * dim_, x[i].data(), 4 * dim_);
    }
    return encoded_bound(x.count) + overrun;
  }
  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    if (in.size() != encoded_bound(out.count)) throw CorruptStream("fake frame of a wrong length");
    for (std::size_t i = 0; i < out.count; ++i) {
      std::memcpy(out[i].data(), in.data() + kHeader + 4 * i * dim_, 4 * dim_);
      for (float& value : out[i]) value *= gain_;
    }
  }

  Rates rate{};
  std::size_t side = 0, overrun = 0;
  bool refuse = false;
  mutable std::atomic<int> frames{0};

 private:
  std::string name_;
  std::size_t dim_;
  float gain_;
};

inline GridCell fake_cell(std::unique_ptr<FakeCodec> keys, std::unique_ptr<FakeCodec> values) {
  GridCell cell;
  cell.specs = {keys->spec(), values->spec()};
  cell.keys = std::move(keys);
  cell.values = std::move(values);
  return cell;
}

}  // namespace kakeya::testing
