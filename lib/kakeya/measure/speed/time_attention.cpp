// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/time_attention.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/measure/speed/attention_pages.h"
#include "kakeya/measure/speed/copy_speed.h"

namespace kakeya {
namespace {

constexpr std::size_t kDrawn = 16384, kLaunches = 10;

constexpr double kMostError = 1e-3;

DeviceBuffer words_on_device(const std::vector<std::int32_t>& words) {
  DeviceBuffer made(4 * words.size());
  made.copy_in(words.data(), 4 * words.size());
  return made;
}

std::shared_ptr<const DeviceRope> bench_rope(std::size_t dim, std::size_t tokens) {
  return std::make_shared<DeviceRope>(
      Rope{rope_frequencies(kBenchRopeBase, dim), RopePairing::halves, tokens}, dim);
}

// Sequences that hold the same tokens, each in slots of its own.
class AttentionCase {
 public:
  AttentionCase(const std::string& spec, const KvShape& shape, std::size_t batch,
                std::size_t tokens, std::size_t exact, TapPoint tap, const BenchCaches* caches)
      : rope_(tap == TapPoint::pre_rope ? bench_rope(shape.dim(), tokens) : nullptr),
        pages_of_(make_attention_pages(spec, shape, tokens - exact, rope_, caches)),
        attention_(pages_of_->attention()),
        batch_(batch),
        exact_(exact),
        packed_(tokens - exact),
        pages_((packed_ + attention_.page_tokens() - 1) / attention_.page_tokens()),
        drawn_(kDrawn, shape.dim()),
        exact_vectors_(std::max<std::size_t>(2 * batch * exact * shape.part_width(), 16)),
        queries_(2 * batch * query_width()),
        out_(4 * batch * query_width()),
        workspace_(attention_.run_workspace_bytes(batch, packed_)),
        flags_(4 * std::max(batch, shape.heads())),
        lengths_(
            words_on_device(std::vector<std::int32_t>(batch, static_cast<std::int32_t>(packed_)))),
        exact_lengths_(
            words_on_device(std::vector<std::int32_t>(batch, static_cast<std::int32_t>(exact)))) {
    const BenchVectors made = bench_vectors(drawn_.rows().count, shape.dim());
    std::copy_n(made.data(), made.rows().count * shape.dim(), drawn_.data());
    if (exact != 0) fill_with(exact_vectors_, drawn_, batch * exact * shape.heads());
    fill_with(queries_, drawn_, batch * static_cast<std::size_t>(shape.query_heads));
    workspace_.fill(0, nullptr);
    flags_.fill(0, nullptr);
    // A sequence's slots lie apart: slot = page * batch + sequence.
    std::vector<std::int32_t> table(batch * pages_);
    for (std::size_t i = 0; i < table.size(); ++i) {
      table[i] = static_cast<std::int32_t>(i % pages_ * batch + i / pages_);
    }
    table_ = std::make_unique<DeviceBuffer>(words_on_device(table));
  }

  std::size_t slots() const { return batch_ * pages_; }
  std::size_t pool_bytes() const { return slots() * attention_.slot_bytes(); }
  const DeviceAttention& attention() const { return attention_; }

  // Codes all sequences into a pool; the time that one took, where kernels do.
  std::optional<LaunchTimes> pack(const DeviceBuffer& pool, std::size_t rounds) {
    for (std::size_t s = 0; s < batch_; ++s) pack_sequence(pool, s);
    if (!pages_of_->by_kernels()) return std::nullopt;
    return time_launches(rounds, [&](std::size_t) { pack_sequence(pool, 0); });
  }

  void run(const DeviceBuffer& pool, DeviceStream stream) {
    const KvShape& shape = attention_.shape();
    const auto heads = static_cast<std::size_t>(shape.query_heads);
    AttentionStep step;
    step.batch = batch_;
    step.queries =
        dense_device_vectors(queries_.data(), DeviceScalar::bf16, batch_, heads, shape.dim());
    step.out = dense_device_vectors(out_.data(), DeviceScalar::fp32, batch_, heads, shape.dim());
    step.pool = {pool.data(), slots()};
    step.table = static_cast<const std::int32_t*>(table_->data());
    step.table_stride = pages_;
    step.packed_tokens = static_cast<const std::int32_t*>(lengths_.data());
    step.most_packed_tokens = packed_;
    step.exact_keys = step.exact_values = exact_vectors_.data();
    step.exact_tokens = static_cast<const std::int32_t*>(exact_lengths_.data());
    step.exact_room = exact_;
    attention_.run(step, static_cast<std::uint32_t*>(flags_.data()), stream, workspace_.data());
  }

