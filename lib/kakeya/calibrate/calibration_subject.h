// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/calibrate/calibration.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/model/device_algebra.h"
#include "kakeya/model/model.h"
#include "kakeya/profile/profile_origin.h"
#include "kakeya/store/kv_store.h"
#include "kakeya/store/profile_files.h"

namespace kakeya {

/// What a calibration of either kind works on: a model, and passages of text that it reads or a
/// dump of K, V and Q that was made of some.
class CalibrationSubject {
 public:
  /// Everything passed by reference must outlive the subject. Throws as calibrate_klt().
  CalibrationSubject(const CalibrationOptions& options, const CalibrationProgress& progress);

  const CalibrationOptions& options() const { return options_; }
  const ProfileHead& head() const { return head_; }  ///< of a profile made of it
  const std::vector<Passage>& passages() const { return passages_; }
  Model& model() const { return *model_; }
  WorkerPool& pool() { return pool_; }

  /// Sums where the model computes; null where they are taken on the host.
  const DeviceAlgebra* algebra() const { return algebra_.get(); }
  /// Whether passes of the model are seen where it computes.
  bool on_device() const { return codec_device_ != "cpu"; }

  /// Of all passages, sinks left out.
  std::size_t tokens() const;

  /// Shows K, V and, where it wants them, Q of every passage to `tap`: those of a prefill, or of the
  /// dump. `step` names them in the progress.
  void show(std::string_view step, KvTap& tap);

  void tell(const CalibrationEvent& event) const {
    if (progress_) progress_(event);
  }

  /// What stands under the name options().out: nothing where there is no file, or one that is no
  /// profile of this version. Throws InputError where it is a profile of another kind.
  std::optional<StoredProfile> profile_there(std::string_view kind) const;

  /// Throws InputError unless `difference` is empty: options().out is not written over.
  void require_same(const std::string& difference) const;

  /// The flat file beside a profile that is written, or that was `already` there without one.
  void complete(bool already) const;

  ProfileFormat format() const;

 private:
  void read_texts();
  void open_dump();
  void show_dump(int passage, KvTap& tap) const;

  const CalibrationOptions& options_;
  const CalibrationProgress& progress_;
  WorkerPool pool_;
  std::vector<Passage> passages_;  // of texts: the first of each, then the second of each, ...
  std::unique_ptr<DumpReader> dump_;
  std::unique_ptr<Model> model_;
  std::string codec_device_;
  std::unique_ptr<DeviceAlgebra> algebra_;
  ProfileHead head_;
};

/// "passages: 4 there, 3 asked for": the first in which two origins differ; empty where in none.
std::string difference_of(const ProfileHead& there, const ProfileHead& asked);

/// The same of anything that is printed.
template <typename Value>
std::string difference_of(const char* what, const Value& there, const Value& asked) {
  if (there == asked) return "";
  std::ostringstream text;
  text << what << ": " << there << " there, " << asked << " asked for";
  return text.str();
}

}  // namespace kakeya
