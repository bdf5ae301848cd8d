// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <optional>

#include "kakeya/core/kv.h"

namespace kakeya {

/// Numbers of a policy as flags give them, in the order of policy_numbers().
using PolicyFlags = std::array<std::optional<int>, kPolicyNumbers>;

/// Declares a flag for each, by its newer and its older name.
void add_policy_options(CLI::App& app, PolicyFlags& policy);

/// What they ask for: a sweep's standard where one is not given.
CachePolicy policy_of(const PolicyFlags& flags);

}  // namespace kakeya
