// SPDX-License-Identifier: Apache-2.0
// Caches that live packed.
#include "bindings/c/c_test.h"

enum {
  kDim = KAKEYA_CASE_DIM,
  kLayers = KAKEYA_CASE_LAYERS,
  kHeads = KAKEYA_CASE_HEADS,
  kTokens = KAKEYA_CASE_TOKENS,
  kWidth = kDim * kHeads
};

kakeya_cache_options c_test_cache_options(const kakeya_profiles* profiles) {
  kakeya_cache_options options = {.size = sizeof options,
                                  .layers = kLayers,
                                  .kv_heads = kHeads,
                                  .head_dim = kDim,
                                  .skipped_layers = 1,
                                  .sinks = KAKEYA_CASE_SINKS,
                                  .residual_window = KAKEYA_CASE_WINDOW,
                                  .keys = KAKEYA_CASE_KEYS,
                                  .values = KAKEYA_CASE_VALUES,
                                  .profiles = profiles};
  return options;
}

size_t c_test_part(int layer, kakeya_part part) {
  return (2 * (size_t)layer + (part == KAKEYA_VALUES ? 1 : 0)) * kTokens * kWidth;
}

kakeya_packed_cache* c_test_cache(const kakeya_profiles* profiles, size_t step, int32_t* sequence) {
  const kakeya_cache_options options = c_test_cache_options(profiles);
  kakeya_packed_cache* cache = NULL;
  size_t bytes = 0, first;
  float* rows = c_test_expected("cache.f32", &bytes);
  int layer;
  OK(kakeya_packed_cache_create(&options, &cache));
  OK(kakeya_packed_cache_add_sequence(cache, sequence));
  for (first = 0; first < kTokens; first += step) {
    const size_t some = first + step < kTokens ? step : kTokens - first;
    for (layer = 0; layer < kLayers; ++layer) {
      OK(kakeya_packed_cache_append(
          cache, *sequence, layer, rows + c_test_part(layer, KAKEYA_KEYS) + first * kWidth,
          rows + c_test_part(layer, KAKEYA_VALUES) + first * kWidth, KAKEYA_FLOAT32, some, 0));
    }
  }
  free(rows);
  return cache;
}

// Reads of all parts, whole, of a head, of some tokens and as bf16, are those of the C++ library.
static void check_reads(const kakeya_packed_cache* cache, int32_t sequence) {
  size_t bytes = 0, i, token;
  float* expected = c_test_expected("read.f32", &bytes);
  float* read = c_test_memory(kTokens * kWidth * sizeof(float));
  uint16_t* patterns = c_test_memory(kTokens * kDim * sizeof(uint16_t));
  int layer, part, head;
  for (layer = 0; layer < kLayers; ++layer) {
    for (part = 0; part < 2; ++part) {
      const float* own = expected + c_test_part(layer, part);
      OK(kakeya_packed_cache_read(cache, sequence, layer, part, KAKEYA_ALL_HEADS, 0, kTokens, read,
                                  KAKEYA_FLOAT32, 0));
      CHECK(memcmp(read, own, kTokens * kWidth * sizeof(float)) == 0);
      OK(kakeya_packed_cache_read(cache, sequence, layer, part, KAKEYA_ALL_HEADS, 333, 11, read,
                                  KAKEYA_FLOAT32, 0));
      CHECK(memcmp(read, own + 333 * kWidth, 11 * kWidth * sizeof(float)) == 0);
      for (head = 0; head < kHeads; ++head) {
        size_t wrong = 0;
        OK(kakeya_packed_cache_read(cache, sequence, layer, part, head, 0, kTokens, patterns,
                                    KAKEYA_BFLOAT16, 0));
        for (token = 0; token < kTokens; ++token) {
          for (i = 0; i < kDim; ++i) {
            uint32_t bits;
            memcpy(&bits, &own[token * kWidth + (size_t)head * kDim + i], 4);
            wrong += (bits & 0xffff) != 0 || patterns[token * kDim + i] != bits >> 16;
          }
        }
        CHECK(wrong == 0);
      }
    }
  }
  free(expected);
  free(read);
  free(patterns);
}

