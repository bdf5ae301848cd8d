// SPDX-License-Identifier: Apache-2.0
// Attention over packed pages is attention over the values that the codec decodes. Without a GPU
// these tests are skipped; device_emulated_test runs them over the kernels' text on the host.
#include <gtest/gtest.h>

#include <cmath>

#include "device/both_sides.h"
#include "kakeya/core/error.h"
#include "kakeya/device/device_attention.h"

namespace kakeya {
namespace {

using namespace test;

struct Case {
  std::string spec;
  int kv_heads, group, dim;
  std::vector<std::int32_t> packed, first, exact;  // of each sequence; first: empty for 0
};

DeviceBuffer on_device(const void* from, std::size_t bytes) {
  DeviceBuffer made(std::max<std::size_t>(bytes, 16));
  if (bytes != 0) made.copy_in(from, bytes);
  return made;
}
DeviceBuffer on_device(const std::vector<std::int32_t>& words) {
  return on_device(words.data(), 4 * words.size());
}

// Sequences whose pages lie scattered in a pool.
class Sequences {
 public:
  explicit Sequences(const Case& given)
      : given_(given),
        attention_(given.spec, {1, given.kv_heads, given.kv_heads * given.group, given.dim}),
        batch_(given.packed.size()),
        stride_(1),
        room_(1) {
    for (const std::int32_t tokens : given.packed) {
      stride_ = std::max(stride_, (static_cast<std::size_t>(tokens) + 63) / 64 + 1);
    }
    for (const std::int32_t tokens : given.exact) {
      room_ = std::max(room_, static_cast<std::size_t>(tokens) + 1);
    }
    pool_ = {nullptr, stride_ * batch_ + 3};
    pool_memory_ = std::make_unique<DeviceBuffer>(pool_.slots * attention_.slot_bytes());
    pool_memory_->fill(0xff, nullptr);
    pool_.data = pool_memory_->data();
    table_.assign(batch_ * stride_, -1);
    std::int32_t slot = 5;
    for (std::size_t s = 0; s < batch_; ++s) fill(s, slot);
    queries_ = std::make_unique<Vectors>(DeviceScalar::bf16, batch_, query_heads(), dim());
    queries_->draw_all(Data::normal, 99);
  }

  std::size_t dim() const { return static_cast<std::size_t>(given_.dim); }
  std::size_t heads() const { return static_cast<std::size_t>(given_.kv_heads); }
  std::size_t query_heads() const {
    return static_cast<std::size_t>(given_.kv_heads * given_.group);
  }
  std::vector<std::int32_t>& table() { return table_; }
  const DeviceAttention& attention() const { return attention_; }
  std::vector<std::int32_t> packed() const { return given_.packed; }

  // [batch][query_heads * dim], and the flags.
  std::vector<float> run(std::vector<std::uint32_t>& flags, const std::vector<std::int32_t>& packed,
                         int times = 1) {
    const DeviceBuffer table = on_device(table_), lengths = on_device(packed),
                       first = on_device(given_.first), exact = on_device(given_.exact),
                       keys = on_device(exact_[0].data(), 2 * exact_[0].size()),
                       values = on_device(exact_[1].data(), 2 * exact_[1].size());
    std::vector<float> got(batch_ * query_heads() * dim());
    DeviceBuffer out(4 * got.size()), words(4 * batch_);
    out.fill(0xff, nullptr);
    words.fill(0, nullptr);
    AttentionStep step;
    step.batch = batch_;
    step.queries = queries_->view();
    step.out = dense_device_vectors(out.data(), DeviceScalar::fp32, batch_, query_heads(), dim());
    step.pool = pool_;
    step.table = static_cast<const std::int32_t*>(table.data());
    step.table_stride = stride_;
    step.packed_tokens = static_cast<const std::int32_t*>(lengths.data());
    for (const std::int32_t tokens : packed) {
      step.most_packed_tokens =
          std::max(step.most_packed_tokens, static_cast<std::size_t>(std::max(tokens, 0)));
    }
    if (!given_.first.empty()) step.first_tokens = static_cast<const std::int32_t*>(first.data());
    if (!given_.exact.empty()) {
      step.exact_keys = keys.data(), step.exact_values = values.data();
      step.exact_tokens = static_cast<const std::int32_t*>(exact.data());
      step.exact_room = room_;
    }
    DeviceBuffer workspace(attention_.run_workspace_bytes(batch_, step.most_packed_tokens));
    workspace.fill(0, nullptr);
    for (int i = 0; i < times; ++i) {
      attention_.run(step, static_cast<std::uint32_t*>(words.data()), nullptr, workspace.data());
    }
    device_wait(nullptr);
    out.copy_out(got.data(), 4 * got.size());
    flags.resize(batch_);
    words.copy_out(flags.data(), 4 * batch_);
    return got;
  }

