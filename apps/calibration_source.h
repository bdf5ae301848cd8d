// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibration.h"
#include "kakeya/measure/passages.h"
#include "kakeya/model/model.h"
#include "kakeya/profile/profile_origin.h"
#include "kakeya/store/kv_store.h"
#include "kakeya/store/profile_files.h"

namespace kakeya {

/// What a calibration sees: passages of text, or a dump of K, V and Q that was made of some.
struct CalibrationSource {
  std::vector<Passage> passages;  ///< of texts: the first of each, then the second of each, ...
  Source text;                    ///< or texts
  TapPoint tap = TapPoint::pre_rope;
  int context = 0;  ///< tokens of each passage
  std::unique_ptr<DumpReader> dump;
};

/// The passages that options.texts give. Throws SpecError when there are none to take.
CalibrationSource source_of_texts(const CalibrationOptions& options, const std::string& model_path);

/// Those of options.dump. Throws InputError when it holds no queries, is of another model than that
/// of `model_sha256`, or not what other options ask for.
CalibrationSource source_of_dump(const CalibrationOptions& options,
                                 const std::string& model_sha256);

/// The head of a profile made of these passages; `path` is the model's. Takes the digest of
/// the model's file.
ProfileHead head_of(const CalibrationOptions& options, const CalibrationSource& source,
                    const std::string& path, const Model& model);

/// What stands under the name options.out: nothing where there is no file, or one that is no
/// profile of this version. Throws InputError where it is a profile, but not one of options.codec.
std::optional<ProfileShelf::Entry> profile_there(const CalibrationOptions& options);

/// "passages: 4 there, 3 asked for": the first in which two origins differ; empty where in none.
std::string difference_of(const ProfileHead& there, const ProfileHead& asked);

/// The same of anything that is printed.
template <typename Value>
std::string difference_of(const char* what, const Value& there, const Value& asked) {
  return there == asked ? "" : fmt::format("{}: {} there, {} asked for", what, there, asked);
}

/// Throws InputError unless `difference` is empty: options.out is not written over.
void require_same(const CalibrationOptions& options, const std::string& difference);

/// Throws InputError unless passages fit the model's context.
void require_context(const CalibrationSource& source, const Model& model);

/// Shows K, V and, where it wants them, Q of every passage to `tap`: those of a prefill, or of the
/// dump. `what` names them in the progress.
void show_passages(const char* what, Model& model, const CalibrationSource& source, KvTap& tap);

}  // namespace kakeya
