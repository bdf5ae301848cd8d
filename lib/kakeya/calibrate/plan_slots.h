// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kakeya/calibrate/plan_calibration.h"
#include "kakeya/measure/prepare_sweep.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// The settings that a plan chooses among: one codec at several rates, cheapest first.
struct RateLadder {
  std::vector<std::string> specs;
  std::vector<double> rates;
  std::string key;
  bool continuous = false;  ///< the key takes any number
  bool tokens = false;      ///< of whole tokens

  /// The spec at any rate: of a ladder's own, or any number of a continuous one.
  std::string at(double rate) const;
};

/// The ladder of a pattern, or of a family alone, at its descriptor's plan_rates: "e8",
/// "ece8:center=mean". Throws SpecError where the pattern means fewer than two settings, or of several families.
RateLadder ladder_of(const std::string& pattern);

/// The slots of a cache: groups of `group` coded layers in a row, keys and values apart unless the
/// codec is of whole tokens.
std::vector<PlanSlot> slots_of(const CachePolicy& policy, int group, bool tokens);

/// The plan that codes one slot alone: in its layers the other part, if it is not coded too, is
/// `identity`, all other layers are skipped.
CodecPlan plan_of_slot(const PlanSlot& slot, const std::string& spec, int layers);

/// The plan that gives each slot a spec.
CodecPlan plan_of_slots(std::span<const PlanSlot> slots, const std::vector<std::string>& specs,
                        const CachePolicy& policy);

/// Fills points and curves of the slots from the samples of their cells. `labels` are those of the
/// cells, [slot][rate].
void fit_slots(std::vector<PlanSlot>& slots, const std::vector<std::vector<std::string>>& labels,
               const RateLadder& ladder, std::span<const Sample> samples);

}  // namespace kakeya
