// SPDX-License-Identifier: Apache-2.0
#ifndef KAKEYA_TESTS_BINDINGS_C_GPU_H_
#define KAKEYA_TESTS_BINDINGS_C_GPU_H_

#include <stddef.h>

// What a test needs of a GPU besides kakeya_device.h: by CUDA's runtime (gpu_cuda.c), or by the host
// where the kernels are emulated there (gpu_host.c). What fails ends the program.

/// Multiples of 256. Of the host: what is touched beyond the next multiple of 256 is a fault.
void* gpu_memory(size_t bytes);
void gpu_free(void* memory);
/// Both wait for everything.
void gpu_copy_in(void* to, const void* from, size_t bytes);
void gpu_copy_out(void* to, const void* from, size_t bytes);
/// Sets every byte, on the stream.
void gpu_fill(void* memory, int byte, size_t bytes, void* stream);

/// A stream that waits for no other.
void* gpu_stream(void);
void gpu_stream_free(void* stream);
void gpu_wait(void* stream);

/// Whether there are graphs. What is put on the stream between the next two is in the graph.
int gpu_has_graphs(void);
void gpu_begin_graph(void* stream);
void* gpu_end_graph(void* stream);
void gpu_run_graph(void* graph, void* stream);
void gpu_graph_free(void* graph);

#endif  // KAKEYA_TESTS_BINDINGS_C_GPU_H_
