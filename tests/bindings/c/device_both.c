// SPDX-License-Identifier: Apache-2.0
// Codecs, vectors and frames on both sides.
#include "bindings/c/device_test.h"

#define TOKEN_DIM (2 * KAKEYA_CASE_LAYERS * KAKEYA_CASE_HEADS * KAKEYA_CASE_DIM)

const struct device_case device_cases[] = {
    {"d4:q=38", 128, KAKEYA_SCOPE_ANY, 0},
    {"e8:q=10", 128, KAKEYA_SCOPE_ANY, 0},
    {"tq:b=4", 64, KAKEYA_SCOPE_ANY, 0},
    {"fp8", 128, KAKEYA_SCOPE_ANY, 0},
    {"q4_0", 128, KAKEYA_SCOPE_ANY, 0},
    {"q8_0:rotate=64", 64, KAKEYA_SCOPE_ANY, 0},
    {"kivi:b=4", 128, KAKEYA_SCOPE_HEAD, KAKEYA_KEYS},
    {"kivi:b=2", 128, KAKEYA_SCOPE_HEAD, KAKEYA_VALUES},
    {"ece8:bits=3,page=32", 64, KAKEYA_SCOPE_ANY, 0},
    {"ecz:bits=4,center=mean,per=head-page", 64, KAKEYA_SCOPE_ANY, 0},
    {"klt:bits=3,page=32", KAKEYA_CASE_DIM, KAKEYA_SCOPE_HEAD, KAKEYA_VALUES},
    {"klt:bits=3,scope=layer", TOKEN_DIM, KAKEYA_SCOPE_TOKEN, 0},
    {"identity", 64, KAKEYA_SCOPE_ANY, 0},
};
const size_t device_case_count = sizeof device_cases / sizeof device_cases[0];

struct both_codecs make_both(const struct device_case* each, const kakeya_profiles* profiles) {
  struct both_codecs codecs = {{NULL, NULL}, NULL, each->dim, kDeviceHeads};
  const kakeya_codec* given[kDeviceHeads];
  const int head_scope = each->scope == KAKEYA_SCOPE_HEAD;
  size_t head;
  if (each->scope == KAKEYA_SCOPE_TOKEN) codecs.heads = 1;
  for (head = 0; head < codecs.heads; ++head) {
    kakeya_codec_options options = {.size = sizeof options, .dim = each->dim, .profiles = profiles};
    options.has_site = head_scope;
    options.layer = 2 * head_scope;
    options.part = each->part;
    options.head = head_scope ? (int32_t)head : 0;
    OK(kakeya_codec_create(each->spec, &options, &codecs.host[head]));
    given[head] = codecs.host[head];
  }
  OK(kakeya_device_codec_create(given, head_scope ? codecs.heads : 1, &codecs.device));
  return codecs;
}

void free_both(struct both_codecs* codecs) {
  size_t head;
  for (head = 0; head < codecs->heads; ++head) kakeya_codec_free(codecs->host[head]);
  kakeya_device_codec_free(codecs->device);
}

size_t scalar_bytes(kakeya_dtype dtype) { return dtype == KAKEYA_FLOAT32 ? 4 : 2; }

struct both_rows make_rows(const struct both_codecs* codecs, kakeya_dtype dtype, size_t tokens,
                           enum device_layout layout) {
  struct both_rows rows = {{.size = sizeof(kakeya_device_rows)}, NULL, 0, codecs->dim};
  const size_t dim = codecs->dim, heads = codecs->heads;
  size_t token_stride = heads * dim, head_stride = dim;
  if (layout == kGaps) head_stride = dim + 8, token_stride = heads * head_stride + 16;
  if (layout == kHeadsFirst) head_stride = (tokens + 1) * dim, token_stride = dim;
  rows.bytes = (tokens * token_stride + heads * head_stride) * scalar_bytes(dtype);
  rows.image = c_test_memory(rows.bytes);
  memset(rows.image, 0x5a, rows.bytes);
  rows.view.data = gpu_memory(rows.bytes);
  gpu_copy_in(rows.view.data, rows.image, rows.bytes);
  rows.view.tokens = tokens;
  rows.view.heads = heads;
  rows.view.dtype = dtype;
  rows.view.token_stride = layout == kDense ? 0 : token_stride;  // 0 says the same
  rows.view.head_stride = layout == kDense ? 0 : head_stride;
  return rows;
}

void free_rows(struct both_rows* rows) {
  free(rows->image);
  gpu_free(rows->view.data);
}

// Strides as kakeya_encode() takes them.
static size_t head_stride(const struct both_rows* rows) {
  return rows->view.head_stride != 0 ? rows->view.head_stride : rows->dim;
}
static size_t token_stride(const struct both_rows* rows) {
  return rows->view.token_stride != 0 ? rows->view.token_stride : rows->view.heads * rows->dim;
}

const void* rows_of_head(const struct both_rows* rows, size_t head) {
  return rows->image + head * head_stride(rows) * scalar_bytes(rows->view.dtype);
}

// A number in a dtype, cut off.
static void put_scalar(unsigned char* at, kakeya_dtype dtype, float value) {
  uint32_t bits;
  uint16_t half;
  memcpy(&bits, &value, sizeof bits);
  if (dtype == KAKEYA_FLOAT32) {
    memcpy(at, &bits, sizeof bits);
    return;
  }
  half = (uint16_t)(bits >> 16);
  if (dtype == KAKEYA_FLOAT16) {
    const int exponent = (int)(bits >> 23 & 0xff) - 112;
    half = (uint16_t)(bits >> 16 & 0x8000);
    if (exponent > 0 && exponent < 31)
      half = (uint16_t)(half | exponent << 10 | (int)(bits >> 13 & 0x3ff));
  }
  memcpy(at, &half, sizeof half);
}

