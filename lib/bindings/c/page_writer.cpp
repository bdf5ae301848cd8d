// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/handles.h"

using namespace kakeya;
using c::guarded;

struct kakeya_page_writer {
  std::shared_ptr<const c::SharedShelf> profiles;
  std::shared_ptr<const Codec> codec;
  PageWriter writer;
};

kakeya_status kakeya_page_writer_create(const kakeya_codec* codec, kakeya_page_writer** out) {
  return guarded([&] {
    c::require(codec, "codec");
    c::require(out, "out");
    PageWriter writer(*codec->codec);
    *out = new kakeya_page_writer{codec->profiles, codec->codec, std::move(writer)};
  });
}

void kakeya_page_writer_free(kakeya_page_writer* writer) { delete writer; }

kakeya_status kakeya_page_writer_append(kakeya_page_writer* writer, const void* rows,
                                        kakeya_dtype dtype, size_t count, size_t stride) {
  return guarded([&] {
    c::require(writer, "writer");
    const c::GivenRows given(rows, dtype, count, writer->codec->dim(), stride, "rows");
    writer->writer.append(given.rows());
  });
}

size_t kakeya_page_writer_vectors(const kakeya_page_writer* writer) {
  return writer == nullptr ? 0 : writer->writer.vectors();
}

size_t kakeya_page_writer_sealed_pages(const kakeya_page_writer* writer) {
  return writer == nullptr ? 0 : writer->writer.sealed_pages();
}

kakeya_status kakeya_page_writer_bytes(kakeya_page_writer* writer, size_t* sealed, size_t* open) {
  return guarded([&] {
    c::require(writer, "writer");
    c::require(sealed, "sealed");
    c::require(open, "open");
    *open = writer->writer.open_bytes();
    *sealed = writer->writer.sealed_bytes();
  });
}

kakeya_status kakeya_page_writer_decode_page(kakeya_page_writer* writer, size_t page, void* rows,
                                             kakeya_dtype dtype, size_t stride, size_t* count) {
  return guarded([&] {
    c::require(writer, "writer");
    c::require(count, "count");
    PageWriter& pages = writer->writer;
    c::WantedRows room(rows, dtype, *count, writer->codec->dim(), stride);
    // Of the open page as many as it has; beyond it decode_page() says that there is none.
    const bool sealed = page < pages.sealed_pages();
    const bool open = page == pages.sealed_pages();
    const std::size_t there =
        sealed ? writer->codec->page_vectors() : (open ? pages.open_vectors() : 0);
    c::fill_rows(room, there, count, [&](Rows<float> out) { pages.decode_page(page, out); });
  });
}

kakeya_status kakeya_page_writer_frame(kakeya_page_writer* writer, void* frame, size_t capacity,
                                       size_t* frame_bytes) {
  return guarded([&] {
    c::require(writer, "writer");
    c::require(frame_bytes, "frame_bytes");
    const std::size_t bytes = writer->writer.sealed_bytes() + writer->writer.open_bytes();
    *frame_bytes = bytes;
    if (capacity < bytes) {
      throw c::TooSmall("room for " + std::to_string(capacity) + " bytes given, expected " +
                        std::to_string(bytes));
    }
    c::give_bytes(writer->writer.frame(), frame, capacity, frame_bytes);
  });
}
