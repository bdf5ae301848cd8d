// SPDX-License-Identifier: Apache-2.0
// Handles that several threads use, and an error text a thread.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

#include "bindings/c/c_test.h"

enum { kDim = KAKEYA_CASE_DIM, kThreads = 4, kRounds = 20, kRows = 128 };

static kakeya_profiles* profiles;
static kakeya_codec* codec;
static kakeya_packed_cache* cache;
static kakeya_cache_file* file;
static int32_t sequence;
static const float* rows;

// CHECK counts in one thread alone: each counts its own.
static void* work(void* argument) {
  int* failed = argument;
  char name[32], expected[64];
  size_t frame_bytes = 0, bytes = 0, count, round;
  void* frame = c_test_expected("klt.kky", &frame_bytes);
  void* made = c_test_memory(2 * frame_bytes);
  float* decoded = c_test_expected("klt.f32", &bytes);
  float* read = c_test_memory(kRows * kDim * sizeof(float));
  float* out = c_test_memory(bytes);
  snprintf(name, sizeof name, "nosuch%d", *failed);
  snprintf(expected, sizeof expected, "codec '%s'", name);
  *failed = 0;
  for (round = 0; round < kRounds; ++round) {
    kakeya_codec_options options = {.size = sizeof options, .dim = kDim};
    kakeya_codec* none = NULL;
    size_t size = 0;
    *failed += kakeya_codec_create(name, &options, &none) != KAKEYA_SPEC_ERROR;
    *failed += kakeya_encode(codec, rows, 0, 300, 0, made, 2 * frame_bytes, &size) != KAKEYA_OK;
    *failed += size != frame_bytes || memcmp(made, frame, size) != 0;
    count = 300;
    *failed += kakeya_decode(codec, frame, frame_bytes, out, 0, 0, &count) != KAKEYA_OK;
    *failed += memcmp(out, decoded, bytes) != 0;
    *failed += kakeya_codec_of_frame(frame, frame_bytes, profiles, &none) != KAKEYA_OK;
    kakeya_codec_free(none);
    *failed += kakeya_packed_cache_read(cache, sequence, 1, 0, 1, 4, kRows, out, 0, 0) != KAKEYA_OK;
    *failed += kakeya_cache_file_read(file, 1, 0, 1, 4, kRows, read, 0, 0) != KAKEYA_OK;
    *failed += memcmp(out, read, kRows * kDim * sizeof(float)) != 0;
    *failed += strstr(kakeya_last_error(), expected) != kakeya_last_error();
  }
  free(frame);
  free(made);
  free(decoded);
  free(read);
  free(out);
  return NULL;
}

void test_threads(void) {
  pthread_t threads[kThreads];
  int failed[kThreads], i;
  size_t bytes = 0;
  char path[1024];
  float* memory = c_test_expected("rows.f32", &bytes);
  kakeya_codec_options options = {.size = sizeof options,
                                  .dim = kDim,
                                  .has_site = 1,
                                  .layer = 2,
                                  .part = KAKEYA_VALUES,
                                  .head = 1};
  rows = memory;
  profiles = c_test_profiles();
  options.profiles = profiles;
  OK(kakeya_codec_create("klt:bits=3", &options, &codec));
  cache = c_test_cache(profiles, 350, &sequence);
  c_test_path(path, sizeof path, c_test_expected_folder, "packed.kkv");
  OK(kakeya_cache_file_open(path, profiles, &file));
  for (i = 0; i < kThreads; ++i) {
    failed[i] = i;  // its number, until it counts
    if (pthread_create(&threads[i], NULL, work, &failed[i]) != 0) exit(3);
  }
  for (i = 0; i < kThreads; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(failed[i] == 0);
  }
  kakeya_cache_file_free(file);
  kakeya_packed_cache_free(cache);
  kakeya_codec_free(codec);
  kakeya_profiles_free(profiles);
  free(memory);
}
