// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/measure/passages.h"
#include "kakeya/profile/key_bias.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// What a profile is made of, whichever codec it is for.
struct CalibrationOptions {
  std::string model;               ///< a Hugging Face folder or a .gguf file
  std::vector<std::string> texts;  ///< files, or folders of .txt files; passages of each alike
  std::string dump;                ///< K, V and Q in place of texts: nothing is prefilled
  std::string out;  ///< the profile: flat where the name ends in .kkp, else HDF5 with a flat beside
  std::string device = "cpu", dtype = "fp32";  ///< as ModelOptions
  /// "cpu" or "cuda": where sums are taken of what a prefill shows; empty: where the model is, on the host
  /// where its layers are on several devices. A dump is always summed on the host.
  std::optional<std::string> codec_device;
  std::optional<TapPoint> tap;  ///< that of the dump, or pre-rope
  Cut cut = Cut::tokens;        ///< of texts
  std::optional<int> passages,
      context;      ///< those of the dump, or 9 (fewer, if texts have fewer) of
                    ///< 2048 tokens each
  int sinks = 4;    ///< first tokens of each passage, left out
  int threads = 0;  ///< 0: as many as the machine has
};

/// What a profile of klt has to hold.
struct KltCalibration {
  bool layers = true;       ///< transforms of whole layers too, beside those of heads
  int layer_group = 1;      ///< layers transformed together, a divisor of the model's layers
  int predict = 2;          ///< a group of layers is predicted from up to as many before it
  Tier steps = Tier::cold;  ///< whose sensitivities the steps of whole layers follow
  std::optional<int> sensitivity_passages;  ///< 3, or as many as there are; 0: heads alone
  MatrixFormat matrices = MatrixFormat::fp16;
  bool ablations = false;  ///< every TransformVariant, not klt's own alone
  std::string from;  ///< a profile of the same model, texts and settings, whose transforms of heads
                     ///< and sensitivities are taken over
};

/// Told when a step begins, after each piece of it, and at its end.
struct CalibrationEvent {
  std::string_view step;            ///< "prefills", "transforms", ...
  std::size_t done = 0, total = 0;  ///< pieces of this step
  std::string now = {};             ///< "layer 3", "wiki.test.raw lines 12-87" or empty
};

using CalibrationProgress = std::function<void(const CalibrationEvent&)>;

/// A profile as it is read back from its file.
template <typename Kind>
struct Calibrated {
  std::shared_ptr<const Kind> profile;
  bool already = false;  ///< it was there, made of the same model, texts and settings
};

/// Makes the profile of the codec klt and writes it to options.out, or finds it there; writes the
/// flat file beside it. Goes on with options.out + ".unfinished" where that is there, or begins with
/// what klt.from has; throws InputError where any of the three was made with other settings, or
/// another was not begun with what klt.from has. What is no profile, or one of an older format, is
/// written over; and a profile beside which there is an unfinished one, when that is finished.
/// `progress` is told of nothing where the profile is there.
///
/// Throws SpecError where options exclude each other or ask for more than texts and model have, and
/// InputError where a dump is not what other options ask for.
Calibrated<Profile> calibrate_klt(const CalibrationOptions& options, const KltCalibration& klt,
                                  const CalibrationProgress& progress = {});

/// The same of the codec kvtc, all at once: `rank` principal components of keys and of values; none:
/// all, at most 4096.
Calibrated<KvtcProfile> calibrate_kvtc(const CalibrationOptions& options, std::optional<int> rank,
                                       const CalibrationProgress& progress = {});

/// The biases of the model's keys, for codecs with center=bias: read from its files, so of `options`
/// model and out alone, a name in .kkp, count. Throws SpecError and InputError as above, and where the
/// keys have no biases or another profile is there.
Calibrated<KeyBias> calibrate_key_bias(const CalibrationOptions& options);

}  // namespace kakeya
