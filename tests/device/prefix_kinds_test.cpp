// SPDX-License-Identifier: Apache-2.0
// Attention over pages of prefix codes whose groups are of all kinds, of points that no transform leads to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "device/attention_sequences.h"
#include "device/device_case.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/device/device_prefix.h"
#include "kakeya/entropy/lanes.h"
#include "kernels/prefix_attention.h"

namespace kakeya {
namespace {

using namespace test;

// A head without a transform, whose groups are of all kinds that tables have: points of one sequence in slots of a pool.
class PrefixHead {
 public:
  static constexpr std::size_t kDim = 64, kTokens = 200, kQueries = 2;

  // Coordinates of the last group deviate by `most` steps, queries are so small that all scores are ordinary.
  explicit PrefixHead(double most) : most_(most), coder_(shapes()) {
    const Random random(31);
    for (std::vector<std::int32_t>& side : points_) {
      for (std::size_t i = 0; i < kTokens * kDim; ++i) {
        const double drawn = deviation(i % kDim) * random.normal(next_++);
        side.push_back(static_cast<std::int32_t>(std::nearbyint(std::clamp(drawn, -32e3, 32e3))));
      }
    }
    for (std::size_t i = 0; i < kQueries * kDim; ++i) {
      queries_.push_back(static_cast<float>(random.normal(next_++) / most_));
    }
  }

  // Coordinate `i` of a token's key (side 0) or value.
  std::int32_t& at(std::size_t side, std::size_t token, std::size_t i) {
    return points_[side][token * kDim + i];
  }
  // Of `packed` tokens, in a workspace for `most`.
  std::vector<float> run(std::int32_t packed, std::int64_t most, std::uint32_t* flag) const {
    const PrefixCoder* const one = &coder_;
    const DevicePrefixPlans plans(std::span(&one, 1));
    constexpr std::size_t kSlot = 1 << 17;
    std::vector<std::byte> pool(2 * kSlot);
    for (std::size_t page = 0; page < 2; ++page) {
      std::uint32_t place[4] = {2};
      for (std::size_t side = 0; side < 2; ++side) {
        const std::vector<std::byte> bytes = coded(side, page);
        if (16 * place[side] + bytes.size() > kSlot) throw Error("a slot that is too short");
        std::copy(bytes.begin(), bytes.end(), &pool[page * kSlot + 16 * place[side]]);
        place[side + 1] = place[side] + static_cast<std::uint32_t>((bytes.size() + 15) / 16);
      }
      std::memcpy(&pool[page * kSlot], place, sizeof place);
    }
    std::vector<float> unit(kDim * kDim + kDim);
    for (std::size_t i = 0; i < kDim; ++i) unit[i * kDim + i] = 1;
    const DeviceBuffer slots = on_device(pool.data(), pool.size()),
                       table = on_device(std::vector<std::int32_t>{0, 1}),
                       length = on_device(std::vector<std::int32_t>{packed}),
                       matrix = on_device(unit.data(), 4 * unit.size()),
                       queries = on_device(queries_.data(), 4 * queries_.size());
    DeviceBuffer out(4 * queries_.size()), flags(16);
    flags.fill(0, nullptr);
    kernels::AttendCall call;
    call.pool = {static_cast<std::uint8_t*>(slots.data()), 2, 1, kDim};
    call.batch = 1, call.group = kQueries;
    call.table = static_cast<const std::int32_t*>(table.data());
    call.table_stride = 2;
    call.packed_tokens = static_cast<const std::int32_t*>(length.data());
    call.queries = {queries.data(), kernels::Scalar::fp32};
    call.queries.token_stride = kQueries * kDim, call.queries.head_stride = kDim;
    call.out = call.queries;
    call.out.data = out.data();
    call.scale = kScale;
    call.splits = 2;
    call.flags = static_cast<std::uint32_t*>(flags.data());
    DeviceBuffer workspace(static_cast<std::size_t>(
        kernels::attend_prefix_workspace_bytes(1, 1, call.group, kDim, call.splits, most)));
    workspace.fill(0, nullptr);
    call.partial = static_cast<float*>(workspace.data());
    const auto* const ones = static_cast<const float*>(matrix.data());
    const float* const zeros = ones + kDim * kDim;
    kernels::FieldRoom room{kSlot, kSlot, kSlot};
    room.any_byte = true;
    kernels::attend_prefix(call, room, {ones, ones, zeros, zeros}, {plans.kernel(), plans.kernel()},
                           most, nullptr);
    device_wait(nullptr);
    std::uint32_t words[4];
    flags.copy_out(words, sizeof words);
    *flag = words[0];
    std::vector<float> got(queries_.size());
    out.copy_out(got.data(), 4 * got.size());
    return got;
  }
  // In doubles, of tokens [first, last).
  std::vector<double> expected(std::size_t first, std::size_t last) const {
    std::vector<double> made(kQueries * kDim);
    for (std::size_t q = 0; q < kQueries; ++q) {
      std::vector<double> weight;
      double most = -1e300, total = 0;
      for (std::size_t t = first; t < last; ++t) {
        double sum = 0;
        for (std::size_t i = 0; i < kDim; ++i) {
          sum += double{queries_[q * kDim + i]} * points_[0][t * kDim + i];
        }
        weight.push_back(double{kScale} * sum);
        most = std::max(most, weight.back());
      }
      for (double& w : weight) total += w = std::exp(w - most);
      for (std::size_t i = 0; i < kDim; ++i) {
        for (std::size_t t = first; t < last; ++t) {
          made[q * kDim + i] += weight[t - first] / total * points_[1][t * kDim + i];
        }
      }
    }
    return made;
  }

