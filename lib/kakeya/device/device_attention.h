// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/device/device_codec.h"
#include "kakeya/device/device_rope.h"

namespace kakeya {

/// Pages of packed tokens in device memory: slot s from data + s * DeviceAttention::slot_bytes() on.
/// `data` is a multiple of 128 bytes. Which slot holds which tokens, tables say.
struct DevicePagePool {
  void* data = nullptr;
  std::size_t slots = 0;
};

/// Room in slots for pages of klt, whose lengths differ.
struct AttentionRoom {
  std::size_t slot_bytes = 0;  ///< of 128 tokens' keys and values, all heads
  std::size_t head_bytes = 0;  ///< of one head's
  /// Of its keys, or of its values; 0: as much as head_bytes. Of pages of tiles every warp has shared memory for
  /// so much at least, of pages of fields for head_bytes.
  std::size_t part_bytes = 0;
};
/// The least that frames of klt with pages=fixed,page=128, or pages=tiles or prefix, fit, a frame a head of the same tokens; of
/// pages of a budget what any fit. Throws InputError on other frames.
AttentionRoom attention_room(std::span<const std::vector<std::byte>> keys,
                             std::span<const std::vector<std::byte>> values);

/// Attention of one decoding step: a query a head of every sequence. All pointers are of device
/// memory. A sequence's tokens are those in pages and those in bf16, in any order: softmax does not
/// mind, and positions are in the keys already.
struct AttentionStep {
  std::size_t batch = 0;
  DeviceVectors queries, out;  ///< [batch, query_heads, head_dim]
  float scale = 0;             ///< of a product of query and key; 0: 1 / sqrt(head_dim)

  DevicePagePool pool;
  const std::int32_t* table = nullptr;  ///< [batch][table_stride]: a sequence's slots, in order
  std::size_t table_stride = 0;
  const std::int32_t* packed_tokens =
      nullptr;  ///< [batch]: tokens in these pages, from the first on
  /// Of any sequence, about: it decides how work is shared. Over klt with pages=prefix no sequence has more: one that has
  /// is flagged, and what is beyond does not count.
  std::size_t most_packed_tokens = 0;
  /// [batch]: the first of them that a query sees (sliding windows); null: 0. Slots before its page
  /// are not read.
  const std::int32_t* first_tokens = nullptr;

  /// Sinks, the residual window, the open page: bf16 [batch][exact_room][kv_heads][head_dim] each.
  const void *exact_keys = nullptr, *exact_values = nullptr;
  const std::int32_t* exact_tokens = nullptr;  ///< [batch]: of these; null: none
  std::size_t exact_room = 0;
  /// [batch]: the row where those of a sequence begin, among exact_rows rows; null: exact_room times its
  /// number. So that several queries share the rows of a sequence, each of them seeing some.
  const std::int32_t* exact_places = nullptr;
  std::size_t exact_rows = 0;

