// SPDX-License-Identifier: Apache-2.0
// The limit of values(): a gather of 16 lanes, of which the 4 kB that name symbols are seldom in the
// first cache, as a page goes round its coordinates; and another where a table has more symbols than
// two registers hold.
#include "kakeya/entropy/lane_steps.h"

#include "kakeya/bitstream/rans.h"
#include "kakeya/core/extension.h"

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
// Of what its own header leaves undefined on purpose (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#define KAKEYA_AVX512 [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")]]
#define KAKEYA_AVX2 [[gnu::target("avx2,popcnt")]]
#endif

namespace kakeya {

LaneConstants lane_constants(const ValueTable* tables, std::size_t contexts) {
  LaneConstants of;
  of.raw_bits = tables->model().raw_bits();
  of.scale_bits = tables->model().grid().scale_bits;
  of.shift = of.raw_bits + of.scale_bits;
  of.contexts = contexts;
  of.few = true;
  for (std::size_t context = 0; context < contexts; ++context) {
    const ValueModel& model = tables[context].model();
    of.base[context] = model.grid().twice(model.high(0) << model.raw_bits());
    of.escape[context] = static_cast<std::int32_t>(model.escape());
    of.few = of.few && model.escape() < kFewSymbols;
  }
  return of;
}

#if defined(__x86_64__)
namespace {

constexpr std::size_t kHalf = 16;

KAKEYA_AVX512 inline __m512i load(const void* from) { return _mm512_loadu_si512(from); }

KAKEYA_AVX512 inline __m512i of_context(const std::array<std::int32_t, 4>& values,
                                        __m512i contexts) {
  const auto* const at = reinterpret_cast<const __m128i*>(values.data());
  return _mm512_permutexvar_epi32(contexts, _mm512_broadcast_i32x4(_mm_load_si128(at)));
}

// States short of a word get one, in the order of the lanes.
KAKEYA_AVX512 inline __m512i refill(__m512i state, const std::byte*& word) {
  const __mmask16 takes =
      _mm512_cmplt_epu32_mask(state, _mm512_set1_epi32(static_cast<int>(kLeastState)));
  const __m512i words =
      _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(word)));
  word += 2 * __builtin_popcount(takes);
  const __m512i next = _mm512_maskz_expand_epi32(takes, words);
  return _mm512_mask_or_epi32(state, takes, _mm512_slli_epi32(state, 16), next);
}

// What a symbol of each lane has of the slots, out of registers: all entries of two vectors a context.
KAKEYA_AVX512 inline __m512i shares_of_few(const ValueTable* tables, std::size_t count,
                                           __m512i symbols, __m512i contexts) {
  __m512i shares = _mm512_setzero_si512();
  for (std::size_t context = 0; context < count; ++context) {
    const std::uint32_t* const from = tables[context].first_shares();
    const __m512i here = _mm512_permutex2var_epi32(load(from), symbols, load(from + kHalf));
    const __mmask16 of =
        _mm512_cmpeq_epi32_mask(contexts, _mm512_set1_epi32(static_cast<int>(context)));
    shares = _mm512_mask_mov_epi32(shares, of, here);
  }
  return shares;
}

