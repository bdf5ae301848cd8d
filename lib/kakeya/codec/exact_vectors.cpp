// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/exact_vectors.h"

#include <cstdint>
#include <cstring>

#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

std::size_t number_of(std::span<const std::byte> section, std::size_t at) {
  std::uint32_t number;
  std::memcpy(&number, section.data() + at, 4);
  return number;
}

}  // namespace

void append_exact(std::vector<std::byte>& section, std::size_t vector, std::span<const float> x) {
  const auto number = static_cast<std::uint32_t>(vector);
  const std::size_t start = section.size();
  section.resize(start + exact_bytes(x.size()));
  std::memcpy(section.data() + start, &number, 4);
  std::memcpy(section.data() + start + 4, x.data(), x.size_bytes());
}

void check_exact(std::span<const std::byte> section, std::size_t dim, std::size_t vectors,
                 const std::string& codec) {
  if (section.size() % exact_bytes(dim) != 0) {
    throw CorruptStream(codec + ": exact vectors: not whole records");
  }
  std::size_t least = 0;
  std::vector<float> values(dim);
  for (std::size_t at = 0; at < section.size(); at += exact_bytes(dim)) {
    std::memcpy(values.data(), section.data() + at + 4, 4 * dim);
    const std::size_t number = number_of(section, at);
    if (number < least || number >= vectors || largest_magnitude(values) >= 0x7f800000u) {
      throw CorruptStream(codec + ": exact vectors: out of order or not finite");
    }
    least = number + 1;
  }
}

void restore_exact(std::span<const std::byte> section, std::size_t first, Rows<float> out) {
  for (std::size_t at = 0; at < section.size(); at += exact_bytes(out.dim)) {
    const std::size_t vector = number_of(section, at);
    if (vector < first || vector >= first + out.count) continue;
    std::memcpy(out[vector - first].data(), section.data() + at + 4, 4 * out.dim);
  }
}

}  // namespace kakeya
