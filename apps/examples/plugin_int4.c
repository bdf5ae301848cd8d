/* SPDX-License-Identifier: Apache-2.0 */
/* A codec of one's own as a plugin: groups of values share a scale, each is an integer of 4 bits.

     cc -O2 -shared -fPIC -Ilib/bindings/c apps/examples/plugin_int4.c -o int4g.so -lm
     kakeya-codec roundtrip --plugin ./int4g.so --codec int4g:group=64 --in keys.npy                */
#include <kakeya_plugin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  size_t dim, group;
} Int4;

static kakeya_plugin_status create(const kakeya_plugin_input* in, void** out, char* error) {
  char* end = NULL;
  const unsigned long group = strtoul(in->settings[0].value, &end, 10);
  if (*end != 0 || group == 0 || group % 2 != 0) {
    snprintf(error, KAKEYA_PLUGIN_ERROR_BYTES, "group=%s: expected an even number",
             in->settings[0].value);
    return KAKEYA_PLUGIN_BAD_SETTING;
  }
  if (in->dim % group != 0) {
    snprintf(error, KAKEYA_PLUGIN_ERROR_BYTES, "dim %zu: expected a multiple of the group, %lu",
             in->dim, group);
    return KAKEYA_PLUGIN_FAILED;
  }
  Int4* coder = malloc(sizeof *coder);
  if (coder == NULL) return KAKEYA_PLUGIN_FAILED;
  *coder = (Int4){in->dim, group};
  *out = coder;
  return KAKEYA_PLUGIN_OK;
}

static size_t bound(const void* coder, size_t count) {
  const Int4* self = coder;
  return count * (self->dim / self->group * 2 + self->dim / 2); /* bf16 scales, two values a byte */
}

static kakeya_plugin_status encode(const void* coder, const float* x, size_t count, void* out,
                                   size_t* bytes, char* error) {
  const Int4* self = coder;
  unsigned char* at = out;
  (void)error;
  for (size_t i = 0; i < count * self->dim; i += self->group) {
    float largest = 0, scale;
    for (size_t j = i; j < i + self->group; ++j) largest = fmaxf(largest, fabsf(x[j]));
    uint32_t pattern;
    scale = largest / 7;
    memcpy(&pattern, &scale, 4);
    pattern = (pattern + 0xffffu) & 0xffff0000u; /* bf16, rounded up: nothing is clipped */
    memcpy(&scale, &pattern, 4);
    *at++ = (unsigned char)(pattern >> 16), *at++ = (unsigned char)(pattern >> 24);
    for (size_t j = i; j < i + self->group; j += 2) {
      const int low = scale > 0 ? (int)lrintf(x[j] / scale) : 0;
      const int high = scale > 0 ? (int)lrintf(x[j + 1] / scale) : 0;
      *at++ = (unsigned char)((low + 8) | (high + 8) << 4);
    }
  }
  *bytes = bound(coder, count);
  return KAKEYA_PLUGIN_OK;
}

static kakeya_plugin_status decode(const void* coder, const void* in, size_t bytes, float* x,
                                   size_t count, char* error) {
  const Int4* self = coder;
  const unsigned char* at = in;
  if (bytes != bound(coder, count)) {
    snprintf(error, KAKEYA_PLUGIN_ERROR_BYTES, "%zu bytes given, expected %zu", bytes,
             bound(coder, count));
    return KAKEYA_PLUGIN_FAILED;
  }
  for (size_t i = 0; i < count * self->dim; i += self->group) {
    const uint32_t pattern = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 24;
    float scale;
    memcpy(&scale, &pattern, 4);
    at += 2;
    for (size_t j = i; j < i + self->group; j += 2, ++at) {
      x[j] = scale * (float)((*at & 15) - 8);
      x[j + 1] = scale * (float)((*at >> 4) - 8);
    }
  }
  return KAKEYA_PLUGIN_OK;
}

static double nominal_bits(const void* coder) {
  const Int4* self = coder;
  return 4.0 * (double)self->dim + 16.0 * (double)(self->dim / self->group);
}

const kakeya_plugin_codec* kakeya_plugin(size_t index) {
  static const kakeya_plugin_key keys[] = {
      {"group", "32", "values that share a scale: an even divisor of dim", 0}};
  static const kakeya_plugin_codec codec = {.size = sizeof(kakeya_plugin_codec),
                                            .abi = KAKEYA_PLUGIN_ABI,
                                            .name = "int4g",
                                            .summary = "INT4 with a bf16 scale a group",
                                            .example = "int4g:group=32",
                                            .keys = keys,
                                            .key_count = 1,
                                            .create = create,
                                            .bound = bound,
                                            .encode = encode,
                                            .decode = decode,
                                            .nominal_bits = nominal_bits,
                                            .destroy = free};
  return index == 0 ? &codec : NULL;
}
