// SPDX-License-Identifier: Apache-2.0
// A register of fields is two of AVX-512, which hold it from its planes to its numbers.
#include "kakeya/entropy/field_registers.h"

#include "kakeya/core/extension.h"
#include "kakeya/entropy/lanes.h"

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
// Of what its own header leaves undefined on purpose (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#define KAKEYA_FIELDS_AVX512 \
  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline
#endif

namespace kakeya {

#if defined(__x86_64__)
namespace {

struct WideRegister {
  __m512i low, high;
};

KAKEYA_FIELDS_AVX512 __m512i trits_of(__m512i row, __m512i weight) {
  const __m512i byte = _mm512_set1_epi16(255), three = _mm512_set1_epi16(3);
  const __m512i low = _mm512_and_si512(_mm512_mullo_epi16(row, weight), byte),
                high =
                    _mm512_and_si512(_mm512_mullo_epi16(_mm512_srli_epi16(row, 8), weight), byte);
  return _mm512_or_si512(
      _mm512_srli_epi16(_mm512_mullo_epi16(low, three), 8),
      _mm512_and_si512(_mm512_mullo_epi16(high, three), _mm512_set1_epi16(0x300)));
}

// Adds the digits of register `r` to u. Those of a bit plane lie within their bytes before and after: a rotation
// and a mask move them.
KAKEYA_FIELDS_AVX512 void take_wide(const FieldDigits& of, std::size_t r, WideRegister& u) {
  const std::uint8_t* const row = of.row(r);
  const __m512i first = _mm512_loadu_si512(row), second = _mm512_loadu_si512(row + 64);
  if (of.plane == kTritPlane) {
    const __m512i weight = _mm512_set1_epi16(static_cast<std::int16_t>(kPowersOf3[of.digit(r)]));
    const __m128i to = _mm_cvtsi32_si128(of.to);
    u.low = _mm512_or_si512(u.low, _mm512_sll_epi16(trits_of(first, weight), to));
    u.high = _mm512_or_si512(u.high, _mm512_sll_epi16(trits_of(second, weight), to));
    return;
  }
  const int bits = plane_bits(of.plane), from = bits * static_cast<int>(of.digit(r));
  const __m512i by = _mm512_set1_epi64((from - of.to) & 63),
                mask = _mm512_set1_epi8(static_cast<char>(((1 << bits) - 1) << of.to));
  constexpr int kOrAnd = 0xf8;  // a | (b & c)
  u.low = _mm512_ternarylogic_epi64(u.low, _mm512_rorv_epi64(first, by), mask, kOrAnd);
  u.high = _mm512_ternarylogic_epi64(u.high, _mm512_rorv_epi64(second, by), mask, kOrAnd);
}

// What `shifts` leave in the lowest byte of each word, and a number.
KAKEYA_FIELDS_AVX512 void put_wide(__m512i words, __m512i shifts, std::int32_t base,
                                   std::int32_t* to) {
  const __m512i u = _mm512_and_si512(_mm512_srlv_epi32(words, shifts), _mm512_set1_epi32(255));
  _mm512_storeu_si512(to, _mm512_add_epi32(u, _mm512_set1_epi32(base)));
}

// place_in_register() of keys: word 4 (t % 8) + c has coordinates 2 c and 2 c + 1 of vectors t and t + 8.
KAKEYA_FIELDS_AVX512 void put_keys(const WideRegister& u, const std::int32_t* base,
                                   std::int32_t* to) {
  const __m512i rows = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28),
                halves = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 16, 16, 16, 16, 16, 16, 16, 16);
  for (int c = 0; c < 4; ++c) {
    const __m512i words =
        _mm512_permutex2var_epi32(u.low, _mm512_add_epi32(rows, _mm512_set1_epi32(c)), u.high);
    put_wide(words, halves, base[2 * c], to + 2 * c * static_cast<int>(kLanes));
    put_wide(words, _mm512_add_epi32(halves, _mm512_set1_epi32(8)), base[2 * c + 1],
             to + (2 * c + 1) * static_cast<int>(kLanes));
  }
}

// Of values: byte t / 4 of word t % 4 of a coordinate's four.
KAKEYA_FIELDS_AVX512 void put_values(const WideRegister& u, const std::int32_t* base,
                                     std::int32_t* to) {
  const __m512i bytes = _mm512_setr_epi32(0, 0, 0, 0, 8, 8, 8, 8, 16, 16, 16, 16, 24, 24, 24, 24);
  put_wide(_mm512_shuffle_i32x4(u.low, u.low, 0x00), bytes, base[0], to);
  put_wide(_mm512_shuffle_i32x4(u.low, u.low, 0x55), bytes, base[1], to + kLanes);
  put_wide(_mm512_shuffle_i32x4(u.low, u.low, 0xaa), bytes, base[2], to + 2 * kLanes);
  put_wide(_mm512_shuffle_i32x4(u.low, u.low, 0xff), bytes, base[3], to + 3 * kLanes);
  put_wide(_mm512_shuffle_i32x4(u.high, u.high, 0x00), bytes, base[4], to + 4 * kLanes);
  put_wide(_mm512_shuffle_i32x4(u.high, u.high, 0x55), bytes, base[5], to + 5 * kLanes);
  put_wide(_mm512_shuffle_i32x4(u.high, u.high, 0xaa), bytes, base[6], to + 6 * kLanes);
  put_wide(_mm512_shuffle_i32x4(u.high, u.high, 0xff), bytes, base[7], to + 7 * kLanes);
}

[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] void put_wide_bytes(
    std::span<const FieldDigits> digits, std::size_t registers, FieldOrder order,
    const std::int32_t* base, std::size_t dim, std::int32_t* v) {
  for (std::size_t r = 0; r < registers; ++r) {
    WideRegister u{_mm512_setzero_si512(), _mm512_setzero_si512()};
    for (const FieldDigits& of : digits) take_wide(of, r, u);
    std::int32_t* const to = v + lane_value(kRegisterVectors * r, 0, dim);
    if (order == FieldOrder::keys) {
      put_keys(u, base, to);
    } else {
      put_values(u, base, to);
    }
  }
}

}  // namespace

PutFieldBytes wide_field_bytes() {
  return extension_in_use() >= Extension::avx512 ? put_wide_bytes : nullptr;
}

#else
PutFieldBytes wide_field_bytes() { return nullptr; }
#endif

}  // namespace kakeya