void test_packed_cache(void) {
  kakeya_profiles* profiles = c_test_profiles();
  int32_t sequence = -1;
  kakeya_packed_cache* cache = c_test_cache(profiles, kTokens, &sequence);
  kakeya_live_bytes live = {.size = sizeof live};
  size_t bytes = 0, tokens = 0, page = 0, sealed = 0, end = 0;
  uint64_t* expected = c_test_expected("live_bytes.u64", &bytes);
  kakeya_profiles_free(profiles);  // the cache keeps what it needs
  check_reads(cache, sequence);
  OK(kakeya_packed_cache_live_bytes(cache, &live));
  CHECK(live.pages == expected[0] && live.sinks == expected[1] && live.open == expected[2]);
  CHECK(live.skipped == expected[3] && live.tables == expected[4] && live.total == expected[5]);
  CHECK(live.bf16 == expected[6]);
  CHECK(live.bf16 == 2u * 2 * kLayers * kTokens * kWidth && live.total < live.bf16);

  OK(kakeya_packed_cache_tokens(cache, sequence, 1, &tokens));
  CHECK(tokens == kTokens);
  OK(kakeya_packed_cache_first_token(cache, sequence, 1, &tokens));
  CHECK(tokens == 0);
  OK(kakeya_packed_cache_page_tokens(cache, 1, KAKEYA_KEYS, &page));
  CHECK(page == 64);
  OK(kakeya_packed_cache_page_tokens(cache, 0, KAKEYA_KEYS, &page));
  CHECK(page == 0);  // skipped
  OK(kakeya_packed_cache_sealed_tokens(cache, sequence, 1, KAKEYA_KEYS, &sealed));
  CHECK(sealed == (kTokens - KAKEYA_CASE_SINKS - KAKEYA_CASE_WINDOW) / 64 * 64);
  OK(kakeya_packed_cache_run_end(cache, sequence, 1, KAKEYA_KEYS, KAKEYA_CASE_SINKS, &end));
  CHECK(end == KAKEYA_CASE_SINKS + 64);
  kakeya_packed_cache_free(cache);

  profiles = c_test_profiles();
  cache = c_test_cache(profiles, 31, &sequence);  // the same however tokens came
  check_reads(cache, sequence);
  kakeya_packed_cache_free(cache);
  kakeya_packed_cache_free(NULL);
  kakeya_profiles_free(profiles);
  free(expected);
}

void test_branches(void) {
  kakeya_profiles* profiles = c_test_profiles();
  int32_t sequence = -1, branch = -1, third = -1, numbers[4];
  size_t count = 4, tokens = 0;
  kakeya_live_bytes one = {.size = sizeof one}, two = {.size = sizeof two};
  kakeya_packed_cache* cache = c_test_cache(profiles, 100, &sequence);
  OK(kakeya_packed_cache_live_bytes(cache, &one));
  OK(kakeya_packed_cache_branch(cache, sequence, &branch));
  OK(kakeya_packed_cache_live_bytes(cache, &two));
  CHECK(two.pages == one.pages && two.open > one.open);
  OK(kakeya_packed_cache_truncate(cache, branch, 200));
  OK(kakeya_packed_cache_tokens(cache, branch, 0, &tokens));
  CHECK(tokens == 200);
  check_reads(cache, sequence);
  OK(kakeya_packed_cache_add_sequence(cache, &third));
  OK(kakeya_packed_cache_sequences(cache, numbers, &count));
  CHECK(count == 3 && numbers[0] == sequence && numbers[1] == branch && numbers[2] == third);
  count = 2;
  FAILS(kakeya_packed_cache_sequences(cache, numbers, &count), KAKEYA_BUFFER_TOO_SMALL,
        "room for 2 numbers");
  CHECK(count == 3);
  OK(kakeya_packed_cache_drop(cache, branch));
  FAILS(kakeya_packed_cache_drop(cache, branch), KAKEYA_INPUT_ERROR, "sequence");
  FAILS(kakeya_packed_cache_truncate(cache, branch, 1), KAKEYA_INPUT_ERROR, "sequence");
  check_reads(cache, sequence);
  kakeya_packed_cache_free(cache);
  kakeya_profiles_free(profiles);
}

