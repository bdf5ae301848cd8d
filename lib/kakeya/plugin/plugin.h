// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

struct kakeya_plugin_codec;  // bindings/c/kakeya_plugin.h

namespace kakeya {

/// Loads a shared library that exports kakeya_plugin() (bindings/c/kakeya_plugin.h) and registers
/// its codecs: all of them, or none where it throws. The library stays until the process ends.
/// Returns the codecs' names. Throws IoError where it cannot be loaded, SpecError where it exports
/// no such function, is of another version, lacks a function, or names a codec that is known. All
/// begin with `path`.
std::vector<std::string> load_plugin(const std::string& path);

/// Registers one codec of a table, which must live as long as the process. Throws SpecError as
/// load_plugin().
void register_plugin(const kakeya_plugin_codec& table);

}  // namespace kakeya
