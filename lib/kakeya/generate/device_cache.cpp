// SPDX-License-Identifier: Apache-2.0
#include "kakeya/generate/device_cache.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "kakeya/codec/spec.h"
#include "kakeya/core/error.h"
#include "kakeya/generate/device_cache_parts.h"

namespace kakeya {
namespace {

constexpr std::string_view kDeviceCache = "a cache on a GPU";

// One more than is needed finds room without copying everything again.
std::size_t grown(std::size_t room, std::size_t need) {
  return need <= room ? room : std::max(need, room + room / 8);
}

}  // namespace

DeviceCache::DeviceCache(const ModelFacts& facts, const CachePolicy& policy,
                         const DeviceCacheCodec& codec, DeviceCacheRoom room)
    : shape_(facts.shape),
      device_(facts.layer_devices.empty() ? current_device() : facts.layer_devices.front()),
      identity_(codec.spec == "identity"),
      memory_(std::make_unique<Memory>()) {
  const OnDevice here(device_);
  const ExactEnds ends = policy.exact_ends(kDeviceCache);
  places_.sinks = ends.first;
  places_.residual_window = ends.last;
  if (is_plan(codec.spec)) {
    throw SpecError("a plan of codecs for a cache on a GPU, expected one codec");
  }
  if (!facts.windows.empty()) window_ = static_cast<std::size_t>(facts.windows.tokens);
  for (int i = 0; i < shape_.layers; ++i) {
    Layer& layer = layers_.emplace_back();
    layer.coded = !identity_ && policy.codes(i);
    layer.kind = facts.windows.covers(i) ? 1 : 0;
  }
  if (!identity_) make_attentions(codec);
  for (int i = 0; i < shape_.layers; ++i) {
    const Layer& layer = layers_[static_cast<std::size_t>(i)];
    if (layer.coded && layer.kind == 1 && window_ < places_.residual_window + places_.page) {
      throw InputError("layer " + std::to_string(i) + " sees " + std::to_string(window_) +
                       " tokens, expected at least the residual window and a page: " +
                       std::to_string(places_.residual_window + places_.page));
    }
  }
  for (auto& views : views_) views = std::make_unique<Views>();
  sequence_room_ = std::max<std::size_t>(room.sequences, 1);
  slots_[0] = sequence_room_ * places_.pages(room.tokens);
  token_room_ = room.tokens;
  make_room(room.tokens, 0);
}

DeviceCache::~DeviceCache() = default;

// Of coded layers: one for all, or of a codec with a profile each its own.
void DeviceCache::make_attentions(const DeviceCacheCodec& codec) {
  if (codes_tokens({codec.spec, codec.spec})) {
    throw NoKernelError(codec.spec +
                        ": a cache on a GPU of whole tokens, expected a codec of single heads: "
                        "attention reads pages of a head");
  }
  const bool calibrated = is_calibrated({codec.spec, codec.spec});
  std::shared_ptr<DeviceAttention> made;
  if (!calibrated) made = std::make_shared<DeviceAttention>(codec.spec, shape_);
  for (int i = 0; i < shape_.layers; ++i) {
    Layer& layer = layers_[static_cast<std::size_t>(i)];
    if (!layer.coded) continue;
    if (calibrated) {
      std::array<std::vector<CodecInput>, 2> inputs;
      for (int head = 0; head < shape_.kv_heads; ++head) {
        inputs[0].push_back({shape_.dim(), codec.profiles, KvSite{i, Part::key, head}});
        inputs[1].push_back({shape_.dim(), codec.profiles, KvSite{i, Part::value, head}});
      }
      made = std::make_shared<DeviceAttention>(codec.spec, shape_, inputs[0], inputs[1],
                                               AttentionRoom{});
    }
    layer.attention = made;
    if (attention_ == nullptr) attention_ = made.get();
  }
  if (attention_ != nullptr) places_.page = attention_->page_tokens();
}

const DeviceCache::Sequence& DeviceCache::sequence(int number) const {
  const auto found = sequences_.find(number);
  if (found == sequences_.end()) {
    throw InputError(std::string(kDeviceCache) + " without sequence " + std::to_string(number));
  }
  return found->second;
}
DeviceCache::Sequence& DeviceCache::sequence(int number) {
  return const_cast<Sequence&>(std::as_const(*this).sequence(number));
}

const DeviceCache::Layer& DeviceCache::layer(int number) const {
  if (number < 0 || number >= shape_.layers) {
    throw InputError("layer " + std::to_string(number) + ", expected 0 to " +
                     std::to_string(shape_.layers - 1));
  }
  return layers_[static_cast<std::size_t>(number)];
}

int DeviceCache::add_sequence() {
  const OnDevice here(device_);
  Sequence made;
  if (free_places_.empty()) {
    if (places_used_ == sequence_room_) {
      sequence_room_ = grown(sequence_room_, places_used_ + 1);
      make_room(token_room_, 0);
    }
    made.place = places_used_++;
  } else {
    made.place = free_places_.back();
    free_places_.pop_back();
  }
  sequences_.emplace(next_number_, std::move(made));
  return next_number_++;
}

void DeviceCache::drop(int number) {
  Sequence& gone = sequence(number);
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (const std::int32_t slot : gone.slots[kind]) {
      if (slot >= 0) free_slots_[kind].push_back(slot);
    }
  }
  free_places_.push_back(gone.place);
  sequences_.erase(number);
  std::erase_if(step_, [&](const StepPart& part) { return part.sequence == number; });
}

