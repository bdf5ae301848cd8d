// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kakeya/cache/cache_file.h"
#include "kakeya/cache/packed_cache.h"

namespace kakeya {

/// One sequence of a live cache (packed_cache.h) in a file. Not the file of cache_file.h, whose
/// frames hold every value once: a live cache has dropped tokens, and what its next pages need of
/// those before them, which no frame tells. Little-endian; offsets in bytes:
///
///      0                 4                 8                 12                16
///      +-----------------+--------+--------+-----------------+-----------------+
///      | "KKVS"          | version| tap    | head bytes      | lanes           |
///      |                 | u16    | u16    | u32             | u32             |
///      +-----------------+--------+--------+-----------------+-----------------+
///   16 | as in cache_file.h: file bytes, shape, tokens, policy, RoPE base,     |
///      | seed, texts, token ids; then the token that comes next i32, or -1     |
///      +-----------------------------------------------------------------------+
///      | sliding window of each layer u32: tokens that its queries see, or 0   |
///      +-----------------------------------------------------------------------+
///      | table of the lanes, 24 bytes each, in order                           |
///      +-----------------------------------------------------------------------+
///      | CRC-32C u32 of every byte before it                                   |
///      +-----------------------------------------------------------------------+
///      | the lanes, one after another, from `head bytes` on                    |
///      +-----------------------------------------------------------------------+
///
/// Lanes are the keys and then the values of each layer, or both together of a layer that is coded
/// as whole tokens. An entry of the table:
///
///      0                 4                 8                 12                16
///      +-----------------+-----------------+-----------------+-----------------+
///      | sealed pages u32| dropped u32     | flags u32       | CRC-32C u32 of  |
///      |                 |                 |                 | the lane        |
///      +-----------------+-----------------+-----------------+-----------------+
///   16 | bytes of the lane u64             |
///      +-----------------------------------+
///
/// dropped: the first of the pages or, of a layer that is not coded, tokens. flags: 1, the sinks are
/// dropped; 2, steps. A lane:
///
///   sinks, open end   bf16 [tokens, width] each, as many as follow from the tokens and the pages
///   head              what all pages of a codec need of the first: of each head the parts of
///                     coded_pages.h with `once`, each its bytes u32 and these. Where there are
///                     pages; nothing of codecs without pages
///   steps             with flag 2: of each page and head i64 sum, i64 count of the sizes of the
///                     vectors so far (per=head-page), from which the next step follows. The
///                     count grows by at most a page, the sum by at most 4352 a size
///   pages             of each page that is not dropped and each head: the other parts in the same
///                     way; of codecs without pages a frame of 128 tokens, its bytes u32 and these
///
/// Nothing else: lengths add up exactly, no gaps.
inline constexpr std::uint16_t kSequenceFileVersion = 1;

/// What a file says of its sequence.
struct SequenceHead {
  CacheFacts facts;
  std::vector<std::int32_t> token_ids;  ///< one a token
  std::optional<std::int32_t> next;     ///< chosen, but not in the cache yet
  std::vector<std::size_t> windows;     ///< one a layer; 0: sees all
};

/// The file of a sequence. facts.extent and facts.codecs are set from the cache. Throws InputError
/// where there is no such sequence, where its layers have different numbers of tokens (in the middle
/// of a step of the model), or there are not as many token ids. `next`: SequenceHead::next. To disk with write_file()
/// (core/files.h): whoever is killed meanwhile leaves the old file or the new one.
std::vector<std::byte> save_sequence(const PackedCache& cache, int sequence, CacheFacts facts,
                                     const std::vector<std::int32_t>& token_ids,
                                     std::optional<std::int32_t> next = {});

/// Whether bytes begin as such a file does.
bool is_sequence_file(std::span<const std::byte> file);

/// What the whole file says of its sequence. Throws CorruptStream unless its lengths, the checksum of
/// its head and its facts are those of such a file. The lanes are not looked at. Memory is at most 8
/// bytes for a byte of the file and 4 KiB.
SequenceHead read_sequence_head(std::span<const std::byte> file);

/// Throws InputError, naming what the file has and what was expected, where it is of another model,
/// architecture, tokenizer, tap point or RoPE than `expected` says (of which nothing else is looked at; a
/// model and a tokenizer are known by their digests, or by name where there is none).
void require_facts(const CacheFacts& given, const CacheFacts& expected);

/// Adds the sequence to a cache and returns its number: the same pages byte for byte, the same values
/// in bf16, the same when tokens are appended, cut or dropped. Decodes every page once.
///
/// Throws InputError as require_facts(), and in the same words where the file is of another shape, policy,
/// codecs (with their profile) or sliding windows than the cache. Throws CorruptStream on damage. Then the cache is as it was. Asks for at most 128 bytes of memory for a byte
/// of the file, 16 for a page, 64 KiB, and for each head of a lane 64 for a value of one page and 4 KiB.
int restore_sequence(PackedCache& cache, std::span<const std::byte> file,
                     const CacheFacts& expected);

}  // namespace kakeya
