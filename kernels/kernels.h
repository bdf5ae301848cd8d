// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kakeya/core/vector_sums.h"

// What the rest of kakeya sees of CUDA: launchers of kernels and a little memory management, in plain
// C++17 without a header of CUDA. Callers use lib/kakeya/device; where a build has no CUDA, every
// function here but device_count() and what destructors call throws Error (no_cuda.cpp).
//
// A launcher checks nothing that DeviceCodec has checked. It puts one kernel on the stream: no
// allocation, no waiting, so that a CUDA graph can hold it. A vector's bytes depend on that vector
// alone (of kivi's keys: on its group), never on how many there are.

namespace kakeya::kernels {

/// A cudaStream_t; null is the default stream.
using Stream = void*;

enum class Scalar : int { bf16, fp16, fp32 };

constexpr std::int64_t scalar_bytes(Scalar type) { return type == Scalar::fp32 ? 4 : 2; }

/// Vectors in device memory: `dim` scalars one after another, at data + token * token_stride + head
/// * head_stride, in scalars.
struct Vectors {
  void* data = nullptr;
  Scalar type = Scalar::bf16;
  std::int64_t tokens = 0, heads = 0;
  int dim = 0;
  std::int64_t token_stride = 0, head_stride = 0;
  /// Of pages of a budget (budget.h), each of which is a head here: head h is page h % pages of head h /
  /// pages, the next one is page_stride scalars behind, and it has counts[h] tokens, at most `tokens`.
  std::int64_t pages = 1, page_stride = 0;
  const std::uint32_t* counts = nullptr;
};

/// Which of some plans each head has. Pages of a budget (budget.h) have that of their head and step: as many for each
/// head as there are steps.
struct HeadPlans {
  static constexpr std::int64_t kSteps = 128;
  const std::uint32_t* steps =
      nullptr;             ///< [pages of all heads], below kSteps; null: each head has its own plan
  std::int64_t pages = 1;  ///< of a head
};

/// Sections of one frame a head in device memory: that of head h is at pointer + h * stride, in
/// bytes. Pointers and strides are multiples of 16.
struct Section {
  std::uint8_t* data = nullptr;
  std::int64_t stride = 0;
};
struct Sections {
  Section scales, codes;
  Section windows;  ///< a signed byte each; decoding without: all 0
  Section open;     ///< of kivi's keys
};

/// What a kernel found wrong, or-ed into flags[head]. It goes on with zeros in the place of what is
/// wrong and touches nothing out of bounds.
enum Flag : std::uint32_t {
  kNotFinite = 1,    ///< a NaN or infinity among the vectors to encode
  kNoSuchPoint = 2,  ///< an index beyond the codebook, or a code that is NaN
  kBadScale = 4,     ///< a scale that is infinite, NaN or out of range
  kBadWindow = 8,    ///< a window out of range
  kBadOpen = 16,     ///< a key of kivi's open group that is not finite
};

/// identity: every scalar in bf16, in section `codes`.
struct Plain {};
void encode(const Plain& codec, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream);
void decode(const Plain& codec, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream);
void round_trip(const Plain& codec, const Vectors& x, const Vectors& y, std::uint32_t* flags,
                Stream stream);

/// y = x, in the scalars of y: to nearest, ties to even, infinity where a 16-bit type ends. With
/// `through_bf16` every scalar is first rounded to bf16 in that way. Views of one shape; y may be x.
void convert(const Vectors& x, const Vectors& y, bool through_bf16, Stream stream);

/// Row t of x, rounded to finite bf16, to row places[t] of y, which is of bf16, or t without places; rows that y
/// lacks are left out. Vectors' parts that are not finite become zeros and set kNotFinite in the word `flag`.
void scatter(const Vectors& x, const Vectors& y, const std::int32_t* places, std::uint32_t* flag,
             Stream stream);

/// sums[head * tokens + token] tells how far `decoded`, fp32, is from `x`. What is decoded, rounded
/// to bf16 or the largest of it, then takes the place of `x`.
void compare_and_replace(const Vectors& x, const Vectors& decoded, VectorSums* sums, Stream stream);

/// d4, e8 and tq (codecs/fixed_rate): norm, Hadamard rotation, maximum, nearest point in a box.
struct FixedRate {
  enum Kind : int { z, d4, e8 } lattice = z;
  int q = 1;  ///< coordinates lie in [-q, q]
};
void encode(const FixedRate& codec, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream);
void decode(const FixedRate& codec, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream);
void round_trip(const FixedRate& codec, const Vectors& x, const Vectors& y, std::uint32_t* flags,
                Stream stream);

/// fp8, q4_0 and its like, kivi's values (codecs/peers): a scale for `block` neighbouring
/// coordinates.
struct Blocks {
  enum Kind : int { fp8, ggml, kivi } kind = fp8;
  int bits = 8;    ///< of a code
  int block = 64;  ///< a power of two in [8, 256] that divides dim; of ggml 32
  int scale = 0;   ///< of fp8: Fp8Scale
};
void encode(const Blocks& codec, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream);
void decode(const Blocks& codec, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream);
void round_trip(const Blocks& codec, const Vectors& x, const Vectors& y, std::uint32_t* flags,
                Stream stream);

/// q4_0 and its like with the key rotate: blocks of 32 of what a Hadamard matrix makes of `rotate`
/// neighbouring coordinates.
struct RotatedBlocks {
  int bits = 4;     ///< of a code: 4, 5 or 8
  int rotate = 32;  ///< a power of two in [32, 512] that divides dim
};
void encode(const RotatedBlocks& codec, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream);
void decode(const RotatedBlocks& codec, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream);
void round_trip(const RotatedBlocks& codec, const Vectors& x, const Vectors& y,
                std::uint32_t* flags, Stream stream);

/// kivi's keys (codecs/peers): a zero and a scale for each channel of `group` tokens; the tokens
/// that fill no group are bfloat16.
struct KiviKeys {
  int bits = 4;
  int group = 32;  ///< a multiple of 8
};
void encode(const KiviKeys& codec, const Vectors& x, const Sections& out, std::uint32_t* flags,
            Stream stream);
void decode(const KiviKeys& codec, const Sections& in, const Vectors& y, std::uint32_t* flags,
            Stream stream);
void round_trip(const KiviKeys& codec, const Vectors& x, const Vectors& y, std::uint32_t* flags,
                Stream stream);

// Memory, streams and time (memory.cu).

/// GPUs that a kernel of this build runs on; 0 also where there is no driver or no CUDA.
int device_count();

struct DeviceFacts {
  std::string name;
  int driver = 0, runtime = 0;  ///< versions as CUDA counts them: 13000
  int multiprocessors = 0;
  std::size_t memory_bytes = 0, l2_bytes = 0;
};
DeviceFacts device_facts();
/// What this thread does from now on it does on that GPU.
void use_device(int device);
int current_device();
/// For destructors: throws nothing. What the device refuses the next call says.
void return_to_device(int device) noexcept;

void* allocate(std::size_t bytes);
void release(void* memory);                                    ///< null is allowed
void copy_in(void* to, const void* from, std::size_t bytes);   ///< from host memory; waits
void copy_out(void* to, const void* from, std::size_t bytes);  ///< to host memory; waits
void copy(void* to, const void* from, std::size_t bytes, Stream stream);
/// `rows` rows of `bytes` bytes each, a stride from each other.
void copy_rows(void* to, std::size_t to_stride, const void* from, std::size_t from_stride,
               std::size_t bytes, std::size_t rows, Stream stream);
void fill(void* memory, int byte, std::size_t bytes, Stream stream);

Stream make_stream();
void release_stream(Stream stream);
/// Waits for all that is on the stream; throws what went wrong there.
void wait(Stream stream);

using Event = void*;
Event make_event();
void release_event(Event event);
void record(Event event, Stream stream);
double microseconds(Event from, Event to);  ///< waits for `to`

/// A CUDA graph of what is put on the stream between the two.
using Graph = void*;
void begin_graph(Stream stream);
Graph end_graph(Stream stream);
void launch(Graph graph, Stream stream);
void release_graph(Graph graph);

}  // namespace kakeya::kernels
