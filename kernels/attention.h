// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/kernels.h"

// Decode attention over packed pages, which it reads as they are: launchers of nibble_pages.cu,
// byte_pages.cu and attention.cu. nibbles.cuh and bytes.cuh draw the pages. lib/kakeya/device/device_attention.h is how to call it.

namespace kakeya::kernels {

/// Tokens of a page.
constexpr int kPageTokens = 64;

/// Keys, or values, of one head in a page: four bits a coordinate, then a float a token, what its
/// points are multiplied by before their Hadamard transform.
constexpr std::int64_t page_part_bytes(int dim) { return kPageTokens * dim / 2 + kPageTokens * 4; }

/// The same of fp8: a byte a coordinate, then for each 64 coordinates a float a token, their scale.
constexpr std::int64_t byte_part_bytes(int dim) {
  return kPageTokens * dim + kPageTokens * 4 * (dim / 64);
}

/// The largest factor, or scale of fp8, that a page may have: sums of products with queries of up to 2^15 are finite.
constexpr float kMostFactor = 0x1p96f;

/// Pages in device memory. Slot s begins at data + s * slot_bytes() and holds, head by head, the keys
/// and then the values of 64 tokens. `data` is a multiple of 128 bytes.
struct PagePool {
  std::uint8_t* data = nullptr;
  std::int64_t slots = 0;
  int heads = 0, dim = 0;  ///< dim: 64, 128 or 256
  bool bytes = false;      ///< pages of fp8; else of nibbles

  constexpr std::int64_t slot_bytes() const {
    return 2 * heads * (bytes ? byte_part_bytes(dim) : page_part_bytes(dim));
  }
};

/// What a kernel that unpacks pages is given: unpack_pages(), unpack_byte_pages().
struct UnpackCall {
  PagePool pool;
  const std::int32_t* slots;
  std::int64_t first, tokens;  ///< of the pages' tokens: which, and how many
  Vectors out[2];              ///< keys, values
  std::uint32_t* flags;        ///< a word a head
};

/// Puts the keys, or the values, of tokens that a fixed-rate codec with q of at most 7 coded in their
/// places: 64 tokens a slot, slots[i] those of tokens 64 i and on. What a last page lacks is zeros.
/// `in` is as decode() takes it; what is wrong there sets its head's flag and becomes a zero vector.
/// A slot that the pool lacks sets kBadSlot.
void lay_pages(const FixedRate& codec, const Sections& in, std::int64_t tokens, bool values,
               const PagePool& pool, const std::int32_t* slots, std::uint32_t* flags,
               Stream stream);
/// The same of fp8 with blocks of 64 coordinates or more.
void lay_byte_pages(const Blocks& codec, const Sections& in, std::int64_t tokens, bool values,
                    const PagePool& pool, const std::int32_t* slots, std::uint32_t* flags,
                    Stream stream);

/// The way back: tokens [first, first + tokens) of pages in slots[0], slots[1], ..., 64 each, to views [tokens,
/// heads, dim]. What lay_pages() got of a codec decodes to, to a rounding. A slot that the pool lacks and damaged
/// pages are zeros and set kBadSlot or kBadScale of their head.
void unpack_pages(const FixedRate& codec, const PagePool& pool, const std::int32_t* slots,
                  std::int64_t first, std::int64_t tokens, const Vectors& keys,
                  const Vectors& values, std::uint32_t* flags, Stream stream);
/// The same of fp8, to the bit. A code that is NaN is zero and sets kNoSuchPoint.
void unpack_byte_pages(const PagePool& pool, const std::int32_t* slots, std::int64_t first,
                       std::int64_t tokens, const Vectors& keys, const Vectors& values,
                       std::uint32_t* flags, Stream stream);

/// One query a head of each sequence, against keys and values in pages and in bf16.
struct AttendCall {
  FixedRate::Kind lattice = FixedRate::z;  ///< of nibbles
  PagePool pool;
  int batch = 0, group = 1;  ///< sequences; query heads a KV head
  float scale = 1;           ///< of a product of a query and a key

  const std::int32_t* table = nullptr;  ///< [batch][table_stride]: slots of a sequence, in order
  std::int64_t table_stride = 0;
  const std::int32_t* packed_tokens = nullptr;  ///< [batch]: tokens in these pages
  const std::int32_t* first_tokens = nullptr;   ///< [batch]: the first one seen; null: 0

  const std::uint16_t* exact_keys = nullptr;  ///< bf16 [batch][exact_room][heads][dim]
  const std::uint16_t* exact_values = nullptr;
  const std::int32_t* exact_tokens = nullptr;  ///< [batch]: of these; null: none
  std::int64_t exact_room = 0;
  /// [batch]: the row where those of a sequence begin, of exact_rows in all; null: exact_room * its number.
  const std::int32_t* exact_places = nullptr;
  std::int64_t exact_rows = 0;

  Vectors queries, out;            ///< [batch, heads * group, dim]
  int splits = 1;                  ///< blocks that share a sequence's head
  float* partial = nullptr;        ///< attend_workspace_bytes(), zeros before the first call
  std::uint32_t* flags = nullptr;  ///< [batch]
};

/// What a page, a table or a length has wrong, beside Flag. Such a page counts as not there.
enum AttendFlag : std::uint32_t {
  kBadSlot = 1 << 24,      ///< a slot that the pool lacks
  kBadLength = 1 << 25,    ///< more tokens than the table or the exact room holds, or fewer than 0
  kBadPosition = 1 << 28,  ///< a position that tables of RoPE lack
};

/// Blocks that should share a head of a sequence, where the longest has `tokens` in pages.
int attend_splits(const PagePool& pool, int batch, int group, std::int64_t tokens);
/// Of `splits` blocks each.
std::int64_t attend_workspace_bytes(int batch, int heads, int group, int dim, int splits);

/// out = softmax(scale * q K^T) V. Queries and sums of weights are rounded to 16 bits against the
/// largest of a head and of a page, of fp8 to 22; all else is exact or float.
void attend(const AttendCall& call, Stream stream);

}  // namespace kakeya::kernels
