// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/report/against_baseline.h"
#include "report/synthetic.h"

namespace kakeya::synthetic {

/// KL divergence factor x 60 x 4^-bits, +-1 % alike for all settings of a passage.
inline StoredResults noiseless() {
  StoredResults results = synthetic::results("a", "inforward");
  for (const Setting& setting : grid()) {
    for (Sample& s : results.samples) {
      if (s.key.codec_k != setting.spec) continue;
      s.kld_mean = 60 * setting.factor * std::exp2(-2 * setting.bits) *
                   (s.key.passage % 2 == 0 ? 1.01 : 0.99);
    }
  }
  return results;
}

/// Adds a setting: as `like`, at so many measured bits, with this KL divergence of a passage.
inline void add(StoredResults& results, const std::string& spec, const std::string& like,
                double bits, const std::function<double(const Sample&)>& kld) {
  const std::vector<Sample> all = results.samples;
  for (Sample s : all) {
    if (s.key.codec_k != like) continue;
    const double loss = kld(s);
    s.key.codec_k = s.key.codec_v = spec;
    s.bytes_written =
        static_cast<std::uint64_t>(std::lround(bits * static_cast<double>(s.values) / 8));
    s.bits_per_value = 8.0 * static_cast<double>(s.bytes_written) / static_cast<double>(s.values);
    s.ledger_k.reset();
    s.ledger_v.reset();
    s.kld_mean = loss;
    results.samples.push_back(s);
  }
}

inline const BaselineComparison& setting(const BaselineComparisons& comparisons,
                                         const std::string& label) {
  for (const BaselineComparison& each : comparisons.settings) {
    if (each.codec->label == label) return each;
  }
  throw InputError("not compared: " + label);
}

}  // namespace kakeya::synthetic