void test_hostile_caches(void) {
  kakeya_profiles* profiles = c_test_profiles();
  const size_t windows[kLayers] = {0, 0, 0, 0};
  kakeya_cache_options options = c_test_cache_options(profiles);
  kakeya_packed_cache* cache = NULL;
  int32_t sequence = -1;
  size_t tokens = 0;
  float rows[kWidth] = {0};
  FAILS(kakeya_packed_cache_create(NULL, &cache), KAKEYA_INPUT_ERROR, "options: NULL");
  FAILS(kakeya_packed_cache_create(&options, NULL), KAKEYA_INPUT_ERROR, "out: NULL");
#define REFUSED(field, value, status, words) \
  options = c_test_cache_options(profiles);  \
  options.field = value;                     \
  FAILS(kakeya_packed_cache_create(&options, &cache), (status), (words))
  REFUSED(size, 16, KAKEYA_INPUT_ERROR, "size 16");
  REFUSED(layers, 0, KAKEYA_INPUT_ERROR, "layers 0");
  REFUSED(layers, 0x7fffffff, KAKEYA_INPUT_ERROR, "layers 2147483647");
  REFUSED(kv_heads, -1, KAKEYA_INPUT_ERROR, "kv_heads -1");
  REFUSED(head_dim, 100000, KAKEYA_INPUT_ERROR, "head_dim");
  REFUSED(skipped_layers, 2, KAKEYA_INPUT_ERROR, "");
  REFUSED(skipped_layers, -1, KAKEYA_INPUT_ERROR, "");
  REFUSED(sinks, -1, KAKEYA_INPUT_ERROR, "");
  REFUSED(residual_window, -5, KAKEYA_INPUT_ERROR, "");
  REFUSED(keys, NULL, KAKEYA_INPUT_ERROR, "keys: NULL");
  REFUSED(values, "e8", KAKEYA_SPEC_ERROR, "e8");
  REFUSED(profiles, NULL, KAKEYA_INPUT_ERROR, "");
  REFUSED(window_count, 4, KAKEYA_INPUT_ERROR, "windows: NULL");
  options.windows = windows;
  options.window_count = 3;
  FAILS(kakeya_packed_cache_create(&options, &cache), KAKEYA_INPUT_ERROR, "3 windows");
  CHECK(cache == NULL);
  options.window_count = 4;
  OK(kakeya_packed_cache_create(&options, &cache));
  OK(kakeya_packed_cache_add_sequence(cache, &sequence));
  FAILS(kakeya_packed_cache_append(cache, 99, 0, rows, rows, 0, 1, 0), KAKEYA_INPUT_ERROR,
        "sequence");
  FAILS(kakeya_packed_cache_append(cache, sequence, 9, rows, rows, 0, 1, 0), KAKEYA_INPUT_ERROR,
        "layer 9");
  FAILS(kakeya_packed_cache_append(cache, sequence, -1, rows, rows, 0, 1, 0), KAKEYA_INPUT_ERROR,
        "layer -1");
  FAILS(kakeya_packed_cache_append(cache, sequence, 0, rows, NULL, 0, 1, 0), KAKEYA_INPUT_ERROR,
        "values: NULL");
  FAILS(kakeya_packed_cache_append(cache, sequence, 0, rows, rows, 0, 1, 5), KAKEYA_INPUT_ERROR,
        "stride 5");
  FAILS(kakeya_packed_cache_append(NULL, 0, 0, rows, rows, 0, 1, 0), KAKEYA_INPUT_ERROR,
        "cache: NULL");
  OK(kakeya_packed_cache_append(cache, sequence, 0, rows, rows, KAKEYA_FLOAT32, 1, 0));
  FAILS(kakeya_packed_cache_read(cache, sequence, 0, 0, 0, 0, 2, rows, 0, 0), KAKEYA_INPUT_ERROR,
        "");
  FAILS(kakeya_packed_cache_read(cache, sequence, 0, 0, 0, (size_t)-1, 1, rows, 0, 0),
        KAKEYA_INPUT_ERROR, "");
  FAILS(kakeya_packed_cache_read(cache, sequence, 0, 0, 7, 0, 1, rows, 0, 0), KAKEYA_INPUT_ERROR,
        "");
  FAILS(kakeya_packed_cache_read(cache, sequence, 0, 0, -9, 0, 1, rows, 0, 0), KAKEYA_INPUT_ERROR,
        "");
  FAILS(kakeya_packed_cache_read(cache, sequence, 0, 3, 0, 0, 1, rows, 0, 0), KAKEYA_SPEC_ERROR,
        "part 3");
  FAILS(kakeya_packed_cache_tokens(cache, 5, 0, &tokens), KAKEYA_INPUT_ERROR, "sequence");
  FAILS(kakeya_packed_cache_tokens(cache, sequence, 0, NULL), KAKEYA_INPUT_ERROR, "out: NULL");
  FAILS(kakeya_packed_cache_branch(NULL, 0, &sequence), KAKEYA_INPUT_ERROR, "cache: NULL");
  kakeya_packed_cache_free(cache);
  kakeya_profiles_free(profiles);
}
