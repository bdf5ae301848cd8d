// SPDX-License-Identifier: Apache-2.0
#include "policy_options.h"

#include <algorithm>
#include <string>

#include "program.h"

namespace kakeya {
namespace {

// "--skip-edge-layers,--boundary"
std::string policy_flags(const PolicyNumber& number) {
  std::string flags = "--" + std::string(number.name);
  std::replace(flags.begin(), flags.end(), '_', '-');
  return number.old_name == nullptr ? flags : flags + ",--" + number.old_name;
}

}  // namespace

void add_policy_options(CLI::App& app, PolicyFlags& policy) {
  for (std::size_t i = 0; i < kPolicyNumbers; ++i) {
    const PolicyNumber& number = policy_numbers()[i];
    app.add_option(policy_flags(number), policy[i], number.help)
        ->check(whole_number(0))
        ->type_name("N");
  }
}

void add_layer_options(CLI::App& app, LayerChoice& layers) {
  app.add_option("--layers", layers.only,
                 "Only these layers are coded, as 0,5,10-20; in place of --skip-edge-layers")
      ->type_name("SET");
  app.add_option("--skip-layers", layers.skip,
                 "These layers stay bf16, as 0,29; in place of --skip-edge-layers")
      ->type_name("SET");
}

void add_plan_option(CLI::App& app, std::optional<std::string>& plan) {
  app.add_option(
         "--plan", plan,
         "plan.json: a codec for each layer, keys and values, head; in place of --codec and "
         "of what says which layers are coded")
      ->type_name("FILE");
}

CachePolicy policy_of(const PolicyFlags& flags, const LayerChoice& layers, int model_layers) {
  CachePolicy policy = policy_of(flags);
  policy.layers = model_layers;
  layers.apply(policy, flags[kSkippedEdgeLayers].has_value());
  return policy;
}

CachePolicy policy_of(const PolicyFlags& flags) {
  CachePolicy policy;
  for (std::size_t i = 0; i < kPolicyNumbers; ++i) {
    const PolicyNumber& number = policy_numbers()[i];
    policy.*number.value = flags[i].value_or(number.standard);
  }
  return policy;
}

}  // namespace kakeya
