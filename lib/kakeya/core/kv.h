// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/core/index_set.h"

namespace kakeya {

// The words for a KV cache: how large it is, where a value of it is, which of it is coded.

enum class Part { key, value, query };

/// "keys", "values" or "queries".
std::string_view part_name(Part part);

/// 'k', 'v' or 'q': what dumps and reports call it.
char part_letter(Part part);

/// Where a model shows its keys: before the rotary embedding (after QK-norm, where a model has it)
/// or after it.
enum class TapPoint { pre_rope, post_rope };

/// "pre-rope" or "post-rope": the one text of a tap point, in files and on command lines.
std::string_view tap_name(TapPoint tap);

/// The tap point that `text` names, as tap_name() writes it. Throws SpecError.
TapPoint parse_tap(std::string_view text);

/// What a cache is coded for.
enum class Tier {
  hot,   ///< it is coded as it grows, each layer alone, and read while it grows
  cold,  ///< that of a clean prefill is coded once, whole, and read later
};

/// The shape of a model's cache.
struct KvShape {
  int layers = 0, kv_heads = 0;
  int query_heads = 0;  ///< 0 where nobody needs to know
  int head_dim = 0;

  /// Scalars of one head.
  std::size_t dim() const { return static_cast<std::size_t>(head_dim); }

  /// Heads of one part of a layer.
  std::size_t heads(Part part = Part::key) const {
    return static_cast<std::size_t>(part == Part::query ? query_heads : kv_heads);
  }

  /// Scalars of one part, keys or values, of a token in one layer.
  std::size_t part_width() const { return heads() * dim(); }

  /// Keys and values of all layers: how many KvSite::index() there are.
  std::size_t parts() const { return 2 * static_cast<std::size_t>(layers); }

  bool operator==(const KvShape&) const = default;
};

/// A part of a layer, or one head of it.
struct KvSite {
  static constexpr int kAllHeads = -1;

  int layer = 0;
  Part part = Part::key;
  int head = kAllHeads;

  /// The place of keys or values among [layer][keys, values].
  std::size_t index() const {
    return 2 * static_cast<std::size_t>(layer) + (part == Part::value ? 1 : 0);
  }

  bool operator==(const KvSite&) const = default;
};

/// The keys or values of a layer whose index() is `index`.
inline KvSite site_of_index(std::size_t index) {
  return {static_cast<int>(index / 2), index % 2 == 0 ? Part::key : Part::value};
}

/// "layer 3 keys" or "layer 3 keys, head 1": a site in a message.
std::string site_name(KvSite site);

/// Consecutive tokens.
struct TokenRange {
  std::size_t first = 0, count = 0;
  bool operator==(const TokenRange&) const = default;
};

/// Consecutive layers. A vector of a codec of whole tokens holds, layer by layer, the keys of all
/// KV heads and then their values.
struct LayerRange {
  int first = 0, count = 0;
  bool operator==(const LayerRange&) const = default;
};

/// The tokens of a part that stay bf16 for good, where they are its first and its last ones: what a
/// room that holds two ends and codes what lies between can follow.
struct ExactEnds {
  std::size_t first = 0, last = 0;

  std::size_t count() const { return first + last; }

  /// Of the first `tokens` of the `available` tokens of a part, those between the ends. Throws
  /// InputError where there are not as many, or nothing is between.
  TokenRange coded(std::size_t tokens, std::size_t available) const;

  bool operator==(const ExactEnds&) const = default;
};

/// Which vectors of a cache are coded; all others stay bf16. Rooms ask what it means here, and read
/// no number of it: layers of codes(), tokens of exact_tokens() or exact_ends(). So a new number is
/// followed wherever these answer for it, and refused by name wherever they cannot.
struct CachePolicy {
  int layers = 0;          ///< of the model
  int skipped_layers = 0;  ///< so many first ones and as many last ones stay bf16
  int sinks = 0;  ///< the first `sinks` tokens of coded layers stay bf16; their bytes are counted
  /// The residual window: a query sees so many last tokens of coded layers, its own included,
  /// as bf16, and those before them as coded; EvalMode::prefix and dumps: the last of the tokens
  /// that are coded stay bf16. At the end as many tokens are held in bf16; their bytes are counted.
  int residual_window = 0;
  /// Layers between those at the ends that stay bf16 too.
  IndexSet skipped = {};

