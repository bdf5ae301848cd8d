// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/measure_source.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/stats/rate_distortion.h"
#include "kakeya/stats/second_moments.h"

namespace kakeya {
namespace {

/// What has been summed for one codec.
struct Running {
  std::vector<Distortion> batches;
  RateLedger ledger;
  bool started = false;
};

void code_slab(const Codec& codec, const Slab& slab, Running& running) {
  std::vector<std::byte> frame(codec.encoded_bound(slab.vectors));
  std::vector<float> decoded(slab.vectors * slab.dim);
  const Rows<float> copies = dense_rows(decoded.data(), slab.vectors, slab.dim);
  for (std::size_t head = 0; head < slab.heads; ++head) {
    const Rows<const float> rows = slab.frame(head);
    const auto bytes = std::span<const std::byte>(frame).first(codec.encode(rows, frame));
    codec.decode(bytes, copies);
    for (std::size_t row = 0; row < rows.count; ++row)
      running.batches[slab.batch_of(row)].add(rows[row], copies[row]);
    const RateLedger ledger = ledger_of(codec, rows, bytes);
    if (running.started) {
      running.ledger.merge(ledger);
    } else {
      running.ledger = ledger;
      running.started = true;
    }
  }
}

RatePoint point_of(const Codec& codec, Running& running) {
  RatePoint point;
  point.spec = codec.spec();
  point.ledger = running.ledger;
  point.ledger.table_bits += 8 * codec.account().side_bytes();
  for (const Distortion& batch : running.batches) {
    point.distortion.merge(batch);
    if (batch.vectors() > 0) point.batch_rel_mse.push_back(batch.rel_mse());
  }
  point.rel_mse = t_interval(point.batch_rel_mse);
  return point;
}

Spectrum spectrum_of(const std::vector<SecondMoments>& places) {
  std::vector<double> uncentred, centred;
  double square = 0, mean_square = 0;
  for (const SecondMoments& place : places) {
    const std::vector<double> whole = place.eigenvalues(false), around = place.eigenvalues(true);
    uncentred.insert(uncentred.end(), whole.begin(), whole.end());
    centred.insert(centred.end(), around.begin(), around.end());
    square += place.mean_square();
    mean_square += place.mean_square_of_mean();
  }
  return {WaterFilling(std::move(uncentred)), WaterFilling(std::move(centred)),
          square > 0 ? mean_square / square : 0};
}

std::optional<double> per_value(std::optional<double> bits, const RateLedger& ledger) {
  return bits ? std::optional(*bits / static_cast<double>(ledger.values)) : std::nullopt;
}

}  // namespace

double RatePoint::measured_bits_per_value() const {
  return static_cast<double>(ledger.written_bits()) / static_cast<double>(ledger.values);
}

CodedRates RatePoint::rates() const {
  return {measured_bits_per_value(), per_value(ledger.nominal_bits, ledger),
          per_value(ledger.codebook_bits, ledger), per_value(ledger.entropy_bits, ledger)};
}

double RatePoint::gap_db() const {
  return shannon_gap_db(distortion.rel_mse(), measured_bits_per_value());
}

std::optional<double> SourceResult::shannon_lower_rel_mse(double bits_per_value) const {
  if (!facts.entropy_power) return std::nullopt;
  return *facts.entropy_power * shannon_rel_mse(bits_per_value);
}

std::optional<double> SourceResult::water_filling_rel_mse(double bits_per_value,
                                                          bool centred) const {
  if (!spectrum || mean_square == 0) return std::nullopt;
  const WaterFilling& filling = centred ? spectrum->centred : spectrum->uncentred;
  return filling.distortion(bits_per_value) / mean_square;
}

SourceResult measure(const VectorSource& source, std::span<const std::unique_ptr<Codec>> codecs,
                     int threads, const MeasureProgress& progress) {
  const SourceFacts& facts = source.facts();
  for (const auto& codec : codecs) {
    if (codec->dim() != facts.dim) {
      throw InputError(codec->spec() + ": a codec of vectors of " + std::to_string(codec->dim()) +
                       ", expected " + std::to_string(facts.dim) + " as " + facts.title + " has");
    }
  }
  WorkerPool pool(threads);
  std::vector<Running> running(codecs.size());
  for (Running& each : running) each.batches.resize(facts.batches);
  std::vector<SecondMoments> places(facts.places, SecondMoments(facts.dim));

  SourceResult result;
  result.facts = facts;
  std::mutex telling;
  std::size_t done = 0;
  for (std::size_t index = 0; index < facts.slabs; ++index) {
    const Slab slab = source.slab(index);
    result.vectors += slab.vectors * slab.heads;
    result.frames += slab.heads;
    // The last task takes the moments.
    pool.run(codecs.size() + 1, [&](std::size_t task) {
      if (task == codecs.size()) {
        for (std::size_t head = 0; head < slab.heads; ++head)
          places[slab.first_place + head].add(slab.frame(head));
        return;
      }
      const Codec& codec = *codecs[task];
      try {
        code_slab(codec, slab, running[task]);
      } catch (const InputError& error) {
        throw InputError(codec.spec() + ": " + facts.title + ", slab " + std::to_string(index) +
                         ": " + error.what());
      }
      const std::lock_guard lock(telling);
      if (progress) progress(++done, facts.slabs * codecs.size(), codec.spec());
    });
  }
  result.values = result.vectors * facts.dim;
  for (const SecondMoments& place : places)
    result.mean_square += place.mean_square() / static_cast<double>(facts.places);
  if (!facts.entropy_power) result.spectrum = spectrum_of(places);
  for (std::size_t i = 0; i < codecs.size(); ++i)
    result.points.push_back(point_of(*codecs[i], running[i]));
  return result;
}

CodecInput codec_input_of(const SourceFacts& source) {
  return {source.dim, nullptr, KvSite{0, source.part, 0}};
}

std::vector<std::unique_ptr<Codec>> build_codecs(std::span<const std::string> specs,
                                                 const SourceFacts& source,
                                                 std::vector<LeftOut>& left_out) {
  std::vector<std::unique_ptr<Codec>> codecs;
  const auto built = [&](const std::string& spec) {
    return std::any_of(codecs.begin(), codecs.end(),
                       [&](const auto& codec) { return codec->spec() == spec; });
  };
  for (const std::string& spec : specs) {
    try {
      auto codec = make_codec(spec, codec_input_of(source));
      if (!built(codec->spec())) codecs.push_back(std::move(codec));
    } catch (const Error& error) {
      left_out.push_back({source.title, spec, error.what()});
    }
  }
  return codecs;
}

}  // namespace kakeya
