// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/fixed_rate/index_packing.h"

#include <algorithm>
#include <bit>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// Fields of 1 to 128 bits as at most two: numbers above 64 bits have high words.
void put_field(RowBitWriter& bits, const std::uint64_t* low, const std::uint64_t* high, int width) {
  bits.put(low, std::min(width, 64));
  if (width > 64) bits.put(high, width - 64);
}

void get_field(RowBitReader& bits, std::uint64_t* low, std::uint64_t* high, int width) {
  bits.get(low, std::min(width, 64));
  if (width > 64) {
    bits.get(high, width - 64);
  } else if (high != nullptr) {
    std::fill_n(high, kBitRows, 0);
  }
}

const std::uint64_t* row_of(const std::uint64_t* words, std::size_t block) {
  return words == nullptr ? nullptr : words + block * kBitRows;
}
std::uint64_t* row_of(std::uint64_t* words, std::size_t block) {
  return words == nullptr ? nullptr : words + block * kBitRows;
}

class BlockPacking final : public IndexPacking {
 public:
  BlockPacking(PointIndex count, std::size_t blocks) : width_(index_bits(count)), blocks_(blocks) {}
  std::size_t vector_bits() const override { return blocks_ * static_cast<std::size_t>(width_); }
  void put(const TileNumbers& numbers, RowBitWriter& bits) const override {
    if (numbers.high() == nullptr) return bits.put(numbers.low(), width_, blocks_);
    for (std::size_t i = 0; i < blocks_; ++i) {
      put_field(bits, row_of(numbers.low(), i), row_of(numbers.high(), i), width_);
    }
  }
  void get(RowBitReader& bits, TileNumbers& numbers) const override {
    if (numbers.high() == nullptr) return bits.get(numbers.low(), width_, blocks_);
    for (std::size_t i = 0; i < blocks_; ++i) {
      get_field(bits, row_of(numbers.low(), i), row_of(numbers.high(), i), width_);
    }
  }

 private:
  int width_;
  std::size_t blocks_;
};

constexpr int kDigitBits = 16, kSpillBits = 16;
constexpr std::uint64_t kSpillAt = std::uint64_t{1} << 36;  // M stays below: x below 2^52
constexpr std::size_t kMostBlocks = 1024;

// Reading divides in double, exact below 2^52: there are products of M and a digit, and x, of a
// forged stream too, as it begins below 2^36.
constexpr double kWhole = 0x1p52, kSpill = 0x1p16;
constexpr std::uint64_t kWholeBits = std::bit_cast<std::uint64_t>(kWhole);
double to_double(std::uint64_t word) { return std::bit_cast<double>(word | kWholeBits) - kWhole; }
std::uint64_t to_word(double whole) {
  return std::bit_cast<std::uint64_t>(whole + kWhole) ^ kWholeBits;
}

