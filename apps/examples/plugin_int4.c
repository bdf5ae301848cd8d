/* SPDX-License-Identifier: Apache-2.0 */
/* A codec of one's own as a plugin: groups of values share a float32 scale, each is 4 bits.
     cc -O2 -shared -fPIC -Ilib/bindings/c apps/examples/plugin_int4.c -o int4g.so -lm
     kakeya-codec roundtrip --plugin ./int4g.so --codec int4g:group=32 --in keys.npy */
#include <kakeya_plugin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  size_t dim, group;
} Int4;

static kakeya_plugin_status create(const kakeya_plugin_input* in, void** out, char* error) {
  Int4 coder = {in->dim, strtoul(in->settings[0].value, NULL, 10)};
  if (coder.group < 2 || coder.group % 2 != 0 || coder.dim % coder.group != 0) {
    snprintf(error, KAKEYA_PLUGIN_ERROR_BYTES, "group=%s: expected an even divisor of dim %zu",
             in->settings[0].value, in->dim);
    return KAKEYA_PLUGIN_FAILED;
  }
  *out = malloc(sizeof coder);
  if (*out == NULL) return KAKEYA_PLUGIN_FAILED;
  memcpy(*out, &coder, sizeof coder);
  return KAKEYA_PLUGIN_OK;
}

static size_t bound(const void* coder, size_t count) {
  const Int4* self = coder;
  return count * self->dim / self->group * (4 + self->group / 2);
}

static long code(float x, float scale) {
  return scale > 0 ? lrintf(fmaxf(-7, fminf(7, x / scale))) + 8 : 8;
}

static kakeya_plugin_status encode(const void* coder, const float* x, size_t count, void* out,
                                   size_t* bytes, char* error) {
  const Int4* self = coder;
  unsigned char* at = out;
  (void)error;
  for (const float* end = x + count * self->dim; x < end; x += self->group) {
    float scale = 0;
    for (size_t i = 0; i < self->group; ++i) scale = fmaxf(scale, fabsf(x[i]) / 7);
    memcpy(at, &scale, 4), at += 4;
    for (size_t i = 0; i < self->group; i += 2, ++at) {
      *at = (unsigned char)(code(x[i], scale) | code(x[i + 1], scale) << 4);
    }
  }
  *bytes = bound(coder, count);
  return KAKEYA_PLUGIN_OK;
}

static kakeya_plugin_status decode(const void* coder, const void* in, size_t bytes, float* x,
                                   size_t count, char* error) {
  const Int4* self = coder;
  const unsigned char* at = in;
  snprintf(error, KAKEYA_PLUGIN_ERROR_BYTES, "%zu bytes for %zu vectors", bytes, count);
  if (bytes != bound(coder, count)) return KAKEYA_PLUGIN_FAILED;
  for (const float* end = x + count * self->dim; x < end; x += self->group) {
    float scale;
    memcpy(&scale, at, 4), at += 4;
    for (size_t i = 0; i < self->group; ++i) {
      x[i] = scale * (float)((at[i / 2] >> 4 * (i % 2) & 15) - 8);
    }
    at += self->group / 2;
  }
  return KAKEYA_PLUGIN_OK;
}

// begin README
static const kakeya_plugin_key kKeys[] = {{"group", "64", "values that share a scale", 0}};
static const kakeya_plugin_codec kInt4 = {
    .size = sizeof(kakeya_plugin_codec),
    .abi = KAKEYA_PLUGIN_ABI,
    .name = "int4g",
    .summary = "INT4 with a float32 scale a group",
    .keys = kKeys,
    .key_count = 1,
    .create = create,
    .bound = bound,
    .encode = encode,
    .decode = decode,
    .destroy = free,
};

const kakeya_plugin_codec* kakeya_plugin(size_t index) { return index == 0 ? &kInt4 : NULL; }
// end README
