// SPDX-License-Identifier: Apache-2.0
// Device memory, streams, events and graphs behind kernels.h.
#include <cuda_runtime.h>

#include "kakeya/core/error.h"
#include "kernels/build.h"
#include "kernels/kernels.h"

namespace kakeya::kernels {
namespace {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears it: the next launch is not to blame
  throw Error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(status));
}
cudaStream_t as_stream(Stream stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t as_event(Event event) { return static_cast<cudaEvent_t>(event); }

}  // namespace

bool built_with_cuda() { return true; }

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();  // clears it
    return 0;
  }
  return count;
}

DeviceFacts device_facts() {
  DeviceFacts facts;
  int device = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&device), "device");
  check(cudaGetDeviceProperties(&properties, device), "properties");
  check(cudaDriverGetVersion(&facts.driver), "driver");
  check(cudaRuntimeGetVersion(&facts.runtime), "runtime");
  facts.name = properties.name;
  facts.multiprocessors = properties.multiProcessorCount;
  facts.memory_bytes = properties.totalGlobalMem;
  facts.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  return facts;
}

void use_device(int device) { check(cudaSetDevice(device), "device"); }
void return_to_device(int device) noexcept { static_cast<void>(cudaSetDevice(device)); }
int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "device");
  return device;
}

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes == 0 ? 16 : bytes), "memory");
  return memory;
}
void release(void* memory) { cudaFree(memory); }
void copy_in(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to the device");
}
void copy_out(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the device");
}
void copy_rows(void* to, std::size_t to_stride, const void* from, std::size_t from_stride,
               std::size_t bytes, std::size_t rows, Stream stream) {
  if (bytes == 0 || rows == 0) return;
  check(cudaMemcpy2DAsync(to, to_stride, from, from_stride, bytes, rows, cudaMemcpyDefault,
                          as_stream(stream)),
        "copy of rows");
}
void copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, as_stream(stream)), "copy");
}
void fill(void* memory, int byte, std::size_t bytes, Stream stream) {
  check(cudaMemsetAsync(memory, byte, bytes, as_stream(stream)), "fill");
}

Stream make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  return stream;
}
void release_stream(Stream stream) { cudaStreamDestroy(as_stream(stream)); }
void wait(Stream stream) { check(cudaStreamSynchronize(as_stream(stream)), "stream"); }

Event make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "event");
  return event;
}
void release_event(Event event) { cudaEventDestroy(as_event(event)); }
void record(Event event, Stream stream) {
  check(cudaEventRecord(as_event(event), as_stream(stream)), "event");
}
double microseconds(Event from, Event to) {
  float milliseconds = 0;
  check(cudaEventSynchronize(as_event(to)), "event");
  check(cudaEventElapsedTime(&milliseconds, as_event(from), as_event(to)), "time");
  return 1e3 * static_cast<double>(milliseconds);
}

void begin_graph(Stream stream) {
  check(cudaStreamBeginCapture(as_stream(stream), cudaStreamCaptureModeThreadLocal), "graph");
}
Graph end_graph(Stream stream) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t made = nullptr;
  check(cudaStreamEndCapture(as_stream(stream), &graph), "graph");
  const cudaError_t status = cudaGraphInstantiate(&made, graph, 0);
  cudaGraphDestroy(graph);
  check(status, "graph");
  return made;
}
void launch(Graph graph, Stream stream) {
  check(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), as_stream(stream)), "graph");
}
void release_graph(Graph graph) { cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph)); }

}  // namespace kakeya::kernels
