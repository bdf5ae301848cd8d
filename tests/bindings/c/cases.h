// SPDX-License-Identifier: Apache-2.0
#ifndef KAKEYA_TESTS_BINDINGS_C_CASES_H_
#define KAKEYA_TESTS_BINDINGS_C_CASES_H_

// What the C++ library (write_expected.cpp) and the C program (c_api_test.c) both do: the bytes have to
// be the same.

#define KAKEYA_CASE_DIM 64
#define KAKEYA_CASE_LAYERS 4
#define KAKEYA_CASE_HEADS 2
#define KAKEYA_CASE_TOKENS 700
#define KAKEYA_CASE_SINKS 4
#define KAKEYA_CASE_WINDOW 16
#define KAKEYA_CASE_KEYS "klt:bits=3,page=64"
#define KAKEYA_CASE_VALUES "e8:q=10"

// Frames: file NAME.kky, of `count` vectors of rows.f32; of `scope` 1 those of head 1 of the values of
// layer 2, of `scope` 2 whole tokens: token.f32.
struct kakeya_case {
  const char* name;
  const char* spec;
  unsigned count;
  int scope;
};

static const struct kakeya_case kakeya_cases[] = {
    {"e8", "e8:q=10", 300, 0},
    {"paged", "ece8:bits=3,page=128", 300, 0},
    {"fp8", "fp8", 300, 0},
    {"none", "e8:q=10", 0, 0},
    {"klt", "klt:bits=3", 300, 1},
    {"layers", "klt:bits=3,scope=layer", 40, 2},
    {"kivi", "kivi:b=4", 128, 1},
    {"identity", "identity", 3, 0},
    {"rans", "e8:q=10,pack=rans", 300, 0},
};

#endif  // KAKEYA_TESTS_BINDINGS_C_CASES_H_
