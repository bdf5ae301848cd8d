// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/handles.h"

using namespace kakeya;
using c::guarded;

struct kakeya_frame_info {
  FrameInfo info;
};

kakeya_status kakeya_frame_open(const void* frame, size_t frame_bytes,
                                const kakeya_profiles* profiles, kakeya_frame_info** out) {
  return guarded([&] {
    c::require(out, "out");
    const auto bytes = c::bytes_of(frame, frame_bytes, "frame");
    FrameInfo info = frame_info(bytes, c::shelf_of(profiles).get());
    *out = new kakeya_frame_info{std::move(info)};
  });
}

void kakeya_frame_free(kakeya_frame_info* info) { delete info; }

const char* kakeya_frame_spec(const kakeya_frame_info* info) {
  return info == nullptr ? "" : info->info.spec.c_str();
}

size_t kakeya_frame_dim(const kakeya_frame_info* info) {
  return info == nullptr ? 0 : info->info.dim;
}

size_t kakeya_frame_count(const kakeya_frame_info* info) {
  return info == nullptr ? 0 : info->info.count;
}

uint32_t kakeya_frame_format_version(const kakeya_frame_info* info) {
  return info == nullptr ? 0 : info->info.format_version;
}

size_t kakeya_frame_sections(const kakeya_frame_info* info) {
  return info == nullptr ? 0 : info->info.sections.size();
}

const char* kakeya_frame_section_name(const kakeya_frame_info* info, size_t section) {
  return section < kakeya_frame_sections(info) ? info->info.sections[section].first.c_str() : "";
}

size_t kakeya_frame_section_bytes(const kakeya_frame_info* info, size_t section) {
  return section < kakeya_frame_sections(info) ? info->info.sections[section].second : 0;
}