std::size_t DeviceCache::tokens(int number) const { return sequence(number).tokens; }

std::size_t DeviceCache::first_token(int number, int of) const {
  const Layer& its = layer(of);
  const std::size_t left = its.coded ? sequence(number).left[its.kind] : 0;
  return left == 0 ? 0 : places_.sinks + places_.page * left;
}

// All memory for `token_room_` tokens a sequence in layers of bf16, and slots_ of pages.
void DeviceCache::make_room(std::size_t tokens, std::size_t staged_rows) {
  const std::size_t row_bytes = 2 * shape_.part_width();
  token_room_ = grown(token_room_, tokens);
  for (Layer& layer : layers_) {
    const std::size_t room = layer.coded ? places_.row_room() : token_room_;
    for (GrowingMemory& side : layer.sides) {
      if (layer.coded || layer.row_room == room || layer.row_room == 0) {
        side.grow(sequence_room_ * room * row_bytes);
      } else {
        side.spread(layer.row_room * row_bytes, room * row_bytes, sequence_room_);
      }
    }
    layer.row_room = room;
    if (layer.coded) layer.pool.grow(slots_[layer.kind] * layer.attention->slot_bytes());
  }
  for (GrowingMemory& side : memory_->staged) side.grow(staged_rows * row_bytes);
}

// Slots that windows have left go to other tokens; then those of new pages.
void DeviceCache::take_slots(Sequence& of, const StepPart& part) {
  const std::size_t pages = places_.pages(part.position + part.rows);
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const bool used = std::any_of(layers_.begin(), layers_.end(), [&](const Layer& layer) {
      return layer.coded && layer.kind == kind;
    });
    if (!used) continue;
    std::vector<std::int32_t>& slots = of.slots[kind];
    const std::size_t begin = kind == 1 && part.position + 1 > window_ + places_.sinks
                                  ? part.position + 1 - window_ - places_.sinks
                                  : 0;
    for (; of.left[kind] < std::min(begin / places_.page, slots.size()); ++of.left[kind]) {
      free_slots_[kind].push_back(std::exchange(slots[of.left[kind]], -1));
    }
    while (slots.size() < pages) {
      if (free_slots_[kind].empty()) {
        std::size_t& used_slots = memory_->used_slots[kind];
        slots_[kind] = grown(slots_[kind], used_slots + (pages - slots.size()));
        free_slots_[kind].push_back(cache_word(used_slots++));
      }
      slots.push_back(free_slots_[kind].back());
      free_slots_[kind].pop_back();
    }
  }
}

