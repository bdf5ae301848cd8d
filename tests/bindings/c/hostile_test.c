// SPDX-License-Identifier: Apache-2.0
// What a caller may get wrong, and bytes that are not what they claim to be.
#include <math.h>

#include "bindings/c/c_test.h"

enum { kDim = KAKEYA_CASE_DIM, kCount = 50 };

static void test_hostile_options(const kakeya_profiles* profiles) {
  struct {
    kakeya_codec_options known;
    char later[16];
  } longer;
  kakeya_codec_options options = {.size = sizeof options, .dim = kDim};
  kakeya_codec* codec = NULL;
  FAILS(kakeya_codec_create(NULL, &options, &codec), KAKEYA_INPUT_ERROR, "spec: NULL");
  FAILS(kakeya_codec_create("fp8", NULL, &codec), KAKEYA_INPUT_ERROR, "options: NULL");
  FAILS(kakeya_codec_create("fp8", &options, NULL), KAKEYA_INPUT_ERROR, "out: NULL");
  FAILS(kakeya_codec_create("e9:q=10", &options, &codec), KAKEYA_SPEC_ERROR, "e9");
  FAILS(kakeya_codec_create("e8:q=10,nosuch=1", &options, &codec), KAKEYA_SPEC_ERROR, "nosuch");
  FAILS(kakeya_codec_create("klt:bits=3", &options, &codec), KAKEYA_INPUT_ERROR, "");
  options.dim = 7;
  FAILS(kakeya_codec_create("e8:q=10", &options, &codec), KAKEYA_INPUT_ERROR, "dim 7");
  options.dim = kDim;
  options.size = 8;
  FAILS(kakeya_codec_create("fp8", &options, &codec), KAKEYA_INPUT_ERROR, "size 8");
  options.size = (size_t)-1;
  FAILS(kakeya_codec_create("fp8", &options, &codec), KAKEYA_INPUT_ERROR, "expected the sizeof");
  options.size = sizeof options;
  options.profiles = profiles;
  options.has_site = 1;
  options.part = 5;
  FAILS(kakeya_codec_create("klt:bits=3", &options, &codec), KAKEYA_SPEC_ERROR, "part 5");
  options.part = KAKEYA_KEYS;
  options.layer = 99;
  FAILS(kakeya_codec_create("klt:bits=3", &options, &codec), KAKEYA_INPUT_ERROR, "layer");
  options.layer = -3;
  FAILS(kakeya_codec_create("klt:bits=3", &options, &codec), KAKEYA_INPUT_ERROR, "");
  CHECK(codec == NULL);

  // A program that was built with a later header, which has more fields.
  memset(&longer, 0, sizeof longer);
  longer.known.size = sizeof longer;
  longer.known.dim = kDim;
  OK(kakeya_codec_create("fp8", &longer.known, &codec));
  kakeya_codec_free(codec);
  longer.later[3] = 1;
  FAILS(kakeya_codec_create("fp8", &longer.known, &codec), KAKEYA_INPUT_ERROR, "does not know");
}

static void test_null_handles(void) {
  char buffer[64];
  size_t size = sizeof buffer;
  double aligned[4] = {0};
  kakeya_rates rates = {.size = sizeof rates};
  FAILS(kakeya_encode(NULL, aligned, 0, 1, 0, buffer, 64, &size), KAKEYA_INPUT_ERROR,
        "codec: NULL");
  FAILS(kakeya_decode(NULL, buffer, 64, aligned, 0, 0, &size), KAKEYA_INPUT_ERROR, "codec: NULL");
  FAILS(kakeya_decode_page(NULL, buffer, 64, 0, aligned, 0, 0, &size), KAKEYA_INPUT_ERROR,
        "codec: NULL");
  FAILS(kakeya_codec_encoded_bound(NULL, 1, &size), KAKEYA_INPUT_ERROR, "codec: NULL");
  FAILS(kakeya_codec_rates(NULL, &rates), KAKEYA_INPUT_ERROR, "codec: NULL");
  FAILS(kakeya_scope_of("fp8", NULL), KAKEYA_INPUT_ERROR, "scope: NULL");
  CHECK(strcmp(kakeya_codec_spec(NULL), "") == 0 && kakeya_codec_dim(NULL) == 0);
  CHECK(kakeya_codec_page_vectors(NULL) == 0 && kakeya_frame_sections(NULL) == 0);
  CHECK(strcmp(kakeya_frame_spec(NULL), "") == 0 && kakeya_frame_dim(NULL) == 0);
  CHECK(kakeya_frame_count(NULL) == 0 && kakeya_frame_format_version(NULL) == 0);
  kakeya_codec_free(NULL);
  kakeya_frame_free(NULL);
}

