// SPDX-License-Identifier: Apache-2.0
// A codec of the program's own, known to the library by a table; and one of a shared library.
#include <kakeya_plugin.h>

#include "bindings/c/c_test.h"

enum { kDim = 8, kCount = 5 };

// Each float without its last 16 bits.
static kakeya_plugin_status create(const kakeya_plugin_input* in, void** coder, char* error) {
  size_t* dim = NULL;
  if (in->dim % 2 != 0) {
    snprintf(error, KAKEYA_PLUGIN_ERROR_BYTES, "dim %zu: expected an even one", in->dim);
    return KAKEYA_PLUGIN_FAILED;
  }
  dim = malloc(sizeof *dim);
  if (dim == NULL) return KAKEYA_PLUGIN_FAILED;
  *dim = in->dim;
  *coder = dim;
  return KAKEYA_PLUGIN_OK;
}

static size_t bound(const void* coder, size_t count) { return 2 * count * *(const size_t*)coder; }

static kakeya_plugin_status encode(const void* coder, const float* x, size_t count, void* out,
                                   size_t* bytes, char* error) {
  (void)error;
  for (size_t i = 0; i < count * *(const size_t*)coder; ++i) {
    memcpy((char*)out + 2 * i, (const char*)(x + i) + 2, 2);
  }
  *bytes = bound(coder, count);
  return KAKEYA_PLUGIN_OK;
}

static kakeya_plugin_status decode(const void* coder, const void* in, size_t bytes, float* x,
                                   size_t count, char* error) {
  if (bytes != bound(coder, count)) {
    snprintf(error, KAKEYA_PLUGIN_ERROR_BYTES, "%zu bytes", bytes);
    return KAKEYA_PLUGIN_FAILED;
  }
  memset(x, 0, 4 * count * *(const size_t*)coder);
  for (size_t i = 0; i < count * *(const size_t*)coder; ++i) {
    memcpy((char*)(x + i) + 2, (const char*)in + 2 * i, 2);
  }
  return KAKEYA_PLUGIN_OK;
}

void test_plugins(void) {
  static kakeya_plugin_codec table = {.size = sizeof table,
                                      .abi = KAKEYA_PLUGIN_ABI,
                                      .name = "t-upper",
                                      .create = create,
                                      .bound = bound,
                                      .encode = encode,
                                      .decode = decode,
                                      .destroy = free};
  static const float x[kCount * kDim] = {1, -2, 3.5f, 0, 1e30f};
  kakeya_codec_options options = {.size = sizeof options, .dim = kDim};
  kakeya_codec *codec = NULL, *reader = NULL;
  const char *before = NULL, *after = NULL;
  float y[kCount * kDim] = {0};
  char frame[1024];
  size_t bytes = 0, rows = kCount;
  kakeya_plugin_codec newer = table;
  newer.abi = KAKEYA_PLUGIN_ABI + 1;
  OK(kakeya_codec_list(&before));
  FAILS(kakeya_plugin_register(NULL), KAKEYA_INPUT_ERROR, "codec: NULL");
  FAILS(kakeya_plugin_register(&newer), KAKEYA_SPEC_ERROR, "version 2, expected 1");
  FAILS(kakeya_codec_create("t-upper", &options, &codec), KAKEYA_SPEC_ERROR, "t-upper");
  OK(kakeya_plugin_register(&table));
  FAILS(kakeya_plugin_register(&table), KAKEYA_SPEC_ERROR, "registered already");
  OK(kakeya_codec_list(&after));
  CHECK(strstr(before, "t-upper") == NULL && strstr(after, "t-upper") != NULL);
  options.dim = 7;
  FAILS(kakeya_codec_create("t-upper", &options, &codec), KAKEYA_INPUT_ERROR,
        "t-upper: dim 7: expected an even one");
  options.dim = kDim;
  OK(kakeya_codec_create("t-upper", &options, &codec));
  OK(kakeya_encode(codec, x, KAKEYA_FLOAT32, kCount, 0, frame, sizeof frame, &bytes));
  OK(kakeya_codec_of_frame(frame, bytes, NULL, &reader));
  OK(kakeya_decode(reader, frame, bytes, y, KAKEYA_FLOAT32, 0, &rows));
  CHECK(y[0] == 1 && y[1] == -2 && y[2] == 3.5f && y[4] > 0.99e30f);
  kakeya_codec_free(reader);
  kakeya_codec_free(codec);

  FAILS(kakeya_plugin_load(NULL), KAKEYA_INPUT_ERROR, "path: NULL");
  FAILS(kakeya_plugin_load("/no/such.so"), KAKEYA_IO_ERROR, "/no/such.so");
#ifdef KAKEYA_PLUGIN_INT4
  OK(kakeya_plugin_load(KAKEYA_PLUGIN_INT4));
  OK(kakeya_codec_create("int4g:group=4", &options, &codec));
  OK(kakeya_encode(codec, x, KAKEYA_FLOAT32, kCount, 0, frame, sizeof frame, &bytes));
  kakeya_codec_free(codec);
#endif
}
