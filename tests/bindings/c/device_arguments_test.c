// SPDX-License-Identifier: Apache-2.0
// Arguments that are wrong; codecs that there are no kernels for.
#include "bindings/c/device_test.h"

enum { kTokens = 40, kDim = 64 };

static void test_rows(const struct both_codecs* codecs, const struct both_rows* x,
                      const kakeya_device_memory* memory) {
  const kakeya_device_codec* codec = codecs->device;
  kakeya_device_rows bad = x->view;
#define REFUSED(change, status, words)                                         \
  do {                                                                         \
    bad = x->view;                                                             \
    change;                                                                    \
    FAILS(kakeya_device_encode(codec, &bad, memory, NULL), (status), (words)); \
    FAILS(kakeya_device_decode(codec, memory, &bad, NULL), (status), (words)); \
  } while (0)
  REFUSED(bad.dtype = 7, KAKEYA_SPEC_ERROR, "dtype 7");
  REFUSED(bad.data = NULL, KAKEYA_INPUT_ERROR, "rows.data: NULL");
  REFUSED(bad.data = (char*)bad.data + 8, KAKEYA_INPUT_ERROR, "a multiple of 16 bytes");
  REFUSED(bad.token_stride = 2 * kDim + 4, KAKEYA_INPUT_ERROR, "multiples of 8");
  REFUSED(bad.token_stride = kDim - 8, KAKEYA_INPUT_ERROR, "token_stride 56");
  REFUSED(bad.head_stride = 8, KAKEYA_INPUT_ERROR, "head_stride 8");
  REFUSED(bad.token_stride = SIZE_MAX - 7, KAKEYA_INPUT_ERROR, "2^48");
  REFUSED(bad.head_stride = SIZE_MAX - 7, KAKEYA_INPUT_ERROR, "2^48");
  REFUSED(bad.heads = 0, KAKEYA_INPUT_ERROR, "0 heads");
  REFUSED(bad.tokens = SIZE_MAX / 2, KAKEYA_INPUT_ERROR, "2^31 vectors");
  REFUSED(bad.heads = SIZE_MAX, KAKEYA_INPUT_ERROR, "");
  REFUSED(bad.size = 8, KAKEYA_INPUT_ERROR, "rows: size 8");
  REFUSED(bad.reserved = 1, KAKEYA_INPUT_ERROR, "reserved");
#undef REFUSED
  FAILS(kakeya_device_encode(codec, NULL, memory, NULL), KAKEYA_INPUT_ERROR, "rows: NULL");
  FAILS(kakeya_device_encode(NULL, &x->view, memory, NULL), KAKEYA_INPUT_ERROR, "codec: NULL");
  FAILS(kakeya_device_decode(NULL, memory, &x->view, NULL), KAKEYA_INPUT_ERROR, "codec: NULL");
}

static void test_memory(const struct both_codecs* codecs, const struct both_rows* x,
                        const kakeya_device_memory* memory) {
  const kakeya_device_codec* codec = codecs->device;
  kakeya_device_memory bad = *memory;
#define REFUSED(change, status, words)                                           \
  do {                                                                           \
    bad = *memory;                                                               \
    change;                                                                      \
    FAILS(kakeya_device_encode(codec, &x->view, &bad, NULL), (status), (words)); \
    FAILS(kakeya_device_decode(codec, &bad, &x->view, NULL), (status), (words)); \
  } while (0)
  REFUSED(--bad.sections_bytes, KAKEYA_BUFFER_TOO_SMALL, "sections_bytes");
  REFUSED(bad.sections = NULL, KAKEYA_INPUT_ERROR, "sections_bytes: NULL");
  REFUSED(bad.sections = (char*)bad.sections + 16, KAKEYA_INPUT_ERROR, "no multiple of 256");
  REFUSED(--bad.workspace_bytes, KAKEYA_BUFFER_TOO_SMALL, "workspace_bytes");
  REFUSED(bad.workspace = NULL, KAKEYA_INPUT_ERROR, "workspace_bytes: NULL");
  REFUSED(bad.workspace = (char*)bad.workspace + 16, KAKEYA_INPUT_ERROR, "no multiple of 256");
  REFUSED(bad.flag_words = 1, KAKEYA_BUFFER_TOO_SMALL, "flag_words 1 given, expected at least 2");
  REFUSED(bad.flags = NULL, KAKEYA_INPUT_ERROR, "flag_words: NULL");
  REFUSED(bad.size = 0, KAKEYA_INPUT_ERROR, "memory: size 0");
#undef REFUSED
  FAILS(kakeya_device_encode(codec, &x->view, NULL, NULL), KAKEYA_INPUT_ERROR, "memory: NULL");
}

