// SPDX-License-Identifier: Apache-2.0
#ifndef KAKEYA_TESTS_BINDINGS_C_C_TEST_H_
#define KAKEYA_TESTS_BINDINGS_C_C_TEST_H_

#include <kakeya.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/c/cases.h"

// Checks that count what fails and go on.
extern int c_test_failures;
void c_test_fail(const char* file, int line, const char* what, const char* more);

#define CHECK(condition) ((condition) ? (void)0 : c_test_fail(__FILE__, __LINE__, #condition, ""))
#define OK(call) \
  (((call) == KAKEYA_OK) ? (void)0 : c_test_fail(__FILE__, __LINE__, #call, kakeya_last_error()))
// Fails with this status and a message that has these words.
#define FAILS(call, status, words) \
  c_test_fails(__FILE__, __LINE__, #call, (call), (status), (words))
void c_test_fails(const char* file, int line, const char* call, kakeya_status status,
                  kakeya_status expected, const char* words);

// Memory that is there, and the bytes of a file of the expected ones; ends the program otherwise.
void* c_test_memory(size_t bytes);
void* c_test_expected(const char* name, size_t* bytes);
void c_test_path(char* path, size_t size, const char* folder, const char* name);

extern const char* c_test_expected_folder;
extern const char* c_test_golden_folder;
extern const char* c_test_scratch_folder;

kakeya_profiles* c_test_profiles(void);
kakeya_codec* c_test_codec(const char* spec, size_t dim);
kakeya_cache_options c_test_cache_options(const kakeya_profiles* profiles);
kakeya_facts c_test_facts(void);
// A live cache with one sequence, 0, of the tokens of cache.f32, which it appends `step` at a time.
kakeya_packed_cache* c_test_cache(const kakeya_profiles* profiles, size_t step, int32_t* sequence);
// Where cache.f32 and read.f32 have a part of a layer.
size_t c_test_part(int layer, kakeya_part part);

void test_versions_and_lists(void);
void test_profiles(void);
void test_frames(void);
void test_golden_frames(void);
void test_types_and_strides(void);
void test_hostile_codecs(void);
void test_page_writer(void);
void test_packed_cache(void);
void test_branches(void);
void test_sequence_file(void);
void test_cache_file(void);
void test_hostile_caches(void);
void test_threads(void);
void test_plugins(void);

#endif  // KAKEYA_TESTS_BINDINGS_C_C_TEST_H_
