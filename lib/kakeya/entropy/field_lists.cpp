// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/field_lists.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "kakeya/bitstream/bits.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/field_costs.h"
#include "kakeya/entropy/field_format.h"
#include "kakeya/entropy/lanes.h"

namespace kakeya {
namespace {

void put_far(std::size_t position, std::int32_t q, std::vector<std::byte>& out) {
  while (q != 0) {
    const std::int32_t part = std::clamp(q, -kMostFarQuotient, kMostFarQuotient);
    const auto entry = static_cast<std::uint32_t>(position) | static_cast<std::uint32_t>(part)
                                                                  << 16;
    const std::size_t at = out.size();
    out.resize(at + 4);
    std::memcpy(out.data() + at, &entry, 4);
    q -= part;
  }
}

// Sums are modulo 2^32, so that entries may be added in any order: a reader takes whatever is within
// range when all are added.
void add(std::int32_t& v, std::uint32_t what) {
  v = static_cast<std::int32_t>(static_cast<std::uint32_t>(v) + what);
}

std::uint32_t step_of(std::int32_t q, std::int32_t levels) {
  return static_cast<std::uint32_t>(q) * static_cast<std::uint32_t>(levels);
}

// Adds the `count` entries of a list. In a whole block a number is found by shifts.
template <bool kWhole>
void take_list(const FieldHeader& header, std::size_t list, std::size_t count, BitReader& from,
               const FieldLanes& block) {
  const int bits = header.entry_bits[list];
  const std::size_t vectors = kWhole ? kFieldBlock : block.vectors, dim = block.dim,
                    positions = kFieldGroup * vectors;
  const std::uint32_t quiet = quiet_distance(bits);
  BitReader entries = from;         // its own: nothing that is added may change it
  std::size_t next = 0, which = 0;  // position in group number `which` of the list
  std::size_t g = 0, passed = 0;    // groups looked at, and of them those of the list
  std::int32_t* group = nullptr;    // its first number
  std::uint32_t levels = 0;         // of it
  std::int32_t* last = nullptr;     // what the entry before added to
  std::uint32_t last_step = 0;
  const auto enter = [&] {
    for (; passed <= which; ++g) {
      if (g == header.groups()) {
        throw CorruptStream("fields: an entry beyond the " + std::to_string(passed) +
                            " groups of its list");
      }
      if (header.lists[g] == list) ++passed;
    }
    group = block.v + lane_value(0, kFieldGroup * (g - 1), dim);
    levels = static_cast<std::uint32_t>(header.levels(g - 1));
  };
  for (std::size_t n = 0; n < count; ++n) {
    const auto entry = static_cast<std::uint32_t>(entries.get(bits));
    const std::uint32_t distance = entry & quiet;
    const bool negative = entry >> (bits - 1) != 0;
    if (distance == quiet && negative) {
      if (last == nullptr) throw CorruptStream("fields: an entry repeats none that adds");
      add(*last, last_step);
      continue;
    }
    next += distance;
    if (next >= positions || group == nullptr) {
      for (; next >= positions; next -= positions) ++which;
      enter();
    }
    if (distance == quiet) {
      last = nullptr;
      continue;
    }
    last = group + lane_value(next % vectors, next / vectors, dim);
    last_step = negative ? 0u - levels : levels;
    add(*last, last_step);
    ++next;
  }
  from = entries;
}

}  // namespace

std::optional<FieldCounts> put_lists(const FieldHeader& header, const FieldBlock& block,
                                     std::vector<std::byte>& out) {
  std::array<std::vector<std::uint32_t>, kFieldLists> lists;
  std::array<std::size_t, kFieldLists> next{}, at{};  // behind the entry before; of the coordinate
  const std::size_t start = out.size();
  for (std::size_t i = 0; i < kFieldGroup * header.groups(); ++i) {
    const std::size_t g = i / kFieldGroup, list = header.lists[g], code = header.codes[g];
    const int bits = list == kNoList ? 0 : header.entry_bits[list];
    const std::int32_t* const v = block.v + i * block.stride;
    for (std::size_t t = 0; t < block.vectors; ++t) {
      const std::int32_t q = field_overflow(v[t] - header.shifts[i], code);
      if (q == 0) continue;
      if (list == kNoList || !is_near(q, bits)) {
        put_far(i * block.vectors + t, q, out);
        continue;
      }
      const std::uint32_t quiet = quiet_distance(bits), sign = quiet + 1;
      std::size_t distance = at[list] + t - next[list];
      for (; distance >= quiet; distance -= quiet) lists[list].push_back(quiet);
      lists[list].push_back(static_cast<std::uint32_t>(distance) + (q < 0 ? sign : 0));
      for (int more = std::abs(q); more > 1; --more) lists[list].push_back(sign + quiet);
      next[list] = at[list] + t + 1;
    }
    if (list != kNoList) at[list] += block.vectors;
  }
  const std::size_t most =
      std::max({(out.size() - start) / 4, lists[0].size(), lists[1].size(), lists[2].size()});
  if (most > UINT16_MAX) return std::nullopt;
  FieldCounts counts{static_cast<std::uint16_t>((out.size() - start) / 4)};
  for (std::size_t list = 0; list < kFieldLists; ++list) {
    counts[1 + list] = static_cast<std::uint16_t>(lists[list].size());
  }
  out.resize(start + list_bytes(header, counts));
  BitWriter writer(std::span<std::byte>(out).subspan(start + 4u * counts[0]));
  for (std::size_t list = 0; list < kFieldLists; ++list) {
    for (const std::uint32_t entry : lists[list]) writer.put(entry, header.entry_bits[list]);
  }
  writer.finish();
  return counts;
}

std::size_t list_bytes(const FieldHeader& header, const FieldCounts& counts) {
  std::size_t bits = 32u * counts[0];
  for (std::size_t list = 0; list < kFieldLists; ++list) {
    bits += std::size_t{header.entry_bits[list]} * counts[1 + list];
  }
  return (bits + 31) / 32 * 4;
}

void take_lists(const FieldHeader& header, const FieldCounts& counts, std::span<const std::byte> in,
                const FieldLanes& block) {
  const std::size_t positions = kFieldGroup * header.groups() * block.vectors;
  // The number at a position, which counts from the first coordinate of a group. In a whole block it is
  // found by shifts.
  const auto number_at = [&block](std::size_t group, std::size_t within) -> std::int32_t& {
    const bool whole = block.vectors == kFieldBlock;
    const std::size_t i = whole ? within / kFieldBlock : within / block.vectors,
                      t = whole ? within % kFieldBlock : within % block.vectors;
    return block.v[lane_value(t, kFieldGroup * group + i, block.dim)];
  };
  for (std::size_t n = 0; n < counts[0]; ++n) {
    std::uint32_t entry;
    std::memcpy(&entry, in.data() + 4 * n, 4);
    const std::size_t position = entry & 0xffff;
    if (position >= positions) {
      throw CorruptStream("fields: position " + std::to_string(position) +
                          " of a far entry, "
                          "expected one below " +
                          std::to_string(positions));
    }
    const std::size_t i = position / block.vectors;
    const auto q = static_cast<std::int16_t>(entry >> 16);
    add(number_at(0, position), step_of(q, header.levels(i / kFieldGroup)));
  }
  BitReader entries(in.subspan(4u * counts[0]));
  for (std::size_t list = 0; list < kFieldLists; ++list) {
    if (counts[1 + list] == 0) continue;
    if (header.entry_bits[list] == 0) throw CorruptStream("fields: entries in a list without bits");
    const auto take = block.vectors == kFieldBlock ? take_list<true> : take_list<false>;
    take(header, list, counts[1 + list], entries, block);
  }
}

}  // namespace kakeya
