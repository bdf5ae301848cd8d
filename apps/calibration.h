// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kakeya/profile/profile.h"

namespace kakeya {

/// What kakeya-calibrate is asked for.
struct CalibrationOptions {
  std::string model, out, device = "cpu", dtype = "fp32", scope = "layer";
  std::vector<std::string> texts;
  std::string dump;  ///< with queries, in place of texts
  std::optional<std::string> tap;
  std::optional<int> passages, context, sensitivity_passages;
  int sinks = 4, threads = 0, predict = 2;
  bool ablations = false, json = false;
};

/// Makes the profile and writes it to options.out; returns it as it is read back. Goes on with
/// options.out + ".unfinished" where that is there, and throws InputError where it was begun with
/// other settings.
Profile calibrate(const CalibrationOptions& options);

}  // namespace kakeya
