// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/measure/source.h"
#include "kakeya/stats/coded_rates.h"
#include "kakeya/stats/distortion.h"
#include "kakeya/stats/interval.h"
#include "kakeya/stats/water_filling.h"

namespace kakeya {

/// What one codec did to a source: the frames it wrote, and what came back out of those bytes.
struct RatePoint {
  std::string spec;
  Distortion distortion;              ///< of all vectors together
  Interval rel_mse;                   ///< over batches; its mean is that of the batches
  std::vector<double> batch_rel_mse;  ///< of each batch that has vectors, in order
  RateLedger ledger;                  ///< side bytes of the codec among the tables, once a source
  /// Of captured K and V with queries, over passages: what the codec of both does to attention
  /// outputs (attention_error.h).
  std::optional<Interval> attention_rel_mse = {};

  double measured_bits_per_value() const;  ///< 8 x bytes written / values
  CodedRates rates() const;

  /// Decibels above the Shannon bound of white Gaussian data at the measured rate; -infinity for an
  /// exact copy.
  double gap_db() const;
};

/// Second moments of a source whose values are not known to be independent: the spectra of its
/// places, pooled, as components under one water level.
struct Spectrum {
  WaterFilling uncentred, centred;
  double mean_share = 0;  ///< of the mean vectors in the second moment, 0 to 1
};

/// A source, and every codec on it.
struct SourceResult {
  SourceFacts facts;
  std::uint64_t vectors = 0, values = 0, frames = 0;
  double mean_square = 0;            ///< of the values, uncentred
  std::optional<Spectrum> spectrum;  ///< where facts.entropy_power is empty
  std::vector<RatePoint> points;     ///< in the order of the codecs

  /// Lower bounds of rel-MSE at a rate, the sharper one for these data beside the white Gaussian
  /// one: Shannon's lower bound where the values are independent; nothing elsewhere.
  std::optional<double> shannon_lower_rel_mse(double bits_per_value) const;
  /// Water-filling relative to the uncentred second moment; nothing without a spectrum.
  std::optional<double> water_filling_rel_mse(double bits_per_value, bool centred) const;
};

/// Called after each of `total` (slab, codec) pairs, from one thread at a time.
using MeasureProgress =
    std::function<void(std::size_t done, std::size_t total, const std::string& spec)>;

/// Codes every frame of `source` with every codec: real frames, decoded from their bytes. The
/// results do not depend on `threads` (0: as many as the machine has). Throws what the codecs
/// throw, with the codec and the source before it; InputError when a codec is of another dim.
SourceResult measure(const VectorSource& source, std::span<const std::unique_ptr<Codec>> codecs,
                     int threads, const MeasureProgress& progress = {});

/// A spec that was not measured on a source, and why.
struct LeftOut {
  std::string source, spec, reason;
};

/// What codecs know of the vectors of `source`. A site says no more than keys or values: codecs
/// that are made for one layer or head are calibrated, and cannot be built from it.
CodecInput codec_input_of(const SourceFacts& source);

/// The codecs of `specs` for the vectors of `source`, doubles left out (two texts of one canonical
/// spec); those that cannot be built for its dim are named in `left_out`.
std::vector<std::unique_ptr<Codec>> build_codecs(std::span<const std::string> specs,
                                                 const SourceFacts& source,
                                                 std::vector<LeftOut>& left_out);

}  // namespace kakeya
