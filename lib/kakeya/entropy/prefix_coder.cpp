// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/prefix_coder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "kakeya/bitstream/bits.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/lanes.h"
#include "kakeya/lattice/dn.h"

namespace kakeya {
namespace {

constexpr std::size_t kEight = PrefixGroup::kCoordinates, kHeader = 12, kRow = 4 * kLanes;
constexpr int kPlaceBits = 21, kCorrectionBits = 32;
constexpr std::int32_t kMostCorrection = 1023;

std::size_t slots_of(std::size_t vectors) { return (vectors + kLanes - 1) / kLanes; }

std::int64_t corrections_of(std::int32_t v, std::int32_t within) {
  const std::int64_t size = std::abs(std::int64_t{v} - within);
  return (size + kMostCorrection - 1) / kMostCorrection;
}

// A string of bits, the first lowest.
class BitString {
 public:
  void put(std::uint32_t word, int length) {
    for (int bit = 0; bit < length; ++bit, ++length_) {
      if (length_ % 8 == 0) bytes_.push_back(0);
      bytes_.back() = static_cast<std::uint8_t>(bytes_.back() | (word >> bit & 1) << length_ % 8);
    }
  }
  std::size_t length() const { return length_; }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t length_ = 0;
};

std::uint8_t reversed(std::uint8_t byte) {
  std::uint8_t back = 0;
  for (int bit = 0; bit < 8; ++bit)
    back = static_cast<std::uint8_t>(back | (byte >> bit & 1) << (7 - bit));
  return back;
}

// A and B in as few bytes as hold both.
std::vector<std::uint8_t> joined(const BitString& a, const BitString& b) {
  std::vector<std::uint8_t> bytes((a.length() + b.length() + 7) / 8);
  std::copy(a.bytes().begin(), a.bytes().end(), bytes.begin());
  for (std::size_t i = 0; i < b.bytes().size(); ++i) {
    bytes[bytes.size() - 1 - i] |= reversed(b.bytes()[i]);
  }
  return bytes;
}

// Codewords of a lane's string, from its front or from its back; bits behind its end are 0.
class Codewords {
 public:
  explicit Codewords(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  const PrefixCode::Entry& next(const PrefixCode& code) {
    const PrefixCode::Entry& entry = code.entry(window() & ((1u << code.most()) - 1));
    position_ += entry.length;
    return entry;
  }
  std::size_t position() const { return position_; }

 private:
  std::uint32_t window() const {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3 && position_ / 8 + i < bytes_.size(); ++i) {
      word |= std::uint32_t{bytes_[position_ / 8 + i]} << 8 * i;
    }
    return word >> position_ % 8;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t position_ = 0;
};

[[noreturn]] void throw_length(std::size_t bytes, std::size_t expected) {
  throw CorruptStream("prefix codes: a page of " + std::to_string(bytes) + " bytes, expected " +
                      std::to_string(expected));
}

}  // namespace

PrefixCoder::PrefixCoder(std::span<const CoordinateShape> shapes) {
  if (shapes.empty() || shapes.size() > kMostDim || shapes.size() % kEight != 0) {
    throw InputError("prefix codes: vectors of " + std::to_string(shapes.size()) +
                     " coordinates, expected a multiple of 8 up to " + std::to_string(kMostDim));
  }
  for (std::size_t i = 0; i < shapes.size(); i += kEight) {
    groups_.emplace_back(shapes.subspan(i, kEight));
    plane_bytes_ += static_cast<std::size_t>(groups_.back().planes());
  }
}

std::size_t PrefixCoder::plane_words(std::size_t vectors) const {
  return (slots_of(vectors) * plane_bytes_ + 3) / 4;
}

std::size_t PrefixCoder::most_overhead(std::size_t vectors) const {
  // Planes of lanes that lack a vector, and what is left of their words and of strings.
  return kHeader + 2 * kLanes + kLanes * (plane_bytes_ + 4) + kLanes + vectors / 8;
}

std::uint64_t PrefixCoder::bits_of(const std::int32_t* v, const PrefixGroup& group) const {
  std::uint64_t bits = kEight * static_cast<std::uint64_t>(group.planes());
  for (std::size_t first = 0; first < kEight; first += group.together()) {
    std::int32_t near[4];
    std::copy_n(v + first, group.together(), near);
    bits += static_cast<std::uint64_t>(group.code().length(group.nearest(near)));
    for (std::size_t k = 0; k < group.together(); ++k) {
      bits += static_cast<std::uint64_t>(kCorrectionBits * corrections_of(v[first + k], near[k]));
    }
  }
  return bits;
}

std::uint64_t PrefixCoder::most_bits(const float* z, std::size_t stride, std::size_t r) const {
  std::uint64_t bits = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::int32_t v[kEight];
    for (std::size_t c = 0; c < kEight; ++c) {
      v[c] = static_cast<std::int32_t>(z[(kEight * g + c) * stride + r]);
    }
    bits += bits_of(v, groups_[g]);
  }
  return bits;
}

std::vector<std::byte> PrefixCoder::encode(std::span<const std::int32_t> twice,
                                           std::size_t vectors) const {
  require_lanes(Lattice::z, twice.size(), vectors, dim());
  require_points(Lattice::z, twice, vectors, dim(), dim());
  if (vectors > kMostVectors) {
    throw InputError("prefix codes: a page of " + std::to_string(vectors) +
                     " vectors, expected at most " + std::to_string(kMostVectors));
  }
  std::vector<std::uint8_t> planes(plane_words(vectors) * kRow);
  std::vector<std::uint32_t> corrections;
  std::array<std::vector<std::uint8_t>, kLanes> strings;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::array<BitString, 2> both;
    std::size_t plane = 0;  // byte of the lane's planes
    for (std::size_t t = lane; t < vectors; t += kLanes) {
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const PrefixGroup& group = groups_[g];
        std::int32_t v[kEight], near[kEight];
        for (std::size_t c = 0; c < kEight; ++c) {
          v[c] = near[c] = twice[lane_value(t, kEight * g + c, dim())] / 2;
        }
        for (std::size_t c = 0; c < kEight; c += group.together()) {
          const std::size_t symbol = group.nearest(near + c);
          both[g % 2].put(group.code().word(symbol), group.code().length(symbol));
        }
        for (std::size_t c = 0; c < kEight; ++c) {
          for (std::int32_t left = v[c] - near[c]; left != 0;) {
            const std::int32_t part = std::clamp(left, -kMostCorrection, kMostCorrection);
            corrections.push_back(static_cast<std::uint32_t>(t * dim() + kEight * g + c) |
                                  static_cast<std::uint32_t>(part) << kPlaceBits);
            left -= part;
          }
          const std::uint32_t bits = group.plane_bits(near[c]);
          for (int p = 0; p < group.planes(); ++p) {
            const std::size_t byte = plane + static_cast<std::size_t>(p);
            std::uint8_t& at = planes[byte / 4 * kRow + 4 * lane + byte % 4];
            at = static_cast<std::uint8_t>(at | (bits >> p & 1) << c);
          }
        }
        plane += static_cast<std::size_t>(group.planes());
      }
    }
    strings[lane] = joined(both[0], both[1]);
  }
  const auto by_length = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  const auto [low, high] = std::minmax_element(strings.begin(), strings.end(), by_length);
  const auto least = static_cast<std::uint16_t>(std::min<std::size_t>(low->size(), UINT16_MAX));
  const auto bits = static_cast<int>(std::bit_width(high->size() - least));
  std::vector<std::byte> out(kHeader + 4 * static_cast<std::size_t>(bits));
  const auto count = static_cast<std::uint32_t>(corrections.size());
  const auto last = static_cast<std::uint16_t>(vectors - 1);
  std::memcpy(out.data(), &count, 4);
  std::memcpy(out.data() + 4, &last, 2);
  std::memcpy(out.data() + 6, &least, 2);
  std::memcpy(out.data() + 8, &bits, 4);
  BitWriter lengths(std::span<std::byte>(out).subspan(kHeader));
  for (const auto& string : strings) {
    if (bits != 0) lengths.put(string.size() - least, bits);
  }
  lengths.finish();
  const auto append = [&](const void* bytes, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(bytes);
    out.insert(out.end(), first, first + size);
  };
  append(planes.data(), planes.size());
  append(corrections.data(), 4 * corrections.size());
  for (const auto& string : strings) append(string.data(), string.size());
  return out;
}

