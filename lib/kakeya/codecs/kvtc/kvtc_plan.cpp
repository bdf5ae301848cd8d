// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/kvtc/kvtc_plan.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::size_t kUnit = 2;  // every group costs an even number of bits
constexpr std::size_t kSizes = std::size(kKvtcSizes);
constexpr double kNever = std::numeric_limits<double>::infinity();

// A choice of size and type: their places, 8 s + t.
constexpr std::uint8_t choice_of(std::size_t size, std::size_t type) {
  return static_cast<std::uint8_t>(8 * size + type);
}

std::size_t group_bits(std::size_t count, KvtcType type) {
  if (type == KvtcType::none) return 0;
  return count * kKvtcTypeBits[static_cast<std::size_t>(type)] + kKvtcScaleBits;
}

// Of one group, in units of the profile.
double error_of(const KvtcPart& part, std::size_t first, std::size_t size, std::size_t type) {
  if (size == 0) return part.single_errors[first * kKvtcTypes + type];
  const std::size_t start = first / kKvtcStride;
  return part.group_errors[(start * kKvtcLargerSizes + size - 1) * kKvtcStoredTypes + type - 1];
}

// The least errors of one part for every number of bits, and the choices that lead there.
class PartPlan {
 public:
  PartPlan(const KvtcPart& part, std::size_t rank, std::size_t bits)
      : variance_(part_variance(part)),
        rank_(rank),
        budget_(bits / kUnit + 1),
        choices_((rank + 1) * budget_),
        last_first_(budget_) {
    // least[p][b]: of the components before p, stored in at most b units. Rows come into being when
    // a group first ends there, and go when they have been read.
    std::vector<std::vector<double>> least(rank + 1);
    least[0].assign(budget_, 0.0);
    for (std::size_t first = 0; first < rank; ++first) {
      if (least[first].empty()) continue;
      const std::size_t sizes = first % kKvtcStride == 0 ? kSizes : 1;
      for (std::size_t size = 0; size < sizes; ++size) {
        const std::size_t count = std::min(kKvtcSizes[size], rank - first);
        // Where a smaller group is cut short at the end, this one would be the same.
        if (size > 0 && count < kKvtcSizes[size] && kKvtcSizes[size - 1] >= count) continue;
        // Components that are not stored are groups of 1.
        for (std::size_t type = size == 0 ? 0 : 1; type < kKvtcTypes; ++type) {
          relax(part, least, first, count, size, type);
        }
      }
      least[first] = {};
    }
    least_ = std::move(least[rank]);
  }

  const std::vector<double>& least() const { return least_; }

  // Along the choices, from the end.
  std::vector<KvtcGroup> groups(std::size_t units) const {
    std::vector<KvtcGroup> groups;
    for (std::size_t end = rank_; end > 0;) {
      const std::uint8_t choice = choices_[end * budget_ + units];
      const std::size_t first = end == rank_ ? last_first_[units] : end - kKvtcSizes[choice / 8];
      const auto type = static_cast<KvtcType>(choice % 8);
      if (type != KvtcType::none) groups.push_back({first, end - first, type});
      units -= group_bits(end - first, type) / kUnit;
      end = first;
    }
    std::reverse(groups.begin(), groups.end());
    return groups;
  }

 private:
  void relax(const KvtcPart& part, std::vector<std::vector<double>>& least, std::size_t first,
             std::size_t count, std::size_t size, std::size_t type) {
    const std::size_t end = first + count;
    if (least[end].empty()) least[end].assign(budget_, kNever);
    const std::size_t cost = group_bits(count, static_cast<KvtcType>(type)) / kUnit;
    const double error = error_of(part, first, size, type) / variance_;
    const double* from = least[first].data();
    double* to = least[end].data();
    std::uint8_t* choices = choices_.data() + end * budget_;
    const std::uint8_t choice = choice_of(size, type);
    for (std::size_t b = cost; b < budget_; ++b) {
      const double sum = from[b - cost] + error;
      if (sum < to[b]) {
        to[b] = sum;
        choices[b] = choice;
        if (end == rank_) last_first_[b] = static_cast<std::uint32_t>(first);
      }
    }
  }

  double variance_;
  std::size_t rank_, budget_;
  std::vector<std::uint8_t> choices_;      // [rank + 1, budget]: of the last group that ends there
  std::vector<std::uint32_t> last_first_;  // [budget]: where that begins, which may be cut short
  std::vector<double> least_;
};

// Runs of equal entries of one part.
struct Entry {
  std::uint8_t choice;
  std::size_t repeated;
};

