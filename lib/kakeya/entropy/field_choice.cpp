// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/field_choice.h"

#include <algorithm>
#include <limits>

#include "kakeya/entropy/field_costs.h"
#include "kakeya/entropy/field_lists.h"

namespace kakeya {
namespace {

constexpr std::int32_t kReach = kFieldReach;  // of a histogram

// The numbers of a group less their shifts: how many are below each number near 0, and the others.
class GroupCounts {
 public:
  GroupCounts(const FieldBlock& page, std::size_t g, const std::int8_t* shifts)
      : values_(kFieldGroup * page.vectors), below_(2 * kReach + 1) {
    for (std::size_t c = 0; c < kFieldGroup; ++c) {
      const std::int32_t* const v = page.v + (kFieldGroup * g + c) * page.stride;
      for (std::size_t t = 0; t < page.vectors; ++t) {
        const std::int32_t x = v[t] - shifts[c];
        if (x < -kReach || x >= kReach) {
          outside_.push_back(x);
        } else {
          ++below_[static_cast<std::size_t>(x + kReach) + 1];
        }
      }
    }
    for (std::size_t i = 1; i < below_.size(); ++i) below_[i] += below_[i - 1];
  }

  // Bits that the lists take where the group has `code`, by the mean distance of what is in them.
  double list_bits(std::size_t code) const {
    const std::int32_t levels = field_levels(code), base = -(levels / 2);
    std::int64_t near[kMostNear + 1] = {};  // by |q|
    std::int64_t inside = 0, far = 0;
    for (std::int32_t q = -kMostNear; q <= kMostNear; ++q) {
      const std::int64_t low = base + std::int64_t{q} * levels;
      const std::int64_t count = below(low + levels) - below(low);
      near[static_cast<std::size_t>(std::abs(q))] += count;
      inside += count;
    }
    far = below_.back() - inside;
    for (const std::int32_t x : outside_) {
      const std::int32_t q = field_overflow(x, code);
      if (std::abs(q) <= kMostNear) {
        ++near[static_cast<std::size_t>(std::abs(q))];
      } else {
        far += far_entries(q);
      }
    }
    return kFarCost * static_cast<double>(far) + near_bits(near, static_cast<double>(values_));
  }

 private:
  std::int64_t below(std::int64_t x) const {
    return below_[static_cast<std::size_t>(std::clamp<std::int64_t>(x, -kReach, kReach) + kReach)];
  }

  std::size_t values_;
  std::vector<std::int64_t> below_;
  std::vector<std::int32_t> outside_;
};

// What a group costs beside its fields with each code, in bits, and whether it is shifted then.
struct GroupCosts {
  std::array<double, kFieldCodes> bits;
  std::array<std::uint8_t, kFieldCodes> shifted;
};

GroupCosts costs_of(const FieldBlock& page, const FieldHeader& header, std::size_t g) {
  constexpr std::int8_t kUnshifted[kFieldGroup] = {};
  const std::int8_t* const shifts = header.shifts.data() + kFieldGroup * g;
  GroupCosts costs;
  const GroupCounts plain(page, g, kUnshifted);
  for (std::size_t code = 0; code < kFieldCodes; ++code) {
    costs.bits[code] = plain.list_bits(code);
    costs.shifted[code] = 0;
  }
  if (std::equal(shifts, shifts + kFieldGroup, kUnshifted)) return costs;
  const GroupCounts moved(page, g, shifts);
  for (std::size_t code = 0; code < kFieldCodes; ++code) {
    const double bits = moved.list_bits(code) + kShiftBits;
    if (bits >= costs.bits[code]) continue;
    costs.bits[code] = bits;
    costs.shifted[code] = 1;
  }
  return costs;
}

// Codes of all groups, and what the page takes with them.
class CodeSearch {
 public:
  CodeSearch(const FieldBlock& page, const std::vector<GroupCosts>& costs)
      : vectors_(page.vectors), costs_(costs) {}

  // From the best code of each group by itself, better neighbours as long as there are some.
  double search(bool with_trits, std::vector<std::uint8_t>& codes) const {
    for (std::size_t g = 0; g < costs_.size(); ++g) {
      double best = std::numeric_limits<double>::infinity();
      for (std::size_t code = 0; code < kFieldCodes; ++code) {
        if (field_has_trit(code) && !with_trits) continue;
        const double bits = costs_[g].bits[code] + guessed_bits(code, vectors_);
        if (bits >= best) continue;
        best = bits;
        codes[g] = static_cast<std::uint8_t>(code);
      }
    }
    double now = total(codes);
    for (bool better = true; better;) {
      better = false;
      for (std::size_t g = 0; g < codes.size(); ++g) {
        const int before = codes[g];
        int best = before;
        for (int code = before - 2; code <= before + 2; ++code) {
          if (code < 0 || code >= static_cast<int>(kFieldCodes) || code == best) continue;
          codes[g] = static_cast<std::uint8_t>(code);
          const double then = total(codes);
          if (then >= now) continue;
          now = then;
          best = code;
        }
        codes[g] = static_cast<std::uint8_t>(best);
        better = better || best != before;
      }
    }
    return now;
  }

