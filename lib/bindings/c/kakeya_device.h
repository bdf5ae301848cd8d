// SPDX-License-Identifier: Apache-2.0
#ifndef KAKEYA_C_KAKEYA_DEVICE_H_
#define KAKEYA_C_KAKEYA_DEVICE_H_

#include "kakeya.h"

/// Codecs where the vectors are, in the memory of a GPU: kernels that write the sections of frames
/// there, and read them. The bytes are those of kakeya_encode(), the values those of kakeya_decode().
/// Symbols carry the version KAKEYA_1_1; the rules at the top of kakeya.h hold.
///
///     kakeya_device_codec_create(&codec, 1, &on_device);        // e8, d4, tq, fp8, q4_0, kivi, klt, ...
///     kakeya_device_codec_sizes(on_device, tokens, heads, &sizes);
///     ... cudaMalloc what it says, clear the flags ...
///     kakeya_device_encode(on_device, &rows, &memory, stream);  // no waiting: a CUDA graph can hold it
///     kakeya_device_decode(on_device, &memory, &rows, stream);
///     kakeya_device_check(on_device, flags, heads, stream);     // waits: was anything wrong?
///     kakeya_device_frame(on_device, tokens, heads, 0, memory.sections, memory.sections_bytes, stream,
///                         frame, capacity, &frame_bytes);       // the frame of head 0
///
/// Nothing of CUDA is named here: a stream is a cudaStream_t as a void*, NULL the default one, and
/// pointers marked "device" lead to memory of the GPU that is current in the calling thread, where the
/// codec was created too (CUDA's runtime and PyTorch set it; so does kakeya_device_use()). These
/// functions are in every libkakeya.so.1 with the version node. One that was built without CUDA
/// (KAKEYA_CUDA) answers KAKEYA_NO_CUDA to all of them, and 0 to kakeya_device_available().

