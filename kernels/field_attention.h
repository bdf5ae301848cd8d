// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/attention.h"
#include "kernels/pages.h"

// Decode attention over pages of fields (entropy/field_format.h) and of tiles (entropy/tile_format.h), which it
// reads as they are: launchers of field_slots.cu, field_attention.cu and tile_attention.cu. Vectors are z B + mean (codec/transform_codec.h), z of Z.
//
//     slot    u32 places, in 16 bytes from its beginning: keys of head 0, values of head 0, keys of
//             head 1, ..., the end | how many words lie between a page and the next, two bits each, as many as
//             places but the last | pages of up to 128 vectors, each at a multiple of 16 bytes
//
// Of pages of prefix codes, whose lengths are no words, it says how many bytes, four bits each.
// A slot without pages has places of 0.

namespace kakeya::kernels {

/// Tokens of a slot.
constexpr int kFieldSlotTokens = 128;

/// KV heads of a slot at most.
constexpr int kMostLayHeads = 256;

/// Where the pages of a slot begin, in 16 bytes. `any_byte`: FieldRoom::any_byte.
constexpr int field_directory(int heads, bool any_byte = false) {
  const int each = any_byte ? 8 : 16;  // gaps of a word
  return (2 * heads + 1 + (2 * heads + each - 1) / each + 3) / 4;
}

/// What wrong pages have besides AttendFlag and kBadPage.
enum FieldFlag : std::uint32_t {
  kBeyondFields = 1 << 26,  ///< more levels, or an entry that adds more, than attention takes
  kKeptVectors = 1 << 27,   ///< vectors beside the pages
};

/// How slots are cut, and the transforms of heads.
struct FieldRoom {
  std::int64_t slot_bytes = 0;  ///< a multiple of 16
  std::int32_t head_bytes = 0;  ///< of a head's keys and values in a slot at most, a multiple of 16
  std::int32_t part_bytes = 0;  ///< of either at most, a multiple of 16
  std::int32_t warp_bytes = 0;  ///< what a warp has room for: set by launchers
  bool steps = false;           ///< each page has a step (slot_steps.cuh)
  bool any_byte = false;        ///< pages are of any number of bytes; otherwise of words
};
struct FieldTransforms {
  /// [heads][dim][dim], in device memory: of keys [i][j] what coordinate i of a query is multiplied by for
  /// coordinate j of z, of values [j][i] what z has for coordinate i of a vector.
  const float *keys = nullptr, *values = nullptr;
  const float *key_means = nullptr, *value_means = nullptr;  ///< [heads][dim]
};

/// Keys and values of a frame a head as sections have them: pages of 128 vectors.
struct FieldSections {
  PageSections pages;
  const std::uint64_t* exact_bytes = nullptr;  ///< [heads]: of vectors beside the pages
};

std::size_t lay_fields_workspace(std::int64_t tokens, int heads);
/// Copies pages of `tokens` tokens to slots[0], slots[1], ... A slot whose pages are too long, or of a
/// head's longer than its room, is left without any, and its head has kPageTooLong. Three kernels.
void lay_fields(const FieldSections& keys, const FieldSections& values, std::int64_t tokens,
                const PagePool& pool, const FieldRoom& room, const std::int32_t* slots,
                void* workspace, std::uint32_t* flags, Stream stream);

/// Bytes that lift_fields() is lent, a multiple of 256.
std::size_t lift_fields_workspace(std::int64_t pages, int heads);
/// The way back of lay_fields(): pages, stream_bytes and streams of all heads from slots[0], slots[1], ... A slot
/// that the pool lacks and one without pages set kBadSlot or kBadPage of its heads and are pages of 0 bytes. Of
/// a head whose pages do not fit stream_room none is copied, and it has kStreamTooLong. Four kernels.
void lift_fields(const PagePool& pool, const FieldRoom& room, const std::int32_t* slots,
                 std::int64_t pages, const PageSections& keys, const PageSections& values,
                 void* workspace, std::uint32_t* flags, Stream stream);

/// As attend_splits() and attend_workspace_bytes().
int attend_fields_splits(int batch, int heads, int group, int dim, std::int64_t tokens);
std::int64_t attend_fields_workspace_bytes(int batch, int heads, int group, int dim, int splits);

/// As attend(). What a page that is damaged adds is finite, and its sequence is flagged.
void attend_fields(const AttendCall& call, const FieldRoom& room, const FieldTransforms& transforms,
                   Stream stream);
/// The same over pages of tiles. Bytes that a damaged list takes beyond 0 to 255 are not looked for.
void attend_tiles(const AttendCall& call, const FieldRoom& room, const FieldTransforms& transforms,
                  Stream stream);

}  // namespace kakeya::kernels