static void test_sizes_and_frames(const struct both_codecs* codecs,
                                  const kakeya_device_memory* memory) {
  const kakeya_device_codec* codec = codecs->device;
  kakeya_device_sizes sizes = {.size = sizeof sizes};
  size_t bytes = 0, all = 0;
  unsigned char* frame;
  FAILS(kakeya_device_codec_sizes(codec, 1, 0, &sizes), KAKEYA_INPUT_ERROR, "0 heads");
  FAILS(kakeya_device_codec_sizes(codec, SIZE_MAX, 2, &sizes), KAKEYA_INPUT_ERROR, "2^31");
  FAILS(kakeya_device_codec_sizes(codec, 1, 2, NULL), KAKEYA_INPUT_ERROR, "sizes: NULL");
  FAILS(kakeya_device_codec_sizes(NULL, 1, 2, &sizes), KAKEYA_INPUT_ERROR, "codec: NULL");
  FAILS(kakeya_device_check(codec, NULL, 2, NULL), KAKEYA_INPUT_ERROR, "flags: NULL");
  FAILS(kakeya_device_check(codec, memory->flags, 0, NULL), KAKEYA_INPUT_ERROR, "0 heads");
  OK(kakeya_device_codec_sizes(codec, kTokens, 2, &sizes));
  frame = c_test_memory(sizes.frame_bytes);
#define FRAME(sections, room, to, capacity, length) \
  kakeya_device_frame(codec, kTokens, 2, 1, (sections), (room), NULL, (to), (capacity), (length))
  OK(FRAME(memory->sections, memory->sections_bytes, frame, sizes.frame_bytes, &all));
  CHECK(all > 0 && all <= sizes.frame_bytes);
  FAILS(FRAME(memory->sections, memory->sections_bytes, frame, all - 1, &bytes),
        KAKEYA_BUFFER_TOO_SMALL, "bytes given, expected");
  CHECK(bytes == all);
  bytes = 0;
  FAILS(FRAME(memory->sections, memory->sections_bytes, NULL, 0, &bytes), KAKEYA_BUFFER_TOO_SMALL,
        "room for 0 bytes");
  CHECK(bytes == all);
  FAILS(FRAME(memory->sections, memory->sections_bytes - 1, frame, all, &bytes),
        KAKEYA_BUFFER_TOO_SMALL, "sections_bytes");
  FAILS(FRAME(NULL, memory->sections_bytes, frame, all, &bytes), KAKEYA_INPUT_ERROR,
        "sections: NULL");
  FAILS(FRAME(memory->sections, memory->sections_bytes, frame, all, NULL), KAKEYA_INPUT_ERROR,
        "frame_bytes: NULL");
#undef FRAME
  free(frame);
}

void test_device_arguments(const kakeya_profiles* profiles) {
  const struct device_case each = {"ece8:bits=3", kDim, KAKEYA_SCOPE_ANY, 0};
  struct both_codecs codecs = make_both(&each, profiles);
  struct both_rows x = make_rows(&codecs, KAKEYA_FLOAT32, kTokens, kDense);
  kakeya_device_memory memory = make_memory(&codecs, kTokens);
  draw_rows(&x, 1);
  test_rows(&codecs, &x, &memory);
  test_memory(&codecs, &x, &memory);
  OK(kakeya_device_encode(codecs.device, &x.view, &memory, NULL));
  OK(kakeya_device_check(codecs.device, memory.flags, 2, NULL));
  check_frames(&codecs, &x, &memory, NULL);
  test_sizes_and_frames(&codecs, &memory);
  free_memory(&memory);
  free_rows(&x);
  free_both(&codecs);
}

static kakeya_status create_one(const kakeya_codec* codec, kakeya_device_codec** out) {
  return kakeya_device_codec_create(&codec, 1, out);
}

// What has no kernel says what there is and who codes it.
static void test_no_kernels(void) {
  static const struct {
    const char* spec;
    size_t dim;
  } none[] = {
      {"nvfp4", 64}, {"e8:q=10,pack=rans", 64}, {"e8:q=10", 1024}, {"d4:q=4,outliers=1", 64}};
  size_t i;
  for (i = 0; i < sizeof none / sizeof none[0]; ++i) {
    kakeya_codec* codec = c_test_codec(none[i].spec, none[i].dim);
    kakeya_device_codec* made = NULL;
    FAILS(create_one(codec, &made), KAKEYA_NO_KERNEL, "no CUDA kernel for");
    CHECK(strstr(kakeya_last_error(), "kakeya_encode() codes on the host") != NULL);
    CHECK(strstr(kakeya_last_error(), "--codec-device") == NULL && made == NULL);
    kakeya_codec_free(codec);
  }
}

static kakeya_codec* at_site(const char* spec, const kakeya_profiles* profiles, kakeya_part part,
                             int32_t head) {
  kakeya_codec_options options = {.size = sizeof options, .dim = kDim, .profiles = profiles};
  kakeya_codec* codec = NULL;
  options.has_site = 1;
  options.part = part;
  options.head = head;
  OK(kakeya_codec_create(spec, &options, &codec));
  return codec;
}

