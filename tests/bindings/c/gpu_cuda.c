// SPDX-License-Identifier: Apache-2.0
// gpu.h by CUDA's runtime, which is this program's own: libkakeya.so has another.
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "bindings/c/gpu.h"

static void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "gpu_cuda: %s: %s\n", what, cudaGetErrorString(status));
  exit(3);
}
#define CUDA(call) check((call), #call)

void* gpu_memory(size_t bytes) {
  void* memory = NULL;
  CUDA(cudaMalloc(&memory, bytes == 0 ? 256 : bytes));
  return memory;
}
void gpu_free(void* memory) { CUDA(cudaFree(memory)); }
void gpu_copy_in(void* to, const void* from, size_t bytes) {
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
  CUDA(cudaDeviceSynchronize());
}
void gpu_copy_out(void* to, const void* from, size_t bytes) {
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}
void gpu_fill(void* memory, int byte, size_t bytes, void* stream) {
  CUDA(cudaMemsetAsync(memory, byte, bytes, stream));
}
void* gpu_stream(void) {
  cudaStream_t stream = NULL;
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}
void gpu_stream_free(void* stream) { CUDA(cudaStreamDestroy(stream)); }
void gpu_wait(void* stream) { CUDA(cudaStreamSynchronize(stream)); }

int gpu_has_graphs(void) { return 1; }
// Global: whatever would wait or allocate meanwhile, in any thread, fails.
void gpu_begin_graph(void* stream) {
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
}
void* gpu_end_graph(void* stream) {
  cudaGraph_t graph = NULL;
  cudaGraphExec_t made = NULL;
  CUDA(cudaStreamEndCapture(stream, &graph));
  CUDA(cudaGraphInstantiate(&made, graph, 0));
  CUDA(cudaGraphDestroy(graph));
  return made;
}
void gpu_run_graph(void* graph, void* stream) { CUDA(cudaGraphLaunch(graph, stream)); }
void gpu_graph_free(void* graph) { CUDA(cudaGraphExecDestroy(graph)); }
