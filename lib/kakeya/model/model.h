// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kakeya/core/layer_windows.h"
#include "kakeya/core/origin.h"
#include "kakeya/model/kv_tap.h"
#include "kakeya/model/predictions.h"
#include "kakeya/model/step_cache.h"

namespace kakeya {

/// What a harness must know of a model. Written into every dump and result.
struct ModelFacts {
  std::string name;          ///< the file's or folder's own name, without its ending
  std::string architecture;  ///< "llama", "qwen3", ...
  KvShape shape;
  int hidden = 0;
  int vocab = 0;
  int context = 0;       ///< longest sequence the model was trained for, in tokens
  double rope_base = 0;  ///< of layers without a window
  /// "rotate-half", "interleaved", as the maths runs here; of a model in a host alone "rotate-half of
  /// 32", the first coordinates of a head, or a word that calibration refuses.
  std::string rope_layout;
  std::string weight_types;  ///< "Q4_1 x 210, Q8_0 x 1, F32 x 61"
  LayerWindows windows = {};
  /// Of q k^T before the softmax; 0: not known, as of a model in a host, whose attention may be more
  /// than softmax(scale q k^T) v.
  double attention_scale = 0;
  /// Of a model in a host alone: the digest of its files, and what the host says it is.
  std::string sha256 = {}, host = {};
  std::vector<int> layer_devices = {};  ///< of each layer, the number of its GPU; empty on a CPU
};

struct ModelOptions {
  /// "cpu", "cuda" or "cuda:N"; or several with commas, "cuda:0,cuda:1": each has a run of the layers,
  /// weights, K and V. The numbers are those of one device of that kind.
  std::string device = "cpu";
  std::string dtype =
      "fp32";       ///< "fp32" or "bf16": of weights and activations; logits and norms are fp32
  int threads = 0;  ///< 0: as many as the machine has
  int block_tokens =
      0;  ///< tokens worked on at once; 0: what suits the device. Never changes the maths
  /// "plain": scores, softmax, sum, one after another. "fused": LibTorch's own attention where it has
  /// one (from 2.1 on), else tiles of 64 keys under a running softmax, as fused kernels sum; for controls, in
  /// logits() alone and without KvView::exact.
  std::string attention = "plain";
  /// Every token by itself, in the order of sums of a step of one token, on a CPU: what a token is
  /// predicted as depends on what it sees and on nothing else, neither on the tokens beside it nor on how they
  /// are cut into steps and batches. So steps over a cache and a forward over the same keys and values agree to
  /// the last bit. A forward takes as long as its tokens one after another.
  bool batch_invariant = false;
};

/// A decoder-only transformer. Not thread-safe: one forward at a time. No LibTorch in sight.
class Model {
 public:
  virtual ~Model() = default;

  virtual const ModelFacts& facts() const = 0;

  /// One causal forward over `tokens` (at most facts().context of them), all positions at once.
  /// Returns logits in natural (not normalised) form, float32, row-major [count, vocab], of
  /// positions first .. first + count - 1; row i predicts token first + i + 1. Only those rows are
  /// computed. `tap` may be null. Throws InputError on a token id outside the vocabulary.
  virtual std::vector<float> logits(std::span<const std::int32_t> tokens, std::size_t first,
                                    std::size_t count, KvTap* tap) = 0;

  /// As logits(), of which as many as are asked for are made at once: for long texts, and for comparing
  /// passes where the model computes. Throws what logits() throws.
  virtual std::unique_ptr<Predictions> predict(std::span<const std::int32_t> tokens,
                                               std::size_t first, std::size_t count, KvTap* tap);

  /// Logits that this model gave before, [rows, vocab], as what predict() returns.
  virtual std::unique_ptr<Predictions> predictions_of(std::vector<float> logits);

  /// Negative log-likelihood in nats of tokens[first_scored] .. tokens[n-1], each given all before
  /// it. first_scored >= 1. The vocabulary's log-sum-exp is taken in double, in slices, so memory
  /// stays bounded for long sequences.
  virtual std::vector<double> nll(std::span<const std::int32_t> tokens, std::size_t first_scored,
                                  KvTap* tap) = 0;

  /// Decodes: the tokens of each input follow those that the cache has of its sequence. In every
  /// layer their keys and values are appended to the cache, and attention sees what the cache gives
  /// back, the new tokens included: what is stored is what is seen. It is read on the host, from what a
  /// layer's window sees on: for many new tokens 1024 at a time (on a GPU, each tile is copied there); for
  /// few on a CPU a page of a head at a time, heads and sequences on all threads, which is when the cache
  /// is read from several. Memory follows the new tokens and never the cache: a page of a head and 8192
  /// scores a query, a thread.
  ///
  /// Returns logits as logits() does, [sum of scored, vocab], in the order of the batch. Over a
  /// float32 cache they are those of logits() up to the order of sums, however the tokens are cut into steps
  /// and batches: of tests' models within 2e-5 in float32, within 0.5 in bf16, which rounds such sums (README.md);
  /// with ModelOptions::batch_invariant to the last bit.
  ///
  /// Throws InputError, the cache untouched: on an empty batch or input, a sequence that is there
  /// twice or would be longer than facts().context, an id outside the vocabulary, scored > tokens. What
  /// is thrown later (by the cache, or because a layer no longer has what the first new token's window
  /// sees) leaves layers of different length: cut the sequences of the batch back to
  /// StepCache::tokens(), or drop them, before they go on.
  virtual std::vector<float> step(std::span<const StepInput> batch, StepCache& cache) = 0;

  /// Rotary frequencies of `layer`, radians a token, [head_dim / 2]: pair i is coordinates i and i
  /// + head_dim / 2.
  virtual std::vector<double> rope_frequencies(int layer) const = 0;

  /// What the concatenated heads of `layer` are multiplied with before they join the residual
  /// stream: [hidden, query_heads * head_dim], row-major, float32. Of a model that norms the
  /// product, with the norm's weights multiplied in.
  virtual std::vector<float> attention_output(int layer) const = 0;

  /// The K and V (and Q where the tap wants it) of one prefill, no logits.
  virtual void prefill(std::span<const std::int32_t> tokens, KvTap& tap) = 0;
};

/// Loads a Hugging Face folder or a .gguf file; or "transformers:NAME", which runs in the host of this
/// program (host/README.md), also where there is no LibTorch. Throws IoError, CorruptStream (a damaged
/// file) or InputError (an architecture, a tensor or a configuration key that is unknown or missing:
/// named).
std::unique_ptr<Model> load_model(const std::string& path, const ModelOptions& options);

/// Name and digest of the model that was loaded from `path`, for records. Throws IoError.
Source model_source(const Model& model, const std::string& path);

}  // namespace kakeya
