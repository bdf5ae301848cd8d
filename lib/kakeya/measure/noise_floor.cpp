// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/noise_floor.h"

#include <memory>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr char kFused[] = "fused", kDecode[] = "decode";

ControlSample control_of(const Sample& sample, const std::string& control, int passage) {
  ControlSample of;
  of.control = control;
  of.passage = passage;
  of.nll_reference = sample.nll_reference.value();
  of.nll = sample.nll.value();
  of.delta_ppl = sample.delta_ppl.value();
  of.kld_mean = sample.kld_mean.value();
  of.kld_max = sample.kld_max.value();
  of.top1 = sample.top1.value();
  of.forward_seconds = sample.forward_seconds;
  of.positions = sample.positions;
  of.nll_tokens = sample.nll_tokens;
  of.kld_tokens = sample.kld_tokens;
  of.top1_tokens = sample.top1_tokens;
  return of;
}

}  // namespace

std::vector<std::string> controls_of(const ModelOptions& model) {
  return {model.dtype == "bf16" ? "fp32" : "bf16", kFused, kDecode};
}

ControlPassages control_passages(ModelSubject& subject, const GridCell& identity,
                                 const ModelOptions& model) {
  if (!identity.is_identity()) {
    throw InputError(identity.specs.label() + ": expected identity for the controls");
  }
  return {subject.first_passage(), subject.passages(), controls_of(model),
          [&subject, &identity](int passage, Model* other) {
            subject.start_passage(passage, {});
            return other ? subject.measure_forward(*other) : subject.measure(identity, kDecode);
          }};
}

std::size_t run_noise_floor(
    const ControlPassages& passages, const std::string& model_path, const ModelOptions& model,
    ResultStore& store, const std::function<void(std::size_t done, const std::string& now)>& notify,
    const std::function<bool()>& stopped) {
  std::size_t done = 0, measured = 0;
  for (const std::string& control : passages.controls) {
    std::unique_ptr<Model> other;
    for (int i = 0; i < passages.count; ++i, ++done) {
      const int passage = passages.first + i;
      if (store.contains_control(control, passage)) continue;
      if (!store.shard().has_control(control, passage)) continue;
      if (stopped && stopped()) return measured;
      notify(done, "control " + control + " passage " + std::to_string(passage));
      if (!other && control != kDecode) {
        ModelOptions options = model;
        (control == kFused ? options.attention : options.dtype) = control;
        options.batch_invariant = model.batch_invariant && control != kFused;
        other = load_model(model_path, options);
      }
      store.append_control(control_of(passages.measure(passage, other.get()), control, passage));
      ++measured;
    }
  }
  notify(done, {});
  return measured;
}

}  // namespace kakeya
