// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "calibration.h"
#include "kakeya/model/model.h"
#include "kakeya/profile/profile_origin.h"
#include "kakeya/text/passages.h"
#include "kakeya/text/tokenizer.h"

namespace kakeya {

/// What a calibration reads.
struct CalibrationTexts {
  std::vector<Passage> passages;  ///< the first of each text, then the second of each, ...
  std::string name, sha256;
};

/// options.passages passages of options.context tokens, of each text as many as of the others.
/// Throws SpecError where that leaves a text without one, IoError, InputError.
CalibrationTexts read_texts(const CalibrationOptions& options, const Tokenizer& tokenizer);

/// Where a profile made with these options comes from; `path` is the model's. Takes the digest of
/// the model's file.
ProfileOrigin origin_of(const CalibrationOptions& options, const CalibrationTexts& texts,
                        const std::string& path, const Model& model);

/// Throws InputError unless passages fit the model's context.
void require_context(const CalibrationOptions& options, const Model& model);

/// Shows `tap` a prefill of every passage; `what` names them in the progress.
void prefill_passages(const char* what, Model& model, const CalibrationTexts& texts, KvTap& tap);

}  // namespace kakeya
