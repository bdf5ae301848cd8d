// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "kakeya/store/kv_store.h"
#include "kakeya/studies/audit/null_distribution.h"
#include "kakeya/studies/audit/part_audit.h"

namespace kakeya {

/// One layer and part of a dump, measured.
struct AuditedPart {
  int layer = 0;
  Part part = Part::key;           ///< or the values
  std::optional<PartAudit> audit;  ///< nothing: constant, no channel varies
};

/// A dump, measured, and what noise of the same shape gives.
struct DumpAudit {
  DumpHead head;
  NullDistribution null;
  std::vector<AuditedPart> parts;  ///< all layers of K, then all of V
};

/// Reads a layer and part at a time, all passages and heads of it; a thread holds one of them.
/// `told` is called with what was done and of how many, one call at a time. Throws InputError when
/// every part is constant, as PartMeter, naming layer and part, and as the reader.
DumpAudit audit_dump(const DumpReader& dump, std::size_t replicates, std::uint64_t seed,
                     int threads,
                     const std::function<void(std::size_t done, std::size_t all)>& told = {});

}  // namespace kakeya
