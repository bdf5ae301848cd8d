// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "kakeya/codec/spec.h"
#include "kakeya/core/error.h"
#include "kakeya/report/chart_families.h"
#include "kakeya/report/looks.h"
#include "kakeya/report/noise_floor.h"
#include "kakeya/report/provenance_text.h"
#include "kakeya/report/storage.h"
#include "kakeya/stats/rate_distortion.h"

namespace kakeya {
namespace {

constexpr std::string_view kWithout = "none";  // what the key says of a codec that has none

/// The digests of both, empty where there is none.
std::string profiles_of(const std::string& family) {
  const std::optional<SpecPair> pair = SpecPair::try_parse(family);
  std::string all;
  for (const Spec* spec : {pair ? &pair->keys : nullptr, pair ? &pair->values : nullptr}) {
    const std::string* profile = spec == nullptr ? nullptr : spec->find("profile");
    if (profile != nullptr && *profile != kWithout) all += *profile + ",";
  }
  return all;
}

/// "measured bits of the coded values": of an axis and a title.
std::string bits_text(std::span<const ResultGroup* const> groups) {
  return fmt::format("measured bits of the {}", bits_of_text(groups.front()->bits_of));
}

using Legends = std::map<std::string, std::string>;  // what the key calls each

/// A family's look is settled by the order of the families of all panels together, chosen ones first,
/// so that charts of some and of all agree and few families differ most; those that the legend calls
/// alike have one.
Looks looks_of(std::span<const ResultGroup* const> groups, const Legends& shown,
               const Legends& chosen) {
  Looks looks;
  for (const bool first : {true, false}) {
    for (const ResultGroup* group : groups) {
      for (const std::string& family : group->families()) {
        const std::string name = legend_name(*group, family);
        const auto called = shown.find(name);
        if (chosen.contains(name) == first)
          looks.of(name, called == shown.end() ? name : called->second);
      }
    }
  }
  return looks;
}

/// Against bits; or against compression, where the key alone names what has no rate.
ChartPanel make_panel(const ResultGroup& group, const Metric& metric, const Legends& shown,
                      Looks& looks, bool compressed = false) {
  ChartPanel panel;
  std::vector<OperatingPoint> points;
  for (const std::string& family : group.families()) {
    const std::string name = legend_name(group, family);
    const auto called = shown.find(name);
    if (called == shown.end()) continue;
    const Look look = looks.of(name, called->second);
    ChartSeries series{called->second, look.colour, look.marker, {}};
    for (const CodecResult& codec : group.codecs) {
      if (codec.family != family) continue;
      const Interval loss = summary(codec, metric);
      if (loss.mean <= 0) continue;
      if (!codec.rate_keys.empty()) {
        series.name = fmt::format("{} ({})", called->second, codec.rate_keys);
      }
      const double y = metric.scale * loss.mean;
      const double half = std::isfinite(loss.half_width) ? metric.scale * loss.half_width : 0;
      series.points.push_back(
          {compressed ? cache_storage(group.results->plan, codec, kLongContextTokens).ratio()
                      : codec.rates.measured,
           y, y - half, y + half, codec.rate.empty() && !compressed ? called->second : codec.rate});
      points.push_back({codec.rates.measured, y});
    }
    if (!series.points.empty()) panel.series.push_back(std::move(series));
  }
  if (compressed) {
    panel.crowded = true;
    return panel;
  }
  for (std::size_t i : pareto_front(points))
    panel.front.emplace_back(points[i].rate, points[i].loss);
  return panel;
}

/// Panels of unlike numbers of passages say their own.
std::string panel_title(const ResultGroup& group, std::span<const ResultGroup* const> groups,
                        std::span<const ResultGroup> all) {
  const std::string title = group_title(group, all);
  const bool alike = std::all_of(groups.begin(), groups.end(), [&](const ResultGroup* other) {
    return other->passages.size() == group.passages.size();
  });
  return alike ? title : fmt::format("{}, {} passages", title, group.passages.size());
}

std::string subtitle(std::span<const ResultGroup* const> groups, bool likelihoods) {
  std::size_t fewest = groups.front()->passages.size(), most = fewest;
  std::set<std::pair<int, int>> lengths;
  bool identity = false, broken = false;
  for (const ResultGroup* group : groups) {
    fewest = std::min(fewest, group->passages.size());
    most = std::max(most, group->passages.size());
    lengths.emplace(group->results->plan.context, group->results->plan.scored);
    broken |= group->control_broken;
    for (const CodecResult& codec : group->codecs) identity |= codec.identity();
  }
  std::string text = fewest == most ? fmt::format("{} passages", most) : "passages";
  if (lengths.size() == 1 && likelihoods) {
    text +=
        fmt::format(" of {} + {} scored tokens", lengths.begin()->first, lengths.begin()->second);
  }
  text += most > 1 ? "; bars: 95 % t intervals" : "; one passage: no intervals";
  if (broken) {
    text += "; CONTROL BROKEN: identity is not exactly 0";
  } else if (identity && likelihoods) {
    // Steps sum in another order than the forward at once, which identity shows.
    text += groups.front()->mode == "decode" ? "; identity (bf16) is not drawn"
                                             : "; identity (bf16) is exactly 0 and not drawn";
  }
  return text;
}

Chart likelihood_chart(std::span<const ResultGroup* const> groups, std::span<const ResultGroup> all,
                       const Metric& metric, const Legends& shown, Looks looks) {
  const bool kld = metric.name == "kld_mean";
  const std::string& mode = groups.front()->mode;
  Chart chart;
  chart.name = fmt::format("{}_{}", kld ? "kld" : "delta_ppl", mode);
  chart.title =
      kld ? fmt::format("KL divergence from the bf16 cache against {} ({})", bits_text(groups),
                        mode_text(mode))
          : fmt::format("Change of perplexity against {} ({})", bits_text(groups), mode_text(mode));
  chart.subtitle = subtitle(groups, true);
  const bool profiles = std::any_of(groups.begin(), groups.end(), [](const ResultGroup* group) {
    return !profile_records(*group).empty();
  });
  if (!kld) chart.subtitle += "; noise alone is above 0";
  if (kld && profiles) chart.subtitle += "; profiles not counted";
  chart.x_label =
      fmt::format("measured bits per value of the {}", bits_of_text(groups.front()->bits_of));
  chart.y_label = kld ? "mean KL divergence, nats" : "mean |Δppl|, %";
  for (const ResultGroup* group : groups) {
    ChartPanel panel = make_panel(*group, metric, shown, looks);
    panel.title = panel_title(*group, groups, all);
    if (panel.series.empty()) continue;
    if (kld) add_floors(chart, panel, *group);
    chart.panels.push_back(std::move(panel));
  }
  return chart;
}

Chart distortion_chart(std::span<const ResultGroup* const> groups, std::span<const ResultGroup> all,
                       const Legends& shown, Looks looks) {
  Chart chart;
  chart.name = "rel_mse_distortion";
  chart.title = fmt::format("Distortion against {}", bits_text(groups));
  chart.subtitle = subtitle(groups, false);
  chart.x_label =
      fmt::format("measured bits per value of the {}", bits_of_text(groups.front()->bits_of));
  chart.y_label = "rel-MSE";
  for (const ResultGroup* group : groups) {
    for (const char* part : {"K", "V"}) {
      ChartPanel panel =
          make_panel(*group, metric(part[0] == 'K' ? "rel_mse_k" : "rel_mse_v"), shown, looks);
      if (panel.series.empty()) continue;
      panel.title = fmt::format("{}: {}", panel_title(*group, groups, all), part);
      double low = panel.series[0].points[0].x, high = low;
      for (const ChartSeries& series : panel.series) {
        for (const ChartPoint& point : series.points)
          low = std::min(low, point.x), high = std::max(high, point.x);
      }
      ChartLine bound{"Shannon bound of white Gaussian data", 2, {}};
      for (double bits = low; bits < high; bits += 0.25)
        bound.points.emplace_back(bits, shannon_rel_mse(bits));
      bound.points.emplace_back(high, shannon_rel_mse(high));
      panel.references.push_back(std::move(bound));
      chart.panels.push_back(std::move(panel));
    }
  }
  return chart;
}

/// As many as the legend tells apart.
std::size_t called_apart(const Legends& families) {
  std::set<std::string> names;
  for (const auto& [family, called] : families) names.insert(called);
  return names.size();
}

/// The chart of the families that are `shown`, and where that is not all of them the one of all.
template <typename MakeChart>
void add_chart(std::vector<Chart>& charts, const Legends& shown, const Legends& all,
               const MakeChart& make) {
  Chart chart = make(shown);
  if (chart.panels.empty()) return;
  if (shown.size() < all.size()) {
    Chart whole = make(all);
    whole.name += kAllFamilies;
    // Shown ones that the legend calls alike are one family among all, too.
    chart.front_name = fmt::format("Pareto front of these {} of {} families", called_apart(shown),
                                   all.size() - shown.size() + called_apart(shown));
    charts.push_back(std::move(chart));
    charts.push_back(std::move(whole));
  } else {
    charts.push_back(std::move(chart));
  }
}

void require_matches(std::span<const ResultGroup> groups, std::span<const std::string> patterns) {
  std::set<std::string> families;
  for (const ResultGroup& group : groups) {
    for (const std::string& family : group.families()) families.insert(family);
  }
  for (const std::string& choice : patterns) {
    const std::string_view pattern = pattern_of(choice);
    const bool any = std::any_of(families.begin(), families.end(), [&](const std::string& family) {
      return family_matches(pattern, family);
    });
    if (any) continue;
    throw SpecError(fmt::format("--families {}: expected a pattern of some of the families {}",
                                pattern, fmt::join(families, "; ")));
  }
}

}  // namespace

void add_floors(Chart& chart, ChartPanel& panel, const ResultGroup& group) {
  double low = panel.series[0].points[0].x, high = low, least = panel.series[0].points[0].y;
  for (const ChartSeries& series : panel.series) {
    for (const ChartPoint& point : series.points) {
      low = std::min(low, point.x), high = std::max(high, point.x);
      least = std::min(least, point.y);
    }
  }
  int dash = 2 + static_cast<int>(panel.references.size());
  for (const auto& [name, kld] : noise_floors(group)) {
    if (kld <= 0 || kld < kLowestFloor * least) continue;
    panel.references.push_back({"nothing coded: " + name, dash++, {{low, kld}, {high, kld}}});
    chart.floors = true;
  }
}

std::string without_profiles(const std::string& family) {
  std::optional<SpecPair> pair = SpecPair::try_parse(family);
  if (!pair) return family;
  for (Spec* const spec : {&pair->keys, &pair->values})
    if (!spec->has("profile", kWithout)) *spec = spec->without("profile");
  return pair->label();
}

std::string codec_of(const std::string& family) {
  const std::optional<SpecPair> pair = SpecPair::try_parse(family);
  return pair ? pair->names() : family;
}

bool names_profile(const std::string& family) { return !profiles_of(family).empty(); }

std::string legend_name(const ResultGroup& group, const std::string& family) {
  for (const std::string& other : group.families()) {
    if (codec_of(other) == codec_of(family) && profiles_of(other) != profiles_of(family)) {
      return family;
    }
  }
  return without_profiles(family);
}

std::string mode_text(const std::string& mode) { return mode == "inforward" ? "in-forward" : mode; }

std::string group_title(const ResultGroup& group, std::span<const ResultGroup> groups) {
  const SweepPlan& plan = group.results->plan;
  const std::string split = plan.split.empty() ? "" : ", " + plan.split;
  for (const ResultGroup& other : groups) {
    if (other.results != group.results &&
        other.results->plan.origin.model.name == plan.origin.model.name) {
      return fmt::format("{} ({}{})", plan.origin.model.name, group.source, split);
    }
  }
  return plan.origin.model.name + split;
}

std::vector<Chart> hero_charts(std::span<const ResultGroup> groups,
                               std::span<const std::string> patterns) {
  require_matches(groups, patterns);
  std::vector<std::string> modes;
  for (const ResultGroup& group : groups) {
    if (std::find(modes.begin(), modes.end(), group.mode) == modes.end())
      modes.push_back(group.mode);
  }
  std::vector<Chart> charts;
  for (const std::string& mode : modes) {
    std::vector<const ResultGroup*> members;
    for (const ResultGroup& group : groups) {
      if (group.mode == mode && !group.codecs.empty()) members.push_back(&group);
    }
    if (members.empty()) continue;
    const Metric& loss = metric(mode == "distortion" ? "rel_mse_k" : "kld_mean");
    const std::vector<std::string> everything = {"*"};
    const Legends all = chart_families(members, loss, everything);
    Legends shown = chart_families(members, loss, patterns);
    if (shown.empty()) shown = chart_families(members, loss);
    if (mode == "distortion") {
      add_chart(charts, shown, all, [&](const Legends& legends) {
        return distortion_chart(members, groups, legends, looks_of(members, legends, shown));
      });
      continue;
    }
    for (const char* name : {"kld_mean", "abs_delta_ppl"}) {
      add_chart(charts, shown, all, [&](const Legends& legends) {
        return likelihood_chart(members, groups, metric(name), legends,
                                looks_of(members, legends, shown));
      });
    }
  }
  return charts;
}

Chart compression_chart(std::span<const ResultGroup> groups,
                        std::span<const std::string> patterns) {
  require_matches(groups, patterns);
  std::vector<const ResultGroup*> members;
  for (const ResultGroup& group : groups) {
    if (group.likelihoods() && !group.codecs.empty()) members.push_back(&group);
  }
  if (members.empty()) throw InputError("expected folders of results with likelihoods");
  const Metric& loss = metric("abs_delta_ppl");
  const Legends shown = chart_families(members, loss, patterns);
  Chart chart;
  chart.name = "hero_ours";
  chart.title = "Change of perplexity against compression of the whole cache";
  chart.subtitle = subtitle(members, true) + "; no profiles";
  chart.x_label = fmt::format(
      "compression of the whole cache of {:.0f} tokens, times (computed; skipped layers, sinks, half "
      "a page at 16 bits)",
      kLongContextTokens);
  chart.y_label = "mean |Δppl|, %";
  chart.stacked = true;
  Looks looks;  // of what is shown alone: each has a colour of its own
  for (const ResultGroup* group : members) {
    ChartPanel panel = make_panel(*group, loss, shown, looks, true);
    panel.title = panel_title(*group, members, groups);
    if (!panel.series.empty()) chart.panels.push_back(std::move(panel));
  }
  return chart;
}

}  // namespace kakeya
