// SPDX-License-Identifier: Apache-2.0
#ifndef KAKEYA_C_KAKEYA_H_
#define KAKEYA_C_KAKEYA_H_

#include <stddef.h>
#include <stdint.h>

/// The C interface of kakeya: codecs of KV-cache vectors, frames, pages, caches that live packed and
/// cache files. C99 and C++; link libkakeya.so (pkg-config kakeya, CMake kakeya::c).
///
///     kakeya_codec_options options = {.size = sizeof options, .dim = 128};
///     kakeya_codec* codec = NULL;
///     if (kakeya_codec_create("e8:q=10", &options, &codec) != KAKEYA_OK) puts(kakeya_last_error());
///
/// Errors. A function that can fail returns a kakeya_status; the text is kakeya_last_error(). What
/// fails leaves handles as they were. What it was to write to the caller's memory is then unspecified,
/// but for sizes with KAKEYA_BUFFER_TOO_SMALL. No C++ exception leaves the library.
///
/// Memory. Buffers are the caller's; nothing that the library allocated is freed by the caller but
/// handles, by their kakeya_..._free(), which take NULL. A handle keeps what it was made from: a codec
/// may be freed before a writer of it. Texts belong to the handle that they were asked of.
///
/// Threads. Different handles may be used at the same time, and kakeya_profiles, kakeya_codec,
/// kakeya_frame_info and kakeya_cache_file by any number of threads. kakeya_page_writer is for one
/// thread at a time. Functions that take a const kakeya_packed_cache* may run at the same time while
/// no other one does. Nobody may use a handle that another thread frees.
///
/// Structs that a caller fills begin with their size, so that they may grow; all fields that are 0
/// mean what is usual. Symbols carry the version KAKEYA_1, later ones that they came with, and never change their meaning.

#if defined(__GNUC__)
#define KAKEYA_API __attribute__((visibility("default")))
#else
#define KAKEYA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif
/// Of the symbols, and of libkakeya.so.1. It grows where programs built with an older header would break.
#define KAKEYA_ABI_VERSION 1
/// KAKEYA_ABI_VERSION of the library that is linked.
KAKEYA_API int32_t kakeya_abi_version(void);
/// "0.1.0": the version of the library that is linked. Lives as long as the library.
KAKEYA_API const char* kakeya_version(void);

// ---- Errors ----
typedef int32_t kakeya_status;
enum {
  KAKEYA_OK = 0,
  KAKEYA_SPEC_ERROR = 1,        ///< a spec or an option that means nothing: an unknown codec, a key
  KAKEYA_INPUT_ERROR = 2,       ///< arguments or data that cannot be worked on: NULL, NaN, a shape
  KAKEYA_CORRUPT_STREAM = 3,    ///< bytes that are not what they claim to be
  KAKEYA_IO_ERROR = 4,          ///< the operating system refused
  KAKEYA_OUT_OF_MEMORY = 5,     ///< there is not as much memory
  KAKEYA_BUFFER_TOO_SMALL = 6,  ///< the size that is needed stands where the size is returned
  KAKEYA_INTERNAL_ERROR = 7     ///< a fault of the library
};

/// What the last call that failed in this thread says, up to 1023 bytes of it: what was given and what
/// was expected. "" where none has failed. Lives until the next call that fails in this thread.
KAKEYA_API const char* kakeya_last_error(void);

// ---- Values ----
typedef int32_t kakeya_dtype;
enum {
  KAKEYA_FLOAT32 = 0,
  KAKEYA_FLOAT16 = 1,  ///< IEEE 754 binary16. Beyond it: the largest one, where values are written
  KAKEYA_BFLOAT16 = 2  ///< the same
};
// Vectors are rows of scalars of such a type. A stride is the distance from row to row in scalars; 0:
// no gaps. Codecs compute with float32: other types are converted, in memory of 4 bytes a scalar.

typedef int32_t kakeya_part;
enum { KAKEYA_KEYS = 0, KAKEYA_VALUES = 1 };

#define KAKEYA_ALL_HEADS (-1)  ///< in place of a KV head

