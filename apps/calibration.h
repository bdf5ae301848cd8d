// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kakeya/profile/profile.h"

namespace kakeya {

/// What kakeya-calibrate is asked for.
struct CalibrationOptions {
  std::string model, out, tap = "pre-rope", device = "cpu", dtype = "fp32", scope = "layer";
  std::vector<std::string> texts;
  int passages = 9, context = 2048, sinks = 4, threads = 0, predict = 2;
  std::optional<int> sensitivity_passages;
  bool ablations = false, json = false;
};

/// Makes the profile and writes it to options.out; returns it as it is read back. Goes on with
/// options.out + ".unfinished" where that is there, and throws InputError where it was begun with
/// other settings.
Profile calibrate(const CalibrationOptions& options);

}  // namespace kakeya
