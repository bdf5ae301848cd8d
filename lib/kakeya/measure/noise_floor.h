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

/// Measures every control on every passage of `subject` that `store` lacks, of a store of one shard its own, control by control, so that
/// one model is loaded at a time beside the subject's; appends each as soon as it is done. `identity`
/// has the codecs of that name. `notify` is told how many are done, and what comes. Returns how many
/// were measured now. Stops early where `stopped`, asked before each, says yes. Throws what load_model() and the forwards throw.
std::size_t run_noise_floor(
    ModelSubject& subject, const GridCell& identity, const std::string& model_path,
    const ModelOptions& model, ResultStore& store,
    const std::function<void(std::size_t done, const std::string& now)>& notify,
    const std::function<bool()>& stopped = {});

}  // namespace kakeya
