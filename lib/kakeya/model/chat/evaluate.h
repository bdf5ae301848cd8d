// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kakeya/model/chat/syntax.h"

namespace kakeya::chat {

/// What a template writes, given these names. Throws InputError "chat template, line N: ..." on what is
/// refused: by the template (raise_exception), or because it is not known or takes too long.
std::string evaluate(const std::vector<Statement>& statements,
                     const std::map<std::string, Value>& names, Budget& budget);

}  // namespace kakeya::chat
