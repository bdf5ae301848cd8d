// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "kakeya/measure/passages.h"
#include "program.h"

namespace kakeya {

/// Declares --cut, the rule by which text files become passages.
void add_cut_option(CLI::App& app, std::optional<std::string>& cut);

/// The rule asked for; Cut::tokens without one. Throws SpecError where it is none.
Cut parse_cut(const std::optional<std::string>& cut);

/// Throws SpecError where a rule is given and all of `texts` are folders: nothing would be cut.
void refuse_useless_cut(const std::optional<std::string>& cut, std::span<const std::string> texts);

}  // namespace kakeya
