// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/audit/audit_dump.h"

#include <algorithm>
#include <mutex>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

/// [passages x tokens, heads, dim].
std::vector<float> all_passages(const DumpReader& dump, int layer, Part part) {
  std::vector<float> all;
  const DumpHead& head = dump.head();
  all.reserve(static_cast<std::size_t>(head.passages) * static_cast<std::size_t>(head.tokens) *
              head.shape.part_width());
  for (int passage = 0; passage < head.passages; ++passage) {
    const std::vector<float> values = dump.part(passage, {layer, part});
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

}  // namespace

DumpAudit audit_dump(const DumpReader& dump, std::size_t replicates, std::uint64_t seed,
                     int threads, const std::function<void(std::size_t, std::size_t)>& told) {
  DumpAudit result;
  result.head = dump.head();
  const DumpHead& head = result.head;
  const PartMeter meter(
      {static_cast<std::size_t>(head.passages) * static_cast<std::size_t>(head.tokens),
       head.shape.heads(), head.shape.dim()});
  for (const Part part : {Part::key, Part::value}) {
    for (int layer = 0; layer < head.shape.layers; ++layer)
      result.parts.push_back({layer, part, std::nullopt});
  }
  WorkerPool pool(threads);
  const std::size_t all = result.parts.size() + replicates;
  std::mutex reading, telling;
  std::size_t done = 0;
  pool.run(result.parts.size(), [&](std::size_t index) {
    AuditedPart& place = result.parts[index];
    std::vector<float> values;
    {
      const std::lock_guard lock(reading);
      values = all_passages(dump, place.layer, place.part);
    }
    try {
      place.audit = meter.measure(values);
    } catch (const InputError& e) {
      throw InputError("layer " + std::to_string(place.layer) + ", " + part_letter(place.part) +
                       ": " + e.what());
    }
    const std::lock_guard lock(telling);
    ++done;
    if (told) told(done, all);
  });
  if (std::none_of(result.parts.begin(), result.parts.end(),
                   [](const AuditedPart& each) { return each.audit.has_value(); })) {
    throw InputError("audit: no channel of K or V varies in any layer, expected some that do");
  }
  result.null = simulate_null(meter, replicates, seed, pool, [&](std::size_t replicate) {
    if (told) told(result.parts.size() + replicate, all);
  });
  return result;
}

}  // namespace kakeya
