// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private (rooms.json): the headers that name tensors are this and torch_step.h, for torch_model.cpp,
// torch_predictions.cpp, torch_step.cpp, torch_step_few.cpp and torch_each.cpp.
#include <ATen/ATen.h>

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kakeya/core/worker_pool.h"
#include "kakeya/model/model.h"
#include "kakeya/model/weights/checkpoint.h"

namespace kakeya {

class TorchModel final : public Model {
 public:
  TorchModel(const Checkpoint& checkpoint, const ModelOptions& options);

  const ModelFacts& facts() const override { return facts_; }
  std::vector<float> logits(std::span<const std::int32_t> tokens, std::size_t first,
                            std::size_t count, KvTap* tap) override;
  std::unique_ptr<Predictions> predict(std::span<const std::int32_t> tokens, std::size_t first,
                                       std::size_t count, KvTap* tap) override;
  std::unique_ptr<Predictions> predictions_of(std::vector<float> logits) override;
  std::vector<float> step(std::span<const StepInput> batch, StepCache& cache) override;
  std::vector<double> nll(std::span<const std::int32_t> tokens, std::size_t first_scored,
                          KvTap* tap) override;
  void prefill(std::span<const std::int32_t> tokens, KvTap& tap) override;
  std::vector<double> rope_frequencies(int layer) const override {
    return frequencies_.at(static_cast<std::size_t>(layer));
  }
  std::vector<float> attention_output(int layer) const override;

 private:
  using Tensor = at::Tensor;

  struct Layer {
    Tensor attention_norm, ffn_norm;            // [hidden] float32
    Tensor attention_post_norm, ffn_post_norm;  // [hidden] float32, or undefined
    Tensor qkv;                                 // [(query_heads + 2 kv_heads) * head_dim, hidden]
    Tensor qkv_bias;                            // [rows of qkv] or undefined
    Tensor query_norm, key_norm;                // [head_dim] float32, or undefined
    Tensor attention_output;                    // [hidden, query_heads * head_dim]
    Tensor gate_up;                             // [2 ffn, hidden]: gate above up
    Tensor down;                                // [hidden, ffn]
    bool windowed = false;                      // attention sees the last tokens only
    std::size_t place = 0;                      // of places_: where all of these are
  };

  // x weight^T; empty: project_rows() or add_product().
  using Product = std::function<Tensor(const Tensor& x, const Tensor& weight)>;

  // What a forward needs on each device, of layers that see all (0) and of windowed ones (1), where
  // there are such: rotary_table(), and causal_mask() or window_mask() in the type of products.
  struct PassPlace {
    Tensor rotary[2], mask[2];
  };

  // A forward in progress: what every layer shares.
  struct Pass {
    KvTap* tap;
    bool pre_rope;
    std::int64_t block;             // tokens worked on at once
    std::int64_t begin;             // tokens before it are not computed: the tap sets their K and V
    std::int64_t window;            // of windowed layers, at most the tokens there are
    std::int64_t exact;             // the tap's exact window, at most the tokens there are
    Product product;                // of a token by itself
    std::vector<PassPlace> places;  // as places_
  };

  // Q, K and V of all tokens in one layer.
  struct Projected {
    Tensor qkv;    // [tokens, (query_heads + 2 kv_heads) head_dim]
    Tensor exact;  // [tokens, 2 kv_heads head_dim]: K and V as later tokens see them while near;
                   // undefined where they see those of qkv at any distance
  };

  // The new tokens of a sequence, among the rows of a step.
  struct StepRows {
    int sequence;
    std::int64_t row, rows;  // where they are, in the order of the batch
    std::int64_t position;   // of the first in its sequence
  };

  // Both forwards.
  Tensor embed(std::span<const std::int32_t> tokens) const;
  Tensor at_layer(const Layer& layer, const Tensor& x) const;
  void project_block(const Layer& layer, const Tensor& x, const Tensor& qkv,
                     const Product& product) const;
  void finish_rows(const Layer& layer, const Tensor& x, const Tensor& mixed,
                   const Product& product) const;
  void add_part(const Tensor& sum, const Tensor& x, const Tensor& weight, const Tensor& post_norm,
                const Product& product) const;
  Product product_of(const Tensor& rows);
  Tensor final_rows(const Tensor& x) const;
  class Rows;  // torch_predictions.cpp
  Tensor vocabulary_rows(const Tensor& normed);
  std::vector<float> logits_of(const Tensor& normed);
  Tensor heads(const Tensor& qkv, Part part) const;
  using BlockWork = std::function<void(std::int64_t start, std::int64_t rows, std::size_t worker)>;
  void for_blocks(std::int64_t block, std::int64_t first, std::int64_t end, const BlockWork& work);

  // All tokens at once.
  Tensor run(std::span<const std::int32_t> tokens, std::size_t first, std::size_t count,
             KvTap* tap);
  Pass start_pass(std::int64_t tokens, std::int64_t wanted, KvTap* tap) const;
  Projected project(const Layer& layer, const Pass& pass, const Tensor& x);
  void rotate(const Layer& layer, const Pass& pass, const Projected& all, std::int64_t start,
              std::int64_t rows) const;
  void visit(const Pass& pass, int layer, Projected& all, bool before_rope);
  Tensor attend_block(const Layer& layer, const Pass& pass, const Projected& all,
                      std::int64_t start, std::int64_t rows, std::size_t worker);

