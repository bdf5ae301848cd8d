// SPDX-License-Identifier: Apache-2.0
// The host's memory for that of a GPU whose kernels are emulated.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bindings/c/gpu.h"

enum { kPage = 4096, kMost = 64 };

// What has been given, and how much lies before it and in all.
static struct {
  void* given;
  void* first;
  size_t mapped;
} maps[kMost];

// Ends where a page begins that nobody may touch.
void* gpu_memory(size_t bytes) {
  const size_t room = (bytes + 255) / 256 * 256;
  const size_t mapped = (room + kPage - 1) / kPage * kPage + kPage;
  unsigned char* first =
      mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int at = 0;
  while (at < kMost && maps[at].given != NULL) ++at;
  if (first == MAP_FAILED || at == kMost || mprotect(first + mapped - kPage, kPage, PROT_NONE)) {
    fprintf(stderr, "gpu_host: no memory of %zu bytes\n", bytes);
    exit(3);
  }
  maps[at].given = first + (mapped - kPage - room);
  maps[at].first = first;
  maps[at].mapped = mapped;
  return maps[at].given;
}

void gpu_free(void* memory) {
  int at = 0;
  while (at < kMost && (maps[at].given == NULL || maps[at].given != memory)) ++at;
  if (at == kMost) return;
  munmap(maps[at].first, maps[at].mapped);
  maps[at].given = NULL;
}

void gpu_copy_in(void* to, const void* from, size_t bytes) { memcpy(to, from, bytes); }
void gpu_copy_out(void* to, const void* from, size_t bytes) { memcpy(to, from, bytes); }
void gpu_fill(void* memory, int byte, size_t bytes, void* stream) {
  (void)stream;
  memset(memory, byte, bytes);
}
void* gpu_stream(void) { return NULL; }
void gpu_stream_free(void* stream) { (void)stream; }
void gpu_wait(void* stream) { (void)stream; }
int gpu_has_graphs(void) { return 0; }
void gpu_begin_graph(void* stream) { (void)stream; }
void* gpu_end_graph(void* stream) { return stream; }
void gpu_run_graph(void* graph, void* stream) { (void)graph, (void)stream; }
void gpu_graph_free(void* graph) { (void)graph; }