class JointPacking final : public IndexPacking {
 public:
  JointPacking(PointIndex count, std::size_t blocks) {
    const int width = index_bits(count);
    raw_bits_ = width > kDigitBits ? width - kDigitBits : 0;
    digits_ = static_cast<std::uint64_t>((count - 1) >> raw_bits_) + 1;
    if (blocks > kMostBlocks) throw InputError("joint packing: more than 1024 blocks");
    std::uint64_t radix = 1;
    for (std::size_t i = 0; i < blocks; ++i) {
      Step step{static_cast<double>(radix), 1.0 / static_cast<double>(radix), false};
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

  void put(const TileNumbers& numbers, RowBitWriter& bits) const override {
    std::uint64_t x[kBitRows] = {}, field[kBitRows];
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const std::uint64_t *low = row_of(numbers.low(), i), *high = row_of(numbers.high(), i);
      if (raw_bits_ != 0) put_raw(bits, low, high);
      digits_of(low, high, field);
      const auto radix = static_cast<std::uint64_t>(steps_[i].radix);
      for (std::size_t r = 0; r < kBitRows; ++r) x[r] += radix * field[r];
      if (!steps_[i].spill) continue;
      for (std::size_t r = 0; r < kBitRows; ++r) {
        field[r] = x[r] & ((1u << kSpillBits) - 1);
        x[r] >>= kSpillBits;
      }
      bits.put(field, kSpillBits);
    }
    if (rest_bits_ != 0) bits.put(x, rest_bits_);
  }

  void get(RowBitReader& bits, TileNumbers& numbers) const override {
    double x[kBitRows] = {};
    std::uint64_t before[kBitRows], after[kBitRows];
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      std::uint64_t *low = row_of(numbers.low(), i), *high = row_of(numbers.high(), i);
      std::fill_n(low, kBitRows, 0);
      if (high != nullptr) std::fill_n(high, kBitRows, 0);
      if (raw_bits_ != 0) get_field(bits, low, high, raw_bits_);
      if (!steps_[i].spill) continue;
      bits.get(after, kSpillBits);  // wait where the digits will be
      flip_digits(after, low, high);
    }
    if (rest_bits_ != 0) {
      bits.get(after, rest_bits_);
      for (std::size_t r = 0; r < kBitRows; ++r) x[r] = to_double(after[r]);
    }
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const Step step = steps_[i];
      std::uint64_t *low = row_of(numbers.low(), i), *high = row_of(numbers.high(), i);
      digits_of(low, high, before);
      if (step.spill) {
        for (std::size_t r = 0; r < kBitRows; ++r) x[r] = x[r] * kSpill + to_double(before[r]);
      }
      for (std::size_t r = 0; r < kBitRows; ++r) after[r] = divide(x[r], step);
      for (std::size_t r = 0; r < kBitRows; ++r) before[r] ^= after[r];
      flip_digits(before, low, high);
      refuse_digits(after, low, high);
    }
  }

 private:
  struct Step {
    double radix;  // M before the digit
    double reciprocal;
    bool spill;
  };

  // put_field() of the raw bits of numbers alone.
  void put_raw(RowBitWriter& bits, const std::uint64_t* low, const std::uint64_t* high) const {
    const bool wide = raw_bits_ > 64;
    const std::uint64_t mask = ~std::uint64_t{0} >> (63 - (raw_bits_ - 1) % 64);
    std::uint64_t last[kBitRows];
    for (std::size_t r = 0; r < kBitRows; ++r) last[r] = (wide ? high : low)[r] & mask;
    put_field(bits, wide ? low : last, last, raw_bits_);
  }

  // What is above the raw bits of numbers.
  void digits_of(const std::uint64_t* low, const std::uint64_t* high, std::uint64_t* digit) const {
    for (std::size_t r = 0; r < kBitRows; ++r) digit[r] = raw_bits_ < 64 ? low[r] >> raw_bits_ : 0;
    if (high == nullptr || raw_bits_ == 0) return;
    for (std::size_t r = 0; r < kBitRows; ++r) {
      digit[r] |= raw_bits_ < 64 ? high[r] << (64 - raw_bits_) : high[r] >> (raw_bits_ - 64);
    }
  }

  // The other way about: digits are there after those that were are flipped with both.
  void flip_digits(const std::uint64_t* digit, std::uint64_t* low, std::uint64_t* high) const {
    if (raw_bits_ < 64) {
      for (std::size_t r = 0; r < kBitRows; ++r) low[r] ^= digit[r] << raw_bits_;
    }
    if (high == nullptr || raw_bits_ == 0) return;
    for (std::size_t r = 0; r < kBitRows; ++r) {
      high[r] ^= raw_bits_ < 64 ? digit[r] >> (64 - raw_bits_) : digit[r] << (raw_bits_ - 64);
    }
  }

  // A digit that there is not would reach beyond the number: the largest number instead.
  void refuse_digits(const std::uint64_t* digit, std::uint64_t* low, std::uint64_t* high) const {
    for (std::size_t r = 0; r < kBitRows; ++r) low[r] |= 0 - ((digits_ - 1 - digit[r]) >> 63);
    for (std::size_t r = 0; r < kBitRows && high != nullptr; ++r) {
      high[r] |= 0 - ((digits_ - 1 - digit[r]) >> 63);
    }
  }

  // Takes the digit off x. The whole number nearest to the estimate is the quotient or one more.
  static std::uint64_t divide(double& x, const Step& step) {
    const double nearest = (x * step.reciprocal + kWhole) - kWhole;
    const double rest = x - nearest * step.radix;
    const double above = to_double(std::bit_cast<std::uint64_t>(rest) >> 63);  // 1 below 0
    x = rest + above * step.radix;
    return to_word(nearest - above);
  }

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
