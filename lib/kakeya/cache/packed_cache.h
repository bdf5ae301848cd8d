// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "kakeya/codec/cache_codecs.h"
#include "kakeya/core/kv.h"
#include "kakeya/core/rows.h"

namespace kakeya {

class WorkerPool;

/// Bytes that a live cache has allocated, by what they hold. Pages that several sequences share
/// count once.
struct LiveBytes {
  std::uint64_t pages = 0;    ///< sealed pages, as they were coded
  std::uint64_t sinks = 0;    ///< bf16, for good
  std::uint64_t open = 0;     ///< bf16: the residual window, and what waits for its page to fill
  std::uint64_t skipped = 0;  ///< bf16: layers that are not coded
  std::uint64_t tables = 0;   ///< what pages of a head have in common, and what finds them

  std::uint64_t total() const { return pages + sinks + open + skipped + tables; }
  /// Of as many tokens in bf16.
  std::uint64_t bf16 = 0;
};

/// What PackedCache is called in refusals of a policy.
inline constexpr std::string_view kPackedCache = "a cache that lives packed";

/// A KV cache that lives packed: tokens come a few at a time and are read at every step.
///
///     tokens of a coded layer    0 .. sinks | page | page | ... | open page, residual window
///     held as                       bf16      sealed: bytes                bf16
///
/// A page seals once all of its tokens are older than the residual window, so that a layer holds
/// the window and less than a page more in bf16. Sealed bytes never change. Sequences that branch
/// from each other share their sealed pages; a layer with a sliding window drops pages that its
/// window has left. sequence_file.h saves a sequence and restores it.
///
///     PackedCache cache(shape, policy, codecs);
///     const int sequence = cache.add_sequence();
///     cache.append(sequence, layer, keys, values);               // [tokens, heads * dim] each
///     cache.read(sequence, {layer, Part::key}, {0, n}, rows);    // decoded, rounded to bf16
///
/// What throws leaves the cache as it was. const members may be called from several threads while no
/// other is.
class PackedCache {
 public:
  /// `codecs` are for the layers that `policy` codes. `windows`: tokens that a layer's
  /// queries see, their own included, 0 for all; empty: all layers see all. Throws InputError where a
  /// policy keeps other tokens than first and last ones, or it or a window does not fit the shape or the plan that `codecs` are of, where a codec of whole
  /// tokens needs other layers to be decoded, and where heads of a part have different pages.
  PackedCache(const KvShape& shape, const CachePolicy& policy, CacheCodecs codecs,
              std::vector<std::size_t> windows = {});
  ~PackedCache();
  PackedCache(PackedCache&&) noexcept;
  PackedCache& operator=(PackedCache&&) noexcept;

  const KvShape& shape() const;
  const CachePolicy& policy() const;

  /// From now on append() codes the heads of a page at once, on the threads of a pool, which must outlive
  /// the cache and do nothing else then; null: one after another. The bytes are the same.
  void seal_on(WorkerPool* workers);

  /// An empty sequence, or one with the tokens of another. Numbers are never used again.
  int add_sequence();
  int branch(int sequence);
  /// Forgets a sequence. This and all below throw InputError where there is no such sequence, layer
  /// or token.
  void drop(int sequence);
  std::vector<int> sequences() const;

  /// Appends the keys and values of some tokens to a layer, [tokens, heads * dim] each, rounded to
  /// bf16 first; seals the pages that they fill. Throws InputError on other shapes and on what is not
  /// finite.
  void append(int sequence, int layer, Rows<const float> keys, Rows<const float> values);

  /// Tokens that were appended to a layer, dropped ones included; and the first that is still there.
  std::size_t tokens(int sequence, int layer) const;
  std::size_t first_token(int sequence, int layer) const;
  /// Of these, tokens in sealed pages.
  std::size_t sealed_tokens(int sequence, KvSite site) const;
  /// Tokens that seal together, of keys or values of a layer: a page of the codec, or 128 where it has
  /// none (each page is then a frame with a header of its own); 0 where the layer is not coded.
  std::size_t page_tokens(KvSite site) const;

  /// The keys or values of some tokens of a layer as attention sees them: what was decoded or kept,
  /// rounded to bf16. [tokens, heads * dim], or [tokens, dim] of site.head, where there is one. Decodes
  /// each page that it needs once, and of it that head alone, unless heads are coded together.
  void read(int sequence, KvSite site, TokenRange tokens, Rows<float> out) const;

  /// Keys and values of some tokens of a layer side by side, [tokens, 2 * heads * dim], as read() gives
  /// them. Where they are coded together each page is decoded once, not once for either.
  void read_both(int sequence, int layer, TokenRange tokens, Rows<float> out) const;

  /// Whether the keys or values of a layer, of each head, can be added up as they are packed (codec/packed_sums.h):
  /// not those of layers that are not coded, and of codecs that are not linear in what they store.
  bool sums_packed(KvSite site) const;

  /// Adds to out[q], [queries, dim], the keys or values of one head of those first tokens of `tokens` that are whole
  /// sealed pages, not rounded to bf16, times weights[q][t], t from the first of them on. Returns how many tokens these
  /// are: 0 where the first is not the first of a sealed page, or they cannot be added up so.
  std::size_t add_packed(int sequence, KvSite site, TokenRange tokens, Rows<const float> weights,
                         Rows<float> out) const;
  /// Writes their products with queries, [queries, dim], to scores[q][t].
  std::size_t score_packed(int sequence, KvSite site, TokenRange tokens, Rows<const float> queries,
                           Rows<float> scores) const;

  /// Whether each head of a layer is coded by itself.
  bool heads_apart(int layer) const;
  /// Where the tokens end that are held as `token` is: its page, the sinks, the open end. Who reads up
  /// to there decodes no page twice.
  std::size_t run_end(int sequence, KvSite site, std::size_t token) const;

  /// Forgets the tokens from `tokens` on, in all layers that have more. Of a page that is cut, the
  /// tokens that stay are held as they were decoded. Throws InputError where a layer with a sliding
  /// window has dropped tokens that its window needs again.
  void truncate(int sequence, std::size_t tokens);

  LiveBytes live_bytes() const;

 private:
  bool may_sum(int sequence, KvSite site, TokenRange tokens, std::size_t given,
               Rows<const float> of, std::size_t dim) const;
  friend struct SequenceLanes;  // sequence_file.cpp
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kakeya
