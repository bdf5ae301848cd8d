// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/packed_cache.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "kakeya/cache/packed_state.h"
#include "kakeya/codec/plain_page.h"
#include "kakeya/codec/whole_caches.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

std::size_t page_of(const Codec& codec) {
  return codec.page_vectors() == 0 ? kPlainPage : codec.page_vectors();
}

void require_finite(int layer, Part part, Rows<const float> rows) {
  for (std::size_t row = 0; row < rows.count; ++row) {
    for (const float value : rows[row]) {
      if (std::isfinite(value)) continue;
      throw InputError(site_name({layer, part}) + ": row " + std::to_string(row) +
                       " is not finite, expected finite values");
    }
  }
}

InputError of_whole_caches(const std::string& spec) {
  return InputError(
      spec +
      ": codes a cache as a whole, expected a codec whose pages decode alone (none that "
      "learns) for a cache that grows");
}

InputError no_layer(int layer, const KvShape& shape) {
  return InputError("layer " + std::to_string(layer) + ": expected 0 to " +
                    std::to_string(shape.layers - 1));
}

// Keys and values, or neither.
void append_both(const LayerCode& code, std::vector<Lane>& lanes, Rows<const float> keys,
                 Rows<const float> values) {
  if (lanes[0].seals(code.lanes[0], keys.count)) {
    Lane new_keys = lanes[0];  // shares its pages
    new_keys.append(code.lanes[0], keys);
    lanes[1].append(code.lanes[1], values);
    lanes[0] = std::move(new_keys);
    return;
  }
  const std::size_t before = lanes[0].tokens(code.lanes[0]);
  lanes[0].append(code.lanes[0], keys);
  try {
    lanes[1].append(code.lanes[1], values);
  } catch (...) {
    lanes[0].truncate(code.lanes[0], before);
    throw;
  }
}

}  // namespace

LayerCode PackedCache::State::code_of(int layer, std::size_t sliding) const {
  LaneCode lane{shape.part_width(), {}, 0, ends.first, ends.last, sliding};
  if (!policy.codes(layer)) {
    lane.sinks = 0;
    return {{lane, lane}};
  }
  if (codecs.tokens) {
    for (const TokenCodecs::Run& run : codecs.tokens->runs()) {
      if (run.codec->page_vectors() == 0) throw of_whole_caches(codecs.tokens->spec());
      if (run.layers != LayerRange{layer, 1}) continue;
      lane.width = 2 * shape.part_width();
      lane.blocks = {run.codec.get()};
      lane.page = page_of(*run.codec);
      return {{lane}};
    }
    throw InputError(codecs.tokens->spec() + ": layer " + std::to_string(layer) +
                     " is not coded alone, expected a codec of which each layer is (restart=1)");
  }
  LayerCode code;
  for (const auto& part : {codecs.keys, codecs.values}) {
    lane.blocks.clear();
    for (std::size_t head = 0; head < shape.heads(); ++head) {
      lane.blocks.push_back(&part->at(layer, head));
    }
    lane.page = page_of(*lane.blocks.front());
    const bool paged = lane.blocks.front()->page_vectors() != 0;
    for (const Codec* codec : lane.blocks) {
      if (codes_whole_caches(*codec)) throw of_whole_caches(codec->spec());
      if (paged != (codec->page_vectors() != 0)) {
        throw InputError("layer " + std::to_string(layer) + ": heads of " +
                         lane.blocks.front()->spec() + " and " + codec->spec() +
                         ", expected pages in all heads of keys or values, or in none");
      }
      if (page_of(*codec) == lane.page) continue;
      throw InputError("layer " + std::to_string(layer) + ": heads with pages of " +
                       std::to_string(lane.page) + " and " + std::to_string(page_of(*codec)) +
                       " tokens: a live cache seals the heads of keys or values together, expected "
                       "one page");
    }
    code.lanes.push_back(lane);
  }
  return code;
}

const PackedCache::State::Sequence& PackedCache::State::at(int sequence) const {
  const auto found = sequences.find(sequence);
  if (found == sequences.end()) {
    throw InputError("sequence " + std::to_string(sequence) + ": not there, expected one of the " +
                     std::to_string(sequences.size()) + " of this cache");
  }
  return found->second;
}

const std::vector<Lane>& PackedCache::State::lanes(int sequence, int layer) const {
  if (layer < 0 || layer >= shape.layers) throw no_layer(layer, shape);
  return at(sequence)[static_cast<std::size_t>(layer)];
}

