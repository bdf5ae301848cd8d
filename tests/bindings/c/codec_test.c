// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "bindings/c/c_test.h"

enum { kDim = KAKEYA_CASE_DIM };
#define CASES (sizeof kakeya_cases / sizeof kakeya_cases[0])

static kakeya_codec* codec_of_case(const struct kakeya_case* each,
                                   const kakeya_profiles* profiles) {
  kakeya_codec_options options = {.size = sizeof options, .dim = kDim, .profiles = profiles};
  kakeya_codec* codec = NULL;
  if (each->scope == 2) options.dim = 2 * KAKEYA_CASE_LAYERS * KAKEYA_CASE_HEADS * kDim;
  if (each->scope == 1) {
    options.has_site = 1;
    options.layer = 2;
    options.part = KAKEYA_VALUES;
    options.head = 1;
  }
  OK(kakeya_codec_create(each->spec, &options, &codec));
  return codec;
}

// Sections, ledger and spec of a frame of a case.
static void check_facts(const struct kakeya_case* each, const kakeya_codec* codec,
                        const void* frame, size_t bytes, const float* rows,
                        const kakeya_profiles* profiles) {
  kakeya_frame_info* info = NULL;
  kakeya_codec* again = NULL;
  kakeya_ledger ledger = {.size = sizeof ledger}, no_rows = {.size = sizeof no_rows};
  kakeya_rates rates = {.size = sizeof rates};
  size_t sum = 0, i;
  OK(kakeya_frame_open(frame, bytes, profiles, &info));
  CHECK(strcmp(kakeya_frame_spec(info), kakeya_codec_spec(codec)) == 0);
  CHECK(kakeya_frame_dim(info) == kakeya_codec_dim(codec));
  CHECK(kakeya_frame_count(info) == each->count && kakeya_frame_format_version(info) == 1);
  CHECK(strcmp(kakeya_frame_section_name(info, 0), "header") == 0);
  for (i = 0; i < kakeya_frame_sections(info); ++i) sum += kakeya_frame_section_bytes(info, i);
  CHECK(sum == bytes);
  CHECK(kakeya_frame_section_bytes(info, i) == 0);
  CHECK(strcmp(kakeya_frame_section_name(info, i), "") == 0);
  kakeya_frame_free(info);

  OK(kakeya_codec_of_frame(frame, bytes, profiles, &again));
  CHECK(strcmp(kakeya_codec_spec(again), kakeya_codec_spec(codec)) == 0);
  kakeya_codec_free(again);

  OK(kakeya_frame_ledger(codec, frame, bytes, rows, KAKEYA_FLOAT32, each->count, 0, &ledger));
  CHECK(ledger.vectors == each->count);
  CHECK(ledger.values == each->count * kakeya_codec_dim(codec));
  CHECK(ledger.payload_bits + ledger.scale_bits + ledger.header_bits + ledger.table_bits +
            ledger.padding_bits ==
        8 * bytes);
  OK(kakeya_frame_ledger(codec, frame, bytes, NULL, KAKEYA_FLOAT32, 0, 0, &no_rows));
  CHECK(isnan(no_rows.entropy_bits) && no_rows.payload_bits == ledger.payload_bits);
  OK(kakeya_codec_rates(codec, &rates));
  if (strcmp(each->name, "e8") == 0) {  // the formula: 36 bits for 8 values, and two binary16
    CHECK(rates.nominal_bits_per_vector == 36.0 * kDim / 8 + 32);
    CHECK(ledger.nominal_bits == rates.nominal_bits_per_vector * each->count);
    CHECK(ledger.entropy_bits > 0 && ledger.beyond_profile_values == 0);
  }
  CHECK((rates.profile_bytes != 0) == (strncmp(each->spec, "klt", 3) == 0));
}