/// Where keys are taken: before the rotary embedding or after it.
typedef int32_t kakeya_tap;
enum { KAKEYA_PRE_ROPE = 0, KAKEYA_POST_ROPE = 1 };

// ---- Profiles: what calibration knows of a model ----
/// The profiles that codecs may need. Never NULL below where a codec is calibrated.
typedef struct kakeya_profiles kakeya_profiles;

KAKEYA_API kakeya_status kakeya_profiles_create(kakeya_profiles** out);
KAKEYA_API void kakeya_profiles_free(kakeya_profiles* profiles);
/// Reads a flat file (.kkp). The first profile of a kind is what a spec without profile= means.
KAKEYA_API kakeya_status kakeya_profiles_add_file(kakeya_profiles* profiles, const char* path);
/// The same of the file's bytes, which are not kept.
KAKEYA_API kakeya_status kakeya_profiles_add_memory(kakeya_profiles* profiles, const void* bytes,
                                                    size_t size);
KAKEYA_API size_t kakeya_profiles_count(const kakeya_profiles* profiles);  ///< 0 of NULL

typedef struct kakeya_profile_info {
  size_t size;         ///< sizeof(kakeya_profile_info), set by the caller
  const char* kind;    ///< "klt", "kvtc"
  const char* digest;  ///< 64 hexadecimal digits, of which specs name the first 16
  const char* model;   ///< its name
  int32_t layers, kv_heads, head_dim;
  kakeya_tap tap;
} kakeya_profile_info;

/// What profile `index` is of. The texts live as long as `profiles`.
KAKEYA_API kakeya_status kakeya_profiles_get(const kakeya_profiles* profiles, size_t index,
                                             kakeya_profile_info* info);

// ---- Codecs: vectors to bytes and back ----
/// All codecs as JSON: what `kakeya-codec list --json` prints. Lives as long as the library.
KAKEYA_API kakeya_status kakeya_codec_list(const char** json);

/// Makes codecs known that are not of the library, for the life of the process: those of a shared
/// library, or that of a table, which lives as long (kakeya_plugin.h). KAKEYA_SPEC_ERROR where a name is
/// taken, a table of another version.
struct kakeya_plugin_codec;
KAKEYA_API kakeya_status kakeya_plugin_load(const char* path);
KAKEYA_API kakeya_status kakeya_plugin_register(const struct kakeya_plugin_codec* codec);

/// What one vector of a codec is.
typedef int32_t kakeya_scope;
enum {
  KAKEYA_SCOPE_ANY = 0,   ///< wherever it comes from
  KAKEYA_SCOPE_HEAD = 1,  ///< one head of the keys or values of a layer: set has_site
  KAKEYA_SCOPE_TOKEN = 2  ///< all keys and values of a token in some layers
};
KAKEYA_API kakeya_status kakeya_scope_of(const char* spec, kakeya_scope* scope);

/// A codec. Immutable.
typedef struct kakeya_codec kakeya_codec;

typedef struct kakeya_codec_options {
  size_t size;                      ///< sizeof(kakeya_codec_options)
  size_t dim;                       ///< scalars a vector
  const kakeya_profiles* profiles;  ///< of calibrated codecs
  int32_t has_site;                 ///< 1: the vectors are of this head (KAKEYA_SCOPE_HEAD)
  int32_t layer;
  kakeya_part part;
  int32_t head;
  int32_t first_layer, layer_count;  ///< of KAKEYA_SCOPE_TOKEN; a count of 0: all of the profile
} kakeya_codec_options;

/// The codec that `spec` ("e8:q=10") names.
KAKEYA_API kakeya_status kakeya_codec_create(const char* spec, const kakeya_codec_options* options,
                                             kakeya_codec** out);
/// The codec that wrote a frame. `profiles` may be NULL where it is not calibrated.
KAKEYA_API kakeya_status kakeya_codec_of_frame(const void* frame, size_t frame_bytes,
                                               const kakeya_profiles* profiles, kakeya_codec** out);
KAKEYA_API void kakeya_codec_free(kakeya_codec* codec);

