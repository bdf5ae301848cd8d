// SPDX-License-Identifier: Apache-2.0
// Sections and vectors that are wrong, arguments that are wrong.
#include "bindings/c/device_test.h"

enum { kTokens = 70 };

static const struct device_case* case_of(const char* spec) {
  size_t i = 0;
  while (strcmp(device_cases[i].spec, spec) != 0) ++i;
  return &device_cases[i];
}

// Vectors that are not finite raise the flag of their head, and the other head's frame is whole.
static void test_not_finite(const kakeya_profiles* profiles) {
  static const char* const specs[] = {"e8:q=10", "kivi:b=4", "ece8:bits=3,page=32",
                                      "klt:bits=3,page=32"};
  size_t i;
  for (i = 0; i < sizeof specs / sizeof specs[0]; ++i) {
    struct both_codecs codecs = make_both(case_of(specs[i]), profiles);
    struct both_rows x = make_rows(&codecs, KAKEYA_BFLOAT16, kTokens, kDense);
    kakeya_device_memory memory = make_memory(&codecs, kTokens);
    const uint16_t nan = 0x7fc0;
    size_t bytes = 0, expected_bytes = 0;
    void *expected, *frame;
    draw_rows(&x, 3);
    gpu_copy_in((unsigned char*)x.view.data + (5 * 2 * codecs.dim + codecs.dim) * 2, &nan, 2);
    OK(kakeya_device_encode(codecs.device, &x.view, &memory, NULL));
    FAILS(kakeya_device_check(codecs.device, memory.flags, 2, NULL), KAKEYA_INPUT_ERROR, "head 1:");
    expected = host_frame(&codecs, &x, 0, &expected_bytes);
    frame = device_frame(&codecs, kTokens, 0, &memory, NULL, &bytes);
    if (strncmp(specs[i], "ec", 2) != 0) {  // those choose classes of heads together
      CHECK(frame != NULL && bytes == expected_bytes && memcmp(frame, expected, bytes) == 0);
    }
    free(frame);
    free(expected);
    free_memory(&memory);
    free_rows(&x);
    free_both(&codecs);
  }
}

// What was written over sections is an error of the check, or values; never a way out of bounds.
static void test_damaged_sections(const kakeya_profiles* profiles) {
  size_t i;
  for (i = 0; i < device_case_count; ++i) {
    struct both_codecs codecs = make_both(&device_cases[i], profiles);
    struct both_rows x = make_rows(&codecs, KAKEYA_FLOAT32, kTokens, kGaps);
    struct both_rows y = make_rows(&codecs, KAKEYA_FLOAT32, kTokens, kGaps);
    kakeya_device_memory memory = make_memory(&codecs, kTokens);
    unsigned char* there = c_test_memory(y.bytes);
    size_t at;
    draw_rows(&x, 4);
    OK(kakeya_device_encode(codecs.device, &x.view, &memory, NULL));
    gpu_fill(memory.sections, 0xff, memory.sections_bytes, NULL);
    OK(kakeya_device_decode(codecs.device, &memory, &y.view, NULL));
    FAILS(kakeya_device_check(codecs.device, memory.flags, codecs.heads, NULL),
          KAKEYA_CORRUPT_STREAM, "head 0");
    gpu_copy_out(there, y.view.data, y.bytes);
    for (at = codecs.dim * 4; at < codecs.dim * 4 + 32; ++at) CHECK(there[at] == 0x5a);  // a gap
    free(there);
    free_memory(&memory);
    free_rows(&x);
    free_rows(&y);
    free_both(&codecs);
  }
}