  // A step (torch_step.cpp).
  struct Step;
  std::vector<StepRows> plan_step(std::span<const StepInput> batch, const StepCache& cache) const;
  void grow_rotary(std::int64_t tokens);
  void append_rows(const Step& step, int layer, const StepRows& part, const Tensor& qkv) const;
  void attend_cached(const Step& step, int layer, const StepRows& part, const Tensor& queries,
                     const Tensor& mixed);
  void for_rows(const Step& step, std::int64_t rows, const BlockWork& work);
  WorkerPool& readers();
  std::array<Tensor, 2> read_tile(const Step& step, int layer, const StepRows& part,
                                  std::int64_t first, std::int64_t count);
  void add_tile_to_rows(const Step& step, const Layer& layer, const StepRows& part, const Tensor& q,
                        const Tensor& keys, const Tensor& values, std::int64_t first,
                        const Tensor& state);
  void attend_step(const Step& step, int layer, std::span<const StepRows> parts,
                   const Tensor& queries, const Tensor& mixed);
  std::int64_t first_seen(int layer, const StepRows& part) const;
  void require_kept(const Step& step, int layer, const StepRows& part) const;
  // Over a cache on the model's GPU (torch_step_device.cpp).
  void begin_on_device(DeviceStepCache& cache, std::span<const StepRows> parts) const;
  void append_on_device(const Step& step, int layer, const Tensor& qkv) const;
  void attend_on_device(const Step& step, int layer, std::span<const StepRows> parts,
                        const Tensor& queries, const Tensor& mixed);
  std::array<Tensor, 2> kept_rows(const Step& step, int layer, const StepRows& part,
                                  std::int64_t first, std::int64_t count) const;
  bool attends_fast(int layer, const Tensor& queries) const;
  void attend_many(const Step& step, int layer, const StepRows& part, const Tensor& queries,
                   const Tensor& mixed);
  bool attend_together(const Step& step, int layer, std::span<const StepRows> parts,
                       const Tensor& queries, const Tensor& mixed);
  // Of few tokens on a CPU (torch_step_few.cpp).
  struct HeadScratch;
  bool is_few(const Step& step, int layer, const StepRows& part) const;
  template <typename Work>
  void for_pages(const Step& step, KvSite site, const StepRows& part, std::size_t first,
                 std::size_t end, HeadScratch& scratch, const Work& work) const;
  template <typename Read, typename Packed>
  void for_packed(const Step& step, KvSite site, const StepRows& part, std::size_t first,
                  std::size_t end, const Read& read, const Packed& packed) const;
  void attend_head(const Step& step, KvSite site, const StepRows& part, const float* q, float* out,
                   HeadScratch& scratch) const;
  void attend_few(const Step& step, int layer, std::span<const StepRows> parts,
                  const Tensor& queries, const Tensor& mixed);
  Tensor run_step(std::span<const StepInput> batch, std::vector<StepRows> parts, Step& step);
  // Each token by itself (torch_each.cpp).
  class HeldRows;
  void attend_each(const Step& step, int layer, std::span<const StepRows> parts,
                   const Tensor& queries, const Tensor& mixed);
  void attend_held(HeldRows& held, int layer, const StepRows& part, const Tensor& queries,
                   const Tensor& mixed);
  Tensor attend_by_token(int layer, const Pass& pass, const Projected& all, std::int64_t first,
                         std::int64_t end);

  ModelFacts facts_;
  ModelConfig config_;
  at::TensorOptions options_;  // type of activations, and the device of the embedding
  // Device and type of products. A CPU multiplies bf16 slowly if at all: there the operands are
  // bf16 numbers, held and multiplied as float32, and the result is rounded to bf16.
  at::TensorOptions products_;
  bool fused_;                                    // ModelOptions::attention
  bool invariant_;                                // ModelOptions::batch_invariant
  std::int64_t block_tokens_;                     // as asked for; 0: rows_at_once() decides
  std::vector<std::vector<double>> frequencies_;  // of each layer
  Tensor embedding_, output_, final_norm_;
  std::vector<Layer> layers_;
  WorkerPool pool_;
  int threads_;                          // as asked for
  std::unique_ptr<WorkerPool> readers_;  // of the cache of steps on a GPU, once there is one
  // A device of ModelOptions::device, and what is kept there. Layers go from each to the next; the
  // last has the output.
  struct Place {
    at::Device device;
    std::vector<Tensor> scores;  // attention scratch, one a thread of the pool
    Tensor rotary[2];            // as in PassPlace, of the positions that steps have come to
  };
  std::vector<Place> places_;
  Tensor host_;                                             // what a tap sees
  std::vector<std::shared_ptr<HeadScratch>> head_scratch_;  // of steps, one a thread
  Tensor tile_;  // what a step reads from its cache: keys and values of a tile
};

}  // namespace kakeya
