// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/report/document.h"
#include "kakeya/stats/interval.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// A codec on every KV stream of a model. Streams are in the order given; an average over them takes
/// each by its share of the cache's values (StreamFacts::byte_share), made to sum to 1.
struct StreamsCodec {
  std::string spec;
  std::vector<double> bits, rel_mse;  ///< of each stream: measured bits a value, mean over passages
  std::vector<Interval> ratios;       ///< of each: rel-MSE over the reference's, passage by passage
  double all_bits = 0;                ///< a value of the whole cache
  Interval all_ratio;                 ///< of the average over streams
};

struct StreamsReport : Document {
  std::string model, weights;  ///< "random, seed 7", or the types of the model's files
  std::vector<std::string> streams;
  std::vector<double> shares;  ///< of the streams that are there; sum 1
  std::vector<StreamsCodec> codecs;
  std::vector<std::string> left_out;  ///< codecs that lack a stream or a passage
  std::size_t passages = 0;
};

/// Tables and a chart of sweeps over the streams of one model (kakeya-capture of a DeepSeek-V4), a
/// folder a stream, all against `reference`, a canonical spec: shares of the cache's values, the
/// thresholds of every family of several settings, ratios, errors and bits. Says at the top what weights made the
/// streams. Intervals are 95 % Student-t over passages. Throws InputError where a folder is of no
/// stream, two are of the same or of different models, hidden states or lengths, or one has not the
/// reference on the passages that the first has it on.
StreamsReport make_streams_report(std::span<const StoredResults> results,
                                  const std::string& reference);

}  // namespace kakeya