void test_frames(void) {
  kakeya_profiles* profiles = c_test_profiles();
  size_t i, bytes = 0, length = 0;
  for (i = 0; i < CASES; ++i) {
    const struct kakeya_case* each = &kakeya_cases[i];
    char name[64];
    kakeya_codec* codec = codec_of_case(each, profiles);
    const size_t dim = kakeya_codec_dim(codec);
    float* rows = c_test_expected(each->scope == 2 ? "token.f32" : "rows.f32", &length);
    size_t bound = 0, count = each->count, expected_bytes = 0;
    void *expected, *frame;
    float *decoded, *expected_rows;
    kakeya_scope scope = -1;
    OK(kakeya_scope_of(each->spec, &scope));
    CHECK(scope == each->scope);
    snprintf(name, sizeof name, "%s.kky", each->name);
    expected = c_test_expected(name, &expected_bytes);
    snprintf(name, sizeof name, "%s.f32", each->name);
    expected_rows = c_test_expected(name, &length);
    CHECK(length == count * dim * sizeof(float));

    OK(kakeya_codec_encoded_bound(codec, count, &bound));
    frame = c_test_memory(bound);
    OK(kakeya_encode(codec, rows, KAKEYA_FLOAT32, count, 0, frame, bound, &bytes));
    CHECK(bytes == expected_bytes && memcmp(frame, expected, bytes) == 0);

    // Room for less than the bound, exactly enough, one byte too few, none.
    memset(frame, 0, bytes);
    OK(kakeya_encode(codec, rows, KAKEYA_FLOAT32, count, dim, frame, expected_bytes, &bytes));
    CHECK(memcmp(frame, expected, expected_bytes) == 0);
    bytes = 0;
    FAILS(kakeya_encode(codec, rows, KAKEYA_FLOAT32, count, 0, frame, expected_bytes - 1, &bytes),
          KAKEYA_BUFFER_TOO_SMALL, "bytes given, expected");
    CHECK(bytes == expected_bytes);
    bytes = 0;
    FAILS(kakeya_encode(codec, rows, KAKEYA_FLOAT32, count, 0, NULL, 0, &bytes),
          KAKEYA_BUFFER_TOO_SMALL, "room for 0 bytes");
    CHECK(bytes == expected_bytes);

    // Room for as many rows, more, fewer, none.
    decoded = c_test_memory((count + 2) * dim * sizeof(float));
    OK(kakeya_decode(codec, expected, expected_bytes, decoded, KAKEYA_FLOAT32, 0, &count));
    CHECK(memcmp(decoded, expected_rows, length) == 0);
    count += 2;
    memset(decoded, 0, length);
    OK(kakeya_decode(codec, expected, expected_bytes, decoded, KAKEYA_FLOAT32, 0, &count));
    CHECK(count == each->count && memcmp(decoded, expected_rows, length) == 0);
    if (count > 0) {
      --count;
      FAILS(kakeya_decode(codec, expected, expected_bytes, decoded, KAKEYA_FLOAT32, 0, &count),
            KAKEYA_BUFFER_TOO_SMALL, "rows given");
      CHECK(count == each->count);
      count = 0;
      FAILS(kakeya_decode(codec, expected, expected_bytes, NULL, KAKEYA_FLOAT32, 0, &count),
            KAKEYA_BUFFER_TOO_SMALL, "room for 0 rows");
      CHECK(count == each->count);
    }
    check_facts(each, codec, expected, expected_bytes, rows, profiles);
    kakeya_codec_free(codec);
    free(rows);
    free(expected);
    free(expected_rows);
    free(frame);
    free(decoded);
  }
  kakeya_profiles_free(profiles);
}

static void* golden(const char* name, const char* ending, size_t* bytes) {
  const char* expected = c_test_expected_folder;
  char file[128];
  void* content;
  snprintf(file, sizeof file, "%s.%s", name, ending);
  c_test_expected_folder = c_test_golden_folder;
  content = c_test_expected(file, bytes);
  c_test_expected_folder = expected;
  return content;
}

