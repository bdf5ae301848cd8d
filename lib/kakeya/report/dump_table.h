// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kakeya/report/table.h"
#include "kakeya/store/kv_store.h"

namespace kakeya {

/// Where K and V of dumps come from: model, text, digests, tap, who captured them. One column a
/// dump, by name.
Table dump_table(const std::vector<std::pair<std::string, DumpHead>>& dumps);

/// "Made by kakeya ..., commit ..., on ...: command", small, below a rule: the end of a report.
std::string made_by_line(const Provenance& self);

}  // namespace kakeya