  /// Throws InputError when a number is negative, when a layer of `skipped` is not between those at
  /// the ends, when no layer is left to code, or when the sinks and the residual window cover all
  /// `coded_tokens`.
  void check(std::size_t coded_tokens) const;

  /// Throws InputError that names each number which is not 0 and not among `followed`: "sinks 4: a
  /// cache file does not follow it, expected 0". `who` is the room that asks.
  void require_only(std::string_view who, std::initializer_list<int CachePolicy::*> followed) const;

  /// For a room that keeps no tokens but first and last ones. Throws InputError as require_only(),
  /// of the numbers that keep others, and where a number is negative.
  ExactEnds exact_ends(std::string_view who) const;

  /// Of the tokens of a part, of which there are `tokens`, those from `first` on that stay bf16 for
  /// good.
  std::size_t exact_tokens(std::size_t tokens, std::size_t first = 0) const;

  /// The fewest tokens of a part of which one is coded.
  std::size_t least_tokens() const {
    return static_cast<std::size_t>(sinks) + static_cast<std::size_t>(residual_window) + 1;
  }

  /// How many last tokens, its own included, a query sees as bf16.
  std::size_t exact_window() const { return static_cast<std::size_t>(residual_window); }

  /// The one place that says which layers are coded.
  bool codes(int layer) const {
    return layer >= skipped_layers && layer < layers - skipped_layers && !skipped.contains(layer);
  }
  int coded_layers() const;
  /// The place of a coded layer among the coded ones.
  std::size_t coded_index(int layer) const;
  /// From the first coded layer to the last.
  LayerRange coded_span() const;

  /// Which layers stay bf16, written in one way only: as skipped_layers those that are as many at
  /// the one end as at the other, and as `skipped` the rest.
  void skip(const IndexSet& which);
  /// All that stay bf16.
  IndexSet all_skipped() const;

  bool operator==(const CachePolicy&) const = default;
};

/// A number of a policy besides `layers`: all that flags, configurations, plans of results and
/// reports say of it.
struct PolicyNumber {
  int CachePolicy::*value;
  const char* name;      ///< of a configuration's key, and of a flag with - for _
  const char* old_name;  ///< its older name, also that in plans of results; null: the same
  bool may_lack;         ///< plans of results leave it out where it is 0
  int standard;          ///< of a sweep that is asked for none
  const char* help;      ///< what the flag says
  const char* fact;      ///< what a table of circumstances calls it
  const char* before;    ///< the number there and in a sentence: "first and last " 2,
  const char* noun;      ///< 4 " sink tokens"; "a residual window of " 128
  const char* tokens;    ///< the tokens that it keeps in bf16: "the sinks"; null: it keeps layers

  const char* file_name() const { return old_name != nullptr ? old_name : name; }
};

/// All of them, in the order of CachePolicy.
std::span<const PolicyNumber> policy_numbers();
inline constexpr std::size_t kPolicyNumbers = 3;
inline constexpr std::size_t kSkippedEdgeLayers = 0;  ///< the place of skipped_layers

/// "4 sink tokens", "a residual window of 128": what keeps tokens, where it keeps any.
std::vector<std::string> exact_token_words(const CachePolicy& policy);

/// "the sinks and the residual window": the tokens that a policy keeps in bf16; empty: none.
std::string exact_tokens_text(const CachePolicy& policy);

/// The K, V or Q of one layer for a run of tokens, float32 on the host, dense [tokens, heads, dim].
/// A tap may overwrite K and V; the model then goes on with what was written. `first_token` is the
/// position of the first row in the sequence.
struct KvView {
  float* data = nullptr;
  std::size_t tokens = 0;
  std::size_t heads = 0;
  std::size_t dim = 0;
  std::size_t first_token = 0;
  /// K and V for a tap with an exact window: a second copy of `data`, shaped as it is, which the
  /// tap may overwrite too. Null without such a window, and for Q.
  float* exact = nullptr;
};

}  // namespace kakeya
