// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/both_sides.h"
#include "kakeya/device/device_attention.h"

// Sequences whose keys and values lie packed in a pool, and what attention over them gives.

namespace kakeya::test {

struct AttentionCase {
  std::string spec;
  int kv_heads, group, dim;
  std::vector<std::int32_t> packed, first, exact;  // of each sequence; first: empty for 0
};

inline DeviceBuffer on_device(const void* from, std::size_t bytes) {
  DeviceBuffer made(std::max<std::size_t>(bytes, 16));
  if (bytes != 0) made.copy_in(from, bytes);
  return made;
}
inline DeviceBuffer on_device(const std::vector<std::int32_t>& words) {
  return on_device(words.data(), 4 * words.size());
}

// Sequences whose pages lie scattered in a pool.
class Sequences {
 public:
  virtual ~Sequences() = default;

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
                       values = on_device(exact_[1].data(), 2 * exact_[1].size()),
                       positions = on_device(first_positions_);
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
    if (!first_positions_.empty()) {
      step.first_positions = static_cast<const std::int32_t*>(positions.data());
    }
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

  // Keys, or values, of tokens of sequence s taken out of their pages: [count, heads, dim]. `flag`: those of all
  // heads together.
  std::vector<float> unpack(std::size_t s, std::size_t side, TokenRange range,
                            std::uint32_t* flag) {
    const DeviceBuffer slots = on_device(
        std::vector<std::int32_t>(table_.begin() + static_cast<std::ptrdiff_t>(s * stride_),
                                  table_.begin() + static_cast<std::ptrdiff_t>((s + 1) * stride_)));
    std::vector<float> got(range.count * heads() * dim());
    DeviceBuffer keys(4 * got.size()), values(4 * got.size()), flags(4 * heads()),
        workspace(std::max<std::size_t>(attention_.unpack_workspace_bytes(range.count), 16));
    flags.fill(0, nullptr);
    const auto view = [&](const DeviceBuffer& of) {
      return dense_device_vectors(of.data(), DeviceScalar::fp32, range.count, heads(), dim());
    };
    attention_.unpack(pool_, static_cast<const std::int32_t*>(slots.data()), range, view(keys),
                      view(values), static_cast<std::uint32_t*>(flags.data()), nullptr,
                      workspace.data());
    device_wait(nullptr);
    (side == 0 ? keys : values).copy_out(got.data(), 4 * got.size());
    std::vector<std::uint32_t> words(heads());
    flags.copy_out(words.data(), 4 * words.size());
    *flag = 0;
    for (const std::uint32_t word : words) *flag |= word;
    return got;
  }
  float decoded(std::size_t s, std::size_t side, std::size_t token, std::size_t head,
                std::size_t at) const {
    return decoded_[side][s][head][token * dim() + at];
  }

  // What run() gives, in doubles over the values that the codec decodes.
  std::vector<double> expected() {
    std::vector<double> made(batch_ * query_heads() * dim());
    for (std::size_t s = 0; s < batch_; ++s) {
      for (std::size_t q = 0; q < query_heads(); ++q) {
        attend(s, q, &made[(s * query_heads() + q) * dim()]);
      }
    }
    return made;
  }

  /// All queries times a factor, in bf16.
  void scale_queries(float factor) {
    for (std::size_t s = 0; s < batch_; ++s) {
      for (std::size_t q = 0; q < query_heads(); ++q) {
        for (std::size_t i = 0; i < dim(); ++i) {
          const float value = value_of(DeviceScalar::bf16, queries_->pattern(s, q, i));
          const std::uint16_t scaled = float_to_bfloat16(value * factor);
          std::memcpy(queries_->at(s, q, i), &scaled, sizeof scaled);
        }
      }
    }
    queries_->upload();
  }

 protected:
  using Side = std::vector<std::vector<float>>;  // of each head: what is decoded

  Sequences(const AttentionCase& given, DeviceAttention&& attention)
      : given_(given),
        attention_(std::move(attention)),
        batch_(given.packed.size()),
        stride_(1),
        room_(1) {
    const auto page = static_cast<std::int32_t>(attention_.page_tokens());
    for (const std::int32_t tokens : given.packed) {
      stride_ = std::max(stride_, static_cast<std::size_t>((tokens + page - 1) / page) + 1);
    }
    for (const std::int32_t tokens : given.exact) {
      room_ = std::max(room_, static_cast<std::size_t>(tokens) + 1);
    }
    pool_ = {nullptr, stride_ * batch_ + 3};
    pool_memory_ = std::make_unique<DeviceBuffer>(pool_.slots * attention_.slot_bytes());
    pool_memory_->fill(0xff, nullptr);
    pool_.data = pool_memory_->data();
    table_.assign(batch_ * stride_, -1);
    queries_ = std::make_unique<Vectors>(DeviceScalar::bf16, batch_, query_heads(), dim());
    queries_->draw_all(Data::normal, 99);
  }

  // Slots of sequence s, scattered.
  std::vector<std::int32_t> take_slots(std::size_t s) {
    const std::size_t page = attention_.page_tokens(),
                      pages = (static_cast<std::size_t>(given_.packed[s]) + page - 1) / page;
    std::vector<std::int32_t> slots;
    for (std::size_t i = 0; i < pages; ++i) {
      const auto all = static_cast<std::int32_t>(pool_.slots);
      slot_ %= all;
      while (std::find(table_.begin(), table_.end(), slot_) != table_.end()) {
        slot_ = (slot_ + 1) % all;
      }
      slots.push_back(slot_);
      table_[s * stride_ + i] = slot_;
      slot_ = (slot_ + 7) % all;
    }
    return slots;
  }

  void draw_exact(std::size_t s) {
    if (given_.exact.empty()) return;
    Vectors keys(DeviceScalar::bf16, room_, heads(), dim()),
        values(DeviceScalar::bf16, room_, heads(), dim());
    keys.draw_all(Data::normal, 30 + s);
    values.draw_all(Data::normal, 40 + s);
    for (std::size_t side = 0; side < 2; ++side) {
      Vectors& from = side == 0 ? keys : values;
      for (std::size_t t = 0; t < room_; ++t) {
        for (std::size_t h = 0; h < heads(); ++h) {
          for (std::size_t i = 0; i < dim(); ++i) {
            exact_[side].push_back(static_cast<std::uint16_t>(from.pattern(t, h, i)));
          }
        }
      }
    }
  }

  void require_good(const DeviceBuffer& flags) const {
    device_wait(nullptr);
    std::vector<std::uint32_t> words(heads());
    flags.copy_out(words.data(), 4 * words.size());
    require_no_flags(attention_.codec(), words);
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

  AttentionCase given_;
  DeviceAttention attention_;
  std::size_t batch_, stride_, room_;
  DevicePagePool pool_;
  std::unique_ptr<DeviceBuffer> pool_memory_;
  std::vector<std::int32_t> table_, first_positions_;
  std::int32_t slot_ = 5;
  std::vector<Side> decoded_[2];  // keys, values: of each sequence
  std::vector<std::uint16_t> exact_[2];
  std::unique_ptr<Vectors> queries_;
};

inline void expect_near(const std::vector<float>& got, const std::vector<double>& expected,
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

}  // namespace kakeya::test