  /// [batch]: the position of a sequence's first token in pages, the next ones following it; null: 0. Read where
  /// keys in pages are before RoPE: DeviceAttention::set_rope().
  const std::int32_t* first_positions = nullptr;
};

/// Decode attention over keys and values of fixed-rate codecs (tq, d4, e8 with q of at most 7), which
/// it reads packed: 64 tokens a page, four bits a coordinate and a float a vector (kernels/nibbles.cuh
/// draws it); and of fp8 with blocks of 64 coordinates or more, a byte a coordinate and a float for each 64 of a vector
/// (kernels/bytes.cuh), which is not transformed. The values are those that the codec decodes. Queries are transformed once and keys never
/// back; values are added up transformed and their sum is taken back once.
///
///     DeviceAttention attention("e8:q=7", shape);
///     attention.pack(keys, values, pool, slots, flags, stream, workspace);    // 64 tokens a slot
///     attention.run(step, flags, stream, workspace);                          // every token
///
/// And over klt with lattice=z,pages=tiles,page=128, coded before, or with pages=fixed, which takes several times
/// as long, or pages=prefix: 128 tokens a slot, the bytes of the codec's pages. A query is transformed once with each head's matrix, and the sum of values back.
///
///     DeviceAttention attention("klt:bits=3,lattice=z,pages=tiles,page=128", shape, keys, values, room);
///     attention.codec(Part::key).take_frame(frame, layout, head, image);    // all heads, keys and values
///     attention.lay(key_sections, value_sections, tokens, pool, slots, flags, stream, workspace);
///
/// or coded here, in two steps, between which longer slots are made where these pages need them:
///
///     const AttentionRoom least = attention.code(keys, values, flags, stream, workspace);
///     attention.set_room(attention.room_with(least)), and a pool of slots of slot_bytes();
///     attention.lay_coded(tokens, pool, slots, flags, stream, workspace);
///
/// With budget=BYTES (codec/budget.md) each page has a step of its own, and slots one size that BYTES says: set_room() is not needed.
///
/// Keys are as attention multiplies them: after RoPE, where there is one, and so is the profile. Of klt with pages=tiles keys
/// in pages may be before RoPE, which set_rope() says: then they are taken back from the transform, turned, and multiplied
/// with queries, which are after RoPE, as keys in bf16 are.
///
/// Nothing here allocates device memory, and nothing but code() and pack() of klt waits: all else can be captured in a CUDA
/// graph.
class DeviceAttention {
 public:
  /// For models of this shape: head_dim 64, 128 or 256. More than 8 query heads a KV head read pages
  /// once for each 8. Throws InputError on others, SpecError and NoKernelError on codecs that have no
  /// such pages.
  DeviceAttention(std::string_view spec, const KvShape& shape);
  /// Of klt: one input a KV head, of its keys and of its values, with profile and site. `room` of no slot_bytes: as
  /// much as pages of two bits a value need, until set_room() says more, and of pages of a budget as much as any need. Throws InputError where slots have no room for their
  /// directory, NoKernelError beyond 256 KV heads.
  DeviceAttention(std::string_view spec, const KvShape& shape, std::span<const CodecInput> keys,
                  std::span<const CodecInput> values, const AttentionRoom& room);
  ~DeviceAttention();
  DeviceAttention(DeviceAttention&&) noexcept;

  /// The codec whose values these are; of klt there is one for each part.
  const DeviceCodec& codec(Part part = Part::key) const;
  const KvShape& shape() const { return shape_; }

  std::size_t page_tokens() const;  ///< of a slot
  /// Keys and values of page_tokens(), all KV heads.
  std::size_t slot_bytes() const;
  /// Of a full slot, all bytes counted.
  double bits_per_value() const;

  /// Codes keys and values, views [tokens, kv_heads, head_dim], and puts them in pages: tokens page_tokens() i
  /// and on in slot slots[i]. What the last page lacks is zeros; of klt it is a page of fewer vectors. `flags` is a
  /// word a KV head, as of DeviceCodec. `workspace` has pack_workspace_bytes(). Throws InputError on other views.
  /// The same as code() and lay_coded().
  void pack(const DeviceVectors& keys, const DeviceVectors& values, const DevicePagePool& pool,
            const std::int32_t* slots, std::uint32_t* flags, DeviceStream stream,
            void* workspace) const;
  std::size_t pack_workspace_bytes(std::size_t tokens) const;

  /// Codes them to `workspace`. Returns the room that their pages take, which of klt it waits for; that of pages of a budget
  /// it knows.
  AttentionRoom code(const DeviceVectors& keys, const DeviceVectors& values, std::uint32_t* flags,
                     DeviceStream stream, void* workspace) const;
  /// Puts `tokens` tokens that code() coded there in pages. What has no room in a slot is flagged, as by lay().
  void lay_coded(std::size_t tokens, const DevicePagePool& pool, const std::int32_t* slots,
                 std::uint32_t* flags, DeviceStream stream, void* workspace) const;

