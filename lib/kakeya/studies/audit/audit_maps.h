// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kakeya/report/heat_map.h"
#include "kakeya/studies/audit/audit_dump.h"

namespace kakeya {

/// Heat maps of an audit: "measures", log10 of every measure's departure over the noise's 95 %
/// point, by layer; "channels_k" and "channels_v", the size of every channel by layer, in dB over
/// its head's median. What is constant is grey.
std::vector<HeatMap> audit_maps(const DumpAudit& audit);

}  // namespace kakeya