void PrefixCoder::decode(std::span<const std::byte> in, std::size_t vectors,
                         std::span<std::int32_t> twice) const {
  require_lanes(Lattice::z, twice.size(), vectors, dim());
  if (in.size() < kHeader) throw_length(in.size(), kHeader);
  std::uint32_t count, bits;
  std::uint16_t last, least;
  std::memcpy(&count, in.data(), 4);
  std::memcpy(&last, in.data() + 4, 2);
  std::memcpy(&least, in.data() + 6, 2);
  std::memcpy(&bits, in.data() + 8, 4);
  if (last + std::size_t{1} != vectors) {
    throw CorruptStream("prefix codes: a page of " + std::to_string(last + 1) +
                        " vectors, expected " + std::to_string(vectors));
  }
  if (bits > 32) throw CorruptStream("prefix codes: lengths of " + std::to_string(bits) + " bits");
  const std::size_t planes_at = kHeader + std::size_t{4} * bits;
  const std::size_t corrections_at = planes_at + plane_words(vectors) * kRow;
  std::size_t at = corrections_at + std::size_t{4} * count;
  if (in.size() < at) throw_length(in.size(), at);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(in.data());
  BitReader lengths(in.subspan(kHeader, std::size_t{4} * bits));
  std::fill(twice.begin(), twice.end(), 0);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::size_t size = least + (bits == 0 ? 0 : lengths.get(static_cast<int>(bits)));
    if (in.size() - at < size) throw_length(in.size(), at + size);
    const std::span<const std::uint8_t> string(bytes + at, size);
    at += size;
    std::vector<std::uint8_t> back(string.rbegin(), string.rend());
    for (std::uint8_t& byte : back) byte = reversed(byte);
    Codewords both[] = {Codewords(string), Codewords(back)};
    std::size_t plane = 0;
    for (std::size_t t = lane; t < vectors; t += kLanes) {
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        const PrefixGroup& group = groups_[g];
        std::array<std::uint32_t, kEight> low{};
        for (int p = 0; p < group.planes(); ++p, ++plane) {
          const std::uint32_t byte = bytes[planes_at + plane / 4 * kRow + 4 * lane + plane % 4];
          for (std::size_t c = 0; c < kEight; ++c) low[c] |= (byte >> c & 1) << p;
        }
        for (std::size_t c = 0; c < kEight; c += group.together()) {
          const auto& digits = group.digits(both[g % 2].next(group.code()).symbol);
          for (std::size_t k = 0; k < group.together(); ++k) {
            twice[lane_value(t, kEight * g + c + k, dim())] =
                2 * group.number(digits[k], low[c + k]);
          }
        }
      }
    }
    const std::size_t used = both[0].position() + both[1].position();
    if (used > 8 * size || 8 * size - used >= 8) {
      throw CorruptStream("prefix codes: lane " + std::to_string(lane) + " uses " +
                          std::to_string(used) + " bits of a string of " +
                          std::to_string(8 * size));
    }
  }
  if (at != in.size()) throw_length(in.size(), at);
  constexpr auto kMost = static_cast<std::int32_t>(2 * kLargestCoordinate);
  for (std::uint32_t n = 0; n < count; ++n) {
    std::uint32_t correction;
    std::memcpy(&correction, in.data() + corrections_at + std::size_t{4} * n, 4);
    const std::size_t place = correction & ((1u << kPlaceBits) - 1);
    if (place >= vectors * dim()) {
      throw CorruptStream("prefix codes: place " + std::to_string(place) +
                          " of a correction, expected one below " +
                          std::to_string(vectors * dim()));
    }
    std::int32_t& number = twice[lane_value(place / dim(), place % dim(), dim())];
    number += 2 * (static_cast<std::int32_t>(correction) >> kPlaceBits);
    if (number > kMost || number < -kMost) {
      throw CorruptStream("prefix codes: a coordinate beyond 2^21");
    }
  }
}

}  // namespace kakeya
