// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/core/kv.h"
#include "kakeya/core/rows.h"

namespace kakeya {

class DeviceStepCache;  // device_step_cache.h

/// Where the keys and values of a model's tokens are kept while it decodes, for several sequences.
/// What is read back is what attention sees, of a step's own tokens too. Throws InputError where
/// there is no such sequence, layer or token.
class StepCache {
 public:
  virtual ~StepCache() = default;

  /// This cache where it lives in the memory of a GPU, which then does all that follows from tokens() on; else
  /// null.
  virtual DeviceStepCache* on_device() { return nullptr; }

  /// Whether keys are kept before RoPE (after QK-norm) or after it.
  virtual TapPoint tap_point() const = 0;

  /// Whole tokens kept: those that every layer was given, also where it has dropped them since.
  virtual std::size_t tokens(int sequence) const = 0;

  /// The first token that a layer still has: later than 0 where a sliding window left some behind.
  virtual std::size_t first_token(int sequence, int layer) const = 0;

  /// Appends the keys and values of some tokens to a layer, [tokens, kv_heads * head_dim] each.
  virtual void append(int sequence, int layer, Rows<const float> keys,
                      Rows<const float> values) = 0;

  /// The keys or values of some tokens of a layer: of all heads, [tokens, kv_heads * head_dim], or of
  /// site.head alone, [tokens, head_dim]. While nothing else is called, from several threads.
  virtual void read(int sequence, KvSite site, TokenRange tokens, Rows<float> out) const = 0;

  /// Keys and values of some tokens of a layer side by side: [tokens, 2 * kv_heads * head_dim]. For layers
  /// whose heads are not apart, where it is the work of one of them. As read(), from several threads.
  virtual void read_both(int sequence, int layer, TokenRange tokens, Rows<float> out) const {
    const std::size_t width = out.dim / 2;
    read(sequence, {layer, Part::key}, tokens, {out.data, out.count, width, out.stride});
    read(sequence, {layer, Part::value}, tokens, {out.data + width, out.count, width, out.stride});
  }

  /// Whether attention may use add_packed() and score_packed(), so that sums have another order than those of what
  /// read() gives. A model with ModelOptions::batch_invariant refuses such a cache.
  virtual bool sums_packed() const { return false; }

  /// Adds to out[q], [queries, head_dim], the values of site.head of the first of some tokens, times
  /// weights[q][t], t from the first token on, and returns of how many: 0 where the first is to be read. As
  /// read(), from several threads. Called where sums_packed().
  virtual std::size_t add_packed(int sequence, KvSite site, TokenRange tokens,
                                 Rows<const float> weights, Rows<float> out) const {
    (void)sequence, (void)site, (void)tokens, (void)weights, (void)out;
    return 0;
  }

  /// The same of products with queries, [queries, head_dim], to scores[q][t]: of keys that are kept as attention
  /// takes them, after RoPE.
  virtual std::size_t score_packed(int sequence, KvSite site, TokenRange tokens,
                                   Rows<const float> queries, Rows<float> scores) const {
    (void)sequence, (void)site, (void)tokens, (void)queries, (void)scores;
    return 0;
  }

  /// Whether reading one head takes no more work than its share. Where not, all are read at once.
  virtual bool heads_apart(int layer) const {
    (void)layer;
    return true;
  }

  /// Where the tokens end that are best read together with `token`, those of its page; may lie beyond
  /// what is there.
  virtual std::size_t run_end(int sequence, KvSite site, std::size_t token) const {
    (void)sequence, (void)site;
    return token + 1024;
  }
};

/// New tokens of a sequence, behind those that the cache has.
struct StepInput {
  int sequence = 0;
  std::span<const std::int32_t> tokens;
  std::size_t scored = 1;  ///< logits wanted of the last `scored` tokens; 0: of none
};

}  // namespace kakeya
