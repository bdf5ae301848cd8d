// SPDX-License-Identifier: Apache-2.0
// Attention of steps of few tokens on a CPU: a head at a time, a page at a time, on all threads.
//
// What it must do for each number of the cache: decode it, and with 3 query heads a key-value head 3
// multiplications and additions. A scratch holds one page of one head, so that what a page was decoded to
// is still in the processor's cache when it is multiplied, and no page is decoded twice.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kakeya/model/attend_rows.h"
#include "kakeya/model/torch/task_pool.h"
#include "kakeya/model/torch/torch_model.h"
#include "kakeya/model/torch/torch_step.h"

namespace kakeya {
namespace {

constexpr std::size_t kBlockTokens = 8192;  // scores that are held at once, of each query
constexpr std::size_t kMostRun = 4096;      // decoded at once: the longest page there is

}  // namespace

// What a thread works with: a page of a head, and scores of its queries.
struct TorchModel::HeadScratch {
  std::vector<float> rows, scores, open;

  float* room_for(std::vector<float>& of, std::size_t floats) {
    if (of.size() < floats) of.resize(floats);  // zeros: what is read beyond a vector
    return of.data();
  }
};

bool TorchModel::is_few(const Step& step, int layer, const StepRows& part) const {
  const std::int64_t group = config_.shape.query_heads / config_.shape.kv_heads;
  return step.device == nullptr && products_.device().is_cpu() && part.rows > 0 &&
         part.rows * group <= kFewQueries && step.cache.heads_apart(layer);
}

// Calls work(first, rows, count) with the keys or values of a head, tokens [first, end) of a sequence,
// page by page. Keys are rotated.
template <typename Work>
void TorchModel::for_pages(const Step& step, KvSite site, const StepRows& part, std::size_t first,
                           std::size_t end, HeadScratch& scratch, const Work& work) const {
  const auto dim = static_cast<std::size_t>(config_.shape.head_dim), stride = attend_stride(dim);
  while (first < end) {
    const std::size_t run = step.cache.run_end(part.sequence, site, first);
    const std::size_t count = std::min({run, end, first + kMostRun}) - first;
    const std::size_t whole = (count + kAttendLanes - 1) / kAttendLanes * kAttendLanes;
    float* const rows = scratch.room_for(scratch.rows, whole * stride);
    step.cache.read(part.sequence, site, {first, count}, {rows, count, dim, stride});
    const bool bf16 = options_.dtype() == at::kBFloat16;  // then all that is multiplied is such
    if (bf16) round_rows(rows, count * stride);
    if (site.part == Part::key && !step.post_rope) {
      const Layer& of = layers_[static_cast<std::size_t>(site.layer)];
      const Tensor& table = places_[of.place].rotary[of.windowed];
      const std::size_t half = dim / 2;
      const float* const cos = table.data_ptr<float>() + first * half;
      rotate_rows(rows, count, dim, cos, cos + static_cast<std::size_t>(table.stride(0)), bf16);
    }
    work(first, rows, count);
    first += count;
  }
}

// Tokens [first, end) of a head: all to read(from, to), or of a cache that sums packed vectors what is not packed, and
// the others to packed(at, tokens), which takes tokens at `at` behind the first and returns how many.
template <typename Read, typename Packed>
void TorchModel::for_packed(const Step& step, KvSite site, const StepRows& part, std::size_t first,
                            std::size_t end, const Read& read, const Packed& packed) const {
  if (!step.cache.sums_packed()) return read(first, end);
  for (std::size_t token = first; token < end;) {
    const std::size_t taken = packed(token - first, {token, end - token});
    const std::size_t from = token;
    token =
        taken != 0 ? token + taken : std::min(end, step.cache.run_end(part.sequence, site, token));
    if (taken == 0) read(from, token);
  }
}

// One head of a sequence. q: [queries, stride], multiplied by the scale already; out: the same.
void TorchModel::attend_head(const Step& step, KvSite site, const StepRows& part, const float* q,
                             float* out, HeadScratch& scratch) const {
  const bool windowed = layers_[static_cast<std::size_t>(site.layer)].windowed;
  const auto dim = static_cast<std::size_t>(config_.shape.head_dim), stride = attend_stride(dim);
  const auto group = static_cast<std::size_t>(config_.shape.query_heads / config_.shape.kv_heads),
             rows = static_cast<std::size_t>(part.rows), queries = rows * group,
             position = static_cast<std::size_t>(part.position), end = position + rows,
             window = windowed ? static_cast<std::size_t>(config_.window.tokens) : end;
  std::vector<float> largest(queries, std::numeric_limits<float>::lowest()), total(queries, 0.0f);
  float* const open = scratch.room_for(scratch.open, queries * stride);
  for (std::size_t first = position + 1 - std::min(window, position + 1); first < end;) {
    const std::size_t last = std::min(first + kBlockTokens, end),
                      room = (last - first + kAttendLanes) / kAttendLanes * kAttendLanes +
                             kAttendLanes;  // whole sixteens, wherever a page begins
    float* const scores = scratch.room_for(scratch.scores, queries * room);
    const KvSite keys{site.layer, Part::key, site.head}, values{site.layer, Part::value, site.head};
    const auto score = [&](std::size_t from, std::size_t to) {
      for_pages(step, keys, part, from, to, scratch,
                [&](std::size_t at, const float* page, std::size_t count) {
                  score_rows(q, queries, page, count, stride, scores + (at - first), room);
                });
    };
    for_packed(step, keys, part, first, last, score, [&](std::size_t at, TokenRange tokens) {
      const kakeya::Rows<float> to{scores + at, queries, tokens.count, room};
      return step.post_rope ? step.cache.score_packed(part.sequence, keys, tokens,
                                                      {q, queries, dim, stride}, to)
                            : 0;
    });
    for (std::size_t query = 0; query < queries; ++query) {
      float* const of = scores + query * room;
      const std::size_t seen = position + query / group + 1;  // tokens before this one
      for (std::size_t t = first; t < last; ++t) {
        if (t >= seen || t + window < seen) of[t - first] = -std::numeric_limits<float>::infinity();
      }
      const float now = std::max(largest[query], *std::max_element(of, of + (last - first)));
      const float scale = std::exp(largest[query] - now);
      const Tensor weights =
          at::from_blob(of, {static_cast<std::int64_t>(last - first)}, at::kFloat);
      weights.sub_(now).exp_();
      total[query] = total[query] * scale + at::sum(weights).item<float>();
      largest[query] = now;
      for (std::size_t i = 0; i < stride; ++i) out[query * stride + i] *= scale;
    }
    const auto weigh = [&](std::size_t from, std::size_t to) {
      for_pages(step, values, part, from, to, scratch,
                [&](std::size_t at, const float* page, std::size_t count) {
                  weigh_rows(scores + (at - first), room, queries, page, at - from, count, stride,
                             out, open);
                });
      add_begun(to - from, queries, stride, out, open);
    };
    for_packed(step, values, part, first, last, weigh, [&](std::size_t at, TokenRange tokens) {
      return step.cache.add_packed(part.sequence, values, tokens,
                                   {scores + at, queries, tokens.count, room},
                                   {out, queries, dim, stride});
    });
    first = last;
  }
  for (std::size_t query = 0; query < queries; ++query) {
    for (std::size_t i = 0; i < stride; ++i) out[query * stride + i] /= total[query];
  }
}

// As attend_cached(), of all `parts` at once, which are few each. Tasks are heads of sequences.
void TorchModel::attend_few(const Step& step, int layer, std::span<const StepRows> parts,
                            const Tensor& queries, const Tensor& mixed) {
  const std::int64_t kv = config_.shape.kv_heads, group = config_.shape.query_heads / kv,
                     dim = config_.shape.head_dim;
  const auto stride = static_cast<std::int64_t>(attend_stride(static_cast<std::size_t>(dim)));
  std::vector<Tensor> q, out;
  for (const StepRows& part : parts) {
    require_kept(step, layer, part);
    q.push_back(at::zeros({kv, part.rows, group, stride}, products_));
    out.push_back(at::zeros({kv, part.rows, group, stride}, products_));
    const Tensor to = q.back().narrow(3, 0, dim);
    to.copy_(
        queries.narrow(0, part.row, part.rows).view({part.rows, kv, group, dim}).transpose(0, 1));
    to.mul_(config_.attention_scale);
  }
  head_scratch_.resize(static_cast<std::size_t>(pool_.threads()));
  const auto heads = static_cast<std::size_t>(kv);
  run_tasks(pool_, parts.size() * heads, [&](std::size_t task, std::size_t worker) {
    const std::size_t i = task / heads, head = task % heads;
    const auto at = static_cast<std::int64_t>(head) * q[i].stride(0);
    if (!head_scratch_[worker]) head_scratch_[worker] = std::make_shared<HeadScratch>();
    attend_head(step, {layer, Part::key, static_cast<int>(head)}, parts[i],
                q[i].data_ptr<float>() + at, out[i].data_ptr<float>() + at, *head_scratch_[worker]);
  });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    mixed.narrow(0, parts[i].row, parts[i].rows)
        .view({parts[i].rows, kv, group, dim})
        .transpose(0, 1)
        .copy_(out[i].narrow(3, 0, dim));
  }
}

}  // namespace kakeya
