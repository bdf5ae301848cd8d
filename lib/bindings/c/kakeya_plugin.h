// SPDX-License-Identifier: Apache-2.0
#ifndef KAKEYA_C_KAKEYA_PLUGIN_H_
#define KAKEYA_C_KAKEYA_PLUGIN_H_

#include <stddef.h>
#include <stdint.h>

/// A codec of your own, as a shared library that kakeya's programs load with --plugin FILE.so. C99
/// and C++; this header is all that it needs, it links nothing of kakeya.
///
///     KAKEYA_PLUGIN_EXPORT const kakeya_plugin_codec* kakeya_plugin(size_t index) {
///       static const kakeya_plugin_codec codec = {.size = sizeof codec, .abi = KAKEYA_PLUGIN_ABI,
///                                                 .name = "mine", .summary = "...", .create = ...};
///       return index == 0 ? &codec : NULL;
///     }
///
///     cc -O2 -shared -fPIC mine.c -o mine.so
///     kakeya-codec roundtrip --plugin ./mine.so --codec mine:group=64 --in keys.npy
///
/// Vectors are rows of `dim` floats, one after another. What encode() writes is put into a frame of
/// kakeya's, with a header, a checksum and the codec's spec; the frame's length is the rate. Nothing
/// but those bytes, dim, the settings and the site gets to decode().
///
/// Threads. All functions may be called at the same time, of one coder too, which is why they take it
/// as const. No exception may leave a function.
///
/// Errors. A function that fails writes a text, what was given and what was expected, to `error`
/// (KAKEYA_PLUGIN_ERROR_BYTES with the 0 at its end), and returns a status that is not 0.

#if defined(__GNUC__)
#define KAKEYA_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define KAKEYA_PLUGIN_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Grows where a library that was built with an older header would break.
#define KAKEYA_PLUGIN_ABI 1
#define KAKEYA_PLUGIN_ERROR_BYTES 256

typedef int32_t kakeya_plugin_status;
enum {
  KAKEYA_PLUGIN_OK = 0,
  KAKEYA_PLUGIN_BAD_SETTING = 1,  ///< of create(): a value of a key that makes no sense for any dim
  KAKEYA_PLUGIN_FAILED = 2        ///< all else: a dim that it cannot take, damaged bytes
};

/// One key of the codec's spec.
typedef struct kakeya_plugin_key {
  const char* name;          ///< letters, digits, '_', '.', '-'
  const char* default_text;  ///< NULL: the key must be given
  const char* help;          ///< unit, range, default; may be NULL
  int32_t rate;              ///< 1: settings that differ in it alone are one curve. At most one key
} kakeya_plugin_key;

typedef struct kakeya_plugin_setting {
  const char* key;
  const char* value;
} kakeya_plugin_setting;

/// What a coder is made for. Texts live until create() returns.
typedef struct kakeya_plugin_input {
  size_t size;  ///< sizeof(kakeya_plugin_input) of the program
  size_t dim;   ///< floats a vector, in [1, 65536]
  const kakeya_plugin_setting*
      settings;  ///< every key of the codec in its order, defaults filled in
  size_t setting_count;
  /// Of codecs with per_head = 1, else 0: the vectors are of one head of the keys (part 0) or values
  /// (part 1) of a layer.
  int32_t layer, part, head;
} kakeya_plugin_input;

/// A codec. It and its texts live as long as the process. Functions without "may be NULL" are needed.
typedef struct kakeya_plugin_codec {
  size_t size;          ///< sizeof(kakeya_plugin_codec) of the plugin
  uint32_t abi;         ///< KAKEYA_PLUGIN_ABI
  const char* name;     ///< letters, digits, '_', '.', '-': what specs call it
  const char* summary;  ///< one line
  const char* example;  ///< "mine:group=64". May be NULL where every key has a default
  const char* paper;    ///< where it is described. May be NULL
  const kakeya_plugin_key* keys;
  size_t key_count;
  int32_t per_head;  ///< 1: a coder is made for every head of keys and of values, and told which

  /// Makes a coder, which destroy() gets. It is NULL where this fails, and may be NULL otherwise.
  kakeya_plugin_status (*create)(const kakeya_plugin_input* input, void** coder, char* error);

  /// The most bytes that encode() writes for `count` vectors; at most 64 a float and 1 MiB.
  size_t (*bound)(const void* coder, size_t count);

  /// Writes `count` vectors, at least one, all finite, to `out`, which has exactly bound(count) bytes,
  /// and how many bytes they took to *bytes.
  kakeya_plugin_status (*encode)(const void* coder, const float* vectors, size_t count, void* out,
                                 size_t* bytes, char* error);

  /// Reads `bytes` bytes of encode(), aligned to 16, into all of `count` vectors. They may be damaged:
  /// check that their length fits, and give finite numbers or fail.
  kakeya_plugin_status (*decode)(const void* coder, const void* in, size_t bytes, float* vectors,
                                 size_t count, char* error);

  /// Bits a vector by a published formula, NaN where there is none. May be NULL.
  double (*nominal_bits)(const void* coder);

  void (*destroy)(void* coder);  ///< may be NULL
} kakeya_plugin_codec;

/// The one function that a plugin exports: its codec `index`, NULL behind the last. At least one.
KAKEYA_PLUGIN_EXPORT const kakeya_plugin_codec* kakeya_plugin(size_t index);

#ifdef __cplusplus
}
#endif
#endif  // KAKEYA_C_KAKEYA_PLUGIN_H_