KAKEYA_AVX512 bool take_values(const ValueTable* tables, const LaneConstants& of,
                               const LaneStep& step, std::int32_t* row) {
  const RansDecodeTable& first = tables->decoder();
  const __m512i slots = _mm512_set1_epi32(static_cast<int>(kFrequencyTotal - 1)),
                stride = _mm512_set1_epi32(static_cast<int>(sizeof(ValueTable)));
  const __m128i shift = _mm_cvtsi32_si128(of.shift);
  __m512i states[2], values[2];
  __mmask16 escaped = 0;
  for (std::size_t half = 0; half < 2; ++half) {
    const __m512i state = load(step.states + half * kHalf),
                  contexts = load(step.contexts + half * kHalf);
    const __m512i slot = _mm512_and_si512(state, slots),
                  table = _mm512_mullo_epi32(contexts, stride);
    // Four bytes from the symbol on, of which the first counts; entries lie behind the last.
    const __m512i symbol =
        _mm512_and_si512(_mm512_i32gather_epi32(_mm512_add_epi32(table, slot), first.symbols(), 1),
                         _mm512_set1_epi32(0xff));
    const __m512i share =
        of.few ? shares_of_few(tables, of.contexts, symbol, contexts)
               : _mm512_i32gather_epi32(_mm512_add_epi32(table, _mm512_slli_epi32(symbol, 4)),
                                        &first.entries()->frequency_and_start, 1);
    const __m512i taken = _mm512_mullo_epi32(_mm512_srli_epi32(state, kFrequencyBits),
                                             _mm512_srli_epi32(share, kFrequencyBits));
    states[half] = _mm512_add_epi32(taken, _mm512_sub_epi32(slot, _mm512_and_si512(share, slots)));
    escaped |= _mm512_cmpeq_epi32_mask(symbol, of_context(of.escape, contexts));
    values[half] = _mm512_add_epi32(_mm512_sll_epi32(symbol, shift), of_context(of.base, contexts));
  }
  if (escaped != 0) return false;
  for (std::size_t half = 0; half < 2; ++half) {
    _mm512_storeu_si512(step.states + half * kHalf, refill(states[half], step.word));
    _mm512_storeu_si512(row + half * kHalf, values[half]);
  }
  return true;
}

KAKEYA_AVX512 bool take_raw_bits(const LaneConstants& of, const LaneStep& step, std::int32_t most,
                                 std::int32_t* row) {
  const __m512i mask = _mm512_set1_epi32((1 << of.raw_bits) - 1);
  const __m128i scale = _mm_cvtsi32_si128(of.scale_bits), raw = _mm_cvtsi32_si128(of.raw_bits);
  __mmask16 beyond = 0;
  for (std::size_t half = 0; half < 2; ++half) {
    const __m512i state = load(step.states + half * kHalf);
    const __m512i value = _mm512_add_epi32(load(row + half * kHalf),
                                           _mm512_sll_epi32(_mm512_and_si512(state, mask), scale));
    beyond |= _mm512_cmpgt_epi32_mask(value, _mm512_set1_epi32(most));
    _mm512_storeu_si512(row + half * kHalf, value);
    _mm512_storeu_si512(step.states + half * kHalf,
                        refill(_mm512_srl_epi32(state, raw), step.word));
  }
  return beyond == 0;
}

KAKEYA_AVX512 void take_cosets(std::uint32_t integers, const LaneStep& step) {
  const __m512i whole = _mm512_set1_epi32(static_cast<int>(integers)),
                rest = _mm512_set1_epi32(static_cast<int>(kFrequencyTotal - integers));
  for (std::size_t half = 0; half < 2; ++half) {
    const __m512i state = load(step.states + half * kHalf);
    const __m512i slot =
        _mm512_and_si512(state, _mm512_set1_epi32(static_cast<int>(kFrequencyTotal - 1)));
    const __mmask16 halves = _mm512_cmpge_epu32_mask(slot, whole);
    const __m512i taken = _mm512_mullo_epi32(_mm512_srli_epi32(state, kFrequencyBits),
                                             _mm512_mask_mov_epi32(whole, halves, rest));
    const __m512i next = _mm512_add_epi32(taken, _mm512_mask_sub_epi32(slot, halves, slot, whole));
    _mm512_storeu_si512(step.states + half * kHalf, refill(next, step.word));
    _mm512_storeu_si512(step.contexts + half * kHalf, _mm512_maskz_set1_epi32(halves, 1));
  }
}