/// The canonical text; "" of NULL. Lives as long as the codec.
KAKEYA_API const char* kakeya_codec_spec(const kakeya_codec* codec);
/// Scalars a vector; 0 of NULL.
KAKEYA_API size_t kakeya_codec_dim(const kakeya_codec* codec);
/// Vectors a page, of codecs whose frames consist of pages that decode alone; 0 of others and of NULL.
KAKEYA_API size_t kakeya_codec_page_vectors(const kakeya_codec* codec);
/// An upper bound of the bytes of a frame of `count` vectors.
KAKEYA_API kakeya_status kakeya_codec_encoded_bound(const kakeya_codec* codec, size_t count,
                                                    size_t* bytes);

typedef struct kakeya_rates {
  size_t size;                      ///< sizeof(kakeya_rates), set by the caller
  double nominal_bits_per_vector;   ///< by the published formula; NaN: there is none
  double codebook_bits_per_vector;  ///< log2 of the codebook, scales included; NaN: there is none
  uint64_t side_bytes;     ///< tables or means that a reader needs once, besides the frames
  uint64_t profile_bytes;  ///< of its profile that a reader needs, once a model
} kakeya_rates;

/// What a vector costs by formula.
KAKEYA_API kakeya_status kakeya_codec_rates(const kakeya_codec* codec, kakeya_rates* rates);

/// Writes the frame of `count` vectors to `frame` and its length to *frame_bytes. Room for
/// kakeya_codec_encoded_bound() is always enough. With less the frame is made in memory of the
/// library, and copied where it fits; else KAKEYA_BUFFER_TOO_SMALL, *frame_bytes its length.
KAKEYA_API kakeya_status kakeya_encode(const kakeya_codec* codec, const void* rows,
                                       kakeya_dtype dtype, size_t count, size_t stride, void* frame,
                                       size_t capacity, size_t* frame_bytes);
/// Reads a frame of this codec. *count is the number of rows that there is room for, and then of
/// those that the frame has, also with KAKEYA_BUFFER_TOO_SMALL. It costs least where both are equal.
KAKEYA_API kakeya_status kakeya_decode(const kakeya_codec* codec, const void* frame,
                                       size_t frame_bytes, void* rows, kakeya_dtype dtype,
                                       size_t stride, size_t* count);
/// Reads page `page` alone, as many rows as it has, at most kakeya_codec_page_vectors(). *count as
/// above. Checks the frame as kakeya_frame_open() does.
KAKEYA_API kakeya_status kakeya_decode_page(const kakeya_codec* codec, const void* frame,
                                            size_t frame_bytes, size_t page, void* rows,
                                            kakeya_dtype dtype, size_t stride, size_t* count);

typedef struct kakeya_ledger {
  size_t size;  ///< sizeof(kakeya_ledger), set by the caller
  uint64_t vectors, values;
  double nominal_bits, codebook_bits;  ///< by formula; NaN: there is none
  double entropy_bits;                 ///< order-0 entropy of the indices; NaN: there is none
  /// Written; the sum of the five is 8 times the bytes of the frame.
  uint64_t payload_bits, scale_bits, header_bits, table_bits, padding_bits;
  uint64_t beyond_profile_values;  ///< of vectors that are kept beside the code
} kakeya_ledger;

/// What a frame of this codec cost, by every counting. `rows` are the vectors that were encoded;
/// NULL: the entropy, which takes a pass over them, is left NaN, and dtype, count and stride unused.
KAKEYA_API kakeya_status kakeya_frame_ledger(const kakeya_codec* codec, const void* frame,
                                             size_t frame_bytes, const void* rows,
                                             kakeya_dtype dtype, size_t count, size_t stride,
                                             kakeya_ledger* ledger);

/// What a frame says of itself.
typedef struct kakeya_frame_info kakeya_frame_info;

/// Checks the frame without decoding it. The bytes are not kept.
KAKEYA_API kakeya_status kakeya_frame_open(const void* frame, size_t frame_bytes,
                                           const kakeya_profiles* profiles,
                                           kakeya_frame_info** out);
