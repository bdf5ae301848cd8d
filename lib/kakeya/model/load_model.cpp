// SPDX-License-Identifier: Apache-2.0
#include "kakeya/host/start_host.h"
#include "kakeya/model/hosted_model.h"
#include "kakeya/model/model.h"
#include "kakeya/model/torch_library.h"
#include "kakeya/model/weights/checkpoint.h"
#include "kakeya/store/digest.h"

namespace kakeya {

std::unique_ptr<Model> load_model(const std::string& path, const ModelOptions& options) {
  if (is_hosted(path)) return std::make_unique<HostedModel>(host(), hosted_name(path), options);
  const Checkpoint checkpoint(path);
  return torch_library(path + ": cannot run a model").model(path, checkpoint, options);
}

Source model_source(const Model& model, const std::string& path) {
  const ModelFacts& facts = model.facts();
  return {facts.name, facts.sha256.empty() ? sha256_path(path) : facts.sha256};
}

}  // namespace kakeya
