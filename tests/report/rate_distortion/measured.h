// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/measure/measure_source.h"
#include "kakeya/measure/synthetic.h"

namespace kakeya::testing {

/// Every spec on 2^20 independent values of a distribution, in vectors of `dim`, as one frame.
inline SourceResult measure_drawn(const std::string& distribution,
                                  const std::vector<std::string>& specs, std::size_t dim = 128) {
  std::vector<std::unique_ptr<Codec>> codecs;
  for (const std::string& spec : specs) codecs.push_back(make_codec(spec, {dim}));
  return measure(*make_synthetic(distribution, dim, (1 << 20) / dim, 0), codecs, 2);
}

}  // namespace kakeya::testing