std::vector<Entry> entries_of(std::span<const KvtcGroup> groups, std::size_t rank) {
  std::vector<Entry> entries;
  const auto add = [&](std::uint8_t choice, std::size_t count) {
    if (entries.empty() || entries.back().choice != choice) entries.push_back({choice, 0});
    entries.back().repeated += count;
  };
  std::size_t end = 0;
  for (const KvtcGroup& group : groups) {
    if (group.first > end) add(choice_of(0, 0), group.first - end);
    end = group.first + group.count;
    std::size_t size = 0;
    while (kKvtcSizes[size] < group.count) ++size;
    if (kKvtcSizes[size] != group.count && end != rank) {
      throw InputError("kvtc: a group of " + std::to_string(group.count) + " components");
    }
    add(choice_of(size, static_cast<std::size_t>(group.type)), 1);
  }
  return entries;
}

void put(std::vector<std::byte>& bytes, std::size_t value, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

}  // namespace

std::size_t plan_bits(const KvtcPlan& plan) {
  std::size_t bits = 0;
  for (const auto& groups : plan) {
    for (const KvtcGroup& group : groups) bits += group_bits(group.count, group.type);
  }
  return bits;
}

std::size_t stored_components(std::span<const KvtcGroup> groups) {
  return std::accumulate(groups.begin(), groups.end(), std::size_t{0},
                         [](std::size_t sum, const KvtcGroup& group) { return sum + group.count; });
}

double part_variance(const KvtcPart& part) {
  double variance = 0;
  for (std::size_t k = 0; k < part.single_errors.size(); k += kKvtcTypes) {
    variance += part.single_errors[k];
  }
  return variance > 0 ? variance : 1;
}

KvtcPlan plan_kvtc(const KvtcProfile& profile, std::size_t bits) {
  const PartPlan keys(profile.parts[0], profile.rank, bits),
      values(profile.parts[1], profile.rank, bits);
  const std::size_t units = bits / kUnit;
  std::size_t best = 0;
  double least = kNever;
  for (std::size_t k = 0; k <= units; ++k) {
    const double sum = keys.least()[k] + values.least()[units - k];
    if (sum < least) {
      least = sum;
      best = k;
    }
  }
  return {keys.groups(best), values.groups(units - best)};
}

double plan_error(const KvtcProfile& profile, const KvtcPlan& plan) {
  double sum = 0;
  for (std::size_t p = 0; p < 2; ++p) {
    const KvtcPart& part = profile.parts[p];
    double error = 0;
    std::size_t end = 0;
    const auto skip_to = [&](std::size_t first) {
      for (; end < first; ++end) error += error_of(part, end, 0, 0);
    };
    for (const KvtcGroup& group : plan[p]) {
      skip_to(group.first);
      std::size_t size = 0;
      while (kKvtcSizes[size] < group.count) ++size;
      error += error_of(part, group.first, size, static_cast<std::size_t>(group.type));
      end = group.first + group.count;
    }
    skip_to(profile.rank);
    sum += error / part_variance(part);
  }
  return sum;
}

std::vector<std::byte> plan_to_bytes(const KvtcPlan& plan, std::size_t rank) {
  std::vector<std::byte> bytes;
  for (const auto& groups : plan) {
    const std::vector<Entry> entries = entries_of(groups, rank);
    put(bytes, entries.size(), 2);
    for (const Entry& entry : entries) {
      put(bytes, entry.choice, 1);
      put(bytes, entry.repeated, 2);
    }
  }
  return bytes;
}

KvtcPlan plan_from_bytes(std::span<const std::byte> bytes, std::size_t rank,
                         const std::string& codec) {
  const auto refuse = [&] { throw CorruptStream(codec + ": section plan: not a plan"); };
  std::size_t at = 0;
  const auto get = [&](std::size_t count) {
    if (count > bytes.size() - at) refuse();
    std::size_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      value |= std::to_integer<std::size_t>(bytes[at++]) << (8 * i);
    }
    return value;
  };
  KvtcPlan plan;
  for (auto& groups : plan) {
    std::size_t end = 0;
    for (std::size_t entries = get(2); entries > 0; --entries) {
      const std::size_t choice = get(1), repeated = get(2);
      const std::size_t size = choice / 8, type = choice % 8;
      if (size >= kSizes || type >= kKvtcTypes || (type == 0 && size != 0)) refuse();
      for (std::size_t i = 0; i < repeated; ++i) {
        if (end >= rank || (size > 0 && end % kKvtcStride != 0)) refuse();
        const std::size_t count = std::min(kKvtcSizes[size], rank - end);
        if (type != 0) groups.push_back({end, count, static_cast<KvtcType>(type)});
        end += count;
      }
    }
  }
  const std::vector<std::byte> again = plan_to_bytes(plan, rank);
  if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) refuse();
  return plan;
}

}  // namespace kakeya
