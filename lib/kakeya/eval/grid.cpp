// SPDX-License-Identifier: Apache-2.0
#include "kakeya/eval/grid.h"

#include <algorithm>

#include "kakeya/codec/spec_pattern.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::string_view kIdentity = "identity";

void add_once(std::vector<CodecPair>& pairs, CodecPair pair) {
  if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(std::move(pair));
}

bool is_of_tokens(const CodecPair& pair) {
  const bool keys = scope_of(pair.keys) == VectorScope::token,
             values = scope_of(pair.values) == VectorScope::token;
  if (keys != values || (keys && pair.keys != pair.values)) {
    throw SpecError((keys ? pair.keys : pair.values) +
                    ": codes the keys and values of a token together: expected it as one codec of "
                    "both");
  }
  return keys;
}

}  // namespace

std::size_t GridCell::profile_bytes() const {
  return (keys ? keys->profile_bytes() : 0) + (values ? values->profile_bytes() : 0) +
         (tokens ? tokens->profile_bytes() : 0);
}

std::vector<CodecPair> expand_grid(const GridRequest& request) {
  if (request.both.empty() && request.keys.empty() && request.values.empty()) {
    throw SpecError("no codec: expected at least one, such as e8:q=10");
  }
  std::vector<CodecPair> pairs{{std::string(kIdentity), std::string(kIdentity)}};
  for (std::string& spec : expand_specs(request.both)) add_once(pairs, {spec, spec});
  if (request.keys.empty() && request.values.empty()) return pairs;
  std::vector<std::string> keys = expand_specs(request.keys), values = expand_specs(request.values);
  if (keys.empty()) keys.emplace_back(kIdentity);
  if (values.empty()) values.emplace_back(kIdentity);
  for (const std::string& key : keys) {
    for (const std::string& value : values) add_once(pairs, {key, value});
  }
  return pairs;
}

std::vector<GridCell> build_grid(const std::vector<CodecPair>& pairs, const CacheShape& shape) {
  std::vector<GridCell> cells;
  for (const CodecPair& pair : pairs) {
    GridCell cell;
    cell.specs = pair;
    try {
      if (is_of_tokens(pair)) {
        cell.tokens.emplace(pair.keys, shape,
                            LayerRange{shape.boundary, shape.layers - 2 * shape.boundary});
        cell.specs = {cell.tokens->spec(), cell.tokens->spec()};
      } else {
        cell.keys.emplace(pair.keys, shape, true);
        cell.values.emplace(pair.values, shape, false);
        cell.specs = {cell.keys->spec(), cell.values->spec()};
      }
    } catch (const InputError& error) {
      // Without its profile no passage can be measured: better said at once.
      if (is_calibrated(pair.keys) || is_calibrated(pair.values)) throw;
      cell.keys.reset();
      cell.values.reset();
      cell.failure = error.what();
    }
    const auto same = [&](const GridCell& other) { return other.specs == cell.specs; };
    if (std::none_of(cells.begin(), cells.end(), same)) cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace kakeya
