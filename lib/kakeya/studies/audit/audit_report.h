// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kakeya/report/document.h"
#include "kakeya/studies/audit/audit_dump.h"

namespace kakeya {

/// The report: gates, every measure beside its null, a table a part, outlier channels, and heat
/// maps: measures by layer over what noise gives, and channel sizes by layer. Parts without
/// measures are warned of and have dashes. `name` is the dump's.
Document make_audit_report(const DumpAudit& audit, const std::string& name, const Provenance& self);

}  // namespace kakeya
