// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kakeya/profile/profile.h"

namespace kakeya {

/// What kakeya-calibrate is asked for.
struct CalibrationOptions {
  std::string model, out, codec = "klt", device = "cpu", dtype = "fp32", scope = "layer",
                          matrices = "fp16", steps = "prefix";
  std::vector<std::string> texts;
  std::string dump;  ///< with queries, in place of texts
  std::string from;  ///< a profile of the same model and texts, whose steps are not made again
  std::optional<std::string> tap, cut;
  std::optional<int> passages, context, sensitivity_passages, rank;
  int sinks = 4, threads = 0, predict = 2, layer_group = 1;
  bool ablations = false, json = false;
};

/// Makes the profile of the codec klt and writes it to options.out; returns it as it is read back.
/// Goes on with options.out + ".unfinished" where that is there, or begins with what options.from
/// has; throws InputError where either was made with other settings, or the first was not begun
/// with what the second has.
Profile calibrate(const CalibrationOptions& options);

/// Makes the profile of the codec kvtc, and writes it to options.out; returns it as it is read
/// back.
KvtcProfile calibrate_kvtc(const CalibrationOptions& options);

}  // namespace kakeya
