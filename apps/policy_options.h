// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <optional>

#include "kakeya/core/layer_choice.h"

namespace kakeya {

/// Numbers of a policy as flags give them, in the order of policy_numbers().
using PolicyFlags = std::array<std::optional<int>, kPolicyNumbers>;

/// Declares a flag for each, by its newer and its older name.
void add_policy_options(CLI::App& app, PolicyFlags& policy);

/// Declares --layers and --skip-layers.
void add_layer_options(CLI::App& app, LayerChoice& layers);

/// Declares --plan, a file.
void add_plan_option(CLI::App& app, std::optional<std::string>& plan);

/// What they ask for: a sweep's standard where one is not given.
CachePolicy policy_of(const PolicyFlags& flags);

/// The same for a model of so many layers, with the layers that are chosen. Throws SpecError of
/// LayerChoice::apply().
CachePolicy policy_of(const PolicyFlags& flags, const LayerChoice& layers, int model_layers);

}  // namespace kakeya
