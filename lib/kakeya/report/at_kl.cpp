// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/at_kl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/report/charts.h"
#include "kakeya/report/family_curves.h"
#include "kakeya/report/number.h"
#include "kakeya/report/provenance_text.h"
#include "kakeya/report/resampled_rates.h"

namespace kakeya {
namespace {

constexpr double kBeyond = std::numeric_limits<double>::infinity();

using Where = RateAtLoss::Where;

const Metric& kld() { return metric("kld_mean"); }

double mean_kld(const CodecResult& codec) { return summary(codec, kld()).mean; }

/// The bits of every resample of these passages at the KL divergence.
std::vector<double> resampled_bits(const Curve& curve, double kl, const std::vector<int>& passages,
                                   BitsOf of) {
  return resampled_rates(weigh(curve, kld(), passages, of), passages.size(), kl);
}

/// Of the bits of `curve` over those of `first`, both over the passages that all settings have.
std::optional<Range> ratio_range(const Curve& curve, const Curve& first, double kl, BitsOf of) {
  Curve both = curve;
  both.insert(both.end(), first.begin(), first.end());
  const std::vector<int> passages = shared_passages(both);
  return interval_of_ratio(resampled_bits(curve, kl, passages, of),
                           resampled_bits(first, kl, passages, of));
}

Range range_of(const Curve& curve, double (*of)(const CodecResult&)) {
  Range range{kBeyond, -kBeyond};
  for (const CodecResult* codec : curve) {
    range.low = std::min(range.low, of(*codec));
    range.high = std::max(range.high, of(*codec));
  }
  return range;
}

/// What the setting that needs most of its profiles reads of them, where that was recorded.
std::optional<std::size_t> recorded_use(const ResultGroup& group, const Curve& curve) {
  std::optional<std::size_t> most;
  for (const Provenance& run : group.results->runs) {
    for (const ProfileRecord& profile : run.profiles) {
      for (const ProfileUse& use : profile.uses) {
        const bool ours = std::any_of(curve.begin(), curve.end(), [&](const CodecResult* codec) {
          return codec->samples.front()->key.codec_k == use.codec;
        });
        if (ours) most = std::max(most.value_or(0), use.reader_bytes);
      }
    }
  }
  return most;
}

/// The bytes of what its settings read of profiles, over the values of the coded layers; of older
/// samples the bytes of every profile that its text names by digest, over those of all layers.
void add_profile(FamilyAtKl& answer, const ResultGroup& group, const Curve& curve) {
  const SweepPlan& plan = group.results->plan;
  if (const auto bytes = recorded_use(group, curve)) {
    SweepPlan coded = plan_for(plan, *curve.front());
    coded.shape.layers = coded.policy.coded_layers();
    answer.profile_bytes = bytes;
    for (std::size_t i = 0; i < kProfileTokens.size(); ++i) {
      answer.profile_bits[i] = profile_bits(coded, *bytes, kProfileTokens[i]);
    }
    return;
  }
  std::size_t bytes = 0, named = 0;
  for (const ProfileRecord& profile : profile_records(group)) {
    if (answer.family.find(short_digest(profile.sha256)) == std::string::npos) continue;
    bytes += profile.reader_bytes;
    ++named;
  }
  if (named == 0 && names_profile(answer.family)) return;
  answer.profile_bytes = bytes;
  for (std::size_t i = 0; i < kProfileTokens.size(); ++i) {
    answer.profile_bits[i] = profile_bits(plan, bytes, kProfileTokens[i]);
  }
}

double bits_of(const CodecResult& codec, BitsOf of) {
  return of == BitsOf::coded_values ? codec.coded_bits : codec.whole_cache_bits;
}

BitsAtKl bits_at_kl(const Curve& curve, double kl, BitsOf of) {
  std::vector<OperatingPoint> points;
  for (const CodecResult* codec : curve) points.push_back({bits_of(*codec, of), mean_kld(*codec)});
  BitsAtKl answer;
  answer.bits = rate_at_loss(points, kl);
  if (answer.bits.where == Where::inside) {
    answer.interval = interval_of(resampled_bits(curve, kl, shared_passages(curve), of));
  }
  return answer;
}

void add_with_profile(FamilyAtKl& answer, const ResultGroup& group, const Curve& curve) {
  for (std::size_t t = 0; t < kSharedTokens.size(); ++t) {
    for (std::size_t c = 0; c < kSharingCaches.size(); ++c) {
      std::vector<OperatingPoint> points;
      for (const CodecResult* codec : curve) {
        const auto bytes = profile_bytes_of(group, *codec);
        const auto bits = bytes || kSharingCaches[c] == 0
                              ? bits_with_profile(group, *codec, bytes.value_or(0),
                                                  kSharedTokens[t], kSharingCaches[c])
                              : std::nullopt;
        if (bits) points.push_back({*bits, mean_kld(*codec)});
      }
      if (points.size() != curve.size()) continue;
      const RateAtLoss at = rate_at_loss(points, answer.kl);
      if (at.where == Where::inside) answer.with_profile[t][c] = at.rate;
    }
  }
}

void add_ratio(BitsAtKl& of_family, const BitsAtKl& of_first, const Curve& curve,
               const Curve& first, double kl, BitsOf of) {
  if (of_family.bits.where != Where::inside || of_first.bits.where != Where::inside) return;
  of_family.ratio = of_family.bits.rate / of_first.bits.rate;
  if (&curve != &first) of_family.ratio_interval = ratio_range(curve, first, kl, of);
}

FamilyAtKl answer_of(const ResultGroup& group, const std::string& family, const Curve& curve,
                     double kl) {
  FamilyAtKl answer;
  answer.source = group.source;
  answer.model = group.results->plan.origin.model.name;
  answer.mode = group.mode;
  answer.split = group.results->plan.split;
  answer.family = family;
  answer.legend = legend_name(group, family);
  answer.kl = kl;
  answer.bits_of = group.bits_of;
  answer.open_page_known = std::all_of(
      curve.begin(), curve.end(), [](const CodecResult* codec) { return codec->open_page_known; });
  double apart = kBeyond;
  for (const CodecResult* codec : curve) {
    const double measured = mean_kld(*codec);
    if (std::fabs(std::log(measured / kl)) >= apart) continue;
    apart = std::fabs(std::log(measured / kl));
    answer.nearest = codec->label;
    answer.nearest_kl = measured;
    answer.nearest_bits = codec->rates.measured;
  }
  answer.coded = bits_at_kl(curve, kl, BitsOf::coded_values);
  answer.whole_cache = bits_at_kl(curve, kl, BitsOf::whole_cache);
  static_cast<BitsAtKl&>(answer) =
      group.bits_of == BitsOf::coded_values ? answer.coded : answer.whole_cache;
  answer.measured_kl = range_of(curve, mean_kld);
  answer.measured_bits =
      range_of(curve, [](const CodecResult& codec) { return codec.rates.measured; });
  add_profile(answer, group, curve);
  add_with_profile(answer, group, curve);
  return answer;
}

std::string end_text(double bits) {
  return std::isinf(bits) ? "out of range" : fmt::format("{:.3f}", bits);
}

std::string range_text(const Range& range) {
  return fmt::format("{} to {}", end_text(range.low), end_text(range.high));
}

/// `mark`: what stands before a number that is known to be too low.
Cell bits_cell(const BitsAtKl& family, const std::string& mark) {
  const double rate = family.bits.rate;
  switch (family.bits.where) {
    case Where::inside:
      return number_cell(rate, family.interval ? fmt::format("{}{:.3f} ({})", mark, rate,
                                                             range_text(*family.interval))
                                               : fmt::format("{}{:.3f}", mark, rate));
    case Where::too_fine:
      return text_cell(fmt::format("< {:.3f}: below what was measured", rate));
    case Where::too_lossy:
      return text_cell(fmt::format("> {:.3f}: above what was measured", rate));
    case Where::unmeasured:
      break;
  }
  return text_cell("-");
}

Cell end_cell(const std::optional<Range>& range, double Range::*end) {
  if (!range || std::isinf((*range).*end)) return text_cell("-");
  return number_cell((*range).*end, end_text((*range).*end));
}

Cell ratio_cell(const BitsAtKl& family) {
  if (!family.ratio) return text_cell("-");
  std::string text = fmt::format("{:.3f}x", *family.ratio);
  if (family.ratio_interval) text += fmt::format(" ({})", range_text(*family.ratio_interval));
  return number_cell(*family.ratio, text);
}

/// Of the bits that are asked for, and then of the others.
void add_bits_columns(Table& table, BitsOf of, bool asked) {
  const bool coded = of == BitsOf::coded_values;
  const std::string quantity = coded ? "real bits" : "whole-cache bits";
  const char* const ratio = asked ? "ratio" : "their ratio";
  table.columns.insert(table.columns.end(),
                       {{asked   ? fmt::format("measured bits, {}", bits_of_text(of))
                         : coded ? "coded values' bits"
                                 : "whole-cache bits",
                         quantity + " at kl"},
                        {"", quantity + " at kl, low end"},
                        {"", quantity + " at kl, high end"},
                        {ratio, "ratio of " + quantity}});
}

void add_bits_cells(std::vector<Cell>& row, const FamilyAtKl& family, BitsOf of) {
  const bool coded = of == BitsOf::coded_values;
  const BitsAtKl& bits = coded ? family.coded : family.whole_cache;
  row.insert(row.end(), {bits_cell(bits, coded || family.open_page_known ? "" : "≥ "),
                         end_cell(bits.interval, &Range::low),
                         end_cell(bits.interval, &Range::high), ratio_cell(bits)});
}

Cell profile_cell(const FamilyAtKl& family, double value, const std::string& text) {
  if (!family.profile_bytes) return text_cell("not recorded");
  return *family.profile_bytes == 0 ? number_cell(0, "0") : number_cell(value, text);
}

}  // namespace

std::vector<FamilyAtKl> families_at_kl(const ResultGroup& group, double kl) {
  if (!(kl > 0) || !std::isfinite(kl))
    throw SpecError(fmt::format("--at-kl {}: expected a KL divergence above 0, in nats", kl));
  if (!group.likelihoods()) return {};
  const Curves curves = curves_of(group, kld());
  std::vector<FamilyAtKl> answer;
  for (const std::string& family : group.families()) {
    const auto at = curves.find(family);
    if (at != curves.end()) answer.push_back(answer_of(group, family, at->second, kl));
  }
  std::stable_sort(answer.begin(), answer.end(), [](const FamilyAtKl& a, const FamilyAtKl& b) {
    return std::make_pair(!a.reached(), a.bits.rate) < std::make_pair(!b.reached(), b.bits.rate);
  });
  const auto first = std::find_if(answer.begin(), answer.end(), [](const FamilyAtKl& family) {
    return family.bits.where == Where::inside;
  });
  for (auto family = first; family != answer.end(); ++family) {
    const Curve &curve = curves.at(family->family), &of_first = curves.at(first->family);
    add_ratio(family->coded, first->coded, curve, of_first, kl, BitsOf::coded_values);
    add_ratio(family->whole_cache, first->whole_cache, curve, of_first, kl, BitsOf::whole_cache);
    static_cast<BitsAtKl&>(*family) =
        group.bits_of == BitsOf::coded_values ? family->coded : family->whole_cache;
  }
  return answer;
}

Table at_kl_table(std::span<const FamilyAtKl> answer) {
  const BitsOf of = answer.front().bits_of;
  const bool coded = of == BitsOf::coded_values;
  Table table =
      named_table("at_kl", fmt::format("Which codec: measured bits of the {} at KL "
                                       "divergence {}",
                                       bits_of_text(of), full_precision(answer.front().kl)));
  table.source = answer.front().source;
  table.mode = answer.front().mode;
  table.note = fmt::format(
      "Bits per value that each family needs for a mean KL divergence of {} nats, fewest first: "
      "log-linear between neighbouring measured points of its isotonic fit, with the 95 % "
      "percentile interval of {} resamples of the passages (from {} passages on). \"<\": even its "
      "cheapest setting, of so many bits, loses less; \">\": even its best loses more; nothing is "
      "extrapolated. Ratio: over the bits of the first family inside its range, both of the same "
      "resamples. Nearest: the measured setting whose KL divergence is nearest. Profile: what the "
      "setting that needs most of it reads once a model, which no rate counts, over the values of "
      "one cache (of the coded layers, where the samples tell). {}",
      full_precision(answer.front().kl), kRateResamples, kFewestPassages, kWholeCacheNote);
  table.columns = {{"family", "family", false}};
  add_bits_columns(table, of, true);
  add_bits_columns(table, coded ? BitsOf::whole_cache : BitsOf::coded_values, false);
  table.columns.insert(table.columns.end(), {{"nearest setting", "nearest setting", false},
                                             {"its bits", "real bits of the nearest setting"},
                                             {"its KL", "kld_mean of the nearest setting (nats)"},
                                             {"profile bytes", "profile bytes"}});
  for (const int tokens : kProfileTokens) {
    table.columns.push_back({fmt::format("profile bits at {}k", tokens / 1024),
                             fmt::format("profile bits a value at {}k", tokens / 1024), true});
  }
  for (const FamilyAtKl& family : answer) {
    std::vector<Cell> row = {text_cell(family.legend)};
    add_bits_cells(row, family, of);
    add_bits_cells(row, family, coded ? BitsOf::whole_cache : BitsOf::coded_values);
    row.insert(row.end(), {text_cell(family.nearest), fixed_cell(family.nearest_bits, 3),
                           number_cell(family.nearest_kl, significant(family.nearest_kl))});
    const std::size_t bytes = family.profile_bytes.value_or(0);
    row.push_back(profile_cell(family, static_cast<double>(bytes), grouped(bytes)));
    for (const double bits : family.profile_bits)
      row.push_back(profile_cell(family, bits, fmt::format("{:.4f}", bits)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string not_reached(std::span<const FamilyAtKl> answer) {
  const FamilyAtKl *least = nullptr, *most = nullptr;
  for (const FamilyAtKl& family : answer) {
    if (family.reached()) return "";
    if (!least || family.measured_kl.low < least->measured_kl.low) least = &family;
    if (!most || family.measured_kl.high > most->measured_kl.high) most = &family;
  }
  if (!least) return "";
  return fmt::format(
      "{}, {}: no family reaches a KL divergence of {}: measured are {} ({}) to {} ({})",
      least->source, mode_text(least->mode), full_precision(least->kl),
      significant(least->measured_kl.low), least->family, significant(most->measured_kl.high),
      most->family);
}

}  // namespace kakeya
