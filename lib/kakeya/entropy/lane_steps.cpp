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

}  // namespace

const LaneSteps* lane_steps() {
  static constexpr LaneSteps kSteps{take_values, take_raw_bits, take_cosets, add_parities};
  return extension_in_use() >= Extension::avx512 ? &kSteps : nullptr;
}
#else
const LaneSteps* lane_steps() { return nullptr; }
#endif

}  // namespace kakeya
