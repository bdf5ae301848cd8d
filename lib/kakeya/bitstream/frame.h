// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kakeya {

/// The one container of encoded vectors. Little-endian; offsets in bytes:
///
///      0         4         6         8                  12                 16
///      +---------+---------+---------+------------------+------------------+
///      | "KKYF"  | version | spec    | dim              | sections         |
///      |         | u16     | bytes   | u32              | u32              |
///      +---------+---------+---------+------------------+------------------+
///   16 | count u64: vectors          | frame bytes u64: all of this        |
///      +-----------------------------+-------------------------------------+
///   32 | spec: the codec's canonical text, no terminator                   |
///      +-------------------------------------------------------------------+
///      | section table: name (8 bytes, zero-padded), length u64; each      |
///      +-------------------------------------------------------------------+
///      | the sections, one after another in the table's order              |
///      +-------------------------------------------------------------------+
///      | CRC-32C u32 of every byte before it                               |
///      +-------------------------------------------------------------------+
///
/// Nothing else: lengths add up exactly, no gaps, no unknown field.
inline constexpr std::uint16_t kFrameVersion = 1;
inline constexpr std::size_t kMaxSpecBytes = 255;
inline constexpr std::size_t kMaxSections = 16;
inline constexpr std::size_t kMaxDim = std::size_t{1} << 20;

/// Bytes of a frame besides its sections.
std::size_t frame_overhead(std::size_t spec_bytes, std::size_t sections);

/// Writes a frame into a buffer, section after section.
class FrameWriter {
 public:
  /// `sections`: 1 to 16 names of 1 to 8 characters, in file order. Throws InputError when `out`
  /// cannot hold the overhead.
  FrameWriter(std::span<std::byte> out, std::string_view spec, std::size_t dim, std::size_t count,
              std::span<const std::string_view> sections);

  /// Reserves the next section: `bytes` bytes, zeroed, to be filled by the caller before finish().
  /// Throws InputError when the buffer cannot hold them.
  std::span<std::byte> section(std::size_t bytes);

  /// Bytes of the sections so far.
  std::size_t section_bytes() const { return position_ - table_ - sections_ * 16; }

  /// Fills in table, length and checksum; every section must have been reserved. Returns the
  /// frame's length in bytes.
  std::size_t finish();

 private:
  std::span<std::byte> out_;
  std::size_t table_, position_, sections_, reserved_ = 0;
};

struct FrameSection {
  std::string name;
  std::span<const std::byte> bytes;
};

/// A parsed frame; the sections point into the bytes it was parsed from.
struct FrameView {
  std::uint16_t version = 0;
  std::string spec;
  std::size_t dim = 0, count = 0;
  std::size_t first = 0;  ///< number of its first vector; not 0 of some pages of a frame alone
  std::size_t header_bytes = 0, checksum_bytes = 0;
  std::vector<FrameSection> sections;

  /// The bytes of section `name` at place `place` of the table. Throws CorruptStream when another
  /// is there.
  std::span<const std::byte> section(std::size_t place, std::string_view name) const;
};

/// What of a frame is checked: of one that was checked before, or written, in memory that nothing has
/// changed since, its checksum need not be.
enum class FrameCheck { all, but_the_checksum };

/// Checks and parses a frame that is exactly `in`: magic, version, length, checksum, table. Throws
/// CorruptStream saying what is wrong. `count` and `dim` are what the header says: whoever
/// allocates for them compares them with the sections' lengths first. Allocates no more than 16
/// small names.
FrameView parse_frame(std::span<const std::byte> in, FrameCheck check = FrameCheck::all);

}  // namespace kakeya
