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

CachePolicy policy_of(const PolicyFlags& flags) {
  CachePolicy policy;
  for (std::size_t i = 0; i < kPolicyNumbers; ++i) {
    const PolicyNumber& number = policy_numbers()[i];
    policy.*number.value = flags[i].value_or(number.standard);
  }
  return policy;
}

}  // namespace kakeya
