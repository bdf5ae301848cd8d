// SPDX-License-Identifier: Apache-2.0
// klt where the vectors are: what turns them into points and back, of single heads and of whole layers.
#include "kakeya/device/device_klt.h"

#include <algorithm>

#include "kakeya/codec/budget_pages.h"
#include "kakeya/core/error.h"
#include "kakeya/device/kernel_view.h"
#include "kakeya/device/klt_on_device.h"
#include "kakeya/device/klt_plans.h"
#include "kernels/klt.h"

namespace kakeya {
namespace {

std::vector<TransformPlan> plans_of(const std::vector<std::unique_ptr<Codec>>& hosts) {
  std::vector<TransformPlan> plans;
  for (const auto& host : hosts) {
    plans.push_back(dynamic_cast<const TransformCodec&>(*host).transform_plan());
    if (host->spec() != hosts[0]->spec() || host->dim() != hosts[0]->dim()) {
      throw InputError(host->spec() + ": heads of one launch given with " + hosts[0]->spec() +
                       ", expected the same spec and dim");
    }
  }
  return plans;
}

class HeadsOnDevice final : public KltOnDevice {
 public:
  /// `plans` of the hosts, and `all` that kernels choose from: the same, or those of every step of each.
  HeadsOnDevice(std::vector<std::unique_ptr<Codec>> hosts, const std::vector<TransformPlan>& plans,
                const std::vector<TransformPlan>& all)
      : KltOnDevice(std::move(hosts), {plans.begin(), plans.end()}),
        plans_(shared_klt_plans(all)) {}

 private:
  const kernels::Klt& kernel() const override { return plans_->kernel(); }
  std::size_t more_bytes(std::size_t) const override { return 0; }
  void find_points(const kernels::Klt& klt, const kernels::Vectors& x, const kernels::KltWork& work,
                   std::byte*, const Call& call) const override {
    kernels::klt_forward(klt, x, work, call.flags, call.stream);
  }
  void put_vectors(const kernels::Klt& klt, const kernels::KltWork& work, std::byte*,
                   const kernels::Vectors& y, const Call& call) const override {
    kernels::klt_backward(klt, work, y, call.flags, call.stream);
  }

  std::shared_ptr<const DeviceKltPlans> plans_;
};

class LayersOnDevice final : public KltOnDevice {
 public:
  LayersOnDevice(std::vector<std::unique_ptr<Codec>> hosts, const LayersPlan& plan)
      : KltOnDevice(std::move(hosts), {static_cast<const TransformFrames&>(plan)}),
        plans_(shared_layers_plans(plan)) {
    for (const LayersPlan::Group& group : plan.groups) {
      order_ = std::max(order_, group.predictors.size());
    }
  }

 private:
  const kernels::Klt& kernel() const override { return plans_->kernel().klt; }
  // What was decoded of as many groups as predict the next one, and of that one, and what it is
  // predicted as.
  std::size_t buffers() const { return order_ + 1 + (order_ == 0 ? 0 : 1); }
  std::size_t buffer_bytes(std::size_t tokens) const {
    const auto width = static_cast<std::size_t>(plans_->kernel().width);
    return device_room(4 * width * ((tokens + 31) / 32 * 32));
  }
  std::size_t more_bytes(std::size_t tokens) const override {
    return buffers() * buffer_bytes(tokens);
  }
  kernels::KltLayersWork layers_work(const kernels::KltWork& work, std::byte* more,
                                     std::int64_t tokens) const {
    const std::size_t bytes = buffer_bytes(static_cast<std::size_t>(tokens));
    const auto at = [&](std::size_t i) { return reinterpret_cast<float*>(more + i * bytes); };
    kernels::KltLayersWork all;
    all.klt = work;
    all.decoded_count = static_cast<int>(order_) + 1;
    for (std::size_t i = 0; i <= order_; ++i) all.decoded[i] = at(i);
    if (order_ > 0) all.predicted = at(order_ + 1);
    return all;
  }
  void find_points(const kernels::Klt&, const kernels::Vectors& x, const kernels::KltWork& work,
                   std::byte* more, const Call& call) const override {
    kernels::klt_layers_forward(plans_->kernel(), x, layers_work(work, more, x.tokens), call.flags,
                                call.stream);
  }
  void put_vectors(const kernels::Klt&, const kernels::KltWork& work, std::byte* more,
                   const kernels::Vectors& y, const Call& call) const override {
    kernels::klt_layers_backward(plans_->kernel(), layers_work(work, more, y.tokens), y, call.flags,
                                 call.stream);
  }

  std::shared_ptr<const DeviceLayersPlans> plans_;
  std::size_t order_ = 0;
};

void require_dim(const std::string& spec, const char* what, std::size_t dim, int most) {
  if (dim % 8 == 0 && dim >= 8 && dim <= static_cast<std::size_t>(most)) return;
  throw NoKernelError(spec + ": no CUDA kernel for " + what + " " + std::to_string(dim) +
                          ": there are kernels for multiples of 8 up to " + std::to_string(most),
                      NoKernelError::kOnHost);
}

std::unique_ptr<HeadsOnDevice> make_heads(std::vector<std::unique_ptr<Codec>> hosts,
                                          const std::vector<TransformPlan>& plans,
                                          const std::vector<TransformPlan>& all) {
  const std::string spec = hosts[0]->spec();
  if (plans[0].exact != nullptr) {
    require_dim(spec, "product=exact with dim", hosts[0]->dim(), kernels::kMostWholeDim);
  } else {
    require_dim(spec, "dim", hosts[0]->dim(), kernels::kMostKltDim);
  }
  return std::make_unique<HeadsOnDevice>(std::move(hosts), plans, all);
}

// Pages of a budget: plans of every step of every head.
std::unique_ptr<DeviceCodec> make_budget_heads(std::vector<std::unique_ptr<Codec>> hosts) {
  std::vector<std::unique_ptr<Codec>> alone, steps;
  for (const auto& host : hosts) {
    const auto& budget = dynamic_cast<const BudgetPages&>(*host);
    alone.push_back(budget.codec_of(0));
    for (int rung = 0; rung < kRungs; ++rung) steps.push_back(budget.codec_of(rung));
  }
  const std::vector<TransformPlan> plans = plans_of(alone);
  auto pages = make_heads(std::move(alone), plans, plans_of(steps));
  return make_budget_on_device(std::move(hosts), true, std::move(pages));
}

}  // namespace

std::unique_ptr<DeviceCodec> make_klt_on_device(std::vector<std::unique_ptr<Codec>> hosts) {
  const std::string spec = hosts[0]->spec();
  if (dynamic_cast<const BudgetPages*>(hosts[0].get()) != nullptr) {
    return make_budget_heads(std::move(hosts));
  }
  if (const auto* layers = dynamic_cast<const LayersCodec*>(hosts[0].get())) {
    if (hosts.size() != 1) {
      throw InputError(spec + ": " + std::to_string(hosts.size()) +
                       " heads given, expected one: whole tokens");
    }
    const LayersPlan plan = layers->layers_plan();
    require_dim(spec, "dim", plan.head_dim, kernels::kMostKltDim);
    require_dim(spec, "layers transformed together of", plan.width, kernels::kMostKltWidth);
    return std::make_unique<LayersOnDevice>(std::move(hosts), plan);
  }
  const std::vector<TransformPlan> plans = plans_of(hosts);
  return make_heads(std::move(hosts), plans, plans);
}

}  // namespace kakeya
