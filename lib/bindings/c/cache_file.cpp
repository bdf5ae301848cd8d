// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/handles.h"

using namespace kakeya;
using c::guarded;

namespace {

// JSON, a member after another.
class Members {
 public:
  void text(const char* name, std::string_view value) { put(name, json_string(value)); }
  void number(const char* name, std::uint64_t value) { put(name, std::to_string(value)); }
  void put(const char* name, const std::string& json) {
    json_ += (json_.empty() ? "{" : ", ") + json_string(name) + ": " + json;
  }
  std::string object() const { return json_ + "}"; }

 private:
  std::string json_;
};

// The names that `kakeya-codec info --json` has for the same.
void put_facts(Members& members, const CacheFacts& facts) {
  members.text("model", facts.origin.model.name);
  members.text("model_sha256", facts.origin.model.sha256);
  members.text("architecture", facts.origin.architecture);
  members.text("tokenizer", facts.origin.tokenizer.name);
  members.text("tokenizer_sha256", facts.origin.tokenizer.sha256);
  members.text("text", facts.origin.text.name);
  members.text("text_sha256", facts.origin.text.sha256);
  members.text("origin", facts.passage);
  members.text("rope_layout", facts.rope_layout);
  members.put("rope_base", json_number(facts.rope_base));
  members.number("seed", facts.seed);
  members.text("tap", tap_name(facts.tap));
  members.text("codec_k", facts.codecs.keys);
  members.text("codec_v", facts.codecs.values);
  const CacheExtent& extent = facts.extent;
  members.put("layers", std::to_string(extent.shape.layers));
  members.put("heads", std::to_string(extent.shape.kv_heads));
  members.put("query_heads", std::to_string(extent.shape.query_heads));
  members.put("dim", std::to_string(extent.shape.head_dim));
  members.number("tokens", extent.tokens);
  members.put("skip_edge_layers", std::to_string(extent.policy.skipped_layers));
  members.put("sinks", std::to_string(extent.policy.sinks));
  members.put("residual_window", std::to_string(extent.policy.residual_window));
}

std::string facts_json(const CacheReader& reader) {
  Members members, of;
  members.text("kind", "cache");
  put_facts(members, reader.facts());
  members.number("blocks", reader.blocks().size());
  const CacheBytes bytes = reader.bytes();
  of.number("frames", bytes.frames);
  of.number("exact_tokens", bytes.exact_tokens);
  of.number("skipped_layers", bytes.skipped_layers);
  of.number("container", bytes.container);
  of.number("file", bytes.file());
  members.put("bytes", of.object());
  return members.object();
}

std::string facts_json(const SequenceHead& head) {
  Members members;
  members.text("kind", "sequence");
  put_facts(members, head.facts);
  members.put("next", head.next ? std::to_string(*head.next) : "null");
  std::string windows;
  for (const std::size_t window : head.windows) {
    windows += (windows.empty() ? "" : ", ") + std::to_string(window);
  }
  members.put("windows", "[" + windows + "]");
  return members.object();
}

// Whether a block holds something of these tokens of a part of a layer, or of one head of it.
bool holds(const CacheBlock& block, KvSite site, TokenRange tokens) {
  const TokenRange& there = block.place.tokens;
  if (there.first >= tokens.first + tokens.count || tokens.first >= there.first + there.count) {
    return false;
  }
  if (block.exact) return block.exact->layer == site.layer && block.exact->part == site.part;
  const LayerRange& layers = block.place.layers;
  if (site.layer < layers.first || site.layer - layers.first >= layers.count) return false;
  const std::optional<KvSite>& frame = block.place.site;
  return !frame ||
         (frame->part == site.part && (site.head == KvSite::kAllHeads || frame->head == site.head));
}

void require_place(const CacheExtent& extent, KvSite site, std::size_t first, std::size_t count) {
  if (site.layer < 0 || site.layer >= extent.shape.layers) {
    throw InputError("layer " + std::to_string(site.layer) + ": expected 0 to " +
                     std::to_string(extent.shape.layers - 1));
  }
  if (site.head < KvSite::kAllHeads || site.head >= extent.shape.kv_heads) {
    throw InputError("head " + std::to_string(site.head) + ": expected KAKEYA_ALL_HEADS or 0 to " +
                     std::to_string(extent.shape.kv_heads - 1));
  }
  if (first > extent.tokens || count > extent.tokens - first) {
    throw InputError("tokens from " + std::to_string(first) + ", " + std::to_string(count) +
                     " of them: there are " + std::to_string(extent.tokens));
  }
}

void fill(KvCache& cache, KvSite site, const void* const* parts, const char* argument,
          kakeya_dtype dtype, std::size_t stride) {
  c::require(parts, argument);
  const c::GivenRows given(parts[site.layer], dtype, cache.tokens(), cache.heads() * cache.dim(),
                           stride, argument);
  const Rows<const float> rows = given.rows();
  if (rows.contiguous()) return cache.store(site, {rows.data, rows.values()});
  std::vector<float> dense;
  for (std::size_t row = 0; row < rows.count; ++row) {
    dense.insert(dense.end(), rows[row].begin(), rows[row].end());
  }
  cache.store(site, dense);
}

std::vector<std::byte> packed(const kakeya_cache_options* options, const kakeya_facts* given,
                              const int32_t* token_ids, size_t tokens, const void* const* keys,
                              const void* const* values, kakeya_dtype dtype, size_t stride,
                              int32_t threads) {
  const c::CacheSettings settings(options);
  if (!settings.windows.empty()) {
    throw InputError("options: sliding windows given, expected none: a file has every token");
  }
  if (threads < 0) {
    throw InputError("threads: " + std::to_string(threads) + " given, expected 0 or more");
  }
  c::require(token_ids, "token_ids");
  c::require_fewer(tokens, settings.shape.part_width(), "tokens");
  CacheFacts facts = c::facts_of(given);
  facts.extent = {settings.shape, tokens, settings.policy};
  KvCache cache(settings.shape, tokens);
  for (int layer = 0; layer < settings.shape.layers; ++layer) {
    fill(cache, {layer, Part::key}, keys, "keys", dtype, stride);
    fill(cache, {layer, Part::value}, values, "values", dtype, stride);
  }
  WorkerPool pool(threads);
  return pack_cache(facts, std::vector<std::int32_t>(token_ids, token_ids + tokens), cache,
                    settings.codecs(), pool);
}

}  // namespace