PackedCache::PackedCache(const KvShape& shape, const CachePolicy& policy, CacheCodecs codecs,
                         std::vector<std::size_t> windows)
    : state_(std::make_unique<State>()) {
  if (policy.layers != shape.layers || shape.layers <= 0 || shape.part_width() == 0) {
    throw InputError("a cache of " + std::to_string(shape.layers) + " layers of " +
                     std::to_string(shape.part_width()) + " scalars under a policy for " +
                     std::to_string(policy.layers) + " layers");
  }
  const ExactEnds ends = policy.exact_ends(kPackedCache);
  policy.check(policy.least_tokens());
  codecs.require_policy(policy);
  if (!windows.empty() && windows.size() != static_cast<std::size_t>(shape.layers)) {
    throw InputError(std::to_string(windows.size()) +
                     " sliding windows, expected one for each of " + std::to_string(shape.layers) +
                     " layers");
  }
  State& state = *state_;
  state.shape = shape;
  state.policy = policy;
  state.ends = ends;
  state.codecs = std::move(codecs);
  for (int layer = 0; layer < shape.layers; ++layer) {
    const std::size_t sliding = windows.empty() ? 0 : windows[static_cast<std::size_t>(layer)];
    state.layers.push_back(state.code_of(layer, sliding));
    for (const LaneCode& lane : state.layers.back().lanes) {
      if (!lane.blocks.empty() && lane.blocks.front()->dim() != lane.block_width()) {
        throw InputError(lane.blocks.front()->spec() + ": vectors of " +
                         std::to_string(lane.blocks.front()->dim()) + " scalars, expected " +
                         std::to_string(lane.block_width()));
      }
    }
  }
}

PackedCache::~PackedCache() = default;
PackedCache::PackedCache(PackedCache&&) noexcept = default;
PackedCache& PackedCache::operator=(PackedCache&&) noexcept = default;

const KvShape& PackedCache::shape() const { return state_->shape; }
const CachePolicy& PackedCache::policy() const { return state_->policy; }

void PackedCache::seal_on(WorkerPool* workers) {
  for (LayerCode& code : state_->layers) {
    for (LaneCode& lane : code.lanes) lane.workers = workers;
  }
}

int PackedCache::add_sequence() {
  State::Sequence lanes;
  for (const LayerCode& code : state_->layers) lanes.emplace_back(code.lanes.size());
  state_->sequences.emplace(state_->next, std::move(lanes));
  return state_->next++;
}

int PackedCache::branch(int sequence) {
  State::Sequence copy = state_->at(sequence);
  state_->sequences.emplace(state_->next, std::move(copy));
  return state_->next++;
}

void PackedCache::drop(int sequence) {
  state_->at(sequence);
  state_->sequences.erase(sequence);
}

std::vector<int> PackedCache::sequences() const {
  std::vector<int> numbers;
  for (const auto& [number, lanes] : state_->sequences) numbers.push_back(number);
  return numbers;
}

void PackedCache::append(int sequence, int layer, Rows<const float> keys,
                         Rows<const float> values) {
  const std::size_t width = state_->shape.part_width();
  state_->lanes(sequence, layer);
  if (keys.count != values.count || keys.dim != width || values.dim != width) {
    throw InputError("layer " + std::to_string(layer) + ": " + std::to_string(keys.count) +
                     " keys of " + std::to_string(keys.dim) + " and " +
                     std::to_string(values.count) + " values of " + std::to_string(values.dim) +
                     ", expected as many of " + std::to_string(width) + " each");
  }
  require_finite(layer, Part::key, keys);
  require_finite(layer, Part::value, values);
  const LayerCode& code = state_->code(layer);
  std::vector<Lane>& lanes = state_->sequences.at(sequence)[static_cast<std::size_t>(layer)];
  if (code.together()) {
    std::vector<float> both(keys.count * 2 * width);
    for (std::size_t row = 0; row < keys.count; ++row) {
      std::copy(keys[row].begin(), keys[row].end(), &both[2 * width * row]);
      std::copy(values[row].begin(), values[row].end(), &both[2 * width * row + width]);
    }
    lanes[0].append(code.lanes[0], dense_rows<const float>(both.data(), keys.count, 2 * width));
  } else {
    append_both(code, lanes, keys, values);
  }
  try {
    for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].drop_unseen(code.lanes[i]);
  } catch (const std::bad_alloc&) {  // what was to go goes with a later token
  }
}