KAKEYA_AVX512 void add_parities(const std::int32_t* row, std::size_t before,
                                std::uint32_t* contexts) {
  for (std::size_t half = 0; half < 2; ++half) {
    __m512i sum = _mm512_setzero_si512();  // twice the value: bit 1 is the parity
    for (std::size_t i = 1; i <= before; ++i) {
      sum = _mm512_xor_si512(sum, load(row - i * kLanes + half * kHalf));
    }
    const __m512i parity = _mm512_and_si512(sum, _mm512_set1_epi32(2));
    std::uint32_t* const at = contexts + half * kHalf;
    _mm512_storeu_si512(at, _mm512_or_si512(load(at), parity));
  }
}

// The same with AVX2, eight lanes at a time.

constexpr std::size_t kEight = 8;

// Of each set of lanes that take a word, which word a lane has: as many as there are takers before it.
constexpr std::array<std::uint64_t, 256> kTakenWords = [] {
  std::array<std::uint64_t, 256> places{};
  for (std::size_t takers = 0; takers < places.size(); ++takers) {
    std::uint64_t before = 0;
    for (std::size_t lane = 0; lane < kEight; ++lane) {
      places[takers] |= before << (8 * lane);
      before += takers >> lane & 1;
    }
  }
  return places;
}();

KAKEYA_AVX2 inline __m256i load_eight(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

KAKEYA_AVX2 inline void store_eight(void* to, __m256i values) {
  _mm256_storeu_si256(static_cast<__m256i*>(to), values);
}

KAKEYA_AVX2 inline __m256i all_eight(std::uint32_t value) {
  return _mm256_set1_epi32(static_cast<int>(value));
}

KAKEYA_AVX2 inline __m256i eight_of_context(const std::array<std::int32_t, 4>& values,
                                            __m256i contexts) {
  const auto* const at = reinterpret_cast<const __m128i*>(values.data());
  return _mm256_permutevar8x32_epi32(_mm256_broadcastsi128_si256(_mm_load_si128(at)), contexts);
}

KAKEYA_AVX2 inline __m256i refill_eight(__m256i state, const std::byte*& word) {
  const __m256i takes = _mm256_cmpeq_epi32(_mm256_srli_epi32(state, 16), _mm256_setzero_si256());
  const auto takers = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(takes)));
  const __m256i words =
      _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(word)));
  const __m256i places =
      _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kTakenWords[takers])));
  const __m256i next = _mm256_permutevar8x32_epi32(words, places);
  word += 2 * __builtin_popcount(takers);
  return _mm256_blendv_epi8(state, _mm256_or_si256(_mm256_slli_epi32(state, 16), next), takes);
}

KAKEYA_AVX2 bool take_values_by_eights(const ValueTable* tables, const LaneConstants& of,
                                       const LaneStep& step, std::int32_t* row) {
  const RansDecodeTable& first = tables->decoder();
  const auto* const symbols = reinterpret_cast<const int*>(first.symbols());
  const auto* const shares = reinterpret_cast<const int*>(&first.entries()->frequency_and_start);
  const __m256i slots = all_eight(kFrequencyTotal - 1), stride = all_eight(sizeof(ValueTable));
  const __m128i shift = _mm_cvtsi32_si128(of.shift);
  __m256i states[kLanes / kEight], values[kLanes / kEight], escaped = _mm256_setzero_si256();
  for (std::size_t part = 0; part < kLanes / kEight; ++part) {
    const __m256i state = load_eight(step.states + part * kEight),
                  contexts = load_eight(step.contexts + part * kEight);
    const __m256i slot = _mm256_and_si256(state, slots),
                  table = of.contexts == 1 ? _mm256_setzero_si256()
                                           : _mm256_mullo_epi32(contexts, stride);
    const __m256i symbol = _mm256_and_si256(
        _mm256_i32gather_epi32(symbols, _mm256_add_epi32(table, slot), 1), all_eight(0xff));
    const __m256i share =
        _mm256_i32gather_epi32(shares, _mm256_add_epi32(table, _mm256_slli_epi32(symbol, 4)), 1);
    const __m256i taken = _mm256_mullo_epi32(_mm256_srli_epi32(state, kFrequencyBits),
                                             _mm256_srli_epi32(share, kFrequencyBits));
    states[part] = _mm256_add_epi32(taken, _mm256_sub_epi32(slot, _mm256_and_si256(share, slots)));
    escaped =
        _mm256_or_si256(escaped, _mm256_cmpeq_epi32(symbol, eight_of_context(of.escape, contexts)));
    values[part] =
        _mm256_add_epi32(_mm256_sll_epi32(symbol, shift), eight_of_context(of.base, contexts));
  }
  if (!_mm256_testz_si256(escaped, escaped)) return false;
  for (std::size_t part = 0; part < kLanes / kEight; ++part) {
    store_eight(step.states + part * kEight, refill_eight(states[part], step.word));
    store_eight(row + part * kEight, values[part]);
  }
  return true;
}

