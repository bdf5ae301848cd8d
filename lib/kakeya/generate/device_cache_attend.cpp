// SPDX-License-Identifier: Apache-2.0
// How tokens of a cache on a GPU are read: by its attention, packed, and as rows in bf16.
#include <algorithm>
#include <utility>

#include "kakeya/generate/device_cache_parts.h"

namespace kakeya {

bool DeviceCache::attends(int number) const { return layer(number).coded; }

// What the kernel is told of each query.
const DeviceCache::Views& DeviceCache::views_of(std::size_t kind, std::span<const StepPart> parts) {
  Views& views = *views_[kind];
  if (std::equal(parts.begin(), parts.end(), views.of.begin(), views.of.end())) return views;
  views.of.assign(parts.begin(), parts.end());
  views.batch = 0, views.stride = 1, views.most_packed = 0;
  for (const StepPart& part : parts) {
    views.batch += part.rows;
    views.stride = std::max(views.stride, sequence(part.sequence).slots[kind].size());
  }
  std::vector<std::int32_t> table, packed, first, exact, rows;
  for (const StepPart& part : parts) {
    const Sequence& of = sequence(part.sequence);
    const auto in_step = std::find_if(step_.begin(), step_.end(), [&](const StepPart& all) {
      return all.sequence == part.sequence;
    });
    if (in_step == step_.end())
      throw InputError(of_device_sequence(part.sequence) + "not of this step");
    const std::size_t open = places_.open_token(in_step->position + in_step->rows);
    for (std::size_t i = 0; i < part.rows; ++i) {
      const PagePlaces::Seen seen = places_.seen(part.position + i, open, kind == 1 ? window_ : 0);
      table.insert(table.end(), of.slots[kind].begin(), of.slots[kind].end());
      table.resize(table.size() + views.stride - of.slots[kind].size(), -1);
      packed.push_back(cache_word(seen.packed));
      first.push_back(cache_word(seen.first_packed));
      exact.push_back(cache_word(seen.rows));
      rows.push_back(cache_word(of.place * places_.row_room() + seen.first_row));
      views.most_packed = std::max(views.most_packed, seen.packed);
    }
  }
  views.table_words = table.size();
  for (const auto& more : {packed, first, exact, rows}) {
    table.insert(table.end(), more.begin(), more.end());
  }
  views.words.replace(table);
  return views;
}

void DeviceCache::attend(int number, std::span<const StepPart> parts, const DeviceVectors& queries,
                         const DeviceVectors& out, double scale, DeviceStream stream) {
  const OnDevice here(device_);
  const Layer& of = layer(number);
  if (!of.coded) {
    throw InputError("layer " + std::to_string(number) + " is bf16, expected one that is coded");
  }
  const Views& views = views_of(of.kind, parts);
  if (views.batch == 0) return;
  const std::int32_t* const more = views.words.words() + views.table_words;
  AttentionStep step;
  step.batch = views.batch;
  step.queries = queries;
  step.out = out;
  step.scale = static_cast<float>(scale);
  step.pool = {of.pool.data(), slots_[of.kind]};
  step.table = views.words.words();
  step.table_stride = views.stride;
  step.packed_tokens = more;
  step.most_packed_tokens = views.most_packed;
  step.first_tokens = of.kind == 1 ? more + views.batch : nullptr;
  step.exact_keys = of.sides[0].data();
  step.exact_values = of.sides[1].data();
  step.exact_tokens = more + 2 * views.batch;
  step.exact_room = of.row_room;
  step.exact_places = more + 3 * views.batch;
  step.exact_rows = sequence_room_ * of.row_room;
  const std::size_t bytes = of.attention->run_workspace_bytes(views.batch, views.most_packed);
  memory_->attending.grow(bytes);
  if (const std::pair now{views.batch, bytes}; std::exchange(memory_->attended, now) != now) {
    device_fill(memory_->attending.data(), 0, bytes, stream);  // as a first use expects it
  }
  of.attention->run(step, memory_->flags.flags() + shape_.heads() + 1, stream,
                    memory_->attending.data());
}

std::array<DeviceVectors, 2> DeviceCache::rows(int number, int of_layer, TokenRange range,
                                               DeviceStream stream) {
  const OnDevice here(device_);
  const Layer& of = layer(of_layer);
  Sequence& its = sequence(number);
  std::size_t tokens = its.tokens;
  for (const StepPart& part : step_) {
    if (part.sequence == number) tokens = part.position + part.rows;
  }
  const std::size_t first = range.first, end = first + range.count,
                    least = first_token(number, of_layer);
  if (end > tokens || (first < least && first >= places_.sinks)) {
    throw InputError(of_device_sequence(number) + "tokens " + std::to_string(first) + " to " +
                     std::to_string(end) + " of layer " + std::to_string(of_layer) +
                     ", expected some of " + std::to_string(least) + " to " +
                     std::to_string(tokens));
  }
  const std::size_t place = its.place * of.row_room;
  if (!of.coded) {
    const TokenRange kept{place + first, range.count};
    return {of.rows(0, kept, shape_), of.rows(1, kept, shape_)};
  }
  for (GrowingMemory& side : memory_->decoded) side.grow(range.count * 2 * shape_.part_width());
  std::array<DeviceVectors, 2> out;
  for (std::size_t side = 0; side < 2; ++side) {
    out[side] = dense_device_vectors(memory_->decoded[side].data(), DeviceScalar::bf16, range.count,
                                     shape_.heads(), shape_.dim());
  }
  const std::size_t open = places_.open_token(tokens), sinks = std::min(places_.sinks, open);
  const auto copy = [&](std::size_t from, std::size_t to, std::size_t row) {
    if (from >= to) return;
    for (std::size_t side = 0; side < 2; ++side) {
      convert_vectors(of.rows(side, {place + row, to - from}, shape_),
                      out[side].slice({from - first, to - from}), stream);
    }
  };
  copy(first, std::min(end, sinks), first);
  const std::size_t begin = std::max(first, sinks), last = std::min(end, open);
  if (begin < last) {
    const TokenRange packed{begin - sinks, last - begin}, rows{begin - first, last - begin};
    const std::pair<int, std::size_t> whose{number, of.kind};
    if (std::exchange(memory_->slots_of, whose) != whose) {
      memory_->slots.replace(its.slots[of.kind]);
    }
    memory_->packing.grow(of.attention->unpack_workspace_bytes(packed.count));
    of.attention->unpack({of.pool.data(), slots_[of.kind]}, memory_->slots.words(), packed,
                         out[0].slice(rows), out[1].slice(rows), memory_->flags.flags(), stream,
                         memory_->packing.data());
  }
  const std::size_t behind = std::max(first, open);
  copy(behind, end, places_.row(behind, open));
  return out;
}

}  // namespace kakeya
