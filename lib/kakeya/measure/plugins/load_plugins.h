// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kakeya/store/provenance.h"

namespace kakeya {

/// Registers the codecs of plugins, as --plugin of the programs names them: shared libraries
/// (plugin.h) and, where a name ends in ".py", files of Python (register_hosted_codecs()). Returns
/// what records say of each. A file that is there already, by its digest, is not loaded again.
/// Throws IoError, and SpecError beginning with the file.
std::vector<PluginRecord> load_plugins(std::span<const std::string> files);

}  // namespace kakeya