  /// Room of a slot; of all but klt it is what slots take.
  AttentionRoom room() const;
  /// room(), or where `least` does not fit it, of klt, one that both fit. Pages of slots that are moved to longer ones stay what they
  /// are, at their beginnings; then set_room() is called.
  AttentionRoom room_with(const AttentionRoom& least) const;
  void set_room(const AttentionRoom& room);
  /// From now on keys in pages are before this RoPE, and so is the profile of keys; null: after it again. Makes a
  /// matrix a head in device memory in the place of those before: nothing may run that has these, and graphs captured before are of no use.
  /// Throws NoKernelError on all but klt with pages=tiles, and InputError on a RoPE for another head_dim. With head_dim 256 a block has room
  /// for pages of about 4.7 bits a value, 6 with at most four query heads a KV head: run() throws where pages have more.
  void set_rope(std::shared_ptr<const DeviceRope> rope);
  /// Device memory that is this object's: of klt the matrices of its heads, with pages=prefix their tables. That of a DeviceRope is not.
  std::size_t bytes() const;

  /// The way back, for those who need the vectors: tokens `range` of pages, full ones of klt, in slots[0], slots[1], ..., to views [range.count,
  /// kv_heads, head_dim], what the codec decodes to a rounding. What is wrong is zeros, of klt the mean, and sets
  /// `flags`, a word a KV head. `workspace` has unpack_workspace_bytes(range.count). Throws as pack().
  void unpack(const DevicePagePool& pool, const std::int32_t* slots, TokenRange range,
              const DeviceVectors& keys, const DeviceVectors& values, std::uint32_t* flags,
              DeviceStream stream, void* workspace) const;
  std::size_t unpack_workspace_bytes(std::size_t tokens) const;

  /// Of klt: copies the pages that sections of keys and of values hold, of layout(tokens, kv_heads) of either
  /// codec, to slots: tokens 128 i and on to slots[i]. A slot that they do not fit, and one with damaged
  /// pages, is left without any and flagged; so is a head that keeps vectors beside its pages, whose
  /// tokens have to be in bf16. Throws InputError of other codecs.
  void lay(const void* key_sections, const void* value_sections, std::size_t tokens,
           const DevicePagePool& pool, const std::int32_t* slots, std::uint32_t* flags,
           DeviceStream stream, void* workspace) const;
  std::size_t lay_workspace_bytes(std::size_t tokens) const;

  /// step.out = softmax(scale * queries K^T) V, zeros of a sequence without tokens. `flags` is a word
  /// a sequence, which is only added to; what a flag tells of counts as not there, but for lists of a page of klt, of which some may count. `workspace`: a
  /// multiple of 256, zeros before its first use and not touched by others between uses. Throws
  /// InputError on views of other shapes; with pages=prefix Error on GPUs whose blocks have too little shared memory.
  void run(const AttentionStep& step, std::uint32_t* flags, DeviceStream stream,
           void* workspace) const;
  /// With pages=prefix it has about 1.2 KB for every 128 packed tokens and four query heads.
  std::size_t run_workspace_bytes(std::size_t batch, std::size_t most_packed_tokens) const;

 private:
  struct Fields;  // of klt
  std::size_t part_bytes(std::size_t tokens) const;
  int splits_of(std::size_t batch, std::size_t most_packed_tokens) const;

  std::unique_ptr<DeviceCodec> codec_;  // null of klt
  std::unique_ptr<Fields> fields_;
  KvShape shape_;
  int lattice_ = 0, q_ = 0;
  int block_ = 0, scale_ = 0;  // of fp8; block_ is 0 of others
};

/// Throws CorruptStream naming the first sequence with a flag and what was wrong; `flags` is a copy in
/// host memory.
void require_no_attention_flags(const DeviceAttention& attention,
                                std::span<const std::uint32_t> flags);

}  // namespace kakeya