#ifdef __cplusplus
extern "C" {
#endif

/// More of kakeya_status.
enum {
  KAKEYA_NO_CUDA = 16,    ///< the library was built without CUDA, or there is no GPU for it
  KAKEYA_NO_KERNEL = 17,  ///< this codec has no kernel: kakeya_encode() codes it
  KAKEYA_CUDA_ERROR = 18  ///< CUDA refused; the text says what
};

/// GPUs that there are for this library; 0 also where it was built without CUDA or there is no driver.
KAKEYA_API int32_t kakeya_device_available(void);
/// What this thread does from now on it does on GPU number `device`, from 0 on.
KAKEYA_API kakeya_status kakeya_device_use(int32_t device);

/// A codec on a GPU. Immutable: any number of threads may use it, each with memory of its own.
typedef struct kakeya_device_codec kakeya_device_codec;

/// The codec of vectors that are coded in one launch, those of the heads of a layer's keys or values, or of
/// several layers' heads: the pages of one layer alone may be too few to fill a GPU.
/// Of calibrated codecs (klt) `codecs` are one a head, in the order of the heads, with sites; with
/// scope=layer one, whose vectors are whole tokens. Of others one, for any number of heads; where there
/// are more they agree. All are of one spec and dim. What a codec knows of its profile is copied to the
/// GPU, once for all codecs of the same sites that live. They may be freed first.
/// KAKEYA_NO_KERNEL names what was asked and what there is; KAKEYA_INPUT_ERROR of codecs with a site
/// that kakeya_codec_of_frame() made.
KAKEYA_API kakeya_status kakeya_device_codec_create(const kakeya_codec* const* codecs, size_t count,
                                                    kakeya_device_codec** out);
/// Waits for the GPU.
KAKEYA_API void kakeya_device_codec_free(kakeya_device_codec* codec);
/// Heads that rows must have; 0: as many as they like. 0 of NULL.
KAKEYA_API size_t kakeya_device_codec_heads(const kakeya_device_codec* codec);

typedef struct kakeya_device_sizes {
  size_t size;             ///< sizeof(kakeya_device_sizes), set by the caller
  size_t sections_bytes;   ///< of the sections of all heads
  size_t workspace_bytes;  ///< that a call needs besides; may be 0
  size_t flag_words;       ///< uint32_t of flags: one a head
  size_t frame_bytes;      ///< the most that the frame of one head has
} kakeya_device_sizes;

/// What memory `tokens` vectors of each of `heads` heads need: at most 2^31 vectors.
KAKEYA_API kakeya_status kakeya_device_codec_sizes(const kakeya_device_codec* codec, size_t tokens,
                                                   size_t heads, kakeya_device_sizes* sizes);

/// Vectors in device memory, [tokens, heads, dim]: that of token t and head h begins at data + t *
/// token_stride + h * head_stride scalars, and its scalars lie side by side. A layout of [heads, tokens,
/// dim] is one with a larger head_stride.
typedef struct kakeya_device_rows {
  size_t size;                       ///< sizeof(kakeya_device_rows)
  void* data;                        ///< device; a multiple of 16. Encoding only reads it
  size_t tokens, heads;              ///< tokens may be 0
  size_t token_stride, head_stride;  ///< multiples of 8; 0: heads * head_stride, and dim
  kakeya_dtype dtype;
  int32_t reserved;  ///< 0
} kakeya_device_rows;

/// Memory of one call, until it is done on its stream.
typedef struct kakeya_device_memory {
  size_t size;     ///< sizeof(kakeya_device_memory)
  void* sections;  ///< device; a multiple of 256. Decoding only reads it
  size_t sections_bytes;
  void* workspace;  ///< device; a multiple of 256, of any contents. NULL where 0 bytes are needed
  size_t workspace_bytes;
  uint32_t* flags;    ///< device. Only ever added to: clear them first (cudaMemsetAsync)
  size_t flag_words;  ///< at least the number of heads
} kakeya_device_memory;

/// Puts the kernels on the stream that write the sections of a frame a head. Allocates nothing and waits
/// for nothing. A CUDA graph can hold it: call it once before, since CUDA loads kernels when they are
/// launched first. Vectors that are not finite are coded as zeros and set the flag of their head.
/// KAKEYA_BUFFER_TOO_SMALL where memory is shorter than kakeya_device_codec_sizes() says.
KAKEYA_API kakeya_status kakeya_device_encode(const kakeya_device_codec* codec,
                                              const kakeya_device_rows* rows,
                                              const kakeya_device_memory* memory, void* stream);
/// The way back, in the same manner, from sections that kakeya_device_encode() or
/// kakeya_device_put_frame() wrote for as many tokens and heads. Values are rounded to the dtype as
/// kakeya_decode() rounds them. Damaged sections set the flag of their head and decode as zeros where
/// they are damaged; they lead nowhere out of bounds.
KAKEYA_API kakeya_status kakeya_device_decode(const kakeya_device_codec* codec,
                                              const kakeya_device_memory* memory,
                                              const kakeya_device_rows* rows, void* stream);

// What follows waits for the stream, and may not be called while one is being captured.

/// What the flags say when all that is on the stream is done: KAKEYA_OK where none is set; otherwise
/// KAKEYA_INPUT_ERROR or KAKEYA_CORRUPT_STREAM, naming the first head and what was wrong.
KAKEYA_API kakeya_status kakeya_device_check(const kakeya_device_codec* codec,
                                             const uint32_t* flags, size_t heads, void* stream);

/// The frame of head `head` from sections in device memory, when all that is on the stream is done. Where
/// no flag of the head is set: the bytes of kakeya_encode(). Writes it to host memory, its length to
/// *frame_bytes, also with KAKEYA_BUFFER_TOO_SMALL.
KAKEYA_API kakeya_status kakeya_device_frame(const kakeya_device_codec* codec, size_t tokens,
                                             size_t heads, size_t head, const void* sections,
                                             size_t sections_bytes, void* stream, void* frame,
                                             size_t capacity, size_t* frame_bytes);
/// The way back: puts the sections of a frame of `tokens` vectors, which lies in host memory, in their
/// places for head `head`. They are there when it returns. KAKEYA_CORRUPT_STREAM, and nothing written,
/// where it is no frame of that codec, site and number of vectors.
KAKEYA_API kakeya_status kakeya_device_put_frame(const kakeya_device_codec* codec, size_t tokens,
                                                 size_t heads, size_t head, const void* frame,
                                                 size_t frame_bytes, void* sections,
                                                 size_t sections_bytes, void* stream);

#ifdef __cplusplus
}
#endif
#endif  // KAKEYA_C_KAKEYA_DEVICE_H_
