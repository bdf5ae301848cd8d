// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/index_packing.h"

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

class BlockPacking final : public IndexPacking {
 public:
  BlockPacking(PointIndex count, std::size_t blocks) : width_(index_bits(count)), blocks_(blocks) {}
  std::size_t vector_bits() const override { return blocks_ * static_cast<std::size_t>(width_); }
  void put(std::span<const PointIndex> indices, BitWriter& bits) const override {
    if (width_ <= 64) {
      for (const PointIndex index : indices) bits.put(static_cast<std::uint64_t>(index), width_);
    } else {
      for (const PointIndex index : indices) bits.put_wide(index, width_);
    }
  }
  void get(BitReader& bits, std::span<PointIndex> indices) const override {
    for (PointIndex& index : indices) index = bits.get_wide(width_);
  }

 private:
  int width_;
  std::size_t blocks_;
};

constexpr int kDigitBits = 16, kSpillBits = 16;
constexpr std::uint64_t kSpillAt = std::uint64_t{1} << 36;  // M stays below: x below 2^52
constexpr std::size_t kMostBlocks = 1024;

class JointPacking final : public IndexPacking {
 public:
  JointPacking(PointIndex count, std::size_t blocks) {
    const int width = index_bits(count);
    raw_bits_ = width > kDigitBits ? width - kDigitBits : 0;
    digits_ = static_cast<std::uint64_t>((count - 1) >> raw_bits_) + 1;
    if (blocks > kMostBlocks) throw InputError("joint packing: more than 1024 blocks");
    std::uint64_t radix = 1;
    for (std::size_t i = 0; i < blocks; ++i) {
      Step step{radix, 1.0 / static_cast<double>(radix), false};
      radix *= digits_;
      if (radix >= kSpillAt) {
        step.spill = true;
        radix = ((radix - 1) >> kSpillBits) + 1;
      }
      bits_ += static_cast<std::size_t>(raw_bits_ + (step.spill ? kSpillBits : 0));
      steps_.push_back(step);
    }
    rest_bits_ = index_bits(radix);
    bits_ += static_cast<std::size_t>(rest_bits_);
  }

  std::size_t vector_bits() const override { return bits_; }

  void put(std::span<const PointIndex> indices, BitWriter& bits) const override {
    const PointIndex raw_mask = (PointIndex{1} << raw_bits_) - 1;
    std::uint64_t x = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (raw_bits_ != 0) bits.put_wide(indices[i] & raw_mask, raw_bits_);
      x += steps_[i].radix * static_cast<std::uint64_t>(indices[i] >> raw_bits_);
      if (steps_[i].spill) {
        bits.put(x & ((1u << kSpillBits) - 1), kSpillBits);
        x >>= kSpillBits;
      }
    }
    if (rest_bits_ != 0) bits.put(x, rest_bits_);
  }

  void get(BitReader& bits, std::span<PointIndex> indices) const override {
    std::uint16_t spilled[kMostBlocks];
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      indices[i] = raw_bits_ != 0 ? bits.get_wide(raw_bits_) : 0;
      if (steps_[i].spill) spilled[i] = static_cast<std::uint16_t>(bits.get(kSpillBits));
    }
    std::uint64_t x = rest_bits_ != 0 ? bits.get(rest_bits_) : 0;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const Step& step = steps_[i];
      // Only a forged stream has a rest beyond its radix: kept below 2^52 all the same.
      if (step.spill) x = ((x << kSpillBits) | spilled[i]) & ((std::uint64_t{1} << 52) - 1);
      auto digit = static_cast<std::uint64_t>(static_cast<double>(x) * step.reciprocal);
      auto rest = static_cast<std::int64_t>(x - digit * step.radix);
      if (rest < 0) {
        --digit;
        rest += static_cast<std::int64_t>(step.radix);
      } else if (rest >= static_cast<std::int64_t>(step.radix)) {
        ++digit;
        rest -= static_cast<std::int64_t>(step.radix);
      }
      indices[i] |= PointIndex{digit} << raw_bits_;
      x = static_cast<std::uint64_t>(rest);
    }
  }

 private:
  struct Step {
    std::uint64_t radix;  // M before the digit
    double reciprocal;
    bool spill;
  };
  int raw_bits_ = 0, rest_bits_ = 0;
  std::uint64_t digits_ = 0;
  std::size_t bits_ = 0;
  std::vector<Step> steps_;
};

}  // namespace

std::unique_ptr<IndexPacking> block_packing(PointIndex count, std::size_t blocks) {
  return std::make_unique<BlockPacking>(count, blocks);
}

std::unique_ptr<IndexPacking> joint_packing(PointIndex count, std::size_t blocks) {
  return std::make_unique<JointPacking>(count, blocks);
}

}  // namespace kakeya
