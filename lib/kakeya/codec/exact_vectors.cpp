// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/exact_vectors.h"

#include <cstdint>
#include <cstring>

#include "kakeya/codec/vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

constexpr std::size_t kLargestNumber = UINT32_MAX;

// The records of a section.
class Records {
 public:
  Records(std::span<const std::byte> section, std::size_t dim, KeptAs as)
      : section_(section), record_bytes_(exact_bytes(dim, as)), as_(as) {}

  std::size_t count() const { return section_.size() / record_bytes_; }
  std::size_t number(std::size_t record) const {
    std::uint32_t number;
    std::memcpy(&number, at(record), 4);
    return number;
  }
  void copy(std::size_t record, std::span<float> out) const {
    if (as_ == KeptAs::float32) {
      std::memcpy(out.data(), at(record) + 4, record_bytes_ - 4);
      return;
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::uint16_t pattern;
      std::memcpy(&pattern, at(record) + 4 + 2 * i, 2);
      out[i] = bfloat16_to_float(pattern);
    }
  }

  // The first one of a vector from `vector` on, or count().
  std::size_t lower_bound(std::size_t vector) const {
    std::size_t low = 0, high = count();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (number(middle) < vector) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

 private:
  const std::byte* at(std::size_t record) const { return section_.data() + record * record_bytes_; }

  std::span<const std::byte> section_;
  std::size_t record_bytes_;
  KeptAs as_;
};

}  // namespace

void append_exact(std::vector<std::byte>& section, std::size_t vector, std::span<const float> x,
                  KeptAs as) {
  if (vector > kLargestNumber) {
    throw InputError("vector " + std::to_string(vector) +
                     ": to be kept exactly, expected a number up to " +
                     std::to_string(kLargestNumber));
  }
  const auto number = static_cast<std::uint32_t>(vector);
  const std::size_t start = section.size();
  section.resize(start + exact_bytes(x.size(), as));
  std::byte* const record = section.data() + start;
  std::memcpy(record, &number, 4);
  if (as == KeptAs::float32) {
    std::memcpy(record + 4, x.data(), x.size_bytes());
    return;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint16_t pattern = float_to_finite_bfloat16(x[i]);
    std::memcpy(record + 4 + 2 * i, &pattern, 2);
  }
}

void round_to_bfloat16(std::span<const float> x, std::span<float> out) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    out[i] = bfloat16_to_float(float_to_finite_bfloat16(x[i]));
  }
}

void check_exact(std::span<const std::byte> section, std::size_t dim, std::size_t vectors,
                 const std::string& codec, KeptAs as) {
  if (section.size() % exact_bytes(dim, as) != 0) {
    throw CorruptStream(codec + ": exact vectors: not whole records");
  }
  const Records records(section, dim, as);
  std::size_t least = 0;
  std::vector<float> values(dim);
  for (std::size_t record = 0; record < records.count(); ++record) {
    records.copy(record, values);
    const std::size_t number = records.number(record);
    if (number < least || number >= vectors || largest_magnitude(values) >= 0x7f800000u) {
      throw CorruptStream(codec + ": exact vectors: out of order or not finite");
    }
    least = number + 1;
  }
}

void restore_exact(std::span<const std::byte> section, std::size_t first, Rows<float> out,
                   KeptAs as) {
  const Records records(section, out.dim, as);
  const std::size_t end = records.lower_bound(first + out.count);
  for (std::size_t record = records.lower_bound(first); record < end; ++record) {
    records.copy(record, out[records.number(record) - first]);
  }
}

std::vector<std::size_t> exact_places(std::span<const std::byte> section, std::size_t dim,
                                      std::size_t first, std::size_t count, KeptAs as) {
  const Records records(section, dim, as);
  std::vector<std::size_t> places;
  const std::size_t end = records.lower_bound(first + count);
  for (std::size_t record = records.lower_bound(first); record < end; ++record) {
    places.push_back(records.number(record) - first);
  }
  return places;
}

}  // namespace kakeya
