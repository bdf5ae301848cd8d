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

/// A profile as it is read back from its file.
template <typename Kind>
struct Calibrated {
  Kind profile;
  bool already = false;  ///< it was there, made of the same model, texts and settings
};

/// Makes the profile of the codec klt and writes it to options.out, or finds it there. Goes on with
/// options.out + ".unfinished" where that is there, or begins with what options.from has; throws
/// InputError where any of the three was made with other settings, or another was not begun with
/// what options.from has. What is no profile, or one of an older format, is written over; and a
/// profile beside which there is an unfinished one, when that is finished.
Calibrated<Profile> calibrate(const CalibrationOptions& options);

/// The same of the codec kvtc, all at once.
Calibrated<KvtcProfile> calibrate_kvtc(const CalibrationOptions& options);

}  // namespace kakeya
