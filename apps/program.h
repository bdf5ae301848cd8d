// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace kakeya {

/// A program's frame: `--help`, `--version`, `--json`, exit codes 0 / 1 (failure) / 2 (usage), and one line
/// "kakeya-<name>: ..." on stderr when something fails.
///
/// `define` declares options and subcommands on `app`; `run` does the work after parsing. Both may throw kakeya::Error.
int run_program(int argc, char** argv, const std::string& name, const std::string& summary,
                const std::function<void(CLI::App& app)>& define, const std::function<void()>& run);

/// The model file or folder that `name` means: a path that exists, or a short name that scripts/fetch_model.sh has fetched
/// ("nano", "smollm2-135m"). Short names are looked up in $KAKEYA_MODELS, in models/ and data/models/ below the current
/// folder, and in the same two of the source tree the program was built from. Throws IoError saying where it looked.
std::string resolve_model(const std::string& name);

}  // namespace kakeya
