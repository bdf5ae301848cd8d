// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "kakeya/model/model.h"

namespace kakeya {

/// load_model() of a Hugging Face folder or a .gguf file, in this process. Throws InputError in a
/// build without LibTorch.
std::unique_ptr<Model> load_checkpoint(const std::string& path, const ModelOptions& options);

}  // namespace kakeya