std::size_t PackedCache::tokens(int sequence, int layer) const {
  return state_->lanes(sequence, layer)[0].tokens(state_->code(layer).lanes[0]);
}

std::size_t PackedCache::first_token(int sequence, int layer) const {
  std::size_t first = 0;
  for (const Lane& lane : state_->lanes(sequence, layer))
    first = std::max(first, lane.first_token());
  return first;
}

std::size_t PackedCache::sealed_tokens(int sequence, KvSite site) const {
  const std::vector<Lane>& lanes = state_->lanes(sequence, site.layer);
  const LayerCode& code = state_->code(site.layer);
  const std::size_t lane = code.together() || site.part == Part::key ? 0 : 1;
  return lanes[lane].sealed_tokens(code.lanes[lane]);
}

bool PackedCache::heads_apart(int layer) const {
  if (layer < 0 || layer >= state_->shape.layers) throw no_layer(layer, state_->shape);
  return !state_->code(layer).together();
}

std::size_t PackedCache::run_end(int sequence, KvSite site, std::size_t token) const {
  const std::vector<Lane>& lanes = state_->lanes(sequence, site.layer);
  const LayerCode& code = state_->code(site.layer);
  const std::size_t lane = code.together() || site.part == Part::key ? 0 : 1,
                    all = lanes[lane].tokens(code.lanes[lane]),
                    first = first_token(sequence, site.layer);
  if (token < first || token >= all) {
    throw InputError(site_name(site) + ": token " + std::to_string(token) + ", expected one from " +
                     std::to_string(first) + " on and below " + std::to_string(all));
  }
  return lanes[lane].run_end(code.lanes[lane], token);
}

std::size_t PackedCache::page_tokens(KvSite site) const {
  if (site.layer < 0 || site.layer >= state_->shape.layers || site.part == Part::query) {
    throw InputError(site_name(site) + ": expected keys or values of layers 0 to " +
                     std::to_string(state_->shape.layers - 1));
  }
  const LayerCode& code = state_->code(site.layer);
  const LaneCode& lane = code.lanes[code.together() || site.part == Part::key ? 0 : 1];
  return lane.blocks.empty() ? 0 : lane.page;
}

void PackedCache::read(int sequence, KvSite site, TokenRange tokens, Rows<float> out) const {
  const std::vector<Lane>& lanes = state_->lanes(sequence, site.layer);
  const LayerCode& code = state_->code(site.layer);
  const bool one = site.head != KvSite::kAllHeads;
  const std::size_t all_heads = state_->shape.part_width(),
                    width = one ? all_heads / state_->shape.heads() : all_heads,
                    first = first_token(sequence, site.layer),
                    all = this->tokens(sequence, site.layer);
  if (one && (site.head < 0 || site.head >= state_->shape.kv_heads)) {
    throw InputError(site_name(site) + ": expected a head below " +
                     std::to_string(state_->shape.kv_heads));
  }
  if (site.part == Part::query || tokens.first < first || tokens.first > all ||
      tokens.count > all - tokens.first || out.count != tokens.count || out.dim != width) {
    throw InputError(site_name(site) + ": " + std::to_string(tokens.count) + " tokens from " +
                     std::to_string(tokens.first) + " on into " + std::to_string(out.count) +
                     " rows of " + std::to_string(out.dim) + ", expected some of " +
                     std::to_string(first) + " to " + std::to_string(all) +
                     " into as many rows of " + std::to_string(width));
  }
  const bool second = site.part == Part::value;
  const std::size_t lane = second && !code.together() ? 1 : 0,
                    column = one ? static_cast<std::size_t>(site.head) * width : 0;
  lanes[lane].read(code.lanes[lane], tokens, column + (second && code.together() ? all_heads : 0),
                   out);
}