// Frames that are kept in the repository, which name their codecs.
void test_golden_frames(void) {
  static const char* const names[] = {"e8_q_10", "d4_q_38", "ece8_bits_4", "ecz_bits_3",
                                      "fp8",     "int4",    "iq4_nl",      "identity"};
  size_t i;
  for (i = 0; i < sizeof names / sizeof names[0]; ++i) {
    size_t frame_bytes = 0, bytes = 0, count;
    void* frame = golden(names[i], "kky", &frame_bytes);
    float* expected = golden(names[i], "f32", &bytes);
    float* decoded = c_test_memory(bytes);
    kakeya_codec* codec = NULL;
    OK(kakeya_codec_of_frame(frame, frame_bytes, NULL, &codec));
    count = bytes / sizeof(float) / kakeya_codec_dim(codec);
    OK(kakeya_decode(codec, frame, frame_bytes, decoded, KAKEYA_FLOAT32, 0, &count));
    CHECK(memcmp(decoded, expected, bytes) == 0);
    kakeya_codec_free(codec);
    free(frame);
    free(expected);
    free(decoded);
  }
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Other types are the float32 that they stand for; gaps between rows are not looked at.
void test_types_and_strides(void) {
  enum { kCount = 40, kStride = kDim + 7 };
  kakeya_codec* codec = c_test_codec("ece8:bits=4,page=32", kDim);
  size_t length = 0, bytes = 0, other = 0, bound = 0, i, row;
  float* rows = c_test_expected("rows.f32", &length);
  float *wide = c_test_memory(kCount * kStride * sizeof(float)), *decoded, *wide_decoded;
  uint16_t* halves = c_test_memory(kCount * kStride * sizeof(uint16_t));
  unsigned char *frame, *again;
  size_t count = kCount;
  OK(kakeya_codec_encoded_bound(codec, kCount, &bound));
  frame = c_test_memory(bound);
  again = c_test_memory(bound);
  decoded = c_test_memory(kCount * kDim * sizeof(float));
  wide_decoded = c_test_memory(kCount * kStride * sizeof(float));
  for (row = 0; row < kCount; ++row) {
    for (i = 0; i < kStride; ++i) wide[row * kStride + i] = float_of(0x7fc00000u);  // NaN
    for (i = 0; i < kDim; ++i) {
      float* value = &rows[row * kDim + i];
      *value = float_of(bits_of(*value) & 0xffff0000u);
      wide[row * kStride + i] = *value;
      halves[row * kStride + i] = (uint16_t)(bits_of(*value) >> 16);
    }
  }
  OK(kakeya_encode(codec, rows, KAKEYA_FLOAT32, kCount, 0, frame, bound, &bytes));
  OK(kakeya_encode(codec, wide, KAKEYA_FLOAT32, kCount, kStride, again, bound, &other));
  CHECK(bytes == other && memcmp(frame, again, bytes) == 0);
  OK(kakeya_encode(codec, halves, KAKEYA_BFLOAT16, kCount, kStride, again, bound, &other));
  CHECK(bytes == other && memcmp(frame, again, bytes) == 0);

  OK(kakeya_decode(codec, frame, bytes, decoded, KAKEYA_FLOAT32, 0, &count));
  OK(kakeya_decode(codec, frame, bytes, wide_decoded, KAKEYA_FLOAT32, kStride, &count));
  memset(halves, 0x11, kCount * kStride * sizeof(uint16_t));
  OK(kakeya_decode(codec, frame, bytes, halves, KAKEYA_BFLOAT16, kStride, &count));
  for (row = 0; row < kCount; ++row) {
    for (i = 0; i < kDim; ++i) {
      const uint32_t value = bits_of(decoded[row * kDim + i]);
      const uint32_t rounded = (value + 0x7fffu + ((value >> 16) & 1u)) >> 16;
      CHECK(bits_of(wide_decoded[row * kStride + i]) == value);
      CHECK(halves[row * kStride + i] == rounded);
    }
    if (row + 1 < kCount) CHECK(halves[row * kStride + kDim] == 0x1111);
  }

  // binary16: 1 is 0x3c00, -2 is 0xc000, 2^-24 is 1. What is beyond it becomes 65504.
  for (i = 0; i < kDim; ++i) halves[i] = i % 3 == 0 ? 0x3c00 : (i % 3 == 1 ? 0xc000 : 1);
  for (i = 0; i < kDim; ++i) rows[i] = i % 3 == 0 ? 1.0f : (i % 3 == 1 ? -2.0f : 0x1p-24f);
  OK(kakeya_encode(codec, rows, KAKEYA_FLOAT32, 1, 0, frame, bound, &bytes));
  OK(kakeya_encode(codec, halves, KAKEYA_FLOAT16, 1, 0, again, bound, &other));
  CHECK(bytes == other && memcmp(frame, again, bytes) == 0);
  kakeya_codec_free(codec);
  codec = c_test_codec("identity", kDim);
  for (i = 0; i < kDim; ++i) rows[i] = i % 2 == 0 ? 1e6f : 1.0f;
  OK(kakeya_encode(codec, rows, KAKEYA_FLOAT32, 1, 0, frame, bound, &bytes));
  count = 1;
  OK(kakeya_decode(codec, frame, bytes, halves, KAKEYA_FLOAT16, 0, &count));
  CHECK(halves[0] == 0x7bff && halves[1] == 0x3c00);
  kakeya_codec_free(codec);
  free(rows);
  free(wide);
  free(halves);
  free(frame);
  free(again);
  free(decoded);
  free(wide_decoded);
}
