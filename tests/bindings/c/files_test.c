// SPDX-License-Identifier: Apache-2.0
// Files of sequences and of whole caches.
#include "bindings/c/c_test.h"

enum {
  kDim = KAKEYA_CASE_DIM,
  kLayers = KAKEYA_CASE_LAYERS,
  kHeads = KAKEYA_CASE_HEADS,
  kTokens = KAKEYA_CASE_TOKENS,
  kWidth = kDim * kHeads
};

static int32_t* token_ids(void) {
  int32_t* ids = c_test_memory(kTokens * sizeof(int32_t));
  int i;
  for (i = 0; i < kTokens; ++i) ids[i] = i * i % 977;
  return ids;
}

kakeya_facts c_test_facts(void) {
  static char digest[65];
  kakeya_facts facts = {.size = sizeof facts,
                        .model = "made",
                        .model_sha256 = digest,
                        .architecture = "llama",
                        .tokenizer = "letters",
                        .text = "text",
                        .passage = "from 0",
                        .rope_layout = "rotate-half",
                        .rope_base = 10000,
                        .seed = 7,
                        .tap = KAKEYA_PRE_ROPE};
  memset(digest, 'a', 64);
  return facts;
}

static void check_token_ids(const kakeya_cache_file* file) {
  int32_t* expected = token_ids();
  int32_t* ids = c_test_memory(kTokens * sizeof(int32_t));
  size_t count = 3;
  FAILS(kakeya_cache_file_token_ids(file, ids, &count), KAKEYA_BUFFER_TOO_SMALL, "room for 3");
  CHECK(count == kTokens);
  OK(kakeya_cache_file_token_ids(file, ids, &count));
  CHECK(count == kTokens && memcmp(ids, expected, kTokens * sizeof(int32_t)) == 0);
  free(expected);
  free(ids);
}