KAKEYA_API void kakeya_frame_free(kakeya_frame_info* info);
/// Of NULL and of a section that there is not: "" and 0.
KAKEYA_API const char* kakeya_frame_spec(const kakeya_frame_info* info);
KAKEYA_API size_t kakeya_frame_dim(const kakeya_frame_info* info);
KAKEYA_API size_t kakeya_frame_count(const kakeya_frame_info* info);
KAKEYA_API uint32_t kakeya_frame_format_version(const kakeya_frame_info* info);
/// Sections, in file order; the sum of their bytes is the frame's length.
KAKEYA_API size_t kakeya_frame_sections(const kakeya_frame_info* info);
KAKEYA_API const char* kakeya_frame_section_name(const kakeya_frame_info* info, size_t section);
KAKEYA_API size_t kakeya_frame_section_bytes(const kakeya_frame_info* info, size_t section);

// ---- Vectors that arrive a few at a time ----
/// Writes a frame page by page: rows collect in an open page, which is coded when it is full.
typedef struct kakeya_page_writer kakeya_page_writer;

/// KAKEYA_INPUT_ERROR where kakeya_codec_page_vectors() is 0.
KAKEYA_API kakeya_status kakeya_page_writer_create(const kakeya_codec* codec,
                                                   kakeya_page_writer** out);
KAKEYA_API void kakeya_page_writer_free(kakeya_page_writer* writer);
KAKEYA_API kakeya_status kakeya_page_writer_append(kakeya_page_writer* writer, const void* rows,
                                                   kakeya_dtype dtype, size_t count, size_t stride);
/// Of all rows, and of those in sealed pages; 0 of NULL.
KAKEYA_API size_t kakeya_page_writer_vectors(const kakeya_page_writer* writer);
KAKEYA_API size_t kakeya_page_writer_sealed_pages(const kakeya_page_writer* writer);
/// Bytes of the frame of the sealed pages, and what the open page adds. Codes the open page.
KAKEYA_API kakeya_status kakeya_page_writer_bytes(kakeya_page_writer* writer, size_t* sealed,
                                                  size_t* open);
/// Reads a page, the sealed ones and then the open one. *count as in kakeya_decode_page().
KAKEYA_API kakeya_status kakeya_page_writer_decode_page(kakeya_page_writer* writer, size_t page,
                                                        void* rows, kakeya_dtype dtype,
                                                        size_t stride, size_t* count);
/// The frame of all rows: the bytes of kakeya_encode(). Appending can go on.
KAKEYA_API kakeya_status kakeya_page_writer_frame(kakeya_page_writer* writer, void* frame,
                                                  size_t capacity, size_t* frame_bytes);

// ---- A cache that lives packed ----
typedef struct kakeya_cache_options {
  size_t size;  ///< sizeof(kakeya_cache_options)
  int32_t layers, kv_heads, head_dim;
  int32_t query_heads;              ///< 0 where nobody needs to know
  int32_t skipped_layers;           ///< so many first ones and as many last ones stay bf16
  int32_t sinks;                    ///< the first tokens of coded layers stay bf16
  int32_t residual_window;          ///< and so do the last ones
  const char* keys;                 ///< the spec of the codec of the keys
  const char* values;               ///< and of the values
  const kakeya_profiles* profiles;  ///< of calibrated codecs
  const size_t* windows;            ///< sliding windows in tokens, one a layer, 0: none; NULL: none
  size_t window_count;              ///< `layers`, or 0
} kakeya_cache_options;

/// A KV cache of any number of sequences, of which most is held as coded bytes.
typedef struct kakeya_packed_cache kakeya_packed_cache;
KAKEYA_API kakeya_status kakeya_packed_cache_create(const kakeya_cache_options* options,
                                                    kakeya_packed_cache** out);
KAKEYA_API void kakeya_packed_cache_free(kakeya_packed_cache* cache);
/// An empty sequence; one with the tokens of another, which share their sealed pages; away with one.
/// Numbers are never used again.
KAKEYA_API kakeya_status kakeya_packed_cache_add_sequence(kakeya_packed_cache* cache,
                                                          int32_t* sequence);
KAKEYA_API kakeya_status kakeya_packed_cache_branch(kakeya_packed_cache* cache, int32_t from,
                                                    int32_t* sequence);
