// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/handles.h"

using namespace kakeya;
using c::guarded;

namespace {

// Runs work(cache), of a handle that is not NULL, and tells the caller what it gives.
template <typename Handle, typename Out, typename Work>
kakeya_status give(Handle* cache, Out* out, const Work& work) {
  return guarded([&] {
    c::require(cache, "cache");
    c::require(out, "out");
    *out = static_cast<Out>(work(cache->cache));
  });
}

std::vector<std::byte> file_of(const kakeya_packed_cache* cache, int32_t sequence,
                               const kakeya_facts* facts, const int32_t* token_ids, size_t count,
                               int32_t next) {
  c::require(cache, "cache");
  if (count != 0) c::require(token_ids, "token_ids");
  if (next < -1) {
    throw InputError("next: " + std::to_string(next) + " given, expected a token id or -1");
  }
  return save_sequence(cache->cache, sequence, c::facts_of(facts),
                       std::vector<std::int32_t>(token_ids, token_ids + count),
                       next < 0 ? std::nullopt : std::optional<std::int32_t>(next));
}

}  // namespace

kakeya_status kakeya_packed_cache_create(const kakeya_cache_options* options,
                                         kakeya_packed_cache** out) {
  return guarded([&] {
    c::require(out, "out");
    const c::CacheSettings settings(options);
    PackedCache cache(settings.shape, settings.policy, settings.codecs(), settings.windows);
    *out = new kakeya_packed_cache{settings.profiles, std::move(cache)};
  });
}

void kakeya_packed_cache_free(kakeya_packed_cache* cache) { delete cache; }

kakeya_status kakeya_packed_cache_add_sequence(kakeya_packed_cache* cache, int32_t* sequence) {
  return give(cache, sequence, [](PackedCache& of) { return of.add_sequence(); });
}

kakeya_status kakeya_packed_cache_branch(kakeya_packed_cache* cache, int32_t from,
                                         int32_t* sequence) {
  return give(cache, sequence, [&](PackedCache& of) { return of.branch(from); });
}

kakeya_status kakeya_packed_cache_drop(kakeya_packed_cache* cache, int32_t sequence) {
  return guarded([&] {
    c::require(cache, "cache");
    cache->cache.drop(sequence);
  });
}

kakeya_status kakeya_packed_cache_sequences(const kakeya_packed_cache* cache, int32_t* sequences,
                                            size_t* count) {
  return guarded([&] {
    c::require(cache, "cache");
    c::give_numbers(cache->cache.sequences(), sequences, count);
  });
}

kakeya_status kakeya_packed_cache_append(kakeya_packed_cache* cache, int32_t sequence,
                                         int32_t layer, const void* keys, const void* values,
                                         kakeya_dtype dtype, size_t tokens, size_t stride) {
  return guarded([&] {
    c::require(cache, "cache");
    const std::size_t width = cache->cache.shape().part_width();
    const c::GivenRows k(keys, dtype, tokens, width, stride, "keys");
    const c::GivenRows v(values, dtype, tokens, width, stride, "values");
    cache->cache.append(sequence, layer, k.rows(), v.rows());
  });
}

kakeya_status kakeya_packed_cache_truncate(kakeya_packed_cache* cache, int32_t sequence,
                                           size_t tokens) {
  return guarded([&] {
    c::require(cache, "cache");
    cache->cache.truncate(sequence, tokens);
  });
}

kakeya_status kakeya_packed_cache_tokens(const kakeya_packed_cache* cache, int32_t sequence,
                                         int32_t layer, size_t* tokens) {
  return give(cache, tokens, [&](const PackedCache& of) { return of.tokens(sequence, layer); });
}

kakeya_status kakeya_packed_cache_first_token(const kakeya_packed_cache* cache, int32_t sequence,
                                              int32_t layer, size_t* token) {
  return give(cache, token, [&](const PackedCache& of) { return of.first_token(sequence, layer); });
}

kakeya_status kakeya_packed_cache_sealed_tokens(const kakeya_packed_cache* cache, int32_t sequence,
                                                int32_t layer, kakeya_part part, size_t* tokens) {
  return give(cache, tokens, [&](const PackedCache& of) {
    return of.sealed_tokens(sequence, {layer, c::part_of(part)});
  });
}

kakeya_status kakeya_packed_cache_page_tokens(const kakeya_packed_cache* cache, int32_t layer,
                                              kakeya_part part, size_t* tokens) {
  return give(cache, tokens, [&](const PackedCache& of) {
    return of.page_tokens({layer, c::part_of(part)});
  });
}

kakeya_status kakeya_packed_cache_run_end(const kakeya_packed_cache* cache, int32_t sequence,
                                          int32_t layer, kakeya_part part, size_t token,
                                          size_t* end) {
  return give(cache, end, [&](const PackedCache& of) {
    return of.run_end(sequence, {layer, c::part_of(part)}, token);
  });
}

kakeya_status kakeya_packed_cache_read(const kakeya_packed_cache* cache, int32_t sequence,
                                       int32_t layer, kakeya_part part, int32_t head, size_t first,
                                       size_t count, void* rows, kakeya_dtype dtype,
                                       size_t stride) {
  return guarded([&] {
    c::require(cache, "cache");
    const KvShape& shape = cache->cache.shape();
    const bool whole = head == KAKEYA_ALL_HEADS;
    const std::size_t width = whole ? shape.part_width() : shape.dim();
    c::WantedRows room(rows, dtype, count, width, stride);
    const KvSite site{layer, c::part_of(part), whole ? KvSite::kAllHeads : head};
    room.fill(count, [&](Rows<float> out) {
      cache->cache.read(sequence, site, {first, count}, out);
    });
  });
}

kakeya_status kakeya_packed_cache_live_bytes(const kakeya_packed_cache* cache,
                                             kakeya_live_bytes* bytes) {
  return guarded([&] {
    c::require(cache, "cache");
    const LiveBytes live = cache->cache.live_bytes();
    kakeya_live_bytes told = {};
    told.pages = live.pages;
    told.sinks = live.sinks;
    told.open = live.open;
    told.skipped = live.skipped;
    told.tables = live.tables;
    told.total = live.total();
    told.bf16 = live.bf16;
    c::give_struct(told, bytes, "bytes");
  });
}

kakeya_status kakeya_packed_cache_save(const kakeya_packed_cache* cache, int32_t sequence,
                                       const kakeya_facts* facts, const int32_t* token_ids,
                                       size_t count, int32_t next, void* file, size_t capacity,
                                       size_t* file_bytes) {
  return guarded([&] {
    c::require(file_bytes, "file_bytes");
    c::give_bytes(file_of(cache, sequence, facts, token_ids, count, next), file, capacity,
                  file_bytes);
  });
}

kakeya_status kakeya_packed_cache_save_file(const kakeya_packed_cache* cache, int32_t sequence,
                                            const kakeya_facts* facts, const int32_t* token_ids,
                                            size_t count, int32_t next, const char* path) {
  return guarded([&] {
    c::require(path, "path");
    const auto bytes = file_of(cache, sequence, facts, token_ids, count, next);
    write_file(path, bytes.data(), bytes.size());
  });
}

kakeya_status kakeya_packed_cache_load(kakeya_packed_cache* cache, const kakeya_cache_file* file,
                                       const kakeya_facts* expected, int32_t* sequence) {
  return guarded([&] {
    c::require(cache, "cache");
    c::require(file, "file");
    c::require(sequence, "sequence");
    *sequence = restore_sequence(cache->cache, file->bytes, c::facts_of(expected));
  });
}
