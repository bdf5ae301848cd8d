// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/control.h"

#include <fmt/format.h>

#include "kakeya/report/number.h"

namespace kakeya {
namespace {

/// Rounding to 8 significant bits moves a scalar by at most 2^-9 of itself.
constexpr double kLargestBf16RelMse = 1.0 / (1 << 18);

/// Of steps: rel-MSE nothing, and predictions by little.
std::optional<std::string> deviation_of_steps(const Sample& sample) {
  for (const char* name : {"rel_mse_k", "rel_mse_v"}) {
    const double value = *metric(name).value(sample);
    if (value != 0) return fmt::format("{} is {}", name, full_precision(value));
  }
  if (sample.kld_mean && *sample.kld_mean <= kLargestStepChange) return {};
  return fmt::format("kld_mean is {}, expected at most {}",
                     sample.kld_mean ? full_precision(*sample.kld_mean) : "not there",
                     kLargestStepChange);
}

std::optional<std::string> deviation(const Sample& sample, bool likelihoods) {
  if (sample.key.mode == "decode") return deviation_of_steps(sample);
  const double rel_mse_limit = likelihoods ? 0 : kLargestBf16RelMse;
  for (const Metric& each : metrics()) {
    const std::optional<double> value = each.value(sample);
    if (!value || (each.likelihood && !likelihoods)) continue;
    if (each.name == "top1" ? *value == 1 : each.name.starts_with("cosine")) continue;
    const double limit = each.name.starts_with("rel_mse") ? rel_mse_limit : 0;
    if (each.name != "top1" && *value >= -limit && *value <= limit) continue;
    return fmt::format("{} is {}", each.name, full_precision(*value));
  }
  if (likelihoods && sample.nll != sample.nll_reference) return "nll differs from nll_reference";
  return {};
}

}  // namespace

std::optional<std::string> broken_control(const ResultGroup& group) {
  for (const CodecResult& codec : group.codecs) {
    if (!codec.identity()) continue;
    for (const Sample* sample : codec.samples) {
      if (const std::optional<std::string> what = deviation(*sample, group.likelihoods())) {
        return fmt::format(
            "BROKEN CONTROL: identity must change nothing, but on passage {} its {}: no number of "
            "this group can be trusted",
            sample->key.passage, *what);
      }
    }
  }
  return {};
}

}  // namespace kakeya
