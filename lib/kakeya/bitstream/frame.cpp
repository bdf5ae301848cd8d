// SPDX-License-Identifier: Apache-2.0
#include "kakeya/bitstream/frame.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr char kMagic[4] = {'K', 'K', 'Y', 'F'};
constexpr std::size_t kFixedBytes = 32, kNameBytes = 8, kEntryBytes = 16, kChecksumBytes = 4;
constexpr std::size_t kVersionAt = 4, kSpecBytesAt = 6, kDimAt = 8, kSectionsAt = 12, kCountAt = 16,
                      kLengthAt = 24;

template <typename T>
void store(std::span<std::byte> out, std::size_t at, T value) {
  std::memcpy(out.data() + at, &value, sizeof value);
}

template <typename T>
T load(std::span<const std::byte> in, std::size_t at) {
  T value;
  std::memcpy(&value, in.data() + at, sizeof value);
  return value;
}

std::string number(std::uint64_t value) { return std::to_string(value); }

// The name of a table entry: 1 to 8 lower-case letters, digits or '_', then only zeros.
std::string entry_name(std::span<const std::byte> entry) {
  std::string name;
  std::size_t i = 0;
  for (; i < kNameBytes && entry[i] != std::byte{0}; ++i) {
    const char c = static_cast<char>(entry[i]);
    const bool allowed = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    if (!allowed) throw CorruptStream("frame: a section name has an odd character");
    name += c;
  }
  for (std::size_t k = i; k < kNameBytes; ++k) {
    if (entry[k] != std::byte{0}) throw CorruptStream("frame: a section name is not zero-padded");
  }
  if (name.empty()) throw CorruptStream("frame: a section has no name");
  return name;
}

}  // namespace

std::size_t frame_overhead(std::size_t spec_bytes, std::size_t sections) {
  return kFixedBytes + spec_bytes + sections * kEntryBytes + kChecksumBytes;
}

FrameWriter::FrameWriter(std::span<std::byte> out, std::string_view spec, std::size_t dim,
                         std::size_t count, std::span<const std::string_view> sections)
    : out_(out),
      table_(kFixedBytes + spec.size()),
      position_(table_ + sections.size() * kEntryBytes),
      sections_(sections.size()) {
  if (spec.size() > kMaxSpecBytes || dim == 0 || dim > kMaxDim || sections.empty() ||
      sections.size() > kMaxSections) {
    throw InputError("frame: spec, dim or sections out of range");
  }
  if (out.size() < frame_overhead(spec.size(), sections.size())) {
    throw InputError("frame: a buffer of " + number(out.size()) + " bytes is too small");
  }
  std::fill_n(out_.begin(), position_, std::byte{0});
  std::memcpy(out_.data(), kMagic, sizeof kMagic);
  store(out_, kVersionAt, kFrameVersion);
  store(out_, kSpecBytesAt, static_cast<std::uint16_t>(spec.size()));
  store(out_, kDimAt, static_cast<std::uint32_t>(dim));
  store(out_, kSectionsAt, static_cast<std::uint32_t>(sections.size()));
  store(out_, kCountAt, static_cast<std::uint64_t>(count));
  std::memcpy(out_.data() + kFixedBytes, spec.data(), spec.size());
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (sections[i].empty() || sections[i].size() > kNameBytes) {
      throw InputError("frame: section name '" + std::string(sections[i]) +
                       "': expected 1 to 8 characters");
    }
    std::memcpy(out_.data() + table_ + i * kEntryBytes, sections[i].data(), sections[i].size());
  }
}

std::span<std::byte> FrameWriter::section(std::size_t bytes) {
  if (reserved_ == sections_) throw InputError("frame: more sections than were named");
  if (bytes > out_.size() - position_ - kChecksumBytes) {
    throw InputError("frame: a buffer of " + number(out_.size()) + " bytes is too small");
  }
  store(out_, table_ + reserved_ * kEntryBytes + kNameBytes, static_cast<std::uint64_t>(bytes));
  const auto part = out_.subspan(position_, bytes);
  std::fill(part.begin(), part.end(), std::byte{0});
  position_ += bytes;
  ++reserved_;
  return part;
}

std::size_t FrameWriter::finish() {
  if (reserved_ != sections_) throw InputError("frame: fewer sections than were named");
  store(out_, kLengthAt, static_cast<std::uint64_t>(position_ + kChecksumBytes));
  store(out_, position_, crc32c(out_.first(position_)));
  return position_ + kChecksumBytes;
}

std::span<const std::byte> FrameView::section(std::size_t place, std::string_view name) const {
  if (place >= sections.size() || sections[place].name != name) {
    throw CorruptStream("frame of " + spec + ": no section '" + std::string(name) + "' at place " +
                        number(place));
  }
  return sections[place].bytes;
}

FrameView parse_frame(std::span<const std::byte> in, FrameCheck check) {
  if (in.size() < kFixedBytes + kChecksumBytes) {
    throw CorruptStream("frame: " + number(in.size()) + " bytes are too few for a header");
  }
  if (std::memcmp(in.data(), kMagic, sizeof kMagic) != 0) {
    throw CorruptStream("frame: does not begin with \"KKYF\": not encoded vectors");
  }
  FrameView view;
  view.version = load<std::uint16_t>(in, kVersionAt);
  if (view.version != kFrameVersion) {
    throw CorruptStream("frame: format version " + number(view.version) + ": this build reads " +
                        number(kFrameVersion));
  }
  const auto length = load<std::uint64_t>(in, kLengthAt);
  if (length != in.size()) {
    throw CorruptStream("frame: says it has " + number(length) + " bytes, but there are " +
                        number(in.size()));
  }
  const std::size_t end = in.size() - kChecksumBytes;
  if (check == FrameCheck::all && load<std::uint32_t>(in, end) != crc32c(in.first(end))) {
    throw CorruptStream("frame: the checksum does not match: damaged");
  }
  const std::size_t spec_bytes = load<std::uint16_t>(in, kSpecBytesAt);
  const std::size_t sections = load<std::uint32_t>(in, kSectionsAt);
  view.dim = load<std::uint32_t>(in, kDimAt);
  view.count = load<std::uint64_t>(in, kCountAt);
  if (spec_bytes > kMaxSpecBytes || sections == 0 || sections > kMaxSections || view.dim == 0 ||
      view.dim > kMaxDim || frame_overhead(spec_bytes, sections) > in.size()) {
    throw CorruptStream("frame: the header is out of range");
  }
  view.spec.assign(reinterpret_cast<const char*>(in.data()) + kFixedBytes, spec_bytes);
  view.header_bytes = kFixedBytes + spec_bytes + sections * kEntryBytes;
  view.checksum_bytes = kChecksumBytes;
  view.sections.reserve(sections);
  std::size_t position = view.header_bytes;
  for (std::size_t i = 0; i < sections; ++i) {
    const auto entry = in.subspan(kFixedBytes + spec_bytes + i * kEntryBytes, kEntryBytes);
    const auto bytes = load<std::uint64_t>(entry, kNameBytes);
    if (bytes > end - position) throw CorruptStream("frame: a section ends outside the frame");
    view.sections.push_back({entry_name(entry), in.subspan(position, bytes)});
    position += bytes;
  }
  if (position != end) throw CorruptStream("frame: bytes outside every section");
  return view;
}

}  // namespace kakeya
