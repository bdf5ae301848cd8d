// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/family_curves.h"

#include <algorithm>
#include <iterator>

namespace kakeya {
namespace {

/// On average over the passages that both have; false without any.
bool loses_less(const CodecResult& a, const CodecResult& b, const Metric& metric) {
  const std::vector<int> passages = common_passages(a, b);
  if (passages.empty()) return false;
  return t_interval(series(a, metric, passages)).mean <
         t_interval(series(b, metric, passages)).mean;
}

}  // namespace

Curves curves_of(const ResultGroup& group, const Metric& metric) {
  Curves curves;
  for (const CodecResult& codec : group.codecs) {
    if (!codec.identity() && summary(codec, metric).mean > 0)
      curves[codec.family].push_back(&codec);
  }
  return curves;
}

std::string family_or_largest(const ResultGroup& group, const Curves& curves,
                              std::span<const std::string> preferred) {
  for (const std::string& family : preferred) {
    if (curves.contains(family)) return family;
  }
  std::string best;
  std::size_t most = 0;
  for (const std::string& family : group.families()) {
    const auto at = curves.find(family);
    if (at != curves.end() && at->second.size() > most) best = family, most = at->second.size();
  }
  return best;
}

std::optional<Frontier> frontier(const Curve& curve, const RateKind& kind, const Metric& metric) {
  if (curve.empty()) return std::nullopt;
  Curve rising = curve;
  for (const CodecResult* codec : curve) {
    if (!kind.of(codec->rates)) return std::nullopt;
  }
  // Of settings at the same rate the best comes first, so that only earlier ones can beat a later.
  std::stable_sort(rising.begin(), rising.end(), [&](const CodecResult* a, const CodecResult* b) {
    const double rate_a = *kind.of(a->rates), rate_b = *kind.of(b->rates);
    return rate_a != rate_b ? rate_a < rate_b : summary(*a, metric).mean < summary(*b, metric).mean;
  });
  Frontier result;
  for (const CodecResult* codec : rising) {
    const bool beaten =
        std::any_of(result.kept.begin(), result.kept.end(),
                    [&](const CodecResult* kept) { return loses_less(*kept, *codec, metric); });
    if (beaten) {
      result.beaten.push_back(codec);
      continue;
    }
    const auto dearer = [&](const CodecResult* kept) {
      return *kind.of(kept->rates) > *kind.of(codec->rates) - kSameRate &&
             loses_less(*codec, *kept, metric);
    };
    std::copy_if(result.kept.begin(), result.kept.end(), std::back_inserter(result.beaten), dearer);
    std::erase_if(result.kept, dearer);
    result.kept.push_back(codec);
  }
  return result;
}

std::vector<int> shared_passages(std::span<const CodecResult* const> settings) {
  if (settings.empty()) return {};
  std::vector<int> passages = settings.front()->passages();
  for (const CodecResult* codec : settings) {
    const std::vector<int> own = codec->passages();
    std::erase_if(passages, [&](int p) { return !std::binary_search(own.begin(), own.end(), p); });
  }
  return passages;
}

OperatingPoint Weighed::over(const std::vector<std::size_t>& drawn) const {
  double loss = 0, all_bits = 0, all_values = 0;
  for (const std::size_t i : drawn) loss += losses[i], all_bits += bits[i], all_values += values[i];
  return {all_bits / all_values, loss / static_cast<double>(drawn.size())};
}

Weighed weigh(const CodecResult& codec, const Metric& metric, const std::vector<int>& passages,
              std::optional<BitsOf> bits_of) {
  Weighed weighed;
  weighed.losses = series(codec, metric, passages);
  for (const Sample* sample : codec.samples) {
    if (!std::binary_search(passages.begin(), passages.end(), sample->key.passage)) continue;
    const BytesOf of = bytes_of(*sample, bits_of.value_or(codec.bits_of));
    weighed.bits.push_back(8 * of.bytes);
    weighed.values.push_back(of.values);
  }
  return weighed;
}

std::vector<Weighed> weigh(const Curve& curve, const Metric& metric,
                           const std::vector<int>& passages, std::optional<BitsOf> bits_of) {
  std::vector<Weighed> settings;
  for (const CodecResult* codec : curve) {
    settings.push_back(weigh(*codec, metric, passages, bits_of));
  }
  return settings;
}

std::vector<OperatingPoint> points_over(std::span<const Weighed> settings,
                                        const std::vector<std::size_t>& drawn) {
  std::vector<OperatingPoint> points;
  for (const Weighed& setting : settings) points.push_back(setting.over(drawn));
  return points;
}

}  // namespace kakeya