  // The same in doubles over the values that the codec decodes.
  std::vector<double> expected() {
    std::vector<double> made(batch_ * query_heads() * dim());
    for (std::size_t s = 0; s < batch_; ++s) {
      for (std::size_t q = 0; q < query_heads(); ++q) {
        attend(s, q, &made[(s * query_heads() + q) * dim()]);
      }
    }
    return made;
  }

 private:
  using Side = std::vector<std::vector<float>>;  // of each head: what is decoded

  void fill(std::size_t s, std::int32_t& slot) {
    const auto tokens = static_cast<std::size_t>(given_.packed[s]), pages = (tokens + 63) / 64;
    std::vector<std::int32_t> slots;
    for (std::size_t i = 0; i < pages; ++i) {
      slots.push_back(slot);
      table_[s * stride_ + i] = slot;
      slot = (slot + 7) % static_cast<std::int32_t>(pool_.slots);
      while (std::find(table_.begin(), table_.end(), slot) != table_.end()) {
        slot = (slot + 1) % static_cast<std::int32_t>(pool_.slots);
      }
    }
    decoded_[0].emplace_back(heads()), decoded_[1].emplace_back(heads());
    Vectors keys(DeviceScalar::bf16, std::max<std::size_t>(tokens, 1), heads(), dim()),
        values(DeviceScalar::bf16, std::max<std::size_t>(tokens, 1), heads(), dim());
    keys.draw_all(Data::normal, 10 + s);
    values.draw_all(Data::heavy, 20 + s);
    if (tokens != 0) {
      const DeviceBuffer places = on_device(slots);
      DeviceBuffer workspace(attention_.pack_workspace_bytes(tokens)), flags(4 * heads());
      flags.fill(0, nullptr);
      attention_.pack(keys.view(), values.view(), pool_,
                      static_cast<const std::int32_t*>(places.data()),
                      static_cast<std::uint32_t*>(flags.data()), nullptr, workspace.data());
      device_wait(nullptr);
      std::vector<std::uint32_t> words(heads());
      flags.copy_out(words.data(), 4 * words.size());
      require_no_flags(attention_.codec(), words);
    }
    for (std::size_t h = 0; h < heads(); ++h) {
      decode(keys, tokens, h, decoded_[0][s][h]);
      decode(values, tokens, h, decoded_[1][s][h]);
    }
    if (given_.exact.empty()) return;
    Vectors exact_keys(DeviceScalar::bf16, room_, heads(), dim()),
        exact_values(DeviceScalar::bf16, room_, heads(), dim());
    exact_keys.draw_all(Data::normal, 30 + s);
    exact_values.draw_all(Data::normal, 40 + s);
    for (std::size_t side = 0; side < 2; ++side) {
      Vectors& from = side == 0 ? exact_keys : exact_values;
      for (std::size_t t = 0; t < room_; ++t) {
        for (std::size_t h = 0; h < heads(); ++h) {
          for (std::size_t i = 0; i < dim(); ++i) {
            exact_[side].push_back(static_cast<std::uint16_t>(from.pattern(t, h, i)));
          }
        }
      }
    }
  }