static void test_hostile_rows(const kakeya_codec* codec, const float* rows) {
  float* copy = c_test_memory((kCount * kDim + 1) * sizeof(float));
  size_t bound = 0, bytes = 0;
  char* frame;
  OK(kakeya_codec_encoded_bound(codec, kCount, &bound));
  frame = c_test_memory(bound);
  memcpy(copy, rows, kCount * kDim * sizeof(float));
  copy[3 * kDim + 5] = (float)NAN;
  FAILS(kakeya_encode(codec, copy, KAKEYA_FLOAT32, kCount, 0, frame, bound, &bytes),
        KAKEYA_INPUT_ERROR, "vector 3, coordinate 5: NaN");
  FAILS(kakeya_encode(codec, rows, 9, kCount, 0, frame, bound, &bytes), KAKEYA_SPEC_ERROR,
        "dtype 9");
  FAILS(kakeya_encode(codec, rows, KAKEYA_FLOAT32, kCount, kDim - 1, frame, bound, &bytes),
        KAKEYA_INPUT_ERROR, "stride 63");
  FAILS(kakeya_encode(codec, NULL, KAKEYA_FLOAT32, kCount, 0, frame, bound, &bytes),
        KAKEYA_INPUT_ERROR, "rows: NULL");
  FAILS(kakeya_encode(codec, (const char*)rows + 1, KAKEYA_FLOAT32, 1, 0, frame, bound, &bytes),
        KAKEYA_INPUT_ERROR, "no multiple of 4");
  FAILS(kakeya_encode(codec, rows, KAKEYA_FLOAT32, (size_t)-1, 0, frame, bound, &bytes),
        KAKEYA_INPUT_ERROR, "2^48");
  FAILS(kakeya_encode(codec, rows, KAKEYA_FLOAT32, 2, (size_t)-1, frame, bound, &bytes),
        KAKEYA_INPUT_ERROR, "2^48");
  FAILS(kakeya_encode(codec, rows, KAKEYA_FLOAT32, 1, 0, frame, bound, NULL), KAKEYA_INPUT_ERROR,
        "frame_bytes: NULL");
  FAILS(kakeya_encode(codec, rows, KAKEYA_FLOAT32, 1, 0, NULL, bound, &bytes), KAKEYA_INPUT_ERROR,
        "frame: NULL");
  FAILS(kakeya_codec_encoded_bound(codec, (size_t)-1, &bytes), KAKEYA_INPUT_ERROR, "2^48");
#if !defined(__SANITIZE_ADDRESS__)  // which ends a program that asks for so much
  FAILS(kakeya_encode(codec, rows, KAKEYA_BFLOAT16, (size_t)1 << 41, 0, frame, bound, &bytes),
        KAKEYA_OUT_OF_MEMORY, "out of memory");
#endif
  free(copy);
  free(frame);
}

// Every shorter frame, and every frame with a bit that is not as it was, is refused.
static void test_damaged_frames(const kakeya_codec* codec, const float* rows) {
  float* decoded = c_test_memory(kCount * kDim * sizeof(float));
  size_t bound = 0, bytes = 0, at, count = kCount;
  unsigned char* frame;
  kakeya_frame_info* info = NULL;
  kakeya_codec *other = c_test_codec("fp8", kDim), *none = NULL;
  OK(kakeya_codec_encoded_bound(codec, kCount, &bound));
  frame = c_test_memory(bound + 1);
  OK(kakeya_encode(codec, rows, KAKEYA_FLOAT32, kCount, 0, frame, bound, &bytes));
  FAILS(kakeya_decode(other, frame, bytes, decoded, KAKEYA_FLOAT32, 0, &count),
        KAKEYA_CORRUPT_STREAM, "expected 'fp8'");
  for (at = 0; at < bytes; ++at) {
    unsigned char* cut = c_test_memory(at);  // a reader that goes beyond it is seen by sanitizers
    memcpy(cut, frame, at);
    count = kCount;
    CHECK(kakeya_decode(codec, cut, at, decoded, KAKEYA_FLOAT32, 0, &count) ==
          KAKEYA_CORRUPT_STREAM);
    CHECK(kakeya_decode_page(codec, cut, at, 0, decoded, KAKEYA_FLOAT32, 0, &count) ==
          KAKEYA_CORRUPT_STREAM);
    CHECK(kakeya_frame_open(cut, at, NULL, &info) == KAKEYA_CORRUPT_STREAM);
    CHECK(kakeya_codec_of_frame(cut, at, NULL, &none) == KAKEYA_CORRUPT_STREAM);
    free(cut);
    frame[at] ^= 1;
    CHECK(kakeya_decode(codec, frame, bytes, decoded, KAKEYA_FLOAT32, 0, &count) ==
          KAKEYA_CORRUPT_STREAM);
    frame[at] ^= 1;
  }
  CHECK(kakeya_decode(codec, frame, bytes + 1, decoded, KAKEYA_FLOAT32, 0, &count) ==
        KAKEYA_CORRUPT_STREAM);
  CHECK(info == NULL && none == NULL);
  FAILS(kakeya_decode(codec, NULL, bytes, decoded, KAKEYA_FLOAT32, 0, &count), KAKEYA_INPUT_ERROR,
        "frame: NULL");
  FAILS(kakeya_decode(codec, frame, bytes, NULL, KAKEYA_FLOAT32, 0, &count), KAKEYA_INPUT_ERROR,
        "rows: NULL");
  FAILS(kakeya_decode(codec, frame, bytes, decoded, KAKEYA_FLOAT32, 0, NULL), KAKEYA_INPUT_ERROR,
        "count: NULL");
  OK(kakeya_decode(codec, frame, bytes, decoded, KAKEYA_FLOAT32, 0, &count));
  CHECK(count == kCount);
  kakeya_codec_free(other);
  free(decoded);
  free(frame);
}

void test_hostile_codecs(void) {
  kakeya_profiles* profiles = c_test_profiles();
  kakeya_codec* codec = c_test_codec("ece8:bits=4,page=32", kDim);
  size_t bytes = 0;
  float* rows = c_test_expected("rows.f32", &bytes);
  char* calibrated;
  kakeya_codec* none = NULL;
  test_hostile_options(profiles);
  test_null_handles();
  test_hostile_rows(codec, rows);
  test_damaged_frames(codec, rows);
  calibrated = c_test_expected("klt.kky", &bytes);
  FAILS(kakeya_codec_of_frame(calibrated, bytes, NULL, &none), KAKEYA_INPUT_ERROR, "profile");
  CHECK(none == NULL);
  kakeya_codec_free(codec);
  kakeya_profiles_free(profiles);
  free(rows);
  free(calibrated);
}
