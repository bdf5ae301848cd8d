// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/grid.h"

#include <algorithm>

#include "kakeya/codec/spec_pattern.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/plans/plan_cells.h"

namespace kakeya {
namespace {

constexpr std::string_view kIdentity = "identity";

void add_once(std::vector<CodecPair>& pairs, CodecPair pair) {
  if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(std::move(pair));
}

// Every pair of `keys` and `values`, if there are any.
void add_pairs(std::vector<CodecPair>& pairs, const GridRequest& request) {
  if (request.keys.empty() && request.values.empty()) return;
  std::vector<std::string> keys = expand_specs(request.keys), values = expand_specs(request.values);
  if (keys.empty()) keys.emplace_back(kIdentity);
  if (values.empty()) values.emplace_back(kIdentity);
  for (const std::string& key : keys) {
    for (const std::string& value : values) add_once(pairs, {key, value});
  }
}

}  // namespace

std::vector<CodecPair> expand_grid(const GridRequest& request) {
  if (request.empty()) {
    throw SpecError("no codec: expected at least one, such as e8:q=10");
  }
  std::vector<CodecPair> pairs{{std::string(kIdentity), std::string(kIdentity)}};
  for (std::string& spec : expand_specs(request.both)) add_once(pairs, {spec, spec});
  add_pairs(pairs, request);
  for (const std::string& plan : request.plans) add_once(pairs, {plan, plan});
  return pairs;
}

std::vector<GridCell> build_grid(const std::vector<CodecPair>& pairs, const CacheInput& cache) {
  std::vector<GridCell> cells;
  for (const CodecPair& pair : pairs) {
    GridCell cell;
    cell.specs = pair;
    try {
      static_cast<CacheCodecs&>(cell) = make_cache_codecs(pair, cache);
      cell.specs = cell.canonical();
      if (cell.plan) cell.specs.keys = cell.specs.values = plan_label(*cell.plan);
    } catch (const InputError& error) {
      // Without its profile no passage can be measured: better said at once. So a plan's faults.
      if (is_plan(pair.keys) || is_calibrated(pair)) throw;
      cell.failure = error.what();
    }
    const auto same = [&](const GridCell& other) { return other.specs == cell.specs; };
    if (std::none_of(cells.begin(), cells.end(), same)) cells.push_back(std::move(cell));
  }
  return cells;
}

void add_device_codecs(std::vector<GridCell>& cells, const CacheInput& cache, bool host_too) {
  for (GridCell& cell : cells) {
    if (!cell.failure.empty()) continue;
    try {
      if (cell.plan) {
        throw NoKernelError(cell.plan->name +
                            ": plans are coded on the host: expected "
                            "--codec-device cpu or auto");
      }
      if (cell.tokens) {
        cell.device_tokens.emplace(cell.specs.keys, cache, *cell.tokens);
      } else {
        cell.device.emplace(cell.specs, cache);
      }
    } catch (const NoKernelError&) {
      if (!host_too) throw;
      cell.on_host = true;
    }
  }
}

std::vector<std::string> host_codecs(const std::vector<GridCell>& cells) {
  std::vector<std::string> names;
  for (const GridCell& cell : cells) {
    if (cell.on_host) names.push_back(cell.specs.label());
  }
  return names;
}

}  // namespace kakeya