 private:
  static constexpr float kScale = 0.2f;

  double deviation(std::size_t i) const {
    constexpr double kAll[] = {0.3, 1, 3, 6, 12, 20, 40};
    return i / 8 < std::size(kAll) ? kAll[i / 8] : most_;
  }
  std::vector<CoordinateShape> shapes() const {
    std::vector<CoordinateShape> made;
    for (std::size_t i = 0; i < kDim; ++i) made.push_back({deviation(i), 0, 0});
    return made;
  }
  std::vector<std::byte> coded(std::size_t side, std::size_t page) const {
    const std::size_t vectors = std::min<std::size_t>(kTokens - 128 * page, 128);
    std::vector<std::int32_t> twice(128 * kDim);
    for (std::size_t t = 0; t < vectors; ++t) {
      for (std::size_t i = 0; i < kDim; ++i) {
        twice[lane_value(t, i, kDim)] = 2 * points_[side][(128 * page + t) * kDim + i];
      }
    }
    twice.resize(lane_values(vectors, kDim));
    return coder_.encode(twice, vectors);
  }

  double most_;
  PrefixCoder coder_;
  std::vector<std::int32_t> points_[2];
  std::vector<float> queries_;
  std::uint64_t next_ = 0;
};

constexpr std::size_t kTokens = PrefixHead::kTokens;

class DevicePrefixKindsTest : public DeviceCase<> {};

// Each eight coordinates by themselves, as the last are thousands of times as large as the first.
void expect_groups_near(const std::vector<float>& got, const std::vector<double>& expected,
                        const std::string& what) {
  expect_near(got, expected, 8, what);
}

TEST_F(DevicePrefixKindsTest, TakesGroupsOfAllKinds) {
  for (const std::int32_t most : {60, 6000}) {
    PrefixHead head(most);
    std::uint32_t flag = 1;
    const std::string what = "deviations up to " + std::to_string(most);
    expect_groups_near(head.run(kTokens, kTokens, &flag), head.expected(0, kTokens), what);
    EXPECT_EQ(flag, 0u);
    // Many corrections of one coordinate, of one token, and of tokens that share a coordinate.
    for (std::size_t t = 3; t < kTokens; t += 5) head.at(1, t, 9) += 7000;
    for (std::size_t i = 0; i < 16; ++i) head.at(1, 40, i) -= 300, head.at(0, 41, i) += most;
    for (std::size_t t = 128; t < 170; ++t) head.at(0, t, 3) += t % 2 == 0 ? most : -most;
    head.at(1, 150, 0) = 2000000;
    expect_groups_near(head.run(kTokens, 5000, &flag), head.expected(0, kTokens),
                       what + ", corrections");
    EXPECT_EQ(flag, 0u);
  }
}

TEST_F(DevicePrefixKindsTest, FlagsWhatTwoBytesDoNotHold) {
  std::uint32_t flag = 0;
  PrefixHead keys(12000);
  keys.at(0, 130, 60) = 34000;
  expect_groups_near(keys.run(kTokens, kTokens, &flag), keys.expected(0, 128),
                     "keys of the first page");
  EXPECT_EQ(flag, std::uint32_t{kernels::kBeyondFields});
  PrefixHead values(12000);
  values.at(1, 5, 57) = -34000;
  for (const float value : values.run(kTokens, kTokens, &flag)) {
    EXPECT_TRUE(std::isfinite(value));
  }
  EXPECT_EQ(flag, std::uint32_t{kernels::kBeyondFields});
}

TEST_F(DevicePrefixKindsTest, FlagsMoreTokensThanItsWorkspaceIsFor) {
  const PrefixHead head(60);
  std::uint32_t flag = 0;
  expect_groups_near(head.run(kTokens, 100, &flag), head.expected(0, 128), "the first page");
  EXPECT_EQ(flag, std::uint32_t{kernels::kBadLength});
}

}  // namespace
}  // namespace kakeya