void test_sequence_file(void) {
  kakeya_profiles* profiles = c_test_profiles();
  int32_t sequence = -1, restored = -1;
  kakeya_packed_cache *cache = c_test_cache(profiles, 50, &sequence), *other = NULL;
  kakeya_cache_options options = c_test_cache_options(profiles);
  kakeya_facts facts = c_test_facts();
  kakeya_cache_file *file = NULL, *broken = NULL;
  size_t expected_bytes = 0, bytes = 0, i;
  unsigned char* expected = c_test_expected("sequence.kkv", &expected_bytes);
  unsigned char* made = c_test_memory(expected_bytes);
  int32_t* ids = token_ids();
  char path[1024];
  float rows[2][kWidth];

  FAILS(kakeya_packed_cache_save(cache, sequence, &facts, ids, kTokens, 5, made, 10, &bytes),
        KAKEYA_BUFFER_TOO_SMALL, "room for 10 bytes");
  CHECK(bytes == expected_bytes);
  OK(kakeya_packed_cache_save(cache, sequence, &facts, ids, kTokens, 5, made, bytes, &bytes));
  CHECK(bytes == expected_bytes && memcmp(made, expected, bytes) == 0);
  FAILS(kakeya_packed_cache_save(cache, sequence, &facts, ids, 3, 5, made, bytes, &bytes),
        KAKEYA_INPUT_ERROR, "token");
  FAILS(kakeya_packed_cache_save(cache, sequence, &facts, NULL, 3, 5, made, bytes, &bytes),
        KAKEYA_INPUT_ERROR, "token_ids: NULL");
  FAILS(kakeya_packed_cache_save(cache, sequence, &facts, ids, kTokens, -2, made, bytes, &bytes),
        KAKEYA_INPUT_ERROR, "next: -2");
  FAILS(kakeya_packed_cache_save(cache, sequence, NULL, ids, kTokens, 5, made, bytes, &bytes),
        KAKEYA_INPUT_ERROR, "facts: NULL");
  facts.tap = 7;
  FAILS(kakeya_packed_cache_save(cache, sequence, &facts, ids, kTokens, 5, made, bytes, &bytes),
        KAKEYA_SPEC_ERROR, "tap 7");
  facts = c_test_facts();
  facts.reserved = 1;
  FAILS(kakeya_packed_cache_save(cache, sequence, &facts, ids, kTokens, 5, made, bytes, &bytes),
        KAKEYA_INPUT_ERROR, "reserved 1");
  facts.reserved = 0;
  c_test_path(path, sizeof path, c_test_scratch_folder, "sequence.kkv");
  OK(kakeya_packed_cache_save_file(cache, sequence, &facts, ids, kTokens, 5, path));
  FAILS(kakeya_packed_cache_save_file(cache, sequence, &facts, ids, kTokens, 5, "/no/such/file"),
        KAKEYA_IO_ERROR, "/no/such/file");

  OK(kakeya_cache_file_open(path, NULL, &file));
  CHECK(strstr(kakeya_cache_file_facts(file), "{\"kind\": \"sequence\", \"model\": \"made\"") ==
        kakeya_cache_file_facts(file));
  CHECK(strstr(kakeya_cache_file_facts(file), "\"next\": 5, \"windows\": [0, 0, 0, 0]}") != NULL);
  check_token_ids(file);
  FAILS(kakeya_cache_file_read(file, 0, 0, 0, 0, 1, rows, 0, 0), KAKEYA_INPUT_ERROR, "KKVC");

  OK(kakeya_packed_cache_create(&options, &other));
  OK(kakeya_packed_cache_load(other, file, &facts, &restored));
  for (i = 0; i < 2; ++i) {
    OK(kakeya_packed_cache_read(i == 0 ? cache : other, i == 0 ? sequence : restored, 2,
                                KAKEYA_VALUES, KAKEYA_ALL_HEADS, 470, 1, rows[i], 0, 0));
  }
  CHECK(memcmp(rows[0], rows[1], sizeof rows[0]) == 0);
  memset(made, 0, expected_bytes);
  OK(kakeya_packed_cache_save(other, restored, &facts, ids, kTokens, 5, made, bytes, &bytes));
  CHECK(memcmp(made, expected, expected_bytes) == 0);

  facts.model_sha256 = "00";
  FAILS(kakeya_packed_cache_load(other, file, &facts, &restored), KAKEYA_INPUT_ERROR, "model");
  facts = c_test_facts();
  kakeya_packed_cache_free(other);
  options.sinks = 5;
  OK(kakeya_packed_cache_create(&options, &other));
  FAILS(kakeya_packed_cache_load(other, file, &facts, &restored), KAKEYA_INPUT_ERROR, "");
  kakeya_cache_file_free(file);

  // Damage is refused, by the head or when the sequence is restored.
  for (i = 0; i < expected_bytes; i += 1 + i / 7) {
    expected[i] ^= 4;
    if (kakeya_cache_file_open_memory(expected, expected_bytes, NULL, &broken) == KAKEYA_OK) {
      FAILS(kakeya_packed_cache_load(cache, broken, &facts, &restored), KAKEYA_CORRUPT_STREAM, "");
      kakeya_cache_file_free(broken);
    }
    expected[i] ^= 4;
    CHECK(kakeya_cache_file_open_memory(expected, i, NULL, &broken) == KAKEYA_CORRUPT_STREAM);
  }
  kakeya_packed_cache_free(cache);
  kakeya_packed_cache_free(other);
  kakeya_profiles_free(profiles);
  free(expected);
  free(made);
  free(ids);
}

