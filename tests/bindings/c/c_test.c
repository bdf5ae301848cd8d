// SPDX-License-Identifier: Apache-2.0
// The C interface, from C99.
//   c_api_test EXPECTED GOLDEN SCRATCH    what write_expected wrote, tests/golden/frame_v1, a folder to write to
#include "bindings/c/c_test.h"

// Programs that are built with this header have these sizes in them: what a struct gains is at its end,
// and no padding is left there for a field to hide in.
static void check_sizes(void) {
  if (sizeof(void*) != 8) return;
  CHECK(sizeof(kakeya_profile_info) == 48 && sizeof(kakeya_codec_options) == 48);
  CHECK(sizeof(kakeya_rates) == 40 && sizeof(kakeya_ledger) == 96);
  CHECK(sizeof(kakeya_cache_options) == 80 && sizeof(kakeya_live_bytes) == 64);
  CHECK(sizeof(kakeya_facts) == 104);
  CHECK(offsetof(kakeya_facts, reserved) == 100 &&
        offsetof(kakeya_codec_options, layer_count) == 44);
}

void test_versions_and_lists(void) {
  size_t bytes = 0;
  char* expected = c_test_expected("list.json", &bytes);
  const char* list = NULL;
  check_sizes();
  CHECK(kakeya_abi_version() == KAKEYA_ABI_VERSION);
  CHECK(strcmp(kakeya_version(), KAKEYA_EXPECTED_VERSION) == 0);
  CHECK(strcmp(kakeya_last_error(), "") == 0);
  OK(kakeya_codec_list(&list));
  CHECK(list != NULL && strlen(list) == bytes && memcmp(list, expected, bytes) == 0);
  FAILS(kakeya_codec_list(NULL), KAKEYA_INPUT_ERROR, "json: NULL");
  free(expected);
}

void test_profiles(void) {
  size_t bytes = 0;
  void* file = c_test_expected("profile.kkp", &bytes);
  char digest[65];
  kakeya_profiles* profiles = NULL;
  kakeya_profile_info info = {.size = sizeof info};
  memset(digest, 'c', 64);
  digest[64] = 0;
  OK(kakeya_profiles_create(&profiles));
  CHECK(kakeya_profiles_count(profiles) == 0);
  FAILS(kakeya_profiles_get(profiles, 0, &info), KAKEYA_INPUT_ERROR, "profile 0");
  FAILS(kakeya_profiles_add_memory(profiles, file, bytes - 1), KAKEYA_CORRUPT_STREAM, "profile");
  FAILS(kakeya_profiles_add_memory(profiles, NULL, 4), KAKEYA_INPUT_ERROR, "bytes: NULL");
  FAILS(kakeya_profiles_add_memory(profiles, NULL, 0), KAKEYA_CORRUPT_STREAM, "");
  FAILS(kakeya_profiles_add_file(profiles, "/no/such.kkp"), KAKEYA_IO_ERROR, "/no/such.kkp");
  FAILS(kakeya_profiles_add_file(profiles, NULL), KAKEYA_INPUT_ERROR, "path: NULL");
  CHECK(kakeya_profiles_count(profiles) == 0);
  OK(kakeya_profiles_add_memory(profiles, file, bytes));
  free(file);  // not kept
  CHECK(kakeya_profiles_count(profiles) == 1);
  OK(kakeya_profiles_get(profiles, 0, &info));
  CHECK(strcmp(info.kind, "klt") == 0 && strcmp(info.digest, digest) == 0);
  CHECK(strcmp(info.model, "made") == 0 && info.layers == KAKEYA_CASE_LAYERS);
  CHECK(info.kv_heads == KAKEYA_CASE_HEADS && info.head_dim == KAKEYA_CASE_DIM);
  CHECK(info.tap == KAKEYA_PRE_ROPE && info.size == sizeof info);
  info.size = 8;
  FAILS(kakeya_profiles_get(profiles, 0, &info), KAKEYA_INPUT_ERROR, "size 8");
  CHECK(kakeya_profiles_count(NULL) == 0);
  kakeya_profiles_free(profiles);
  kakeya_profiles_free(NULL);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: c_api_test EXPECTED GOLDEN SCRATCH\n");
    return 2;
  }
  c_test_expected_folder = argv[1];
  c_test_golden_folder = argv[2];
  c_test_scratch_folder = argv[3];
  test_versions_and_lists();
  test_profiles();
  test_frames();
  test_golden_frames();
  test_types_and_strides();
  test_hostile_codecs();
  test_page_writer();
  test_packed_cache();
  test_branches();
  test_sequence_file();
  test_cache_file();
  test_hostile_caches();
  test_threads();
  test_plugins();
  fprintf(stderr, "%d checks failed\n", c_test_failures);
  return c_test_failures == 0 ? 0 : 1;
}
