// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/plans_table.h"

#include <algorithm>

#include "kakeya/report/provenance_text.h"

namespace kakeya {

std::vector<PlanRecord> plan_records(const StoredResults& results) {
  std::vector<PlanRecord> records;
  for (const Provenance& run : results.runs) {
    for (const PlanRecord& plan : run.plans) {
      const auto same = [&](const PlanRecord& each) { return each.label == plan.label; };
      if (std::none_of(records.begin(), records.end(), same)) records.push_back(plan);
    }
  }
  return records;
}

Table plans_table(std::span<const ResultGroup> groups) {
  Table table = named_table("plans", "Plans");
  table.note =
      "What each cell of a plan codes its sites with; layers that it skips stay bf16. The text is a "
      "plan.json.";
  table.columns = {{"plan", "plan", false}, {"sha256", "sha256", false}, {"text", "text", false}};
  std::vector<std::string> told;
  for (const ResultGroup& group : groups) {
    for (const PlanRecord& plan : plan_records(*group.results)) {
      const bool used =
          std::any_of(group.codecs.begin(), group.codecs.end(),
                      [&](const CodecResult& codec) { return codec.codec_k == plan.label; });
      if (!used || std::find(told.begin(), told.end(), plan.label) != told.end()) continue;
      told.push_back(plan.label);
      table.rows.push_back({text_cell(plan.label), text_cell(short_digest(plan.sha256)),
                            text_cell("`" + plan.text + "`")});
    }
  }
  return table;
}

}  // namespace kakeya
