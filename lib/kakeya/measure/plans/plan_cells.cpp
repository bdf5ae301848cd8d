// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/plans/plan_cells.h"

#include <span>

#include "kakeya/core/files.h"
#include "kakeya/core/json.h"
#include "kakeya/store/digest.h"

namespace kakeya {

std::string plan_digest(const CodecPlan& canonical) {
  const std::string coding = canonical.coding();
  return sha256(std::as_bytes(std::span(coding.data(), coding.size())));
}

std::string plan_label(const CodecPlan& canonical) {
  std::string label = "plan:";
  if (canonical.bits) label += "bits=" + json_number(*canonical.bits) + ",";
  return label + "name=" + canonical.name + ",digest=" + plan_digest(canonical).substr(0, 12);
}

PlanRecord plan_record(const CodecPlan& canonical) {
  return {plan_label(canonical), plan_digest(canonical), canonical.text()};
}

std::vector<std::string> read_plans(const std::vector<std::string>& paths) {
  std::vector<std::string> texts;
  for (const std::string& path : paths) {
    texts.push_back(CodecPlan::parse(read_text_file(path), path).text());
  }
  return texts;
}

}  // namespace kakeya
