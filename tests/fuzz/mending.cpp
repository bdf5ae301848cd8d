// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mending.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/cache/cache_file.h"

namespace kakeya::fuzz {
namespace {

// Places in a file, in an entry of its table, and in a frame.
constexpr std::size_t kFileVersionAt = 4, kHeadBytesAt = 8, kBlocksAt = 12, kFileBytesAt = 16,
                      kTokensAt = 36, kTextsAt = 72;
constexpr std::size_t kTexts = 11, kCodecTexts = 2;
constexpr std::size_t kKindAt = 4, kOffsetAt = 16, kBytesAt = 24;
constexpr std::size_t kFrameVersionAt = 4, kFrameLengthAt = 24;
constexpr std::size_t kSmallestHead = kTextsAt + 4, kSmallestFrame = 36, kChecksum = 4;

template <typename T>
T get(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <typename T>
void put(std::span<std::byte> bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

void seal(std::span<std::byte> bytes) {
  const std::size_t end = bytes.size() - kChecksum;
  put(bytes, end, crc32c(bytes.first(end)));
}

// Where the texts end, all but the last `but`; nothing where the file ends before.
std::optional<std::size_t> end_of_texts(std::span<const std::byte> file, std::size_t but) {
  std::size_t at = kTextsAt;
  for (std::size_t i = but; i < kTexts; ++i) {
    if (at + 2 > file.size()) return std::nullopt;
    at += 2 + get<std::uint16_t>(file, at);
  }
  if (at > file.size()) return std::nullopt;
  return at;
}

void name_codecs(std::vector<std::byte>& file, const CodecPair& pair) {
  const auto begin = end_of_texts(file, kCodecTexts), end = end_of_texts(file, 0);
  if (!begin || !end) return;
  std::vector<std::byte> texts;
  for (const std::string& spec : {pair.keys, pair.values}) {
    const auto length = static_cast<std::uint16_t>(spec.size());
    const auto* first = reinterpret_cast<const std::byte*>(&length);
    texts.insert(texts.end(), first, first + sizeof length);
    const auto letters = std::as_bytes(std::span(spec));
    texts.insert(texts.end(), letters.begin(), letters.end());
  }
  const auto at = file.erase(file.begin() + static_cast<std::ptrdiff_t>(*begin),
                             file.begin() + static_cast<std::ptrdiff_t>(*end));
  file.insert(at, texts.begin(), texts.end());
}

// Bytes of the head as its counts say; nothing where the file is shorter.
std::optional<std::size_t> counted_head(std::span<const std::byte> file) {
  const auto texts = end_of_texts(file, 0);
  if (!texts) return std::nullopt;
  const std::uint64_t bytes = *texts + std::uint64_t{4} * get<std::uint32_t>(file, kTokensAt) +
                              kEntryBytes * std::uint64_t{get<std::uint32_t>(file, kBlocksAt)} +
                              kChecksum;
  if (bytes > file.size()) return std::nullopt;
  return bytes;
}

// Calls visit(entry) for what there is of the table, which ends where the head's checksum begins.
template <typename Visit>
void for_each_entry(std::span<std::byte> file, std::size_t head_bytes, const Visit& visit) {
  const std::uint64_t said = get<std::uint32_t>(file, kBlocksAt);
  const std::size_t end = head_bytes - kChecksum;
  const std::size_t blocks =
      std::min<std::uint64_t>(said, (end - std::min(kTextsAt, end)) / kEntryBytes);
  for (std::size_t i = 0; i < blocks; ++i) {
    visit(file.subspan(end - (blocks - i) * kEntryBytes, kEntryBytes), i + 1 == blocks);
  }
}

void mend_table(std::span<std::byte> file, std::size_t head_bytes) {
  std::uint64_t offset = head_bytes;
  for_each_entry(file, head_bytes, [&](std::span<std::byte> entry, bool last) {
    put(entry, kOffsetAt, offset);
    if (last && offset <= file.size()) put(entry, kBytesAt, file.size() - offset);
    offset += get<std::uint64_t>(entry, kBytesAt);
  });
}

void mend_blocks(std::span<std::byte> file, std::size_t head_bytes) {
  for_each_entry(file, head_bytes, [&](std::span<std::byte> entry, bool) {
    const auto offset = get<std::uint64_t>(entry, kOffsetAt),
               bytes = get<std::uint64_t>(entry, kBytesAt);
    if (offset < head_bytes || offset > file.size() || bytes > file.size() - offset) return;
    const auto block = file.subspan(offset, bytes);
    if (entry[kKindAt] == std::byte{0}) {
      if (block.size() >= kChecksum) seal(block);
    } else if (block.size() >= kSmallestFrame) {
      std::memcpy(block.data(), "KKYF", 4);
      mend_frame(block);
    }
  });
}

}  // namespace

void mend_frame(std::span<std::byte> frame) {
  put(frame, kFrameVersionAt, kFrameVersion);
  put(frame, kFrameLengthAt, std::uint64_t{frame.size()});
  seal(frame);
}

void mend_cache_file(std::vector<std::byte>& file, std::span<const CodecPair> pairs) {
  if (file.size() < kSmallestHead) return;
  const std::byte level = file[0];
  const auto choice = std::to_integer<std::size_t>(file[kFileVersionAt + 1]);
  std::memcpy(file.data(), "KKVC", 4);
  if (level != std::byte{'K'} && level != std::byte{'k'}) return;
  put(file, kFileVersionAt, kCacheFileVersion);
  const bool whole = level == std::byte{'K'};
  if (whole && choice > 0) name_codecs(file, pairs[(choice - 1) % pairs.size()]);
  if (file.size() < kSmallestHead) return;
  const auto head_bytes = counted_head(file);
  if (head_bytes) put(file, kHeadBytesAt, static_cast<std::uint32_t>(*head_bytes));
  put(file, kFileBytesAt, std::uint64_t{file.size()});
  const auto head = std::size_t{get<std::uint32_t>(file, kHeadBytesAt)};
  if (head < kSmallestHead || head > file.size()) return;
  if (whole) mend_table(file, head);
  mend_blocks(file, head);
  seal(std::span(file).first(head));
}

}  // namespace kakeya::fuzz