 private:
  double total(const std::vector<std::uint8_t>& codes) const {
    PlaneUnits units{};
    double bits = 0;
    for (std::size_t g = 0; g < codes.size(); ++g) {
      bits += costs_[g].bits[codes[g]];
      for (std::size_t plane = 0; plane < kFieldPlanes; ++plane) {
        units[plane] += plane_units(codes[g], plane);
      }
    }
    std::size_t bytes = vectors_ / kFieldBlock * field_bytes(units, kFieldBlock);
    if (vectors_ % kFieldBlock != 0) bytes += field_bytes(units, vectors_ % kFieldBlock);
    return bits + 8.0 * static_cast<double>(bytes);
  }

  std::size_t vectors_;
  const std::vector<GroupCosts>& costs_;
};

// What a group costs in a list of entries of each width, by its own distances; the last is for far
// entries alone.
using EntryCosts = std::array<std::uint64_t, kEntryKinds + 1>;

EntryCosts entry_costs(const FieldBlock& page, const FieldHeader& header, std::size_t g) {
  EntryCosts costs{};
  const std::size_t code = header.codes[g];
  const auto quiet = [&](std::size_t positions) {
    for (std::size_t kind = 0; kind < kEntryKinds; ++kind) {
      const std::size_t bits = kind + kLeastEntryBits;
      costs[kind] += (bits + kEntryCharge) * (positions / quiet_distance(static_cast<int>(bits)));
    }
  };
  for (std::size_t first = 0; first < page.vectors; first += kFieldBlock) {
    const std::size_t vectors = std::min(kFieldBlock, page.vectors - first);
    std::size_t next = 0;
    for (std::size_t c = 0; c < kFieldGroup; ++c) {
      const std::size_t i = kFieldGroup * g + c;
      const std::int32_t* const v = page.v + i * page.stride + first;
      for (std::size_t t = 0; t < vectors; ++t) {
        const std::int32_t q = field_overflow(v[t] - header.shifts[i], code);
        if (q == 0) continue;
        const auto far = static_cast<std::uint64_t>(kFarCost * far_entries(q));
        costs[kEntryKinds] += far;
        quiet(c * vectors + t - next);
        for (std::size_t kind = 0; kind < kEntryKinds; ++kind) {
          const std::size_t bits = kind + kLeastEntryBits;
          costs[kind] += is_near(q, static_cast<int>(bits))
                             ? (bits + kEntryCharge) * static_cast<std::uint64_t>(std::abs(q))
                             : far;
        }
        next = c * vectors + t + 1;
      }
    }
    quiet(kFieldGroup * vectors - next);
  }
  return costs;
}

// The three kinds of entries, rising, with which the groups take least, each the best for it.
void choose_lists(const FieldBlock& page, FieldHeader& header) {
  std::vector<EntryCosts> costs;
  for (std::size_t g = 0; g < header.groups(); ++g) costs.push_back(entry_costs(page, header, g));
  std::uint64_t best = UINT64_MAX;
  for (std::size_t a = 0; a < kEntryKinds; ++a) {
    for (std::size_t b = a; b < kEntryKinds; ++b) {
      for (std::size_t c = b; c < kEntryKinds; ++c) {
        std::uint64_t sum = 0;
        for (const EntryCosts& of : costs) sum += std::min({of[a], of[b], of[c], of[kEntryKinds]});
        if (sum >= best) continue;
        best = sum;
        for (std::size_t g = 0; g < header.groups(); ++g) {
          const EntryCosts& of = costs[g];
          const std::uint64_t least = std::min({of[a], of[b], of[c], of[kEntryKinds]});
          header.lists[g] = least == of[kEntryKinds] ? kNoList
                            : least == of[a]         ? 0
                            : least == of[b]         ? 1
                                                     : 2;
        }
        header.entry_bits = {static_cast<std::uint8_t>(a + kLeastEntryBits),
                             static_cast<std::uint8_t>(b + kLeastEntryBits),
                             static_cast<std::uint8_t>(c + kLeastEntryBits)};
      }
    }
  }
  for (std::size_t list = 0; list < kFieldLists; ++list) {
    const bool used = std::count(header.lists.begin(), header.lists.end(), list) != 0;
    if (!used) header.entry_bits[list] = 0;
  }
}

}  // namespace

std::vector<std::int8_t> page_medians(const FieldBlock& page, std::size_t dim) {
  std::vector<std::int8_t> medians(dim);
  std::vector<std::int32_t> numbers(page.vectors);
  for (std::size_t i = 0; i < dim; ++i) {
    std::copy_n(page.v + i * page.stride, page.vectors, numbers.begin());
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(page.vectors / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    medians[i] = static_cast<std::int8_t>(std::clamp(*middle, -128, 127));
  }
  return medians;
}

FieldHeader choose_fields(const FieldBlock& page, std::size_t dim) {
  FieldHeader header(dim, page.vectors);
  header.shifts = page_medians(page, header.shifts.size());
  std::vector<GroupCosts> costs;
  for (std::size_t g = 0; g < header.groups(); ++g) costs.push_back(costs_of(page, header, g));
  const CodeSearch codes(page, costs);
  std::vector<std::uint8_t> without = header.codes;
  const double with_trits = codes.search(true, header.codes);
  if (codes.search(false, without) < with_trits) header.codes = without;
  for (std::size_t g = 0; g < header.groups(); ++g) {
    header.shifted[g] = costs[g].shifted[header.codes[g]];
    if (header.shifted[g] == 0) std::fill_n(&header.shifts[kFieldGroup * g], kFieldGroup, 0);
  }
  choose_lists(page, header);
  return header;
}

}  // namespace kakeya
