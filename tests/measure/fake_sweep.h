// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fake_model.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/model_sweep.h"

namespace kakeya::testing {

inline constexpr std::size_t kContext = 24, kScored = 8;
inline const std::vector<EvalMode> kAllModes = {EvalMode::in_forward, EvalMode::snapshot,
                                                EvalMode::prefix};

inline SweepPlan fake_plan() {
  SweepPlan plan;
  plan.origin.model.name = "fake";
  plan.context = kContext;
  plan.scored = kScored;
  return plan;
}

inline ModelSubject::Settings settings(std::vector<EvalMode> modes, int skipped_layers = 1,
                                       int sinks = 0) {
  return {std::move(modes), kContext, kScored, {0, skipped_layers, sinks}, TapPoint::pre_rope};
}

inline std::vector<GridCell> grid_of(std::vector<std::string> codecs) {
  return build_grid(expand_grid({std::move(codecs), {}, {}}), {{.head_dim = 16}});
}

/// One sweep of the fake model into `folder`.
struct FakeSweep {
  FakeModel model;
  std::vector<Passage> passages = fake_passages(3, kContext + kScored);
  WorkerPool pool{2};
  std::vector<SweepEvent> events;

  SweepOutcome operator()(const std::string& folder, const std::vector<GridCell>& grid,
                          const ModelSubject::Settings& how) {
    ModelSubject subject(model, passages, how, pool);
    ResultStore store(folder, fake_plan(), make_provenance({"test"}, 2));
    return run_sweep(subject, grid, store,
                     [&](const SweepEvent& event) { events.push_back(event); });
  }
};

inline const Sample& sample_of(const StoredResults& results, const std::string& codec,
                               const std::string& mode, int passage) {
  for (const Sample& sample : results.samples) {
    if (sample.key == CellKey{codec, codec, passage, mode}) return sample;
  }
  throw InputError("no sample of " + codec + " " + mode);
}

}  // namespace kakeya::testing