  // How far the first query's result is from the same in doubles.
  double relative_error() const {
    device_wait(nullptr);
    std::vector<std::uint32_t> flags(batch_);
    flags_.copy_out(flags.data(), 4 * flags.size());
    require_no_attention_flags(attention_, flags);
    const std::size_t dim = attention_.shape().dim(), heads = attention_.shape().heads();
    std::vector<float> got(dim);
    out_.copy_out(got.data(), 4 * dim);
    std::vector<float> query(drawn_.data(), drawn_.data() + dim), plain(exact_ * dim);
    for (std::size_t t = 0; t < exact_; ++t) {
      std::copy_n(drawn_.data() + t * heads % kDrawn * dim, dim, &plain[t * dim]);
    }
    for (std::vector<float>* all : {&query, &plain}) {
      for (float& value : *all) value = bfloat16_to_float(float_to_finite_bfloat16(value));
    }
    std::vector<float> keys = pages_of_->decoded(Part::key),
                       values = pages_of_->decoded(Part::value);
    if (rope_ != nullptr) {
      for (std::size_t t = 0; t < packed_; ++t) {
        turn_by_rope(rope_->rope(), t, std::span(keys).subspan(t * dim, dim));
      }
    }
    keys.insert(keys.end(), plain.begin(), plain.end());
    values.insert(values.end(), plain.begin(), plain.end());
    return difference(got, keys, values, query);
  }

 private:
  std::size_t query_width() const {
    return static_cast<std::size_t>(attention_.shape().query_heads) * attention_.shape().dim();
  }

  void pack_sequence(const DeviceBuffer& pool, std::size_t sequence) {
    pages_of_->put({pool.data(), slots()},
                   static_cast<const std::int32_t*>(table_->data()) + sequence * pages_,
                   static_cast<std::uint32_t*>(flags_.data()));
  }

  static double difference(const std::vector<float>& got, const std::vector<float>& keys,
                           const std::vector<float>& values, const std::vector<float>& query) {
    const std::size_t dim = query.size(), tokens = keys.size() / dim;
    std::vector<double> score(tokens), sum(dim);
    for (std::size_t t = 0; t < tokens; ++t) {
      score[t] = std::inner_product(query.begin(), query.end(), &keys[t * dim], 0.0) /
                 std::sqrt(static_cast<double>(dim));
    }
    const double most = *std::max_element(score.begin(), score.end());
    double total = 0, wrong = 0, all = 0;
    for (std::size_t t = 0; t < tokens; ++t) {
      const double weight = std::exp(score[t] - most);
      total += weight;
      for (std::size_t i = 0; i < dim; ++i) sum[i] += weight * values[t * dim + i];
    }
    for (std::size_t i = 0; i < dim; ++i) {
      const double expected = sum[i] / total;
      wrong += (got[i] - expected) * (got[i] - expected), all += expected * expected;
    }
    return std::sqrt(wrong / all);
  }

