// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "kakeya/model/model.h"

namespace kakeya {

/// Declares --model, whose value resolve_model() understands. Required.
void add_model_option(CLI::App& app, std::string& model);

/// Declares --device, --dtype and --threads. `device_note` follows what --device may be: "; codecs work
/// on the host".
void add_model_options(CLI::App& app, ModelOptions& options, const std::string& device_note = "");

/// Declares --cache-device, cpu or cuda, which sets `on_gpu`.
void add_cache_device_option(CLI::App& app, bool& on_gpu);

/// Declares --packed-sums.
void add_packed_sums_option(CLI::App& app, bool& packed_sums);

}  // namespace kakeya
