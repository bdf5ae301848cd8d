// SPDX-License-Identifier: Apache-2.0
// A library that was built without CUDA: every function of kakeya_device.h is there and says so.
#include <kakeya_device.h>

#include "bindings/c/c_test.h"

#define ABSENT(call) FAILS((call), KAKEYA_NO_CUDA, "built without CUDA")

int main(void) {
  kakeya_codec* codec = c_test_codec("e8:q=10", 64);
  const kakeya_codec* codecs[] = {codec};
  kakeya_device_codec* made = NULL;
  kakeya_device_sizes sizes = {.size = sizeof sizes};
  kakeya_device_rows rows = {.size = sizeof rows, .tokens = 1, .heads = 1};
  kakeya_device_memory memory = {.size = sizeof memory};
  size_t bytes = 0;
  CHECK(kakeya_device_available() == 0);
  ABSENT(kakeya_device_use(0));
  ABSENT(kakeya_device_codec_create(codecs, 1, &made));
  CHECK(made == NULL && strstr(kakeya_last_error(), "kakeya_encode() codes on the host") != NULL);
  ABSENT(kakeya_device_codec_sizes(made, 1, 1, &sizes));
  ABSENT(kakeya_device_encode(made, &rows, &memory, NULL));
  ABSENT(kakeya_device_decode(made, &memory, &rows, NULL));
  ABSENT(kakeya_device_check(made, NULL, 1, NULL));
  ABSENT(kakeya_device_frame(made, 1, 1, 0, NULL, 0, NULL, NULL, 0, &bytes));
  ABSENT(kakeya_device_put_frame(made, 1, 1, 0, NULL, 0, NULL, 0, NULL));
  CHECK(kakeya_device_codec_heads(made) == 0);
  kakeya_device_codec_free(made);
  kakeya_codec_free(codec);
  fprintf(stderr, "%d checks failed\n", c_test_failures);
  return c_test_failures == 0 ? 0 : 1;
}
