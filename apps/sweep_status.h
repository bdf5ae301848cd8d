// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace kakeya {

/// kakeya-sweep status.
struct StatusFlags {
  std::string folder;
  bool json = false;
  CLI::App* command = nullptr;
};

void define_status(CLI::App& app, StatusFlags& flags);
void run_status(const StatusFlags& flags);

}  // namespace kakeya
