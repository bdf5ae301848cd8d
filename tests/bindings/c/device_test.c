// SPDX-License-Identifier: Apache-2.0
// Codecs on a GPU by the C interface, against its codecs on the host.
//   c_device_test EXPECTED    what write_expected wrote. 77: there is no GPU
#include "bindings/c/device_test.h"

static void check_sizes(void) {
  if (sizeof(void*) != 8) return;
  CHECK(sizeof(kakeya_device_sizes) == 40 && sizeof(kakeya_device_memory) == 56);
  CHECK(sizeof(kakeya_device_rows) == 56 && offsetof(kakeya_device_rows, reserved) == 52);
}

// Encodes, compares frames; decodes to another dtype, from these sections and from frames of the host.
static void check_case(const struct both_codecs* codecs, kakeya_dtype dtype, size_t tokens,
                       enum device_layout layout) {
  struct both_rows x = make_rows(codecs, dtype, tokens, layout);
  struct both_rows y = make_rows(codecs, (dtype + 1) % 3, tokens, (layout + 1) % kLayouts);
  struct both_rows z = make_rows(codecs, dtype, tokens, layout);
  kakeya_device_memory memory = make_memory(codecs, tokens), again = make_memory(codecs, tokens);
  void* stream = gpu_stream();
  size_t head;
  draw_rows(&x, (unsigned)tokens);
  OK(kakeya_device_encode(codecs->device, &x.view, &memory, stream));
  OK(kakeya_device_decode(codecs->device, &memory, &y.view, stream));
  OK(kakeya_device_check(codecs->device, memory.flags, codecs->heads, stream));
  check_frames(codecs, &x, &memory, stream);
  check_values(codecs, &x, &y);
  for (head = 0; head < codecs->heads; ++head) {
    size_t bytes = 0;
    void* frame = host_frame(codecs, &x, head, &bytes);
    OK(kakeya_device_put_frame(codecs->device, tokens, codecs->heads, head, frame, bytes,
                               again.sections, again.sections_bytes, stream));
    free(frame);
  }
  OK(kakeya_device_decode(codecs->device, &again, &z.view, stream));
  OK(kakeya_device_check(codecs->device, again.flags, codecs->heads, stream));
  check_values(codecs, &x, &z);
  check_frames(codecs, &x, &again, stream);
  gpu_stream_free(stream);
  free_memory(&memory);
  free_memory(&again);
  free_rows(&x);
  free_rows(&y);
  free_rows(&z);
}

void test_device_parity(const kakeya_profiles* profiles) {
  size_t i;
  for (i = 0; i < device_case_count; ++i) {
    struct both_codecs codecs = make_both(&device_cases[i], profiles);
    if (codecs.device != NULL) {
      CHECK(kakeya_device_codec_heads(codecs.device) == 0 || codecs.heads == 1 ||
            strncmp(device_cases[i].spec, "klt", 3) == 0);
      check_case(&codecs, KAKEYA_BFLOAT16, 70, kGaps);
      check_case(&codecs, KAKEYA_FLOAT32, 33, kHeadsFirst);
      check_case(&codecs, KAKEYA_FLOAT16, 1, kDense);
      check_case(&codecs, KAKEYA_BFLOAT16, 0, kDense);
    }
    free_both(&codecs);
  }
}

// A graph holds encoding and decoding, and codes what lies there when it runs.
void test_device_graphs(const kakeya_profiles* profiles) {
  enum { kTokens = 150, kRuns = 3 };
  size_t i;
  if (!gpu_has_graphs()) return;
  for (i = 0; i < device_case_count; ++i) {
    struct both_codecs codecs = make_both(&device_cases[i], profiles);
    struct both_rows x = make_rows(&codecs, KAKEYA_BFLOAT16, kTokens, kGaps);
    struct both_rows y = make_rows(&codecs, KAKEYA_BFLOAT16, kTokens, kGaps);
    kakeya_device_memory memory = make_memory(&codecs, kTokens);
    void *stream = gpu_stream(), *graph;
    unsigned run;
    draw_rows(&x, 9);  // once before: CUDA loads a kernel when it is launched first
    OK(kakeya_device_encode(codecs.device, &x.view, &memory, stream));
    OK(kakeya_device_decode(codecs.device, &memory, &y.view, stream));
    gpu_begin_graph(stream);
    gpu_fill(memory.flags, 0, codecs.heads * sizeof(uint32_t), stream);
    OK(kakeya_device_encode(codecs.device, &x.view, &memory, stream));
    OK(kakeya_device_decode(codecs.device, &memory, &y.view, stream));
    graph = gpu_end_graph(stream);
    for (run = 0; run < kRuns; ++run) {
      draw_rows(&x, run);
      gpu_run_graph(graph, stream);
      OK(kakeya_device_check(codecs.device, memory.flags, codecs.heads, stream));
      check_frames(&codecs, &x, &memory, stream);
      check_values(&codecs, &x, &y);
    }
    gpu_graph_free(graph);
    gpu_stream_free(stream);
    free_memory(&memory);
    free_rows(&x);
    free_rows(&y);
    free_both(&codecs);
  }
}

int main(int argc, char** argv) {
  kakeya_profiles* profiles;
  if (argc != 2) {
    fprintf(stderr, "usage: c_device_test EXPECTED\n");
    return 2;
  }
  if (kakeya_device_available() == 0) {
    fprintf(stderr, "no GPU here: nothing is checked\n");
    return 77;
  }
  c_test_expected_folder = argv[1];
  profiles = c_test_profiles();
  check_sizes();
  test_device_parity(profiles);
  test_device_graphs(profiles);
  test_device_damage(profiles);
  test_device_arguments(profiles);
  test_device_codecs(profiles);
  kakeya_profiles_free(profiles);
  fprintf(stderr, "%zu codecs%s, %d checks failed\n", device_case_count,
          gpu_has_graphs() ? ", graphs too" : "", c_test_failures);
  return c_test_failures == 0 ? 0 : 1;
}
