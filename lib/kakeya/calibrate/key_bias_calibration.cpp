// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>

#include "kakeya/calibrate/calibration.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/model_key_bias.h"
#include "kakeya/profile/profile_file.h"
#include "kakeya/store/profile_files.h"

namespace kakeya {

Calibrated<KeyBias> calibrate_key_bias(const CalibrationOptions& options) {
  if (!names_flat_profile(options.out)) {
    throw SpecError("--out " + options.out +
                    ": biases of keys are kept in a flat file: expected a name in .kkp");
  }
  const KeyBias profile = model_key_bias(options.model);
  if (std::filesystem::exists(options.out)) {
    const StoredProfile there = load_profile(options.out);
    if (there.profile->digest != profile.digest) {
      throw InputError(options.out + ": another profile is there, of " +
                       there.profile->origin.model.name + " for " + std::string(there.kind) +
                       ": expected another name, or none there");
    }
    return {there.as<KeyBias>(), true};
  }
  save_profile(options.out, profile);
  return {load_profile(options.out).as<KeyBias>(), false};
}

}  // namespace kakeya
