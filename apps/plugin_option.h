// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kakeya {

/// Declares --plugin, which may be given more than once. What it names, load_plugins() loads.
void add_plugin_option(CLI::App& app, std::vector<std::string>& files);

}  // namespace kakeya