static void test_codecs_together(const kakeya_profiles* profiles) {
  kakeya_codec* e8 = c_test_codec("e8:q=10", kDim);
  kakeya_codec* wide = c_test_codec("e8:q=10", 128);
  kakeya_codec* tq = c_test_codec("tq:b=4", kDim);
  kakeya_codec* keys = at_site("kivi:b=4", NULL, KAKEYA_KEYS, 0);
  kakeya_codec* values = at_site("kivi:b=4", NULL, KAKEYA_VALUES, 0);
  kakeya_codec* klt[2] = {at_site("klt:bits=3", profiles, KAKEYA_KEYS, 0),
                          at_site("klt:bits=3", profiles, KAKEYA_KEYS, 1)};
  kakeya_device_sizes sizes = {.size = sizeof sizes};
  kakeya_device_codec* made = NULL;
#define PAIR(a, b) kakeya_device_codec_create((const kakeya_codec*[]){(a), (b)}, 2, &made)
  OK(PAIR(e8, e8));
  CHECK(kakeya_device_codec_heads(made) == 0);
  kakeya_device_codec_free(made);
  made = NULL;
  FAILS(PAIR(e8, wide), KAKEYA_INPUT_ERROR, "of dim 128 given beside e8:q=10 of dim 64");
  FAILS(PAIR(e8, tq), KAKEYA_INPUT_ERROR, "tq:b=4");
  FAILS(PAIR(keys, values), KAKEYA_INPUT_ERROR, "keys and values given");
  FAILS(PAIR(e8, NULL), KAKEYA_INPUT_ERROR, "codecs: NULL");
  FAILS(kakeya_device_codec_create(NULL, 1, &made), KAKEYA_INPUT_ERROR, "codecs: NULL");
  FAILS(kakeya_device_codec_create(NULL, 0, &made), KAKEYA_INPUT_ERROR, "codecs: 0 given");
  FAILS(create_one(e8, NULL), KAKEYA_INPUT_ERROR, "out: NULL");
  CHECK(made == NULL);
  OK(PAIR(klt[0], klt[1]));
#undef PAIR
  CHECK(kakeya_device_codec_heads(made) == 2);
  FAILS(kakeya_device_codec_sizes(made, kTokens, 3, &sizes), KAKEYA_INPUT_ERROR,
        "3 heads given, expected the 2");
  kakeya_device_codec_free(made);
  kakeya_device_codec_free(NULL);
  CHECK(kakeya_device_codec_heads(NULL) == 0);
  kakeya_codec_free(e8);
  kakeya_codec_free(wide);
  kakeya_codec_free(tq);
  kakeya_codec_free(keys);
  kakeya_codec_free(values);
  kakeya_codec_free(klt[0]);
  kakeya_codec_free(klt[1]);
}

// A codec that a frame names; one whose makers are gone.
static void test_lives(void) {
  const struct device_case e8 = {"e8:q=10", kDim, KAKEYA_SCOPE_ANY, 0};
  const struct device_case heads = {"klt:bits=3", kDim, KAKEYA_SCOPE_HEAD, KAKEYA_KEYS};
  kakeya_profiles* profiles = c_test_profiles();
  struct both_codecs codecs = make_both(&e8, NULL), calibrated = make_both(&heads, profiles);
  struct both_rows x = make_rows(&codecs, KAKEYA_FLOAT32, kTokens, kDense);
  kakeya_device_memory memory = make_memory(&calibrated, kTokens);
  kakeya_codec* of_frame = NULL;
  kakeya_device_codec* made = NULL;
  size_t bytes = 0;
  void* frame;
  draw_rows(&x, 2);
  frame = host_frame(&codecs, &x, 0, &bytes);
  OK(kakeya_codec_of_frame(frame, bytes, NULL, &of_frame));
  OK(create_one(of_frame, &made));
  kakeya_device_codec_free(made);
  kakeya_codec_free(of_frame);
  free(frame);
  made = NULL;
  frame = host_frame(&calibrated, &x, 0, &bytes);
  OK(kakeya_codec_of_frame(frame, bytes, profiles, &of_frame));
  FAILS(create_one(of_frame, &made), KAKEYA_INPUT_ERROR, "kakeya_codec_create()");
  kakeya_codec_free(of_frame);
  free(frame);

  kakeya_profiles_free(profiles);
  OK(kakeya_device_encode(calibrated.device, &x.view, &memory, NULL));
  check_frames(&calibrated, &x, &memory, NULL);
  OK(kakeya_device_use(0));
  free_memory(&memory);
  free_rows(&x);
  free_both(&codecs);
  free_both(&calibrated);
}

void test_device_codecs(const kakeya_profiles* profiles) {
  test_no_kernels();
  test_codecs_together(profiles);
  if (gpu_has_graphs())  // a real one; what comes after it is not harmed
    FAILS(kakeya_device_use(1000), KAKEYA_CUDA_ERROR, "CUDA: ");
  test_lives();
}