void PackedCache::read_both(int sequence, int layer, TokenRange tokens, Rows<float> out) const {
  const std::vector<Lane>& lanes = state_->lanes(sequence, layer);
  const LayerCode& code = state_->code(layer);
  const std::size_t width = state_->shape.part_width(), first = first_token(sequence, layer),
                    all = this->tokens(sequence, layer);
  if (tokens.first < first || tokens.first > all || tokens.count > all - tokens.first ||
      out.count != tokens.count || out.dim != 2 * width) {
    throw InputError("layer " + std::to_string(layer) + ": " + std::to_string(tokens.count) +
                     " tokens from " + std::to_string(tokens.first) + " on into " +
                     std::to_string(out.count) + " rows of " + std::to_string(out.dim) +
                     ", expected some of " + std::to_string(first) + " to " + std::to_string(all) +
                     " into as many rows of " + std::to_string(2 * width));
  }
  if (code.together()) return lanes[0].read(code.lanes[0], tokens, 0, out);
  for (std::size_t i = 0; i < 2; ++i) {
    lanes[i].read(code.lanes[i], tokens, 0, {out.data + i * width, out.count, width, out.stride});
  }
}

bool PackedCache::sums_packed(KvSite site) const {
  if (!heads_apart(site.layer)) return false;
  const LaneCode& code = state_->code(site.layer).lanes[site.part == Part::key ? 0 : 1];
  for (std::size_t head = 0; head < state_->shape.heads(); ++head) {
    if (!Lane::sums_packed(code, head)) return false;
  }
  return true;
}

bool PackedCache::may_sum(int sequence, KvSite site, TokenRange tokens, std::size_t given,
                          Rows<const float> of, std::size_t dim) const {
  const std::size_t all = this->tokens(sequence, site.layer);
  if (site.part == Part::query || site.head < 0 || site.head >= state_->shape.kv_heads ||
      tokens.first > all || tokens.count > all - tokens.first || of.dim < tokens.count ||
      of.count != given || dim != state_->shape.dim()) {
    throw InputError(site_name(site) + ": sums of " + std::to_string(tokens.count) +
                     " tokens from " + std::to_string(tokens.first) + " on for " +
                     std::to_string(given) + " queries, expected some of " + std::to_string(all) +
                     " of one head for as many");
  }
  return tokens.first >= first_token(sequence, site.layer) && sums_packed(site);
}

std::size_t PackedCache::add_packed(int sequence, KvSite site, TokenRange tokens,
                                    Rows<const float> weights, Rows<float> out) const {
  const std::vector<Lane>& lanes = state_->lanes(sequence, site.layer);
  if (!may_sum(sequence, site, tokens, out.count, weights, out.dim)) return 0;
  const std::size_t lane = site.part == Part::key ? 0 : 1;
  return lanes[lane].add_packed(state_->code(site.layer).lanes[lane], tokens,
                                static_cast<std::size_t>(site.head), weights, out);
}

std::size_t PackedCache::score_packed(int sequence, KvSite site, TokenRange tokens,
                                      Rows<const float> queries, Rows<float> scores) const {
  const std::vector<Lane>& lanes = state_->lanes(sequence, site.layer);
  if (!may_sum(sequence, site, tokens, queries.count, scores, queries.dim)) return 0;
  const std::size_t lane = site.part == Part::key ? 0 : 1;
  return lanes[lane].score_packed(state_->code(site.layer).lanes[lane], tokens,
                                  static_cast<std::size_t>(site.head), queries, scores);
}

void PackedCache::truncate(int sequence, std::size_t tokens) {
  State::Sequence copy = state_->at(sequence);
  for (std::size_t layer = 0; layer < copy.size(); ++layer) {
    const LayerCode& code = state_->layers[layer];
    for (std::size_t i = 0; i < copy[layer].size(); ++i) {
      const LaneCode& lane = code.lanes[i];
      const std::size_t unseen = lane.unseen(tokens);
      const std::size_t first = copy[layer][i].first_token();
      if (tokens < copy[layer][i].tokens(lane) && first > unseen) {
        throw InputError("layer " + std::to_string(layer) + ": cut to " + std::to_string(tokens) +
                         " tokens its window begins at " + std::to_string(unseen) +
                         ", but tokens before " + std::to_string(first) + " were dropped");
      }
      copy[layer][i].truncate(lane, tokens);
    }
  }
  state_->sequences.at(sequence) = std::move(copy);
}

LiveBytes PackedCache::live_bytes() const {
  LiveBytes bytes;
  std::set<const void*> counted;
  for (const auto& [number, lanes] : state_->sequences) {
    for (std::size_t layer = 0; layer < lanes.size(); ++layer) {
      bytes.tables += lanes[layer].capacity() * sizeof(Lane);
      for (std::size_t i = 0; i < lanes[layer].size(); ++i) {
        lanes[layer][i].count(state_->layers[layer].lanes[i], counted, bytes);
      }
    }
  }
  return bytes;
}

}  // namespace kakeya