  void decode(Vectors& x, std::size_t tokens, std::size_t head, std::vector<float>& to) {
    to.resize(tokens * dim());
    if (tokens == 0) return;
    const Codec& codec = attention_.codec().host();
    std::vector<std::byte> frame(codec.encoded_bound(tokens));
    frame.resize(codec.encode(x.rows(head), frame));
    codec.decode(frame, dense_rows(to.data(), tokens, dim()));
  }

  void attend(std::size_t s, std::size_t q, double* out) {
    const std::size_t h = q / static_cast<std::size_t>(given_.group);
    std::vector<std::pair<const float*, const float*>> rows;
    const auto first = given_.first.empty() ? 0 : static_cast<std::size_t>(given_.first[s]);
    for (std::size_t t = first; t < static_cast<std::size_t>(given_.packed[s]); ++t) {
      rows.emplace_back(&decoded_[0][s][h][t * dim()], &decoded_[1][s][h][t * dim()]);
    }
    std::vector<std::vector<float>> held;
    const std::size_t exact = given_.exact.empty() ? 0 : static_cast<std::size_t>(given_.exact[s]);
    held.reserve(2 * exact);
    for (std::size_t t = 0; t < exact; ++t) {
      for (const std::vector<std::uint16_t>& side : exact_) {
        std::vector<float>& row = held.emplace_back(dim());
        for (std::size_t i = 0; i < dim(); ++i) {
          row[i] = bfloat16_to_float(side[((s * room_ + t) * heads() + h) * dim() + i]);
        }
      }
      rows.emplace_back(held[2 * t].data(), held[2 * t + 1].data());
    }
    std::vector<double> weight;
    double most = -1e300, total = 0;
    for (const auto& [key, value] : rows) {
      double sum = 0;
      for (std::size_t i = 0; i < dim(); ++i) {
        sum += double{key[i]} * value_of(DeviceScalar::bf16, queries_->pattern(s, q, i));
      }
      weight.push_back(sum / std::sqrt(static_cast<double>(dim())));
      most = std::max(most, weight.back());
    }
    for (double& w : weight) total += w = std::exp(w - most);
    std::fill_n(out, dim(), 0);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      for (std::size_t i = 0; i < dim(); ++i) out[i] += weight[t] / total * rows[t].second[i];
    }
  }

