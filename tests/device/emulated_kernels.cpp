// SPDX-License-Identifier: Apache-2.0
// kernels.h on the host: the kernels' text over emulate.h, and host memory for the device's.
#include "device/emulate.h"

namespace kakeya::kernels {
using std::copysignf, std::fabs, std::sqrt;
}
// One after another: their unnamed namespaces are one here.
#define Shared FixedRateShared
#include "kernels/fixed_rate.cu"
#undef Shared
#include "kernels/blocks.cu"
#include "kernels/cache_parts.cu"
#define scalar_of scalar_of_key
#define Place KeyPlace
#define place_of place_of_key
#include "kernels/kivi_keys.cu"
#undef scalar_of
#undef Place
#undef place_of

namespace kakeya::kernels {

int device_count() { return 1; }
DeviceFacts device_facts() { return {"emulated", 0, 0, 1, 0, 0}; }
void use_device(int) {}
void* allocate(std::size_t bytes) { return std::aligned_alloc(256, (bytes + 256) / 256 * 256); }
void release(void* memory) { std::free(memory); }
void copy_in(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void copy_out(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void copy(void* to, const void* from, std::size_t bytes, Stream) { std::memcpy(to, from, bytes); }
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
