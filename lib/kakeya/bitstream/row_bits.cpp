// SPDX-License-Identifier: Apache-2.0
#include "kakeya/bitstream/row_bits.h"

#include <algorithm>
#include <cstring>

#include "kakeya/bitstream/bits.h"
#include "kakeya/core/error.h"
#include "kakeya/core/extension.h"

namespace kakeya {
namespace {

// Rows are moved in whole words, which reach at most this far behind them.
constexpr std::size_t kSlack = 16;

std::size_t words_of(std::size_t row_bits) { return (row_bits + 63) / 64; }

std::uint64_t load_word(const std::byte* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

void store_word(std::byte* to, std::uint64_t word) { std::memcpy(to, &word, sizeof word); }

// In order: what a row leaves behind its end is overwritten by the rows that follow.
void store_rows(const std::uint64_t* words, std::size_t row_bits, std::size_t rows,
                std::byte* out) {
  const std::size_t count = words_of(row_bits);
  for (std::size_t r = 0; r < rows; ++r) {
    std::byte* to = out + r * row_bits / 8;
    const std::size_t shift = r * row_bits % 8;
    if (shift == 0) {
      for (std::size_t k = 0; k < count; ++k) store_word(to + 8 * k, words[k * kBitRows + r]);
      continue;
    }
    auto carry = std::to_integer<std::uint64_t>(*to);  // the end of the row before
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint64_t word = words[k * kBitRows + r];
      store_word(to + 8 * k, carry | word << shift);
      carry = word >> (64 - shift);
    }
    store_word(to + 8 * count, carry);
  }
}

void load_rows(const std::byte* in, std::size_t row_bits, std::size_t rows, std::uint64_t* words) {
  const std::size_t count = words_of(row_bits);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::byte* from = in + r * row_bits / 8;
    const std::size_t shift = r * row_bits % 8;
    std::uint64_t word = load_word(from);
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint64_t next = load_word(from + 8 * k + 8);
      words[k * kBitRows + r] = shift == 0 ? word : word >> shift | next << (64 - shift);
      word = next;
    }
  }
}

// One field of sixteen rows to and from place `shift` of their words.
[[gnu::always_inline]] inline void put_field(const std::uint64_t* __restrict values, int shift,
                                             int width, std::uint64_t* __restrict words) {
  if (shift == 0) {
    std::memcpy(words, values, kBitRows * sizeof *words);
    return;
  }
  for (std::size_t r = 0; r < kBitRows; ++r) words[r] |= values[r] << shift;
  if (shift + width <= 64) return;
  for (std::size_t r = 0; r < kBitRows; ++r) words[kBitRows + r] = values[r] >> (64 - shift);
}

[[gnu::always_inline]] inline void get_field(const std::uint64_t* __restrict words, int shift,
                                             int width, std::uint64_t* __restrict values) {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
  if (shift + width <= 64) {
    for (std::size_t r = 0; r < kBitRows; ++r) values[r] = words[r] >> shift & mask;
    return;
  }
  for (std::size_t r = 0; r < kBitRows; ++r) {
    values[r] = (words[r] >> shift | words[kBitRows + r] << (64 - shift)) & mask;
  }
}

// Fields of a row from bit `place` on.
struct Fields {
  std::size_t place, count;
  int width;
};

[[gnu::always_inline]] inline void put_fields(const std::uint64_t* values, const Fields& fields,
                                              std::uint64_t* words) {
  std::size_t place = fields.place;
  for (std::size_t i = 0; i < fields.count; ++i) {
    put_field(values + i * kBitRows, static_cast<int>(place % 64), fields.width,
              words + place / 64 * kBitRows);
    place += static_cast<std::size_t>(fields.width);
  }
}

[[gnu::always_inline]] inline void get_fields(const std::uint64_t* words, const Fields& fields,
                                              std::uint64_t* values) {
  std::size_t place = fields.place;
  for (std::size_t i = 0; i < fields.count; ++i) {
    get_field(words + place / 64 * kBitRows, static_cast<int>(place % 64), fields.width,
              values + i * kBitRows);
    place += static_cast<std::size_t>(fields.width);
  }
}

// Once more for AVX2, which has four rows in a register.
#if defined(__x86_64__)
[[gnu::target("avx2")]] void put_wide(const std::uint64_t* from, const Fields& fields,
                                      std::uint64_t* to) {
  put_fields(from, fields, to);
}
[[gnu::target("avx2")]] void get_wide(const std::uint64_t* from, const Fields& fields,
                                      std::uint64_t* to) {
  get_fields(from, fields, to);
}
#else
constexpr auto* put_wide = put_fields;
constexpr auto* get_wide = get_fields;
#endif

}  // namespace

RowBitWriter::RowBitWriter(std::size_t row_bits)
    : row_bits_(row_bits),
      wide_(extension_in_use() >= Extension::avx2),
      words_(words_of(row_bits) * kBitRows) {}

void RowBitWriter::put(const std::uint64_t* values, int width, std::size_t fields) {
  const Fields to{filled_, fields, width};
  wide_ ? put_wide(values, to, words_.data()) : put_fields(values, to, words_.data());
  filled_ += fields * static_cast<std::size_t>(width);
}

void RowBitWriter::store(std::span<std::byte> out, std::size_t count) {
  const std::size_t bytes = row_bytes(count, row_bits_);
  filled_ = 0;
  if (bytes > out.size()) throw InputError("row writer: the buffer is full");
  if (out.size() - bytes >= kSlack) {
    store_rows(words_.data(), row_bits_, count, out.data());
  } else {
    end_.resize(bytes + kSlack);
    store_rows(words_.data(), row_bits_, count, end_.data());
    std::copy_n(end_.begin(), bytes, out.begin());
  }
}

RowBitReader::RowBitReader(std::size_t row_bits)
    : row_bits_(row_bits),
      wide_(extension_in_use() >= Extension::avx2),
      words_(words_of(row_bits) * kBitRows) {}

void RowBitReader::load(std::span<const std::byte> in, std::size_t count) {
  const std::size_t bytes = row_bytes(count, row_bits_);
  if (bytes > in.size()) throw CorruptStream("bit stream ends within a row");
  if (count < kBitRows) std::fill(words_.begin(), words_.end(), 0);
  if (in.size() - bytes >= kSlack) {
    load_rows(in.data(), row_bits_, count, words_.data());
  } else {
    end_.assign(bytes + kSlack, std::byte{0});
    std::copy_n(in.begin(), bytes, end_.begin());
    load_rows(end_.data(), row_bits_, count, words_.data());
  }
  taken_ = 0;
}

void RowBitReader::get(std::uint64_t* values, int width, std::size_t fields) {
  const Fields from{taken_, fields, width};
  wide_ ? get_wide(words_.data(), from, values) : get_fields(words_.data(), from, values);
  taken_ += fields * static_cast<std::size_t>(width);
}

}  // namespace kakeya