  Case given_;
  DeviceAttention attention_;
  std::size_t batch_, stride_, room_;
  DevicePagePool pool_;
  std::unique_ptr<DeviceBuffer> pool_memory_;
  std::vector<std::int32_t> table_;
  std::vector<Side> decoded_[2];  // keys, values: of each sequence
  std::vector<std::uint16_t> exact_[2];
  std::unique_ptr<Vectors> queries_;
};

void expect_near(const std::vector<float>& got, const std::vector<double>& expected,
                 std::size_t dim, const std::string& what) {
  for (std::size_t row = 0; row < got.size() / dim; ++row) {
    double wrong = 0, all = 0;
    for (std::size_t i = row * dim; i < (row + 1) * dim; ++i) {
      wrong += (got[i] - expected[i]) * (got[i] - expected[i]);
      all += expected[i] * expected[i];
    }
    EXPECT_LE(std::sqrt(wrong), 1e-3 * std::sqrt(all)) << what << ", row " << row;
  }
}

const std::vector<Case> kCases = {
    {"tq:b=4", 2, 4, 128, {200, 64, 0, 385}, {}, {}},
    {"e8:q=7", 2, 4, 128, {130, 192}, {}, {3, 40}},
    {"e8:q=5", 1, 8, 128, {300}, {70}, {33}},
    {"d4:q=7", 2, 1, 128, {70}, {}, {0}},
    {"e8:q=7", 1, 3, 64, {150, 64}, {5, 0}, {1, 0}},
    {"tq:b=3", 2, 5, 64, {129}, {}, {}},
    {"e8:q=7", 1, 2, 256, {100}, {}, {9}},
    {"tq:b=4", 1, 6, 256, {65}, {}, {}},
    {"e8:q=7", 1, 19, 64, {700, 90}, {}, {2, 7}},
    {"tq:b=2", 1, 1, 256, {0, 1}, {}, {2, 0}},
};

TEST(DeviceAttention, IsAttentionOverWhatTheCodecDecodes) {
  if (device_count() == 0) GTEST_SKIP() << "no GPU here, or a build without CUDA";
  for (const Case& one : kCases) {
    Sequences made(one);
    std::vector<std::uint32_t> flags;
    const std::vector<float> got = made.run(flags, one.packed);
    const std::string what =
        one.spec + ", dim " + std::to_string(one.dim) + ", group " + std::to_string(one.group);
    EXPECT_NO_THROW(require_no_attention_flags(made.attention(), flags)) << what;
    expect_near(got, made.expected(), made.dim(), what);
  }
}

TEST(DeviceAttention, RunsAgainWithTheSameWorkspace) {
  if (device_count() == 0) GTEST_SKIP() << "no GPU here, or a build without CUDA";
  Sequences made({"e8:q=7", 2, 4, 128, {600, 65}, {}, {}});
  std::vector<std::uint32_t> flags;
  EXPECT_EQ(made.run(flags, made.packed(), 1), made.run(flags, made.packed(), 3));
}

// A page that is not there is left out, and said.
TEST(DeviceAttention, WhatIsForgedIsFlagged) {
  if (device_count() == 0) GTEST_SKIP() << "no GPU here, or a build without CUDA";
  for (const std::int32_t forged : {-1, -2147483647, 1000, 2147483647}) {
    Sequences made({"tq:b=4", 1, 2, 64, {192, 64}, {}, {}});
    std::vector<std::uint32_t> flags;
    made.table()[1] = forged;
    for (const float value : made.run(flags, made.packed())) EXPECT_TRUE(std::isfinite(value));
    EXPECT_NE(flags[0], 0u);
    EXPECT_EQ(flags[1], 0u);
    EXPECT_THROW(require_no_attention_flags(made.attention(), flags), CorruptStream);
  }
  for (const std::int32_t tokens : {-5, 100000}) {
    Sequences made({"e8:q=7", 1, 2, 128, {64, 64}, {}, {}});
    std::vector<std::uint32_t> flags;
    for (const float value : made.run(flags, {64, tokens})) EXPECT_TRUE(std::isfinite(value));
    EXPECT_EQ(flags[0], 0u);
    EXPECT_NE(flags[1], 0u);
  }
  // Slots that were never written: all ones, factors that are no numbers.
  Sequences made({"e8:q=7", 1, 2, 128, {64}, {}, {}});
  std::vector<std::uint32_t> flags;
  made.table()[0] = (made.table()[0] + 1) % 3;
  for (const float value : made.run(flags, {64})) EXPECT_TRUE(std::isfinite(value));
  EXPECT_NE(flags[0], 0u);
}

TEST(DeviceAttention, RefusesWhatHasNoPages) {
  if (device_count() == 0) GTEST_SKIP() << "no GPU here, or a build without CUDA";
  const KvShape good{1, 2, 8, 128};
  EXPECT_NEAR(DeviceAttention("e8:q=7", good).bits_per_value(), 4.25, 1e-12);
  for (const char* spec : {"e8:q=8", "tq:b=5", "d4:q=38", "fp8", "kivi:b=4", "klt:bits=3"}) {
    EXPECT_ANY_THROW(DeviceAttention(spec, good)) << spec;
  }
  EXPECT_THROW(DeviceAttention("e8:q=7", KvShape{1, 2, 3, 128}), InputError);
  EXPECT_THROW(DeviceAttention("e8:q=7", KvShape{1, 2, 8, 512}), InputError);
}

}  // namespace
}  // namespace kakeya
