// SPDX-License-Identifier: Apache-2.0
// Between sections in device memory and frames in the host's.
#include "bindings/c/device_handles.h"

using namespace kakeya;
using c::guarded_device;

namespace {

// The sections of one head, as all of them lie in device memory. What is another head's is not touched:
// its pages of memory cost nothing.
class HeadImage {
 public:
  HeadImage(const DeviceCodec& codec, std::size_t tokens, std::size_t heads, std::size_t head,
            const void* sections, std::size_t sections_bytes)
      : head_(head) {
    c::require_device_vectors(codec, tokens, heads);
    if (head >= heads) {
      throw InputError(codec.spec() + ": head " + std::to_string(head) + " given, expected 0 to " +
                       std::to_string(heads - 1));
    }
    layout_ = codec.layout(tokens, heads);
    if (sections_bytes < layout_.bytes) {
      throw c::TooSmall("sections_bytes " + std::to_string(sections_bytes) +
                        " given, expected at least " + std::to_string(layout_.bytes));
    }
    if (layout_.bytes != 0) c::require(sections, "sections");
    image_ = std::make_unique_for_overwrite<std::byte[]>(layout_.bytes);
  }

  const DeviceLayout& layout() const { return layout_; }
  std::span<std::byte> bytes() { return {image_.get(), layout_.bytes}; }

  /// Has `copy`, a function of an offset and a number of bytes, bring every piece of the head, the
  /// lengths of sections before the sections.
  template <typename Copy>
  void each_piece(const Copy& copy) {
    for (const DeviceLayout::Section& section : layout_.sections) {
      std::size_t bytes = section.bytes;
      if (section.sizes != DeviceLayout::kAllBytes) {
        std::uint64_t length = 0;
        copy(section.sizes + 8 * head_, sizeof length);
        std::memcpy(&length, image_.get() + section.sizes + 8 * head_, sizeof length);
        bytes = static_cast<std::size_t>(std::min<std::uint64_t>(length, bytes));
      }
      if (bytes != 0) copy(section.offset + head_ * section.stride, bytes);
    }
  }

 private:
  std::size_t head_;
  DeviceLayout layout_;
  std::unique_ptr<std::byte[]> image_;
};

}  // namespace

kakeya_status kakeya_device_frame(const kakeya_device_codec* codec, size_t tokens, size_t heads,
                                  size_t head, const void* sections, size_t sections_bytes,
                                  void* stream, void* frame, size_t capacity, size_t* frame_bytes) {
  return guarded_device([&] {
    c::require(codec, "codec");
    c::require(frame_bytes, "frame_bytes");
    HeadImage image(*codec->codec, tokens, heads, head, sections, sections_bytes);
    const auto* from = static_cast<const std::byte*>(sections);
    device_wait(stream);
    image.each_piece([&](std::size_t offset, std::size_t bytes) {
      device_copy_out(image.bytes().data() + offset, from + offset, bytes);
    });
    c::give_bytes(codec->codec->frame(image.layout(), image.bytes(), head), frame, capacity,
                  frame_bytes);
  });
}

kakeya_status kakeya_device_put_frame(const kakeya_device_codec* codec, size_t tokens, size_t heads,
                                      size_t head, const void* frame, size_t frame_bytes,
                                      void* sections, size_t sections_bytes, void* stream) {
  return guarded_device([&] {
    c::require(codec, "codec");
    const auto given = c::bytes_of(frame, frame_bytes, "frame");
    HeadImage image(*codec->codec, tokens, heads, head, sections, sections_bytes);
    codec->codec->take_frame(given, image.layout(), head, image.bytes());
    auto* to = static_cast<std::byte*>(sections);
    device_wait(stream);
    image.each_piece([&](std::size_t offset, std::size_t bytes) {
      device_copy_in(to + offset, image.bytes().data() + offset, bytes);
    });
  });
}