KAKEYA_API kakeya_status kakeya_packed_cache_drop(kakeya_packed_cache* cache, int32_t sequence);
/// The sequences there are. *count is how many there is room for, and then how many there are.
KAKEYA_API kakeya_status kakeya_packed_cache_sequences(const kakeya_packed_cache* cache,
                                                       int32_t* sequences, size_t* count);

/// Appends `tokens` tokens to a layer: keys and values [tokens, kv_heads * head_dim], rounded to bf16.
KAKEYA_API kakeya_status kakeya_packed_cache_append(kakeya_packed_cache* cache, int32_t sequence,
                                                    int32_t layer, const void* keys,
                                                    const void* values, kakeya_dtype dtype,
                                                    size_t tokens, size_t stride);
/// Forgets the tokens from `tokens` on.
KAKEYA_API kakeya_status kakeya_packed_cache_truncate(kakeya_packed_cache* cache, int32_t sequence,
                                                      size_t tokens);
/// Tokens that were appended to a layer, dropped ones included; the first that is still there.
KAKEYA_API kakeya_status kakeya_packed_cache_tokens(const kakeya_packed_cache* cache,
                                                    int32_t sequence, int32_t layer,
                                                    size_t* tokens);
KAKEYA_API kakeya_status kakeya_packed_cache_first_token(const kakeya_packed_cache* cache,
                                                         int32_t sequence, int32_t layer,
                                                         size_t* token);
/// Of its tokens those in sealed pages; and tokens that seal together, 0 of layers that are not coded.
KAKEYA_API kakeya_status kakeya_packed_cache_sealed_tokens(const kakeya_packed_cache* cache,
                                                           int32_t sequence, int32_t layer,
                                                           kakeya_part part, size_t* tokens);
KAKEYA_API kakeya_status kakeya_packed_cache_page_tokens(const kakeya_packed_cache* cache,
                                                         int32_t layer, kakeya_part part,
                                                         size_t* tokens);
/// Where the tokens end that are held as `token` is: who reads up to there decodes no page twice.
KAKEYA_API kakeya_status kakeya_packed_cache_run_end(const kakeya_packed_cache* cache,
                                                     int32_t sequence, int32_t layer,
                                                     kakeya_part part, size_t token, size_t* end);
/// The keys or values of tokens [first, first + count) as attention sees them, rounded to bf16:
/// [count, kv_heads * head_dim], or of one head [count, head_dim].
KAKEYA_API kakeya_status kakeya_packed_cache_read(const kakeya_packed_cache* cache,
                                                  int32_t sequence, int32_t layer, kakeya_part part,
                                                  int32_t head, size_t first, size_t count,
                                                  void* rows, kakeya_dtype dtype, size_t stride);
typedef struct kakeya_live_bytes {
  size_t size;       ///< sizeof(kakeya_live_bytes), set by the caller
  uint64_t pages;    ///< sealed pages; those that sequences share count once
  uint64_t sinks;    ///< bf16, for good
  uint64_t open;     ///< bf16: the residual window, and what waits for its page to fill
  uint64_t skipped;  ///< bf16: layers that are not coded
  uint64_t tables;   ///< what pages of a head have in common, and what finds them
  uint64_t total;    ///< the sum of the five
  uint64_t bf16;     ///< of as many tokens in bf16
} kakeya_live_bytes;
/// Bytes that the cache has allocated.
KAKEYA_API kakeya_status kakeya_packed_cache_live_bytes(const kakeya_packed_cache* cache,
                                                        kakeya_live_bytes* bytes);

