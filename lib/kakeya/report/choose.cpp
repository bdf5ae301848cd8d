// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/report/charts.h"
#include "kakeya/report/family_curves.h"
#include "kakeya/report/profile_cost.h"
#include "kakeya/report/rates.h"
#include "kakeya/report/resampled_rates.h"
#include "kakeya/report/storage.h"
#include "kakeya/store/whole_cache.h"

namespace kakeya {
namespace {

using Where = RateAtLoss::Where;

const Metric& kld() { return metric("kld_mean"); }

/// A setting with the bits and values of a whole cache, one a passage.
struct Cost {
  const CodecResult* codec = nullptr;
  std::optional<std::size_t> profile;
  Weighed weighed;

  double bits() const {
    double all_bits = 0, values = 0;
    for (std::size_t i = 0; i < weighed.bits.size(); ++i) {
      all_bits += weighed.bits[i];
      values += weighed.values[i];
    }
    return all_bits / values;
  }
};

/// The bits and the values of the whole cache that one sample stands for.
std::pair<double, double> whole_cache(const ResultGroup& group, const CodecResult& codec,
                                      const Sample& sample, std::size_t profile,
                                      const ChooseOptions& options) {
  if (!options.tokens) {
    if (sample.cache_values == 0) {
      throw InputError(fmt::format("{}: {}: passage {} does not say what the whole cache took",
                                   group.source, codec.label, sample.key.passage));
    }
    const BytesOf whole = bytes_of(sample, BitsOf::whole_cache);
    return {8 * whole.bytes, whole.values};
  }
  CodecResult alone = codec;
  alone.samples = {&sample};
  const Storage storage = cache_storage(group.results->plan, alone, *options.tokens);
  return {8 * (storage.bytes + static_cast<double>(profile)), storage.bf16_bytes / 2};
}

Cost cost_of(const ResultGroup& group, const CodecResult& codec, const std::vector<int>& passages,
             const ChooseOptions& options) {
  Cost cost{&codec, profile_bytes_of(group, codec), {}};
  cost.weighed.losses = series(codec, kld(), passages);
  for (const Sample* sample : codec.samples) {
    if (!std::binary_search(passages.begin(), passages.end(), sample->key.passage)) continue;
    const auto [bits, values] =
        whole_cache(group, codec, *sample, cost.profile.value_or(0), options);
    cost.weighed.bits.push_back(bits);
    cost.weighed.values.push_back(values);
  }
  return cost;
}

std::vector<Weighed> weigh_curve(const ResultGroup& group, const Curve& curve,
                                 const std::vector<int>& passages, const ChooseOptions& options) {
  std::vector<Weighed> settings;
  for (const CodecResult* codec : curve)
    settings.push_back(cost_of(group, *codec, passages, options).weighed);
  return settings;
}

void add_bits_interval(ChosenSetting& chosen, const Cost& cost) {
  const std::size_t passages = cost.weighed.bits.size();
  if (passages < kFewestPassages) return;
  std::vector<double> drawn;
  for (std::uint64_t number = 0; number < kRateResamples; ++number)
    drawn.push_back(cost.weighed.over(resample(passages, kRateSeed, number)).rate);
  chosen.interval = interval_of(std::move(drawn));
}

void add_at_kl(ChosenSetting& chosen, const ResultGroup& group, const Curve& curve,
               const ChooseOptions& options) {
  const std::vector<int> passages = shared_passages(curve);
  std::vector<OperatingPoint> points;
  for (const CodecResult* codec : curve) {
    points.push_back(
        {cost_of(group, *codec, codec->passages(), options).bits(), summary(*codec, kld()).mean});
  }
  chosen.at_kl = rate_at_loss(points, options.kl);
  if (chosen.at_kl.where != Where::inside) return;
  chosen.at_kl_interval = interval_of(
      resampled_rates(weigh_curve(group, curve, passages, options), passages.size(), options.kl));
}

void add_ratio(ChosenSetting& chosen, const ChosenSetting& first, const ResultGroup& group,
               const Curves& curves, const ChooseOptions& options) {
  if (chosen.at_kl.where != Where::inside || first.at_kl.where != Where::inside) return;
  chosen.at_kl_ratio = chosen.at_kl.rate / first.at_kl.rate;
  const Curve &of = curves.at(chosen.family), &against = curves.at(first.family);
  Curve both = of;
  both.insert(both.end(), against.begin(), against.end());
  const std::vector<int> passages = shared_passages(both);
  const auto rates = [&](const Curve& curve) {
    return resampled_rates(weigh_curve(group, curve, passages, options), passages.size(),
                           options.kl);
  };
  chosen.at_kl_ratio_range = interval_of_ratio(rates(of), rates(against));
}

void add_times(ChosenSetting& chosen, const ResultGroup& group, const CodecResult& codec) {
  const SweepPlan plan = plan_for(group.results->plan, codec);
  const double token_values =
      2.0 * static_cast<double>(plan.shape.part_width()) * plan.policy.coded_layers();
  double encode = 0, decode = 0, tokens = 0;
  for (const Sample* sample : codec.samples) {
    encode += sample->encode_seconds;
    decode += sample->decode_seconds;
    tokens += static_cast<double>(sample->values) / token_values;
  }
  if (encode > 0) chosen.encode_us = 1e6 * encode / tokens;
  if (decode > 0) chosen.decode_us = 1e6 * decode / tokens;
}

/// The cheapest setting of the curve that keeps to the KL divergence, or nothing.
std::optional<Cost> cheapest(const ResultGroup& group, const Curve& curve,
                             const ChooseOptions& options) {
  std::optional<Cost> best;
  for (const CodecResult* codec : curve) {
    if (summary(*codec, kld()).mean > options.kl) continue;
    Cost cost = cost_of(group, *codec, codec->passages(), options);
    if (options.tokens && !cost.profile) continue;
    if (!best || cost.bits() < best->bits()) best = std::move(cost);
  }
  return best;
}

ChosenSetting chosen_of(const ResultGroup& group, const std::string& family, const Curve& curve,
                        const Cost& cost, const ChooseOptions& options) {
  ChosenSetting chosen;
  chosen.source = group.source;
  chosen.model = group.results->plan.origin.model.name;
  chosen.mode = group.mode;
  chosen.family = family;
  chosen.legend = legend_name(group, family);
  chosen.codec = cost.codec->label;
  chosen.bits = cost.bits();
  chosen.open_page_known = std::all_of(
      curve.begin(), curve.end(), [](const CodecResult* codec) { return codec->open_page_known; });
  chosen.kld = summary(*cost.codec, kld());
  chosen.surely = chosen.kld.high() <= options.kl;
  chosen.profile_bytes = cost.profile;
  if (options.tokens) {
    const double values = cost.weighed.values.front();
    chosen.profile_bits = 8 * static_cast<double>(cost.profile.value_or(0)) / values;
  }
  add_bits_interval(chosen, cost);
  add_at_kl(chosen, group, curve, options);
  add_times(chosen, group, *cost.codec);
  return chosen;
}

void check(const ResultGroup& group, const ChooseOptions& options) {
  if (!(options.kl > 0) || !std::isfinite(options.kl)) {
    throw SpecError(fmt::format("--kl {}: expected a KL divergence above 0, in nats", options.kl));
  }
  if (!options.tokens) return;
  const auto exact = static_cast<double>(group.results->plan.policy.least_tokens() - 1);
  if (!(*options.tokens > exact) || !std::isfinite(*options.tokens)) {
    throw SpecError(fmt::format(
        "--tokens {}: expected more than the {} tokens that {} keeps exactly: at least {}",
        *options.tokens, exact, group.source, exact + 1));
  }
}

}  // namespace

bool mode_of_tier(const std::string& mode, std::optional<Tier> tier) {
  if (!tier) return mode != "distortion";
  return *tier == Tier::hot ? cache_grows(mode) : mode == "prefix";
}

std::vector<ChosenSetting> choose_settings(const ResultGroup& group, const ChooseOptions& options) {
  check(group, options);
  if (!group.likelihoods() || !mode_of_tier(group.mode, options.tier)) return {};
  const Curves curves = curves_of(group, kld());
  std::vector<ChosenSetting> answer;
  for (const std::string& family : group.families()) {
    const auto at = curves.find(family);
    if (at == curves.end()) continue;
    if (const std::optional<Cost> cost = cheapest(group, at->second, options))
      answer.push_back(chosen_of(group, family, at->second, *cost, options));
  }
  std::stable_sort(answer.begin(), answer.end(),
                   [](const ChosenSetting& a, const ChosenSetting& b) { return a.bits < b.bits; });
  for (std::size_t i = 1; i < answer.size(); ++i) {
    answer[i].ratio = answer[i].bits / answer.front().bits;
    add_ratio(answer[i], answer.front(), group, curves, options);
  }
  return answer;
}

}  // namespace kakeya
