// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"
#include "kakeya/store/provenance.h"

namespace kakeya {

/// The plans of a folder's runs, each once.
std::vector<PlanRecord> plan_records(const StoredResults& results);

/// Of every plan that codecs of `groups` follow: what tables call it, its digest and its text. No
/// rows where there is none.
Table plans_table(std::span<const ResultGroup> groups);

}  // namespace kakeya