// ---- Files ----
/// What a file says of where its cache came from. Texts may be NULL: "".
typedef struct kakeya_facts {
  size_t size;                       ///< sizeof(kakeya_facts)
  const char *model, *model_sha256;  ///< its name, and the digest of its weights
  const char* architecture;          ///< "llama"
  const char *tokenizer, *tokenizer_sha256;
  const char *text, *text_sha256;
  const char* passage;      ///< where the tokens are within the text
  const char* rope_layout;  ///< "rotate-half", "interleaved"
  double rope_base;
  uint64_t seed;
  kakeya_tap tap;
  int32_t reserved;  ///< 0
} kakeya_facts;
/// The file of one sequence of a live cache (KKVS). One token id a token; `next`: the token that comes
/// next, or -1. With a capacity that is too small the whole file is made for its size: where it goes
/// to disk, _save_file() replaces a file in one step.
KAKEYA_API kakeya_status kakeya_packed_cache_save(const kakeya_packed_cache* cache,
                                                  int32_t sequence, const kakeya_facts* facts,
                                                  const int32_t* token_ids, size_t count,
                                                  int32_t next, void* file, size_t capacity,
                                                  size_t* file_bytes);
KAKEYA_API kakeya_status kakeya_packed_cache_save_file(const kakeya_packed_cache* cache,
                                                       int32_t sequence, const kakeya_facts* facts,
                                                       const int32_t* token_ids, size_t count,
                                                       int32_t next, const char* path);

/// The file (KKVC) of a whole cache of `tokens` tokens: keys[layer] and values[layer] are
/// [tokens, kv_heads * head_dim], rounded to bf16. options->windows are NULL. `threads` code it; 0: as
/// many as the machine has. Sizes and _file() as above.
KAKEYA_API kakeya_status kakeya_pack_cache(const kakeya_cache_options* options,
                                           const kakeya_facts* facts, const int32_t* token_ids,
                                           size_t tokens, const void* const* keys,
                                           const void* const* values, kakeya_dtype dtype,
                                           size_t stride, int32_t threads, void* file,
                                           size_t capacity, size_t* file_bytes);
KAKEYA_API kakeya_status kakeya_pack_cache_file(const kakeya_cache_options* options,
                                                const kakeya_facts* facts, const int32_t* token_ids,
                                                size_t tokens, const void* const* keys,
                                                const void* const* values, kakeya_dtype dtype,
                                                size_t stride, int32_t threads, const char* path);

/// A file of either kind, whose head has been checked.
typedef struct kakeya_cache_file kakeya_cache_file;
/// Opens a file, which is read whole; or its bytes, which must outlive the handle and stay as they
/// are. `profiles`, NULL where the codecs are not calibrated, are asked when values are read.
KAKEYA_API kakeya_status kakeya_cache_file_open(const char* path, const kakeya_profiles* profiles,
                                                kakeya_cache_file** out);
KAKEYA_API kakeya_status kakeya_cache_file_open_memory(const void* bytes, size_t size,
                                                       const kakeya_profiles* profiles,
                                                       kakeya_cache_file** out);
KAKEYA_API void kakeya_cache_file_free(kakeya_cache_file* file);
/// JSON: "kind" ("cache" or "sequence"), model, text and tokenizer, shape, policy, codecs, tokens, and
/// of a cache where its bytes are; "" of NULL. Lives as long as the handle.
KAKEYA_API const char* kakeya_cache_file_facts(const kakeya_cache_file* file);
/// The token ids. *count is how many there is room for, and then how many there are.
KAKEYA_API kakeya_status kakeya_cache_file_token_ids(const kakeya_cache_file* file, int32_t* ids,
                                                     size_t* count);
/// Of a cache (KKVC) what kakeya_packed_cache_read() says. Decodes the frames that hold these tokens,
/// of single heads those of `head` alone.
KAKEYA_API kakeya_status kakeya_cache_file_read(const kakeya_cache_file* file, int32_t layer,
                                                kakeya_part part, int32_t head, size_t first,
                                                size_t count, void* rows, kakeya_dtype dtype,
                                                size_t stride);
/// Adds the sequence of a file (KKVS) to a live cache of the same shape, policy, codecs and windows.
/// KAKEYA_INPUT_ERROR where it is of another model, tokenizer, tap or RoPE than `expected`.
KAKEYA_API kakeya_status kakeya_packed_cache_load(kakeya_packed_cache* cache,
                                                  const kakeya_cache_file* file,
                                                  const kakeya_facts* expected, int32_t* sequence);

#ifdef __cplusplus
}
#endif
#endif  // KAKEYA_C_KAKEYA_H_
