// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "kakeya/measure/grid.h"
#include "kakeya/measure/model_sweep.h"
#include "kakeya/model/model.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// Other forwards of the same weights with nothing coded: what KL divergences are to be seen beside.
/// "bf16" where the model computes in fp32, "fp32" where in bf16; "fused": the same with another
/// attention (ModelOptions); "decode": EvalMode::decode with identity.
std::vector<std::string> controls_of(const ModelOptions& model);

/// What controls are measured on: passages of a sweep, or windows of a text.
struct ControlPassages {
  int first = 0, count = 0;
  std::vector<std::string> controls;  ///< of controls_of(), those that are measured
  /// Compares one passage with its reference pass: `other`'s forward, or, where that is null, "decode".
  std::function<Sample(int passage, Model* other)> measure;

  std::size_t total() const { return controls.size() * static_cast<std::size_t>(count); }
};

/// Those of a sweep, with every control. `identity` has the codecs of that name; it and `subject`, whose settings
/// are the sweep's, have to outlive the answer. Throws InputError where `identity` is another codec.
ControlPassages control_passages(ModelSubject& subject, const GridCell& identity,
                                 const ModelOptions& model);

/// Measures every control on every passage that `store` lacks, of a store of one shard its own, control by
/// control, so that one model is loaded at a time beside the one measured; appends each as soon as it is done.
/// `notify` is told how many are done, and what comes. Returns how many were measured now. Stops early where
/// `stopped`, asked before each, says yes. Throws what load_model() and the forwards throw.
std::size_t run_noise_floor(
    const ControlPassages& passages, const std::string& model_path, const ModelOptions& model,
    ResultStore& store, const std::function<void(std::size_t done, const std::string& now)>& notify,
    const std::function<bool()>& stopped = {});

}  // namespace kakeya