kakeya_cache_file::kakeya_cache_file(std::vector<std::byte> kept, std::span<const std::byte> given,
                                     const kakeya_profiles* shelf)
    : profiles(c::shelf_of(shelf)), owned(std::move(kept)), bytes(given) {
  if (is_sequence_file(bytes)) {
    const SequenceHead head = read_sequence_head(bytes);
    token_ids = head.token_ids;
    facts = facts_json(head);
    return;
  }
  reader.emplace(bytes);
  token_ids = reader->token_ids();
  facts = facts_json(*reader);
}

const CacheCodecs& kakeya_cache_file::codecs() const {
  const std::lock_guard lock(mutex_);
  if (!codecs_) codecs_ = reader->codecs(profiles.get());
  return *codecs_;
}

kakeya_status kakeya_pack_cache(const kakeya_cache_options* options, const kakeya_facts* facts,
                                const int32_t* token_ids, size_t tokens, const void* const* keys,
                                const void* const* values, kakeya_dtype dtype, size_t stride,
                                int32_t threads, void* file, size_t capacity, size_t* file_bytes) {
  return guarded([&] {
    c::require(file_bytes, "file_bytes");
    c::give_bytes(packed(options, facts, token_ids, tokens, keys, values, dtype, stride, threads),
                  file, capacity, file_bytes);
  });
}

kakeya_status kakeya_pack_cache_file(const kakeya_cache_options* options, const kakeya_facts* facts,
                                     const int32_t* token_ids, size_t tokens,
                                     const void* const* keys, const void* const* values,
                                     kakeya_dtype dtype, size_t stride, int32_t threads,
                                     const char* path) {
  return guarded([&] {
    c::require(path, "path");
    const auto bytes =
        packed(options, facts, token_ids, tokens, keys, values, dtype, stride, threads);
    write_file(path, bytes.data(), bytes.size());
  });
}

kakeya_status kakeya_cache_file_open(const char* path, const kakeya_profiles* profiles,
                                     kakeya_cache_file** out) {
  return guarded([&] {
    c::require(path, "path");
    c::require(out, "out");
    std::vector<std::byte> owned = read_file(path);
    const std::span<const std::byte> bytes = owned;
    *out = std::make_unique<kakeya_cache_file>(std::move(owned), bytes, profiles).release();
  });
}

kakeya_status kakeya_cache_file_open_memory(const void* bytes, size_t size,
                                            const kakeya_profiles* profiles,
                                            kakeya_cache_file** out) {
  return guarded([&] {
    c::require(out, "out");
    const auto given = c::bytes_of(bytes, size, "bytes");
    *out = std::make_unique<kakeya_cache_file>(std::vector<std::byte>(), given, profiles).release();
  });
}

void kakeya_cache_file_free(kakeya_cache_file* file) { delete file; }

const char* kakeya_cache_file_facts(const kakeya_cache_file* file) {
  return file == nullptr ? "" : file->facts.c_str();
}

kakeya_status kakeya_cache_file_token_ids(const kakeya_cache_file* file, int32_t* ids,
                                          size_t* count) {
  return guarded([&] {
    c::require(file, "file");
    c::give_numbers(file->token_ids, ids, count);
  });
}

kakeya_status kakeya_cache_file_read(const kakeya_cache_file* file, int32_t layer, kakeya_part part,
                                     int32_t head, size_t first, size_t count, void* rows,
                                     kakeya_dtype dtype, size_t stride) {
  return guarded([&] {
    c::require(file, "file");
    if (!file->reader) {
      throw InputError("the file of a sequence given, expected one of a whole cache (KKVC)");
    }
    const CacheReader& reader = *file->reader;
    const KvShape& shape = reader.facts().extent.shape;
    const KvSite site{layer, c::part_of(part), head};
    require_place(reader.facts().extent, site, first, count);
    const bool whole = head == KvSite::kAllHeads;
    c::WantedRows room(rows, dtype, count, whole ? shape.part_width() : shape.dim(), stride);
    if (count == 0) return;
    KvCache cache = reader.make_cache();
    for (const CacheBlock& block : reader.blocks()) {
      if (holds(block, site, {first, count})) reader.restore(block, file->codecs(), cache);
    }
    const std::size_t channel = whole ? 0 : static_cast<std::size_t>(head) * shape.dim();
    room.fill(count, [&](Rows<float> out) {
      cache.load_rows({layer, site.part}, first, channel, out);
    });
  });
}
