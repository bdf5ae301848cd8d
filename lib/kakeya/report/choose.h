// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"
#include "kakeya/stats/bootstrap.h"
#include "kakeya/stats/iso_quality.h"

namespace kakeya {

/// What the times of a sweep say, and what they do not: beside every decoding time that is printed.
inline constexpr char kTimesOfSweeps[] =
    "Decoding is summed over threads of the run's machine, beside other jobs perhaps, and compares "
    "no codecs.";

/// What a setting has to do.
struct ChooseOptions {
  double kl = 0;  ///< nats: the mean KL divergence that it may have at most
  /// Hot: cells of modes inforward and decode; cold: of mode prefix; without: every mode with likelihoods.
  std::optional<Tier> tier;
  /// The length of one cache, in tokens, that pays for skipped layers, sinks and residual window
  /// once, and for the whole profile. Without: the caches that were measured, profiles not counted.
  std::optional<double> tokens;
};

/// The cheapest setting of one family that keeps to the KL divergence, in one folder and mode.
struct ChosenSetting {
  std::string source, model, mode;
  std::string family;  ///< as split_spec()
  std::string legend;  ///< as charts call it
  std::string codec;   ///< the setting

  double bits = 0;  ///< a value of the whole cache: skipped layers, sinks and residual window too
  std::optional<Range> interval;  ///< 95 %, over the passages, from 8 on
  bool open_page_known = true;    ///< of all settings of the family: else its bits are too few
  double ratio = 1;               ///< bits over those of the first setting of the answer
  Interval kld;                   ///< measured, nats; its mean is at most what was asked for
  bool surely = false;            ///< the upper end of kld's 95 % interval is too

  RateAtLoss at_kl;                        ///< whole-cache bits of the family at that KL divergence
  std::optional<Range> at_kl_interval;     ///< 95 %, of at_kl.rate where it is inside
  std::optional<double> at_kl_ratio;       ///< over those of the first setting's family
  std::optional<Range> at_kl_ratio_range;  ///< the same draws of the passages for both

  /// What coding takes, microseconds a token, summed over threads, layers, keys and values (on a
  /// GPU: of its kernels); nothing where no time was recorded.
  std::optional<double> encode_us, decode_us;

  std::optional<std::size_t> profile_bytes;  ///< 0: no profile; nothing: not recorded
  double profile_bits = 0;                   ///< of `bits`; 0 where no length is asked for
};

/// Of every family the setting of fewest whole-cache bits whose mean KL divergence is at most what
/// is asked for; cheapest first. With a length, families whose profile's bytes were not recorded
/// are left out: what they cost is not known. Intervals are of 1,000 resamples of the passages, the
/// same ones for all families; at a KL divergence bits are log-linear between neighbouring measured
/// points, never extrapolated (rate_at_loss()). Empty where no setting keeps to it, and without
/// likelihoods or in a mode of the other tier.
///
/// Throws SpecError unless kl > 0 and finite and tokens is as many as the policy keeps exactly and
/// more; InputError where samples do not say what the whole cache took.
std::vector<ChosenSetting> choose_settings(const ResultGroup& group, const ChooseOptions& options);

/// Whether `mode` is of the tier; any mode with likelihoods without one.
bool mode_of_tier(const std::string& mode, std::optional<Tier> tier);

/// One sentence: the first setting of the answer, which is not empty, what it costs and what it
/// beats by how much.
std::string chosen_sentence(std::span<const ChosenSetting> answer, const ChooseOptions& options);

/// A row a family.
Table choose_table(std::span<const ChosenSetting> answer, const ChooseOptions& options);

/// Where nothing was chosen in a group that has likelihoods: the least KL divergence there.
std::string nothing_chosen(const ResultGroup& group, const ChooseOptions& options);

/// One question to one group, answered for the first page of a report.
struct Choice {
  std::string of;  ///< the group, its mode and tier: "SmolLM2-135M, in-forward (hot)"
  ChooseOptions options;
  std::vector<ChosenSetting> settings;  ///< choose_settings()
  std::string least;  ///< where there are none: "0.0093 (q4_0)", the least KL divergence measured
};
Choice choose_for(const ResultGroup& group, std::string name, const ChooseOptions& options);

/// A row a choice that found something, in their order: the first setting of its answer, what it
/// costs, and the cheapest one of another codec that it beats (of another family, where its codec
/// is the only one). The note names the choices that found nothing.
Table choices_table(std::span<const Choice> choices);

}  // namespace kakeya
