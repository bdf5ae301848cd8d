// SPDX-License-Identifier: Apache-2.0
// The C interface: 256 keys of 128 scalars to bytes and back. C99; link libkakeya.so.
#include <kakeya.h>
#include <stdio.h>
#include <stdlib.h>

enum { kCount = 256, kDim = 128 };

// About normal: the sum of twelve uniform numbers.
static void draw(float* values, size_t count) {
  unsigned state = 1;
  for (size_t i = 0; i < count; ++i) {
    values[i] = -6.0f;
    for (int j = 0; j < 12; ++j) {
      state = 1664525u * state + 1013904223u;
      values[i] += (float)(state >> 8) * 0x1p-24f;
    }
  }
}

int main(void) {
  static float keys[kCount * kDim], decoded[kCount * kDim];
  draw(keys, kCount * kDim);

  // begin README
  kakeya_codec_options options = {.size = sizeof options, .dim = kDim};
  kakeya_codec* codec = NULL;
  void* frame = NULL;
  size_t bound = 0, bytes = 0, rows = kCount;
  kakeya_status status = kakeya_codec_create("e8:q=10", &options, &codec);
  if (status == KAKEYA_OK) status = kakeya_codec_encoded_bound(codec, kCount, &bound);
  if (status == KAKEYA_OK) {
    frame = malloc(bound);
    status = kakeya_encode(codec, keys, KAKEYA_FLOAT32, kCount, 0, frame, bound, &bytes);
  }
  if (status == KAKEYA_OK) {
    status = kakeya_decode(codec, frame, bytes, decoded, KAKEYA_FLOAT32, 0, &rows);
  }
  if (status != KAKEYA_OK) fprintf(stderr, "c_interface: %s\n", kakeya_last_error());
  // end README

  if (status == KAKEYA_OK) {
    double error = 0, energy = 0;
    for (size_t i = 0; i < rows * kDim; ++i) {
      error += (keys[i] - decoded[i]) * (keys[i] - decoded[i]);
      energy += keys[i] * keys[i];
    }
    printf("%s: %.2f bits a value, relative squared error %.4f\n", kakeya_codec_spec(codec),
           8.0 * (double)bytes / (kCount * kDim), error / energy);
  }
  kakeya_codec_free(codec);
  free(frame);
  return status == KAKEYA_OK ? 0 : 1;
}