// Parts of the file of a whole cache against those of the live one, which has the same codecs; but its
// residual window is of other tokens, and so are its open pages.
static void check_parts(const kakeya_cache_file* file) {
  size_t bytes = 0, token;
  float* expected = c_test_expected("read.f32", &bytes);
  float* read = c_test_memory(kTokens * kWidth * sizeof(float));
  int layer, part, head;
  for (layer = 0; layer < kLayers; ++layer) {
    for (part = 0; part < 2; ++part) {
      const float* own = expected + c_test_part(layer, part);
      const size_t sealed = layer == 0 || layer == 3 ? kTokens : KAKEYA_CASE_SINKS + 640;
      OK(kakeya_cache_file_read(file, layer, part, KAKEYA_ALL_HEADS, 0, kTokens, read,
                                KAKEYA_FLOAT32, 0));
      CHECK(memcmp(read, own, sealed * kWidth * sizeof(float)) == 0);
      CHECK(memcmp(read + (kTokens - KAKEYA_CASE_WINDOW) * kWidth,
                   own + (kTokens - KAKEYA_CASE_WINDOW) * kWidth,
                   KAKEYA_CASE_WINDOW * kWidth * sizeof(float)) == 0);
      for (head = 0; head < kHeads; ++head) {
        OK(kakeya_cache_file_read(file, layer, part, head, 2, 300, read, KAKEYA_FLOAT32, 0));
        for (token = 0; token < 300; ++token) {
          CHECK(memcmp(read + token * kDim, own + (token + 2) * kWidth + (size_t)head * kDim,
                       kDim * sizeof(float)) == 0);
        }
      }
    }
  }
  OK(kakeya_cache_file_read(file, 0, 0, 0, kTokens, 0, NULL, KAKEYA_FLOAT32, 0));
  FAILS(kakeya_cache_file_read(file, 4, 0, 0, 0, 1, read, 0, 0), KAKEYA_INPUT_ERROR, "layer 4");
  FAILS(kakeya_cache_file_read(file, 0, 2, 0, 0, 1, read, 0, 0), KAKEYA_SPEC_ERROR, "part 2");
  FAILS(kakeya_cache_file_read(file, 0, 0, 2, 0, 1, read, 0, 0), KAKEYA_INPUT_ERROR, "head 2");
  FAILS(kakeya_cache_file_read(file, 0, 0, 0, 700, 1, read, 0, 0), KAKEYA_INPUT_ERROR, "700");
  FAILS(kakeya_cache_file_read(file, 0, 0, 0, 1, (size_t)-1, read, 0, 0), KAKEYA_INPUT_ERROR,
        "there are 700");
  FAILS(kakeya_cache_file_read(NULL, 0, 0, 0, 0, 1, read, 0, 0), KAKEYA_INPUT_ERROR, "file: NULL");
  free(expected);
  free(read);
}

