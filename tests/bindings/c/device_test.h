// SPDX-License-Identifier: Apache-2.0
#ifndef KAKEYA_TESTS_BINDINGS_C_DEVICE_TEST_H_
#define KAKEYA_TESTS_BINDINGS_C_DEVICE_TEST_H_

#include <kakeya_device.h>

#include "bindings/c/c_test.h"
#include "bindings/c/gpu.h"

// A codec on both sides: one a head on the host.
enum { kDeviceHeads = 2 };
struct device_case {
  const char* spec;
  size_t dim;
  int scope;         // of kakeya_scope; KAKEYA_SCOPE_TOKEN: one head
  kakeya_part part;  // where scope is a head
};
extern const struct device_case device_cases[];
extern const size_t device_case_count;

struct both_codecs {
  kakeya_codec* host[kDeviceHeads];
  kakeya_device_codec* device;
  size_t dim, heads;
};
struct both_codecs make_both(const struct device_case* each, const kakeya_profiles* profiles);
void free_both(struct both_codecs* codecs);

// Vectors [tokens, heads, dim] on both sides, of any strides, and 0x5a in the gaps.
struct both_rows {
  kakeya_device_rows view;  // on the device
  unsigned char* image;     // the same bytes on the host
  size_t bytes, dim;
};
enum device_layout { kDense, kGaps, kHeadsFirst, kLayouts };
struct both_rows make_rows(const struct both_codecs* codecs, kakeya_dtype dtype, size_t tokens,
                           enum device_layout layout);
void free_rows(struct both_rows* rows);
// Draws other vectors for the same seed of another number: those of the profile where dim is its own.
void draw_rows(struct both_rows* rows, unsigned seed);
const void* rows_of_head(const struct both_rows* rows, size_t head);
size_t scalar_bytes(kakeya_dtype dtype);

// Memory of a call, with flags that are clear; all else is 0xa5.
kakeya_device_memory make_memory(const struct both_codecs* codecs, size_t tokens);
void free_memory(kakeya_device_memory* memory);

// kakeya_encode() of a head, in memory that the caller frees.
void* host_frame(const struct both_codecs* codecs, const struct both_rows* rows, size_t head,
                 size_t* bytes);
// The frame of a head, from the sections; NULL where that fails.
void* device_frame(const struct both_codecs* codecs, size_t tokens, size_t head,
                   const kakeya_device_memory* memory, void* stream, size_t* bytes);
// Checks that the sections are the host's frames of `rows`.
void check_frames(const struct both_codecs* codecs, const struct both_rows* rows,
                  const kakeya_device_memory* memory, void* stream);
// Checks that `got` is on the device what kakeya_decode() makes of the frames of `rows`, gaps and all.
void check_values(const struct both_codecs* codecs, const struct both_rows* rows,
                  const struct both_rows* got);

void test_device_parity(const kakeya_profiles* profiles);
void test_device_graphs(const kakeya_profiles* profiles);
void test_device_damage(const kakeya_profiles* profiles);
void test_device_arguments(const kakeya_profiles* profiles);
void test_device_codecs(const kakeya_profiles* profiles);

#endif  // KAKEYA_TESTS_BINDINGS_C_DEVICE_TEST_H_
