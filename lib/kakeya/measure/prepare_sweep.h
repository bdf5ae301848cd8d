// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/config.h"
#include "kakeya/measure/passages.h"
#include "kakeya/measure/sweep.h"
#include "kakeya/model/model.h"
#include "kakeya/profile/profile_shelf.h"
#include "kakeya/store/kv_store.h"

namespace kakeya {

class ModelSubject;

/// So many passages are measured where none are asked for, if the text has as many.
inline constexpr int kSweepPassages = 8;

/// How much of what is measured a profile was calibrated on: there its codecs look better than they
/// are.
struct SharedText {
  std::string path;    ///< of the profile
  bool whole = false;  ///< the same text or the same passages, by their digests
  /// Which passages have text in common with it (SeenTokens); nothing: it did not record its windows.
  std::optional<std::vector<int>> passages;
};

/// What run_noise_floor() needs of a sweep.
struct NoiseFloor {
  ModelSubject* subject;  ///< the sweep's
  std::string model_path;
  ModelOptions model;
};

/// A sweep made ready for run_sweep(): what is measured, on what, and under which plan. Members
/// point to one another; it may be moved.
struct PreparedSweep {
  std::unique_ptr<WorkerPool> pool;
  std::unique_ptr<Model> model;
  std::unique_ptr<std::vector<Passage>> passages;
  std::unique_ptr<DumpReader> dump;  ///< in place of model and passages
  std::unique_ptr<ProfileShelf> profiles;
  std::unique_ptr<SweepSubject> subject;
  std::optional<NoiseFloor> noise_floor;  ///< where it is asked for
  std::vector<GridCell> grid;
  SweepPlan plan;
  std::vector<PluginRecord> plugins;
  std::string codec_device = "cpu";  ///< where codecs work: "cpu", or plan.device

  /// What records say of the profiles: each with the bytes that the hungriest codec needs of it.
  std::vector<ProfileRecord> profile_records() const;

  /// What records say of the plans among the cells.
  std::vector<PlanRecord> plan_records() const;

  /// Codecs that work on the host beside others that work on a GPU, as records name them: those
  /// without a kernel, and all of them in mode decode.
  std::vector<std::string> codecs_on_host() const;

  /// What is recorded of a run of it. `arguments` are the program's.
  Provenance provenance(const std::vector<std::string>& arguments) const;

  std::vector<SharedText> shared_texts;  ///< of the profiles, as they are on the shelf

  /// The profiles whose steps of whole layers are for finished caches (Tier::cold), where codecs of
  /// whole tokens are measured inside the forward with them.
  std::vector<StoredProfile> cold_profiles_inside_forward() const;
};

/// Makes ready what is asked for, defaults filled in; `sweep.model` is a path. Every codec is built
/// and checked against every mode. Throws SpecError on what is missing, out of range or excludes
/// something else or has no kernel where codecs are to work on a GPU, and what reading model, text, dump and profiles throws.
PreparedSweep prepare_sweep(const SweepConfig& sweep);

}  // namespace kakeya