void draw_rows(struct both_rows* rows, unsigned seed) {
  const size_t dim = rows->dim, heads = rows->view.heads, scalar = scalar_bytes(rows->view.dtype);
  const int follows = dim == KAKEYA_CASE_DIM || dim == TOKEN_DIM;
  size_t length = 0, count, token, head, i;
  float* known = NULL;
  uint32_t state = 12345 + 2654435761u * seed;
  if (follows) known = c_test_expected(dim == TOKEN_DIM ? "token.f32" : "rows.f32", &length);
  count = length / sizeof(float) / dim;
  for (token = 0; token < rows->view.tokens; ++token) {
    for (head = 0; head < heads; ++head) {
      unsigned char* at =
          rows->image + (token * token_stride(rows) + head * head_stride(rows)) * scalar;
      for (i = 0; i < dim; ++i) {
        float value = 0;
        int part;
        for (part = 0; part < 4; ++part) {  // about normal
          state = state * 1664525u + 1013904223u;
          value += (float)(int32_t)state * 0x1p-31f;
        }
        if (follows) value = known[(token * heads + head + 7 * seed) % count * dim + i];
        put_scalar(at + i * scalar, rows->view.dtype, value);
      }
    }
  }
  free(known);
  gpu_copy_in(rows->view.data, rows->image, rows->bytes);
}

kakeya_device_memory make_memory(const struct both_codecs* codecs, size_t tokens) {
  kakeya_device_sizes sizes = {.size = sizeof sizes};
  kakeya_device_memory memory = {.size = sizeof memory};
  OK(kakeya_device_codec_sizes(codecs->device, tokens, codecs->heads, &sizes));
  CHECK(sizes.flag_words == codecs->heads);
  memory.sections = gpu_memory(sizes.sections_bytes);
  memory.sections_bytes = sizes.sections_bytes;
  memory.workspace_bytes = sizes.workspace_bytes;
  if (sizes.workspace_bytes != 0) memory.workspace = gpu_memory(sizes.workspace_bytes);
  memory.flags = gpu_memory(sizes.flag_words * sizeof(uint32_t));
  memory.flag_words = sizes.flag_words;
  gpu_fill(memory.sections, 0xa5, memory.sections_bytes, NULL);
  if (memory.workspace != NULL) gpu_fill(memory.workspace, 0xa5, memory.workspace_bytes, NULL);
  gpu_fill(memory.flags, 0, memory.flag_words * sizeof(uint32_t), NULL);
  gpu_wait(NULL);
  return memory;
}

void free_memory(kakeya_device_memory* memory) {
  gpu_free(memory->sections);
  if (memory->workspace != NULL) gpu_free(memory->workspace);
  gpu_free(memory->flags);
}

void* host_frame(const struct both_codecs* codecs, const struct both_rows* rows, size_t head,
                 size_t* bytes) {
  size_t bound = 0;
  void* frame;
  OK(kakeya_codec_encoded_bound(codecs->host[head], rows->view.tokens, &bound));
  frame = c_test_memory(bound);
  OK(kakeya_encode(codecs->host[head], rows_of_head(rows, head), rows->view.dtype,
                   rows->view.tokens, token_stride(rows), frame, bound, bytes));
  return frame;
}

void* device_frame(const struct both_codecs* codecs, size_t tokens, size_t head,
                   const kakeya_device_memory* memory, void* stream, size_t* bytes) {
  kakeya_device_sizes sizes = {.size = sizeof sizes};
  void* frame;
  OK(kakeya_device_codec_sizes(codecs->device, tokens, codecs->heads, &sizes));
  frame = c_test_memory(sizes.frame_bytes);
  if (kakeya_device_frame(codecs->device, tokens, codecs->heads, head, memory->sections,
                          memory->sections_bytes, stream, frame, sizes.frame_bytes,
                          bytes) == KAKEYA_OK)
    return frame;
  free(frame);
  return NULL;
}

void check_frames(const struct both_codecs* codecs, const struct both_rows* rows,
                  const kakeya_device_memory* memory, void* stream) {
  size_t head;
  for (head = 0; head < codecs->heads; ++head) {
    size_t bytes = 0, expected_bytes = 0;
    void* expected = host_frame(codecs, rows, head, &expected_bytes);
    void* frame = device_frame(codecs, rows->view.tokens, head, memory, stream, &bytes);
    if (frame == NULL) c_test_fail(__FILE__, __LINE__, "kakeya_device_frame", kakeya_last_error());
    if (frame != NULL && (bytes != expected_bytes || memcmp(frame, expected, bytes) != 0))
      c_test_fail(__FILE__, __LINE__, "a frame of other bytes",
                  kakeya_codec_spec(codecs->host[head]));
    free(frame);
    free(expected);
  }
}

void check_values(const struct both_codecs* codecs, const struct both_rows* rows,
                  const struct both_rows* got) {
  const kakeya_dtype dtype = got->view.dtype;
  unsigned char *expected = c_test_memory(got->bytes), *there = c_test_memory(got->bytes);
  size_t head;
  memset(expected, 0x5a, got->bytes);
  for (head = 0; head < codecs->heads; ++head) {
    size_t bytes = 0, count = rows->view.tokens;
    void* frame = host_frame(codecs, rows, head, &bytes);
    OK(kakeya_decode(codecs->host[head], frame, bytes,
                     expected + head * head_stride(got) * scalar_bytes(dtype), dtype,
                     token_stride(got), &count));
    free(frame);
  }
  gpu_copy_out(there, got->view.data, got->bytes);
  if (memcmp(there, expected, got->bytes) != 0)
    c_test_fail(__FILE__, __LINE__, "other values", kakeya_codec_spec(codecs->host[0]));
  free(there);
  free(expected);
}
