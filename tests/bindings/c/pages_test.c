// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "bindings/c/c_test.h"

enum { kDim = KAKEYA_CASE_DIM, kCount = 300, kPage = 128 };

// The frame of rows that came 7 at a time is that of all of them, and so are its pages.
void test_page_writer(void) {
  kakeya_codec* codec = c_test_codec("ece8:bits=3,page=128", kDim);
  kakeya_codec* without_pages = c_test_codec("fp8", kDim);
  kakeya_page_writer* writer = NULL;
  size_t length = 0, frame_bytes = 0, bytes = 0, sealed = 0, open = 0, row, page;
  float* rows = c_test_expected("rows.f32", &length);
  void* expected = c_test_expected("paged.kky", &frame_bytes);
  float* expected_rows = c_test_expected("paged.f32", &length);
  float* decoded = c_test_memory(kPage * kDim * sizeof(float));
  void* frame = c_test_memory(frame_bytes);
  CHECK(kakeya_codec_page_vectors(codec) == kPage);
  CHECK(kakeya_codec_page_vectors(without_pages) == 0);
  FAILS(kakeya_page_writer_create(without_pages, &writer), KAKEYA_INPUT_ERROR, "fp8");
  FAILS(kakeya_page_writer_create(NULL, &writer), KAKEYA_INPUT_ERROR, "codec: NULL");
  OK(kakeya_page_writer_create(codec, &writer));
  kakeya_codec_free(codec);  // the writer keeps what it needs
  for (row = 0; row < kCount; row += 7) {
    const size_t some = row + 7 < kCount ? 7 : kCount - row;
    OK(kakeya_page_writer_append(writer, rows + row * kDim, KAKEYA_FLOAT32, some, 0));
  }
  CHECK(kakeya_page_writer_vectors(writer) == kCount);
  CHECK(kakeya_page_writer_sealed_pages(writer) == 2);
  OK(kakeya_page_writer_bytes(writer, &sealed, &open));
  CHECK(sealed + open == frame_bytes && open > 0);
  FAILS(kakeya_page_writer_frame(writer, frame, frame_bytes - 1, &bytes), KAKEYA_BUFFER_TOO_SMALL,
        "bytes given");
  CHECK(bytes == frame_bytes);
  OK(kakeya_page_writer_frame(writer, frame, frame_bytes, &bytes));
  CHECK(bytes == frame_bytes && memcmp(frame, expected, bytes) == 0);

  codec = c_test_codec("ece8:bits=3,page=128", kDim);
  for (page = 0; page < 3; ++page) {
    const size_t there = page < 2 ? kPage : kCount - 2 * kPage;
    size_t count = kPage;
    OK(kakeya_page_writer_decode_page(writer, page, decoded, KAKEYA_FLOAT32, 0, &count));
    CHECK(count == there);
    CHECK(memcmp(decoded, expected_rows + page * kPage * kDim, there * kDim * 4) == 0);
    memset(decoded, 0, kPage * kDim * sizeof(float));
    count = kPage;
    OK(kakeya_decode_page(codec, expected, frame_bytes, page, decoded, KAKEYA_FLOAT32, 0, &count));
    CHECK(count == there);
    CHECK(memcmp(decoded, expected_rows + page * kPage * kDim, there * kDim * 4) == 0);
    count = there - 1;
    FAILS(kakeya_decode_page(codec, expected, frame_bytes, page, decoded, 0, 0, &count),
          KAKEYA_BUFFER_TOO_SMALL, "rows given");
    CHECK(count == there);
    count = 1;
    FAILS(kakeya_page_writer_decode_page(writer, page, decoded, 0, 0, &count),
          KAKEYA_BUFFER_TOO_SMALL, "room for 1 rows");
    CHECK(count == there);
  }
  bytes = kPage;
  FAILS(kakeya_page_writer_decode_page(writer, 3, decoded, 0, 0, &bytes), KAKEYA_INPUT_ERROR,
        "page 3");
  bytes = kPage;
  FAILS(kakeya_decode_page(codec, expected, frame_bytes, 3, decoded, 0, 0, &bytes),
        KAKEYA_INPUT_ERROR, "page 3");
  bytes = kPage;
  FAILS(kakeya_decode_page(codec, expected, frame_bytes, (size_t)-1, decoded, 0, 0, &bytes),
        KAKEYA_INPUT_ERROR, "page");

  // What cannot be appended leaves the writer as it was.
  rows[5] = (float)INFINITY;
  FAILS(kakeya_page_writer_append(writer, rows, KAKEYA_FLOAT32, 3, 0), KAKEYA_INPUT_ERROR,
        "vector 300, coordinate 5");
  CHECK(kakeya_page_writer_vectors(writer) == kCount);
  OK(kakeya_page_writer_frame(writer, frame, frame_bytes, &bytes));
  CHECK(memcmp(frame, expected, frame_bytes) == 0);
  CHECK(kakeya_page_writer_vectors(NULL) == 0 && kakeya_page_writer_sealed_pages(NULL) == 0);
  FAILS(kakeya_page_writer_append(NULL, rows, 0, 1, 0), KAKEYA_INPUT_ERROR, "writer: NULL");
  FAILS(kakeya_page_writer_frame(NULL, frame, 0, &bytes), KAKEYA_INPUT_ERROR, "writer: NULL");
  FAILS(kakeya_page_writer_bytes(NULL, &sealed, &open), KAKEYA_INPUT_ERROR, "writer: NULL");
  kakeya_page_writer_free(writer);
  kakeya_page_writer_free(NULL);
  kakeya_codec_free(codec);
  kakeya_codec_free(without_pages);
  free(rows);
  free(expected);
  free(expected_rows);
  free(decoded);
  free(frame);
}
