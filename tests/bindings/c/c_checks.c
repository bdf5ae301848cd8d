// SPDX-License-Identifier: Apache-2.0
// What test programs of the C interface have in common.
#include "bindings/c/c_test.h"

int c_test_failures = 0;
const char* c_test_expected_folder;
const char* c_test_golden_folder;
const char* c_test_scratch_folder;

void c_test_fail(const char* file, int line, const char* what, const char* more) {
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, more);
  ++c_test_failures;
}

void c_test_fails(const char* file, int line, const char* call, kakeya_status status,
                  kakeya_status expected, const char* words) {
  char more[1200];
  if (status == expected && strstr(kakeya_last_error(), words) != NULL) return;
  snprintf(more, sizeof more, "status %d, expected %d; said '%s', expected '%s'", (int)status,
           (int)expected, kakeya_last_error(), words);
  c_test_fail(file, line, call, more);
}

void* c_test_memory(size_t bytes) {
  void* memory = calloc(bytes == 0 ? 1 : bytes, 1);
  if (memory == NULL) exit(3);
  return memory;
}

void c_test_path(char* path, size_t size, const char* folder, const char* name) {
  snprintf(path, size, "%s/%s", folder, name);
}

static void* read_whole(const char* path, size_t* bytes) {
  FILE* file = fopen(path, "rb");
  void* content;
  if (file == NULL) {
    perror(path);
    exit(3);
  }
  fseek(file, 0, SEEK_END);
  *bytes = (size_t)ftell(file);
  rewind(file);
  content = c_test_memory(*bytes);
  if (fread(content, 1, *bytes, file) != *bytes) exit(3);
  fclose(file);
  return content;
}

void* c_test_expected(const char* name, size_t* bytes) {
  char path[1024];
  c_test_path(path, sizeof path, c_test_expected_folder, name);
  return read_whole(path, bytes);
}

kakeya_profiles* c_test_profiles(void) {
  char path[1024];
  kakeya_profiles* profiles = NULL;
  c_test_path(path, sizeof path, c_test_expected_folder, "profile.kkp");
  OK(kakeya_profiles_create(&profiles));
  OK(kakeya_profiles_add_file(profiles, path));
  return profiles;
}

kakeya_codec* c_test_codec(const char* spec, size_t dim) {
  kakeya_codec_options options = {.size = sizeof options, .dim = dim};
  kakeya_codec* codec = NULL;
  OK(kakeya_codec_create(spec, &options, &codec));
  return codec;
}