// The scales of head 0 are the first section of e8: only its values are lost.
static void test_damaged_head(void) {
  struct both_codecs codecs = make_both(case_of("e8:q=10"), NULL);
  struct both_rows x = make_rows(&codecs, KAKEYA_FLOAT32, kTokens, kHeadsFirst);
  struct both_rows y = make_rows(&codecs, KAKEYA_FLOAT32, kTokens, kHeadsFirst);
  kakeya_device_memory memory = make_memory(&codecs, kTokens);
  const size_t one = (kTokens + 1) * codecs.dim * sizeof(float);  // bytes of a head
  size_t bytes = 0, count = kTokens, i;
  unsigned char* there = c_test_memory(y.bytes);
  float* expected = c_test_memory(kTokens * codecs.dim * sizeof(float));
  void* frame;
  draw_rows(&x, 5);
  OK(kakeya_device_encode(codecs.device, &x.view, &memory, NULL));
  gpu_fill(memory.sections, 0xff, 4, NULL);
  OK(kakeya_device_decode(codecs.device, &memory, &y.view, NULL));
  FAILS(kakeya_device_check(codecs.device, memory.flags, 2, NULL), KAKEYA_CORRUPT_STREAM,
        "head 0: a scale");
  OK(kakeya_device_check(codecs.device, memory.flags + 1, 1, NULL));
  gpu_copy_out(there, y.view.data, y.bytes);
  for (i = 0; i < codecs.dim * sizeof(float); ++i) CHECK(there[i] == 0);
  frame = host_frame(&codecs, &x, 1, &bytes);
  OK(kakeya_decode(codecs.host[1], frame, bytes, expected, KAKEYA_FLOAT32, 0, &count));
  CHECK(memcmp(there + one, expected, kTokens * codecs.dim * sizeof(float)) == 0);
  free(frame);
  // The frame is written, and its reader refuses it.
  frame = device_frame(&codecs, kTokens, 0, &memory, NULL, &bytes);
  CHECK(frame != NULL);
  FAILS(kakeya_decode(codecs.host[0], frame, bytes, expected, KAKEYA_FLOAT32, 0, &count),
        KAKEYA_CORRUPT_STREAM, "scale");
  free(frame);
  free(expected);
  free(there);
  free_memory(&memory);
  free_rows(&x);
  free_rows(&y);
  free_both(&codecs);
}

// Lengths that lead beyond a section; frames that are not this codec's.
static void test_damaged_frames(const kakeya_profiles* profiles) {
  struct both_codecs codecs = make_both(case_of("klt:bits=3,page=32"), profiles);
  struct both_rows x = make_rows(&codecs, KAKEYA_FLOAT32, kTokens, kDense);
  struct both_rows fewer = make_rows(&codecs, KAKEYA_FLOAT32, kTokens - 1, kDense);
  kakeya_device_memory memory = make_memory(&codecs, kTokens);
  size_t bytes = 0, other = 0;
  unsigned char* frame;
  void* of_fewer;
  draw_rows(&x, 6);
  draw_rows(&fewer, 6);
  frame = host_frame(&codecs, &x, 0, &bytes);
  of_fewer = host_frame(&codecs, &fewer, 0, &other);
#define PUT(head, from, length)                                                                 \
  kakeya_device_put_frame(codecs.device, kTokens, 2, (head), (from), (length), memory.sections, \
                          memory.sections_bytes, NULL)
  FAILS(PUT(1, frame, bytes), KAKEYA_CORRUPT_STREAM, "");  // another site's
  FAILS(PUT(0, of_fewer, other), KAKEYA_CORRUPT_STREAM, "69 vectors given, expected 70");
  FAILS(PUT(0, frame, bytes - 1), KAKEYA_CORRUPT_STREAM, "");
  FAILS(PUT(0, NULL, 4), KAKEYA_INPUT_ERROR, "frame: NULL");
  FAILS(PUT(0, NULL, 0), KAKEYA_CORRUPT_STREAM, "");
  frame[bytes / 2] ^= 1;
  FAILS(PUT(0, frame, bytes), KAKEYA_CORRUPT_STREAM, "");
  frame[bytes / 2] ^= 1;
  OK(PUT(0, frame, bytes));
  FAILS(PUT(2, frame, bytes), KAKEYA_INPUT_ERROR, "head 2 given, expected 0 to 1");
#undef PUT
  gpu_fill(memory.sections, 0xff, memory.sections_bytes, NULL);
  FAILS(kakeya_device_frame(codecs.device, kTokens, 2, 0, memory.sections, memory.sections_bytes,
                            NULL, frame, bytes, &bytes),
        KAKEYA_CORRUPT_STREAM, "expected at most");
  free(frame);
  free(of_fewer);
  free_memory(&memory);
  free_rows(&x);
  free_rows(&fewer);
  free_both(&codecs);
}

void test_device_damage(const kakeya_profiles* profiles) {
  test_not_finite(profiles);
  test_damaged_sections(profiles);
  test_damaged_head();
  test_damaged_frames(profiles);
}
