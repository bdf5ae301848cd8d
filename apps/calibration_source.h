// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "calibration.h"
#include "kakeya/io/kv_store.h"
#include "kakeya/model/kv_tap.h"
#include "kakeya/text/passages.h"

namespace kakeya {

/// What a calibration sees: passages of text, or a dump of K, V and Q that was made of some.
struct CalibrationSource {
  std::vector<Passage> passages;  ///< of texts: the first of each, then the second of each, ...
  std::string name, sha256;       ///< of the texts
  std::string tap;                ///< "pre-rope" or "post-rope"
  int context = 0;                ///< tokens of each passage
  std::unique_ptr<DumpReader> dump;
};

/// The passages that options.texts give. Throws SpecError when there are none to take.
CalibrationSource source_of_texts(const CalibrationOptions& options, const std::string& model_path);

/// Those of options.dump. Throws InputError when it holds no queries, is of another model than that
/// of `model_sha256`, or not what other options ask for.
CalibrationSource source_of_dump(const CalibrationOptions& options,
                                 const std::string& model_sha256);

/// Shows K, V and, where it wants them, Q of every layer of a passage to `tap`, as a prefill would.
void show_dump(const DumpReader& dump, int passage, KvTap& tap);

}  // namespace kakeya
