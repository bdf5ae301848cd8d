// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kakeya/core/worker_pool.h"
#include "kakeya/model/model.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// How sensitivities are measured: on the first passages, cut to `context` tokens, by the KL
/// divergence of the last `scored` predictions.
struct SensitivitySettings {
  double bits = 0;  ///< nominal rate
  std::size_t context = 0, scored = 0;
  TapPoint tap = TapPoint::pre_rope;
  std::size_t sinks = 4;
  bool on_device =
      false;  ///< passes are seen where the model computes; the part that is coded, which
              ///< codecs of the host code, is all that is copied
};

/// Measures PartProfile::sensitivity of every part of `profile` that has none yet: codes that part
/// alone, inside the forward, by klt:alloc=none at `settings.bits`, and compares with the clean
/// pass. `passages` are at least settings.context tokens each. Throws InputError where they are
/// not, or where sinks and scored tokens leave nothing to code. After each part calls done(part).
/// Cost: a forward of each passage a part.
void measure_sensitivities(Model& model, std::span<const std::span<const std::int32_t>> passages,
                           const SensitivitySettings& settings, Profile& profile, WorkerPool& pool,
                           const std::function<void(std::size_t part)>& done);

/// The same of PartProfile::prefix_sensitivity: the cache of all tokens before the scored ones is
/// that of a clean prefill, with one part coded; errors do not pass through the layers of the
/// prefill, as they do not when a whole cache is coded once. Keeps the caches of all passages
/// (2 bytes a value). Cost: a forward of each passage's scored tokens a part.
void measure_prefix_sensitivities(Model& model,
                                  std::span<const std::span<const std::int32_t>> passages,
                                  const SensitivitySettings& settings, Profile& profile,
                                  WorkerPool& pool,
                                  const std::function<void(std::size_t part)>& done);

}  // namespace kakeya
