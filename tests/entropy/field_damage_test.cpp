// SPDX-License-Identifier: Apache-2.0
// Pages of fields with numbers that no encoder writes.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "entropy/readable_pages_for_test.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/field_coder.h"
#include "kakeya/entropy/field_format.h"

namespace kakeya {
namespace {

using namespace test;

// Beyond half of what 32 bits hold, as a far entry makes of fields of 2^22 levels.
TEST(FieldDamage, NumbersBeyondAllAreRefused) {
  const std::size_t vectors = 16;
  FieldHeader header(8, vectors);
  header.codes = {field_code_of_bits(22)};
  header.lists = {kNoList};
  const FieldCounts counts{1};
  const std::uint32_t entry = 300u << 16;  // of coordinate 0 of vector 0
  const std::size_t fields = header.bytes() + sizeof counts,
                    list = fields + field_bytes(header.units(), vectors);
  std::vector<std::byte> page(list + sizeof entry);
  header.write(page);
  std::memcpy(page.data() + header.bytes(), counts.data(), sizeof counts);
  const std::vector<double> deviations(8, 1.0);
  for (const Lattice lattice : {Lattice::z, Lattice::e8, Lattice::trellis}) {
    const FieldCoder coder(lattice, FieldOrder::keys, deviations);
    EXPECT_NO_THROW(decoded(coder, page, vectors));  // no quotient
    std::memcpy(page.data() + list, &entry, sizeof entry);
    EXPECT_THROW(decoded(coder, page, vectors), CorruptStream);
    std::memset(page.data() + list, 0, sizeof entry);
  }
}

}  // namespace
}  // namespace kakeya