void DeviceCache::begin_step(std::span<const StepPart> parts) {
  const OnDevice here(device_);
  std::size_t most_tokens = 0, most_staged = places_.residual_window, row = 0;
  for (const StepPart& part : parts) {
    const Sequence& of = sequence(part.sequence);
    if (of.stepping) {
      throw InputError(of_device_sequence(part.sequence) +
                       "a step of it failed, expected it to be dropped");
    }
    if (part.position != of.tokens || part.row != row) {
      throw InputError(of_device_sequence(part.sequence) + "rows from token " +
                       std::to_string(part.position) + " and row " + std::to_string(part.row) +
                       " on, expected token " + std::to_string(of.tokens) + " and row " +
                       std::to_string(row));
    }
    row += part.rows;
    most_tokens = std::max(most_tokens, part.position + part.rows);
    const std::size_t open =
        part.position - std::min(part.position, places_.open_token(part.position));
    most_staged = std::max(most_staged, open + part.rows);
  }
  const bool bf16 =
      std::any_of(layers_.begin(), layers_.end(), [](const Layer& layer) { return !layer.coded; });
  for (const StepPart& part : parts) take_slots(sequence(part.sequence), part);
  make_room(bf16 ? most_tokens : 0, most_staged);
  step_.assign(parts.begin(), parts.end());
  step_rows_ = row;
  for (const StepPart& part : parts) sequence(part.sequence).stepping = true;
  upload_places(parts);
  memory_->flags.grow(4 * (shape_.heads() + 1 + row), true);
  std::size_t coded = 0;
  for (const StepPart& part : parts) {
    coded = std::max(coded, places_.page * (places_.pages(part.position + part.rows) -
                                            places_.pages(part.position)));
  }
  if (attention_ != nullptr && coded > 0)
    memory_->packing.grow(attention_->pack_workspace_bytes(coded));
  for (auto& views : views_) views->of.clear();
  memory_->slots_of.reset();
}

// Where rows of the step go in coded layers, then in those of bf16, then slots of new pages.
void DeviceCache::upload_places(std::span<const StepPart> parts) {
  std::vector<std::int32_t> words(2 * step_rows_, -1);
  memory_->parts.clear();
  for (const StepPart& part : parts) {
    Sequence& of = sequence(part.sequence);
    StepPlaces where;
    const std::size_t after = part.position + part.rows;
    where.open = places_.open_token(part.position);
    where.open_rows = part.position - std::min(part.position, where.open);
    where.pages = places_.pages(after) - places_.pages(part.position);
    where.staged = where.open + places_.residual_window + places_.page < after;
    for (std::size_t i = 0; i < part.rows; ++i) {
      const std::size_t token = part.position + i;
      words[step_rows_ + part.row + i] = cache_word(of.place * token_room_ + token);
      if (where.staged && token >= places_.sinks) continue;
      words[part.row + i] =
          cache_word(of.place * places_.row_room() + places_.row(token, where.open));
    }
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      where.slots[kind] = words.size();
      if (of.slots[kind].empty()) continue;
      const auto first =
          of.slots[kind].begin() + static_cast<std::ptrdiff_t>(places_.pages(part.position));
      words.insert(words.end(), first, first + static_cast<std::ptrdiff_t>(where.pages));
    }
    memory_->parts.push_back(where);
  }
  memory_->words.replace(words);
}

DeviceVectors DeviceCache::staged_rows(int side, TokenRange rows) const {
  return dense_device_vectors(memory_->staged[side].data(), DeviceScalar::bf16,
                              rows.first + rows.count, shape_.heads(), shape_.dim())
      .slice(rows);
}

void DeviceCache::append_rows(int number, const DeviceVectors& keys, const DeviceVectors& values,
                              DeviceStream stream) {
  const OnDevice here(device_);
  layer(number);
  Layer& of = layers_[static_cast<std::size_t>(number)];
  const std::array<const DeviceVectors*, 2> given{&keys, &values};
  auto* const places = memory_->words.words() + (of.coded ? 0 : step_rows_);
  for (std::size_t side = 0; side < 2; ++side) {
    scatter_vectors(*given[side], of.rows(side, {0, sequence_room_ * of.row_room}, shape_), places,
                    memory_->flags.flags() + shape_.heads(), stream);
  }
  if (!of.coded) return;
  for (std::size_t i = 0; i < step_.size(); ++i) {
    const StepPart& part = step_[i];
    const StepPlaces& where = memory_->parts[i];
    const std::size_t first = sequence(part.sequence).place * of.row_room + places_.sinks,
                      begin = std::max(part.position, places_.sinks) - part.position;
    if (where.staged) {
      // Behind the open rows those that are new.
      std::array<DeviceVectors, 2> made;
      for (std::size_t side = 0; side < 2; ++side) {
        const int number_of = static_cast<int>(side);
        made[side] = staged_rows(number_of, {0, where.open_rows + part.rows - begin});
        convert_vectors(of.rows(side, {first, where.open_rows}, shape_),
                        made[side].slice({0, where.open_rows}), stream);
        scatter_vectors(given[side]->slice({part.row + begin, part.rows - begin}),
                        made[side].slice({where.open_rows, part.rows - begin}), nullptr,
                        memory_->flags.flags() + shape_.heads(), stream);
      }
      seal(of, part, i, made, stream);
    } else if (where.pages > 0) {
      const TokenRange open{first, places_.residual_window + places_.page};
      seal(of, part, i, {of.rows(0, open, shape_), of.rows(1, open, shape_)}, stream);
    }
  }
}

