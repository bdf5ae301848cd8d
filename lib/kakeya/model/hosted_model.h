// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "kakeya/core/worker_pool.h"
#include "kakeya/host/host.h"
#include "kakeya/model/model.h"

namespace kakeya {

/// A model that runs in a host: a transformers model. Its forwards show taps and caches what the
/// host sends, in the memory that both share, and go on there with what was written. All tokens are
/// computed, whatever KvTap::replaced_tokens() says. Taps that work on the device are InputError.
///
/// What the host replies with as an error is thrown as that. A host that shows the wrong thing is
/// CorruptStream, one that ends IoError.
class HostedModel final : public Model {
 public:
  /// Opens `name`, a folder or what else the host knows. The host outlives the model.
  HostedModel(Host& host, const std::string& name, const ModelOptions& options);
  ~HostedModel() override;

  const ModelFacts& facts() const override { return facts_; }
  std::vector<float> logits(std::span<const std::int32_t> tokens, std::size_t first,
                            std::size_t count, KvTap* tap) override;
  std::vector<double> nll(std::span<const std::int32_t> tokens, std::size_t first_scored,
                          KvTap* tap) override;
  std::vector<float> step(std::span<const StepInput> batch, StepCache& cache) override;
  void prefill(std::span<const std::int32_t> tokens, KvTap& tap) override;
  std::vector<double> rope_frequencies(int layer) const override;
  std::vector<float> attention_output(int layer) const override;

 private:
  using Rows = std::function<void(std::span<const float> rows)>;

  void read_facts(const HostMessage& reply);
  void run(nlohmann::json& request, std::span<const std::int32_t> tokens, KvTap* tap,
           std::size_t count, const Rows& take) const;
  void forward_rows(std::span<const std::int32_t> tokens, std::size_t first, std::size_t count,
                    std::size_t slice, KvTap* tap, const Rows& take) const;

  Host& host_;
  ModelFacts facts_;
  std::int64_t handle_ = 0;
  WorkerPool pool_;
};

}  // namespace kakeya