  std::shared_ptr<const DeviceRope> rope_;  // null: keys are after it
  std::unique_ptr<AttentionPages> pages_of_;
  const DeviceAttention& attention_;
  std::size_t batch_, exact_, packed_, pages_;
  BenchVectors drawn_;
  DeviceBuffer exact_vectors_, queries_, out_, workspace_, flags_;
  DeviceBuffer lengths_, exact_lengths_;
  std::unique_ptr<DeviceBuffer> table_;
};

// Microseconds a step of coding pages of every sequence and layer, one by one; nothing where the host
// codes them.
std::optional<double> time_seals(const std::string& spec, const KvShape& shape, std::size_t batch,
                                 std::size_t page, std::size_t rounds) {
  const std::unique_ptr<AttentionPages> pages = make_attention_pages(spec, shape, page);
  if (!pages->by_kernels()) return std::nullopt;
  const DeviceBuffer pool(pages->attention().slot_bytes()), slots = words_on_device({0});
  DeviceBuffer flags(4 * shape.heads());
  flags.fill(0, nullptr);
  const LaunchTimes us = time_launches(rounds, [&](std::size_t) {
    pages->put({pool.data(), 1}, static_cast<const std::int32_t*>(slots.data()),
               static_cast<std::uint32_t*>(flags.data()));
  });
  return us.median * static_cast<double>(batch * static_cast<std::size_t>(shape.layers)) /
         static_cast<double>(page);
}

AttentionBenchRow measure(const AttentionBenchPlan& plan, AttentionCase& timed,
                          const DeviceInfo& info) {
  const std::size_t bytes = timed.pool_bytes();
  const auto layers = static_cast<std::size_t>(timed.attention().shape().layers);
  std::vector<DeviceBuffer> pools;
  const std::size_t launches = layers > 1 ? layers : kLaunches,
                    count =
                        layers > 1
                            ? std::clamp<std::size_t>(info.memory_bytes / 4 * 3 / bytes, 2, layers)
                            : std::clamp<std::size_t>(4 * info.l2_bytes / bytes + 1, 2, kLaunches);
  for (std::size_t i = 0; i < count; ++i) pools.emplace_back(bytes);
  AttentionBenchRow row;
  row.pack_us = timed.pack(pools[0], plan.rounds);
  for (std::size_t i = 1; i < count; ++i) {
    device_copy(pools[i].data(), pools[0].data(), bytes, nullptr);
  }
  timed.run(pools[0], nullptr);
  row.relative_error = timed.relative_error();
  const OwnStream stream;  // the default one cannot be captured
  DeviceGraph graph(stream.get());
  for (std::size_t i = 0; i < launches; ++i) timed.run(pools[i % count], stream.get());
  graph.finish();
  row.us = time_launches(plan.rounds, [&](std::size_t) { graph.run(nullptr); });
  row.pools = count;
  if (layers > 1) return row;
  for (double* us : {&row.us.least, &row.us.median, &row.us.p99}) *us /= kLaunches;
  return row;
}

}  // namespace

std::vector<AttentionBenchRow> time_attention(const AttentionBenchPlan& plan) {
  if (device_count() == 0) {
    throw InputError("attention: no GPU here, or a build without CUDA: nothing to time");
  }
  const DeviceInfo info = device_info();
  const double copy = device_copy_gb_per_second();
  std::vector<AttentionBenchRow> rows;
  for (const KvShape& shape : plan.shapes) {
    for (const std::size_t batch : plan.batches) {
      for (const std::size_t tokens : plan.tokens) {
        if (tokens <= plan.exact) {
          throw InputError("attention: " + std::to_string(tokens) + " tokens, " +
                           std::to_string(plan.exact) + " of them exact: none are packed");
        }
        for (const std::string& spec : plan.codecs) {
          AttentionCase timed(spec, shape, batch, tokens, plan.exact, plan.tap, plan.caches);
          AttentionBenchRow row = measure(plan, timed, info);
          row.spec = timed.attention().codec().spec();
          row.tap = plan.tap;
          row.shape = shape, row.batch = batch, row.tokens = tokens, row.exact = plan.exact;
          row.bits_per_value = timed.attention().bits_per_value();
          row.bytes = static_cast<std::size_t>(shape.layers) *
                      (timed.pool_bytes() + 4 * batch * plan.exact * shape.part_width());
          if (shape.layers > 1) {
            row.seal_us =
                time_seals(spec, shape, batch, timed.attention().page_tokens(), plan.rounds);
          }
          row.copy_gb_per_second = copy;
          if (!(row.relative_error <= kMostError)) {
            throw Error(row.spec + ": attention over " + std::to_string(tokens) +
                        " tokens differs from that over decoded values by " +
                        std::to_string(row.relative_error) + ", expected at most 0.001");
          }
          rows.push_back(std::move(row));
        }
      }
    }
  }
  return rows;
}

}  // namespace kakeya