// The pages that begin `made`, and what is behind them to where open rows are.
void DeviceCache::seal(Layer& of, const StepPart& part, std::size_t number,
                       const std::array<DeviceVectors, 2>& made, DeviceStream stream) {
  const StepPlaces& where = memory_->parts[number];
  const std::size_t packed = where.pages * places_.page, after = part.position + part.rows,
                    left = after - std::min(after, places_.open_token(after)),
                    first = sequence(part.sequence).place * of.row_room + places_.sinks;
  if (packed > 0) {
    DeviceAttention& attention = *of.attention;
    const AttentionRoom least =
        attention.code(made[0].slice({0, packed}), made[1].slice({0, packed}),
                       memory_->flags.flags(), stream, memory_->packing.data());
    const AttentionRoom room = attention.room_with(least);
    if (room.slot_bytes != attention.slot_bytes()) {  // throws before anything is another one
      of.pool.spread(attention.slot_bytes(), room.slot_bytes, slots_[of.kind]);
    }
    attention.set_room(room);
    attention.lay_coded(packed, {of.pool.data(), slots_[of.kind]},
                        memory_->words.words() + where.slots[of.kind], memory_->flags.flags(),
                        stream, memory_->packing.data());
  }
  if (left == 0) return;
  for (std::size_t side = 0; side < 2; ++side) {
    DeviceVectors from = made[side].slice({packed, left});
    if (!where.staged) {  // they may lie where they come from
      const DeviceVectors aside = staged_rows(static_cast<int>(side), {0, left});
      convert_vectors(from, aside, stream);
      from = aside;
    }
    convert_vectors(from, of.rows(side, {first, left}, shape_), stream);
  }
}

void DeviceCache::end_step(DeviceStream stream) {
  const OnDevice here(device_);
  device_wait(stream);
  std::vector<std::uint32_t> flags(shape_.heads() + 1 + step_rows_);
  memory_->flags.copy_out(flags);
  if (std::any_of(flags.begin(), flags.end(), [](std::uint32_t flag) { return flag != 0; })) {
    memory_->flags.clear();  // what is wrong is of this step alone
    refuse_flags(flags);
  }
  for (const StepPart& part : step_) {
    Sequence& of = sequence(part.sequence);
    of.tokens = part.position + part.rows;
    of.stepping = false;
  }
  step_.clear();
}

void DeviceCache::refuse_flags(std::span<const std::uint32_t> flags) const {
  std::string which = step_.size() == 1 ? "a step of sequence" : "a step of sequences";
  for (const StepPart& part : step_) {
    which += (part == step_.front() ? " " : ", ") + std::to_string(part.sequence);
  }
  try {
    require_finite(flags[shape_.heads()]);
    if (attention_ == nullptr) return;
    require_no_flags(attention_->codec(), flags.first(shape_.heads()));
    std::uint32_t any = 0;
    for (const std::uint32_t flag : flags.subspan(shape_.heads() + 1)) any |= flag;
    require_no_attention_flags(*attention_, {&any, 1});
  } catch (const CorruptStream& error) {
    throw CorruptStream(which + ": " + error.what());
  } catch (const InputError& error) {
    throw InputError(which + ": " + error.what());
  }
}

LiveBytes DeviceCache::live_bytes() const {
  LiveBytes live;
  const std::size_t row_bytes = 2 * shape_.part_width();
  for (const Layer& layer : layers_) {
    const std::uint64_t rows = layer.sides[0].bytes() + layer.sides[1].bytes();
    live.pages += layer.pool.bytes();
    if (!layer.coded) {
      (identity_ ? live.pages : live.skipped) += rows;
      continue;
    }
    const std::uint64_t sinks = 2 * sequence_room_ * places_.sinks * row_bytes;
    live.sinks += sinks;
    live.open += rows - sinks;
  }
  live.tables = memory_->bytes();
  for (const auto& views : views_) live.tables += views->words.bytes();
  for (const Layer& layer : layers_) live.tables += layer.attention ? layer.attention->bytes() : 0;
  for (const auto& [number, of] : sequences_) {
    for (int i = 0; i < shape_.layers; ++i) {
      live.bf16 += 2 * row_bytes * (of.tokens - std::min(of.tokens, first_token(number, i)));
    }
  }
  return live;
}

}  // namespace kakeya
