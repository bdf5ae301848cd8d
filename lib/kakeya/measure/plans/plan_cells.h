// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/codec/cache_codecs.h"
#include "kakeya/store/provenance.h"

namespace kakeya {

/// What samples call the cells of a plan, for keys and for values: "plan:bits=3.5,name=mine,
/// digest=0123456789ab", where the digest is the first 12 digits of plan_digest(). Tables and charts
/// take "plan:name=mine" for its family and the bits, where there are any, for its rate.
std::string plan_label(const CodecPlan& canonical);

/// SHA-256 of CodecPlan::coding() of a canonical plan: equal where plans code alike.
std::string plan_digest(const CodecPlan& canonical);

/// What records of a run say of a plan: label, digest and text.
PlanRecord plan_record(const CodecPlan& canonical);

/// The texts of plan files. Throws IoError, and SpecError of CodecPlan::parse().
std::vector<std::string> read_plans(const std::vector<std::string>& paths);

}  // namespace kakeya
