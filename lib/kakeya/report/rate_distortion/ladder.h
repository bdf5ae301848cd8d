// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kakeya {

/// The specs of the report where none are asked for: for every built-in codec its ladder of rates
/// and variants, from about 1 to 9 bits a value; the example of a codec that has no ladder. In the
/// order of known_codecs() (but for calibrated ones, which are for one model alone), each variant
/// from few bits to many.
std::vector<std::string> default_ladder();

/// False for families (report/result_group.h) of the ladder that would only crowd a chart of many:
/// near others, or between them. They are in the tables.
bool charted_among_many(const std::string& family);

}  // namespace kakeya
