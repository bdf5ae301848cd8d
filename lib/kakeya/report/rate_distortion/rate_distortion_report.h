// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/measure/attention_error.h"
#include "kakeya/measure/measure_source.h"
#include "kakeya/report/document.h"
#include "kakeya/store/kv_store.h"

namespace kakeya {

/// The rate-distortion report, made but not written.
struct TradeoffReport : Document {
  std::vector<std::string> warnings;  ///< as in the report: codecs left out, a broken control
  bool control_broken = false;        ///< identity changed captured values, which are bf16
};

/// What a report is made of, besides the results.
struct TradeoffContext {
  std::vector<LeftOut> left_out;
  std::vector<std::pair<std::string, DumpHead>> dumps;  ///< by name
  Provenance self;                                      ///< who measured and makes the report
  std::vector<AttentionResult> attention = {};          ///< of each dump with queries
};

/// Throws InputError when there is no result.
TradeoffReport make_tradeoff_report(std::span<const SourceResult> results,
                                    const TradeoffContext& context);

}  // namespace kakeya
