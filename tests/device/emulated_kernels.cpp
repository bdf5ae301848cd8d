// SPDX-License-Identifier: Apache-2.0
// kernels.h on the host: the kernels' text over emulate.h, and host memory for the device's.
#include <sys/mman.h>

#include <map>
#include <new>
#include <utility>

#include "device/emulate.h"
#include "kernels/build.h"

namespace kakeya::kernels {
using std::copysignf, std::fabs, std::sqrt;
}
// One after another: their unnamed namespaces are one here.
#define Shared FixedRateShared
#include "kernels/entropy_coded.cu"
#include "kernels/fixed_rate.cu"
#include "kernels/fixed_rate_rows.cu"
#include "kernels/outliers.cu"
#include "kernels/page_steps.cu"
#undef Shared
#include "kernels/attention.cu"
#include "kernels/blocks.cu"
#include "kernels/budget.cu"
#include "kernels/budget_slots.cu"
#include "kernels/byte_pages.cu"
#include "kernels/cache_parts.cu"
#include "kernels/rotated_blocks.cu"
#define scalar_of scalar_of_key
#define Place KeyPlace
#define place_of place_of_key
#include "kernels/kivi_keys.cu"
#undef scalar_of
#undef Place
#undef place_of
#include "kernels/channel_means.cu"
#include "kernels/class_plans.cu"
#include "kernels/exact_vectors.cu"
#include "kernels/field_attention.cu"
#include "kernels/field_slots.cu"
#include "kernels/fields_decode.cu"
#include "kernels/fields_encode.cu"
#include "kernels/klt.cu"
#include "kernels/klt_exact.cu"
#include "kernels/klt_kept.cu"
#include "kernels/klt_records.cu"
#include "kernels/nibble_pages.cu"
#include "kernels/nibble_unpack.cu"
#include "kernels/page_classes.cu"
#include "kernels/pages_decode.cu"
#include "kernels/pages_encode.cu"
#include "kernels/prefix_attention.cu"
#include "kernels/prefix_decode.cu"
#include "kernels/prefix_encode.cu"
#include "kernels/rope_attention.cu"
#include "kernels/tile_attention.cu"
#include "kernels/tile_vectors.cu"
#include "kernels/tiles_decode.cu"
#include "kernels/tiles_encode.cu"

namespace kakeya::kernels {

struct Mapping {
  std::uint8_t* first;
  std::size_t usable;  // bytes, before the page that nobody may touch
  int device;
};
std::map<void*, Mapping>& mappings() {
  static std::map<void*, Mapping> all;
  return all;
}
int device = 0;
bool several = false;  // another device than the first was used

// Memory of the device that is current may be touched, and that of others where `all`.
void protect(bool all) {
  for (const auto& [given, mapping] : mappings()) {
    const int allowed = all || mapping.device == device ? PROT_READ | PROT_WRITE : PROT_NONE;
    mprotect(mapping.first, mapping.usable, allowed);
  }
}

// What the runtime copies it copies between any two devices.
void copy_anywhere(void* to, const void* from, std::size_t bytes) {
  if (several) protect(true);
  std::memcpy(to, from, bytes);
  if (several) protect(false);
}

bool built_with_cuda() { return true; }
int device_count() { return 2; }
DeviceFacts device_facts() { return {"emulated", 0, 0, 6, 0, 0}; }
void use_device(int number) {
  several = several || number != device;
  device = number;
  emulate::most_shared_bytes = number == 0 ? emulate::kMuchShared : emulate::kLittleShared;
  if (several) protect(false);
}
void return_to_device(int number) noexcept { use_device(number); }
int current_device() { return device; }
// Ends where a page begins that nobody may touch: what leads out of bounds is a fault.
void* allocate(std::size_t bytes) {
  const std::size_t room = (bytes + 15) / 16 * 16, mapped = (room + 4095) / 4096 * 4096 + 4096;
  void* memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* first = static_cast<std::uint8_t*>(memory);
  mprotect(first + mapped - 4096, 4096, PROT_NONE);
  std::uint8_t* given = first + (mapped - 4096 - room);
  mappings()[given] = {first, mapped - 4096, device};
  return given;
}
void release(void* memory) {
  const auto at = mappings().find(memory);
  if (at == mappings().end()) return;
  munmap(at->second.first, at->second.usable + 4096);
  mappings().erase(at);
}
void copy_in(void* to, const void* from, std::size_t bytes) { copy_anywhere(to, from, bytes); }
void copy_out(void* to, const void* from, std::size_t bytes) { copy_anywhere(to, from, bytes); }
void copy(void* to, const void* from, std::size_t bytes, Stream) { copy_anywhere(to, from, bytes); }
void copy_rows(void* to, std::size_t to_stride, const void* from, std::size_t from_stride,
               std::size_t bytes, std::size_t rows, Stream) {
  for (std::size_t row = 0; row < rows; ++row) {
    copy_anywhere(static_cast<std::byte*>(to) + row * to_stride,
                  static_cast<const std::byte*>(from) + row * from_stride, bytes);
  }
}
void fill(void* memory, int byte, std::size_t bytes, Stream) { std::memset(memory, byte, bytes); }
Stream make_stream() { return nullptr; }
void release_stream(Stream) {}
void wait(Stream) {}
Event make_event() { return nullptr; }
void release_event(Event) {}
void record(Event, Stream) {}
double microseconds(Event, Event) { return 0; }
void begin_graph(Stream) {}
Graph end_graph(Stream) { return nullptr; }
void launch(Graph, Stream) {}
void release_graph(Graph) {}

}  // namespace kakeya::kernels