void test_cache_file(void) {
  kakeya_profiles* profiles = c_test_profiles();
  kakeya_cache_options options = c_test_cache_options(profiles);
  kakeya_facts facts = c_test_facts();
  kakeya_cache_file* file = NULL;
  kakeya_packed_cache* cache = NULL;
  size_t expected_bytes = 0, bytes = 0, length = 0, i;
  unsigned char* expected = c_test_expected("packed.kkv", &expected_bytes);
  unsigned char* made = c_test_memory(expected_bytes);
  float* rows = c_test_expected("cache.f32", &length);
  int32_t *ids = token_ids(), sequence;
  const void *keys[kLayers], *values[kLayers];
  const size_t windows[kLayers] = {0};
  char path[1024];
  for (i = 0; i < kLayers; ++i) {
    keys[i] = rows + c_test_part((int)i, KAKEYA_KEYS);
    values[i] = rows + c_test_part((int)i, KAKEYA_VALUES);
  }
  OK(kakeya_pack_cache(&options, &facts, ids, kTokens, keys, values, KAKEYA_FLOAT32, 0, 2, made,
                       expected_bytes, &bytes));
  CHECK(bytes == expected_bytes && memcmp(made, expected, bytes) == 0);
  FAILS(kakeya_pack_cache(&options, &facts, ids, kTokens, keys, values, KAKEYA_FLOAT32, 0, 1, made,
                          bytes - 1, &bytes),
        KAKEYA_BUFFER_TOO_SMALL, "bytes given");
  CHECK(bytes == expected_bytes);
  FAILS(kakeya_pack_cache(&options, &facts, NULL, kTokens, keys, values, 0, 0, 1, made, 0, &bytes),
        KAKEYA_INPUT_ERROR, "token_ids: NULL");
  FAILS(kakeya_pack_cache(&options, &facts, ids, kTokens, NULL, values, 0, 0, 1, made, 0, &bytes),
        KAKEYA_INPUT_ERROR, "keys: NULL");
  FAILS(kakeya_pack_cache(&options, &facts, ids, kTokens, keys, values, 0, 0, -1, made, 0, &bytes),
        KAKEYA_INPUT_ERROR, "threads: -1");
  FAILS(kakeya_pack_cache(&options, &facts, ids, 10, keys, values, 0, 0, 1, made, 0, &bytes),
        KAKEYA_INPUT_ERROR, "");  // sinks and window are all there is
  values[2] = NULL;
  FAILS(kakeya_pack_cache(&options, &facts, ids, kTokens, keys, values, 0, 0, 1, made, 0, &bytes),
        KAKEYA_INPUT_ERROR, "values: NULL");
  values[2] = rows + c_test_part(2, KAKEYA_VALUES);
  options.windows = windows;
  options.window_count = kLayers;
  FAILS(kakeya_pack_cache(&options, &facts, ids, kTokens, keys, values, 0, 0, 1, made, 0, &bytes),
        KAKEYA_INPUT_ERROR, "sliding windows");
  options = c_test_cache_options(profiles);
  c_test_path(path, sizeof path, c_test_scratch_folder, "packed.kkv");
  OK(kakeya_pack_cache_file(&options, &facts, ids, kTokens, keys, values, 0, 0, 1, path));

  OK(kakeya_cache_file_open(path, profiles, &file));
  CHECK(strstr(kakeya_cache_file_facts(file), "\"kind\": \"cache\"") != NULL);
  CHECK(strstr(kakeya_cache_file_facts(file), "\"codec_v\": \"e8:q=10\"") != NULL);
  CHECK(strstr(kakeya_cache_file_facts(file), "\"tokens\": 700, \"skip_edge_layers\": 1") != NULL);
  check_token_ids(file);
  check_parts(file);
  OK(kakeya_packed_cache_create(&options, &cache));
  FAILS(kakeya_packed_cache_load(cache, file, &facts, &sequence), KAKEYA_CORRUPT_STREAM, "");
  kakeya_packed_cache_free(cache);
  kakeya_cache_file_free(file);
  file = NULL;
  OK(kakeya_cache_file_open_memory(expected, expected_bytes, NULL, &file));
  FAILS(kakeya_cache_file_read(file, 1, 0, 0, 0, 9, rows, 0, 0), KAKEYA_INPUT_ERROR, "profile");
  kakeya_cache_file_free(file);
  file = NULL;
  FAILS(kakeya_cache_file_open("/no/such.kkv", NULL, &file), KAKEYA_IO_ERROR, "/no/such.kkv");
  FAILS(kakeya_cache_file_open_memory(NULL, 0, NULL, &file), KAKEYA_CORRUPT_STREAM, "");

  // Damage is refused by the head, or where it is read.
  for (i = 0; i < expected_bytes; i += 1 + i / 7) {
    int layer, part;
    kakeya_status status;
    expected[i] ^= 4;
    status = kakeya_cache_file_open_memory(expected, expected_bytes, profiles, &file);
    if (status == KAKEYA_OK) {
      for (layer = 0; layer < kLayers && status == KAKEYA_OK; ++layer) {
        for (part = 0; part < 2 && status == KAKEYA_OK; ++part) {
          status = kakeya_cache_file_read(file, layer, part, -1, 0, kTokens, rows, 0, 0);
        }
      }
      kakeya_cache_file_free(file);
    }
    CHECK(status == KAKEYA_CORRUPT_STREAM);
    expected[i] ^= 4;
  }
  CHECK(strcmp(kakeya_cache_file_facts(NULL), "") == 0);
  kakeya_cache_file_free(NULL);
  kakeya_profiles_free(profiles);
  free(expected);
  free(made);
  free(rows);
  free(ids);
}
