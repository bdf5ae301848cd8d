// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/measure/measure_source.h"
#include "kakeya/report/result_group.h"
#include "kakeya/stats/thresholds.h"

namespace kakeya {

/// Settings of one family on every stream, beside the reference codec, by one measure of loss.
struct LossFamily {
  std::string metric;  ///< "rel-MSE", or "KL divergence" in nats
  std::string family;  ///< Spec::family()
  std::vector<LossStream> streams;
};

/// Which bits settings are compared by.
enum class ThresholdBits { measured, nominal };

/// From a sweep's samples: rel-MSE of the keys and of the values, each by itself, weighted by their
/// scalars (of a KV stream, whose keys are its values, one); and where every sample has it, KL divergence, of both together. Settings whose keys and
/// values are coded alike, of the families that `families` names (patterns, * stands for anything;
/// empty: all). Throws InputError where the reference is not among them, naming what is there, where a
/// setting lacks passages that the reference has, where a sample lacks its KL divergence though its
/// mode promises one, or a setting has no nominal bits and those are asked for.
std::vector<LossFamily> loss_families(const ResultGroup& group, const std::string& reference,
                                      std::span<const std::string> families, ThresholdBits bits);

/// Of sweeps over the KV streams of one model, a group each: rel-MSE of each stream, weighted by its
/// share of the cache's values. Throws as above, as require_one_model(), where a family has no setting on
/// one of the streams, and where a stream has the reference on other passages than the first.
std::vector<LossFamily> stream_loss_families(std::span<const ResultGroup> groups,
                                             const std::string& reference,
                                             std::span<const std::string> families,
                                             ThresholdBits bits);

/// Labels of settings that loss_families() leaves out of the families asked for, as their keys and
/// values have different codecs.
std::vector<std::string> mixed_settings(const ResultGroup& group,
                                        std::span<const std::string> families);

/// From measured sources, a stream each, weighted by their scalars, or KV streams by their shares of
/// the cache's values: passages are the batches. Throws as above, and where a source was not measured
/// with the reference, or a KV stream has not as many passages as the first.
std::vector<LossFamily> loss_families(std::span<const SourceResult> results,
                                      const std::string& reference, ThresholdBits bits);

/// Sets the weights of streams: one "NAME=WEIGHT" for each of them. Throws SpecError on a name that
/// is no stream, one that is left out or given twice, and a weight that is not above 0.
void set_weights(std::span<const std::string> weights, std::vector<LossFamily>& families);

}  // namespace kakeya