KAKEYA_AVX2 bool take_raw_bits_by_eights(const LaneConstants& of, const LaneStep& step,
                                         std::int32_t most, std::int32_t* row) {
  const __m256i mask = all_eight((1u << of.raw_bits) - 1);
  const __m128i scale = _mm_cvtsi32_si128(of.scale_bits), raw = _mm_cvtsi32_si128(of.raw_bits);
  __m256i beyond = _mm256_setzero_si256();
  for (std::size_t at = 0; at < kLanes; at += kEight) {
    const __m256i state = load_eight(step.states + at);
    const __m256i value = _mm256_add_epi32(load_eight(row + at),
                                           _mm256_sll_epi32(_mm256_and_si256(state, mask), scale));
    beyond = _mm256_or_si256(beyond, _mm256_cmpgt_epi32(value, _mm256_set1_epi32(most)));
    store_eight(row + at, value);
    store_eight(step.states + at, refill_eight(_mm256_srl_epi32(state, raw), step.word));
  }
  return _mm256_testz_si256(beyond, beyond) != 0;
}

KAKEYA_AVX2 void take_cosets_by_eights(std::uint32_t integers, const LaneStep& step) {
  const __m256i whole = all_eight(integers), rest = all_eight(kFrequencyTotal - integers),
                below = all_eight(integers - 1);
  for (std::size_t at = 0; at < kLanes; at += kEight) {
    const __m256i state = load_eight(step.states + at);
    const __m256i slot = _mm256_and_si256(state, all_eight(kFrequencyTotal - 1));
    const __m256i halves = _mm256_cmpgt_epi32(slot, below);
    const __m256i taken = _mm256_mullo_epi32(_mm256_srli_epi32(state, kFrequencyBits),
                                             _mm256_blendv_epi8(whole, rest, halves));
    const __m256i start = _mm256_and_si256(halves, whole);
    store_eight(step.states + at,
                refill_eight(_mm256_add_epi32(taken, _mm256_sub_epi32(slot, start)), step.word));
    store_eight(step.contexts + at, _mm256_srli_epi32(halves, 31));
  }
}

KAKEYA_AVX2 void add_parities_by_eights(const std::int32_t* row, std::size_t before,
                                        std::uint32_t* contexts) {
  for (std::size_t at = 0; at < kLanes; at += kEight) {
    __m256i sum = _mm256_setzero_si256();
    for (std::size_t i = 1; i <= before; ++i)
      sum = _mm256_xor_si256(sum, load_eight(row - i * kLanes + at));
    const __m256i parity = _mm256_and_si256(sum, all_eight(2));
    store_eight(contexts + at, _mm256_or_si256(load_eight(contexts + at), parity));
  }
}

}  // namespace

const LaneSteps* lane_steps() {
  static constexpr LaneSteps kSteps{take_values, take_raw_bits, take_cosets, add_parities};
  static constexpr LaneSteps kByEights{take_values_by_eights, take_raw_bits_by_eights,
                                       take_cosets_by_eights, add_parities_by_eights};
  const Extension extension = extension_in_use();
  if (extension >= Extension::avx512) return &kSteps;
  return extension >= Extension::avx2 ? &kByEights : nullptr;
}
#else
const LaneSteps* lane_steps() { return nullptr; }
#endif

}  // namespace kakeya
