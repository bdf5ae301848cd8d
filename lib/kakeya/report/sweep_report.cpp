// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/report/baseline_tables.h"
#include "kakeya/report/chart_families.h"
#include "kakeya/report/charts.h"
#include "kakeya/report/codec_tables.h"
#include "kakeya/report/comparison.h"
#include "kakeya/report/decode_table.h"
#include "kakeya/report/layer_maps.h"
#include "kakeya/report/noise_floor.h"
#include "kakeya/report/number.h"
#include "kakeya/report/plan_comparison.h"
#include "kakeya/report/plans_table.h"
#include "kakeya/report/profile_cost.h"
#include "kakeya/report/provenance_text.h"
#include "kakeya/report/splits.h"
#include "kakeya/report/storage.h"
#include "kakeya/report/summary_page.h"

namespace kakeya {
namespace {

/// What |delta-ppl| can resolve here: the standard errors seen among codecs that nearly keep the
/// model, and what the finest lossy codec still shows.
std::string noise_sentence(const ResultGroup& group) {
  constexpr double kNearlyKept = 0.1;  // nats
  const CodecResult* finest = nullptr;
  double finest_kld = 0;
  std::vector<double> errors;
  for (const CodecResult& codec : group.codecs) {
    const double kld = summary(codec, metric("kld_mean")).mean;
    if (codec.identity() || kld <= 0 || codec.samples.size() < 2) continue;
    if (kld < kNearlyKept) errors.push_back(summary(codec, metric("delta_ppl")).standard_error);
    if (!finest || kld < finest_kld) finest = &codec, finest_kld = kld;
  }
  if (!finest) return "";
  std::string text;
  if (!errors.empty()) {
    std::sort(errors.begin(), errors.end());
    text = fmt::format(
        "Seen here, over {} passages x {} scored tokens: among the {} codecs below {} nats the "
        "standard error of the mean signed Δppl "
        "lies between {} % and {} %, median {} %. ",
        group.passages.size(), group.results->plan.scored, errors.size(), kNearlyKept,
        significant(100 * errors.front(), 2), significant(100 * errors.back(), 2),
        significant(100 * errors[errors.size() / 2], 2));
  }
  const Interval folded = summary(*finest, metric("abs_delta_ppl"));
  return text +
         fmt::format(
             "The finest lossy codec, {} (KL divergence {}), still shows a mean |Δppl| of {} %.",
             finest->label, significant(finest_kld), metric_text(metric("abs_delta_ppl"), folded));
}

/// Of a folder with fewer samples than planned; nothing where no run recorded a plan.
std::optional<std::string> unfinished(const StoredResults& results) {
  const std::vector<MissingCells> missing = missing_cells(results);
  const std::size_t planned = std::max(planned_cells(results), planned_cells_of(results).size());
  if (results.samples.size() >= planned && missing.empty()) return std::nullopt;
  std::string text =
      fmt::format("INCOMPLETE: {} of {} cells finished", results.samples.size(), planned);
  if (!results.failures.empty()) text += fmt::format(", {} failed", results.failures.size());
  if (!missing.empty()) text += "; missing: " + missing_text(missing);
  return text;
}

void write_head(Document& out, const SweepReport& report, std::span<const ResultGroup> groups) {
  std::set<std::string> models;
  for (const ResultGroup& group : groups) models.insert(group.results->plan.origin.model.name);
  out.paragraph(fmt::format("# KV-cache compression: {}", fmt::join(models, ", ")));
  out.paragraph(
      "Every number is computed from stored samples, one a passage; a rate is the length of bytes "
      "that were written, headers "
      "and side tables included, of the coded values where it does not say the whole cache. In short: [report.md](report.md). Full precision: "
      "[results.csv](results.csv).");
  out.markdown += report.attention();
  for (const Chart& chart : report.charts) {
    out.paragraph(fmt::format("![{}]({}.svg)", chart.title, chart.name));
  }
  if (!report.charts.empty()) {
    out.paragraph(
        fmt::format("Points are labelled with the codec's rate parameter. Data and scripts lie "
                    "beside this file: "
                    "`gnuplot {}.gp` redraws a chart.",
                    report.charts.front().name));
  }
}

void write_reading(Document& out, std::span<const ResultGroup> groups) {
  std::string text =
      "**KL divergence leads.** It compares whole distributions at every scored position, so it "
      "resolves codecs that perplexity "
      "cannot. |Δppl| folds the sign away: its mean is above 0 where a codec does nothing on "
      "average, and at 8 passages x 64 scored "
      "tokens that noise floor is near 1 %. Differences in |Δppl| below it say nothing.";
  const auto any = std::any_of(groups.begin(), groups.end(),
                               [](const ResultGroup& g) { return g.likelihoods(); });
  if (any) out.paragraph(text);
}

void write_ledgers(Document& out, const ResultGroup& group, const std::string& provenance) {
  const bool any = std::any_of(group.codecs.begin(), group.codecs.end(),
                               [](const CodecResult& codec) { return codec.ledger_k.has_value(); });
  if (any) {
    out.table(ledger_table(group), "###", provenance);
  } else {
    out.paragraph(
        "No split of the measured bits and no entropy: the version that measured these samples "
        "recorded no ledgers.");
  }
}

void keep_families(std::vector<ResultGroup>& groups, const std::vector<std::string>& only) {
  std::set<std::string> there, unmatched(only.begin(), only.end());
  for (ResultGroup& group : groups) {
    std::erase_if(group.codecs, [&](const CodecResult& codec) {
      there.insert(codec.family);
      bool kept = codec.identity();
      for (const std::string& pattern : only) {
        if (!family_matches(pattern, codec.family)) continue;
        unmatched.erase(pattern);
        kept = true;
      }
      return !kept;
    });
    const bool control_alone =
        std::all_of(group.codecs.begin(), group.codecs.end(),
                    [](const CodecResult& codec) { return codec.identity(); });
    if (control_alone) group.warnings.push_back("no family of --only: the control alone");
  }
  if (unmatched.empty()) return;
  throw SpecError(fmt::format("--only {}: expected a pattern of some of the families {}",
                              *unmatched.begin(), fmt::join(there, "; ")));
}

/// What a group says by one metric against the baseline, made once for several places.
struct AgainstBaseline {
  const Metric& loss;
  std::vector<FamilyBdRate> families;
  BaselineComparisons comparisons;

  AgainstBaseline(const ResultGroup& group, const char* name, const ComparisonOptions& options)
      : loss(metric(name)), comparisons(compare_with_baseline(group, loss, options)) {
    if (!comparisons.baseline.empty()) families = bd_rates(group, loss, options);
  }
};

/// Returns what report.md says of the group: by the keys' distortion.
InBrief write_distortion(Document& out, const ResultGroup& group, const std::string& provenance,
                         const ComparisonOptions& options) {
  InBrief brief;
  out.table(distortion_table(group), "###", provenance);
  out.table(profile_cost_table(group), "###", provenance);
  write_ledgers(out, group, provenance);
  for (const char* name : {"rel_mse_k", "rel_mse_v"}) {
    const AgainstBaseline against(group, name, options);
    out.table(bd_rate_table(group, against.loss, against.comparisons.baseline, against.families),
              "###", provenance);
    out.table(paired_table(group, against.loss, against.comparisons, options), "###", provenance);
    if (brief.full.empty())
      brief = comparison_in_brief(against.loss, against.families, against.comparisons);
  }
  return brief;
}

/// Returns what report.md says of the group.
InBrief write_group(Document& out, const ResultGroup& group, std::span<const ResultGroup> groups,
                    const ComparisonOptions& options) {
  out.paragraph(fmt::format("## {}, {}", group_title(group, groups), mode_text(group.mode)));
  for (const std::string& warning : group.warnings) out.paragraph(fmt::format("**{}**", warning));
  if (group.codecs.empty()) return {};
  if (const std::string note = decode_note(group); !note.empty()) out.paragraph(note);
  const auto studied = std::ranges::count_if(group.results->samples, [&](const Sample& sample) {
    return sample.key.mode == group.mode && is_layer_study_label(sample.key.codec_k);
  });
  if (studied > 0) {
    out.paragraph(fmt::format(
        "{} cells of a study of layers are left out here: `kakeya-report layers` has them.",
        studied));
  }
  const std::string provenance = provenance_line(group);
  const bool control = std::any_of(group.codecs.begin(), group.codecs.end(),
                                   [](const CodecResult& codec) { return codec.identity(); });
  if (!control)
    out.paragraph(
        "**No control: `identity` is not among the codecs, so nothing shows that the harness adds "
        "no error.**");
  if (!group.likelihoods()) {
    return write_distortion(out, group, provenance, options);
  }
  const AgainstBaseline against(group, "kld_mean", options);
  const std::string in_short =
      comparison_in_short(against.loss, against.families, against.comparisons, options);
  if (!in_short.empty()) out.paragraph(in_short);
  out.table(bd_rate_table(group, against.loss, against.comparisons.baseline, against.families),
            "###", provenance);
  if (const std::string noise = noise_sentence(group); !noise.empty()) out.paragraph(noise);
  out.table(codec_table(group), "###", provenance);
  out.table(noise_floor_table(group), "###", provenance);
  out.table(above_floor_table(group), "###", provenance);
  out.table(decode_table(group, groups), "###", provenance);
  out.table(profile_cost_table(group), "###", provenance);
  write_ledgers(out, group, provenance);
  out.table(paired_table(group, against.loss, against.comparisons, options), "###", provenance);
  out.table(plan_comparison_table(group, options), "###", provenance);
  out.table(equal_kld_table(group), "###", provenance);
  out.table(perplexity_budget_table(group, against.comparisons.baseline), "###", provenance);
  out.table(equal_bits_table(group), "###", provenance);
  return comparison_in_brief(against.loss, against.families, against.comparisons);
}

void write_storage(Document& out, std::span<const ResultGroup> groups) {
  std::vector<const StoredResults*> done;
  for (const ResultGroup& group : groups) {
    if (group.codecs.empty() || std::find(done.begin(), done.end(), group.results) != done.end())
      continue;
    done.push_back(group.results);
    std::vector<const ResultGroup*> members;
    for (const ResultGroup& other : groups) {
      if (other.results == group.results && !other.codecs.empty()) members.push_back(&other);
    }
    Table table = storage_table(members);
    table.title += fmt::format(": {}", group_title(group, groups));
    out.table(table, "##", provenance_line(group));
  }
}

void write_at_kl(Document& out, SweepReport& report, std::span<const ResultGroup> groups,
                 const std::vector<double>& levels) {
  for (const ResultGroup& group : groups) {
    for (const double kl : levels) {
      std::vector<FamilyAtKl> answer = families_at_kl(group, kl);
      if (answer.empty()) continue;
      out.table(at_kl_table(answer), "##", provenance_line(group));
      report.at_kl.push_back(std::move(answer));
    }
  }
}

/// KL divergences that a first page answers; of many groups the last one alone.
constexpr std::array<double, 2> kChoiceLevels = {0.02, 0.005};
constexpr std::ptrdiff_t kMostChoices = 24;

void write_choices(Document& out, SweepReport& report, std::span<const ResultGroup> groups) {
  const auto judged = std::ranges::count_if(groups, [](const ResultGroup& group) {
    return group.likelihoods() && !group.codecs.empty();
  });
  for (const ResultGroup& group : groups) {
    if (!group.likelihoods() || group.codecs.empty()) continue;
    for (const double kl : kChoiceLevels) {
      if (judged * std::ssize(kChoiceLevels) > kMostChoices && kl != kChoiceLevels.back()) continue;
      Choice choice = choose_for(group, group_title(group, groups), {kl, {}, {}});
      Table table = choose_table(choice.settings, choice.options);
      table.title += fmt::format(": {}", choice.of);
      out.table(table, "##", provenance_line(group));
      report.choices.push_back(std::move(choice));
    }
  }
}

void write_layer_maps(Document& out) {
  if (out.heat_maps.empty()) return;
  out.paragraph("## Distortion of each layer");
  for (const HeatMap& map : out.heat_maps)
    out.paragraph(fmt::format("![{}]({}.svg)", map.title, map.name));
}

}  // namespace

std::string SweepReport::attention() const {
  if (warnings.empty()) return "";
  std::string lines = "> **ATTENTION: this report is not complete or not sound.**";
  for (const std::string& warning : warnings) lines += fmt::format("\n> - {}", warning);
  return lines + "\n\n";
}

SweepReport make_sweep_report(std::span<const StoredResults> results, const Provenance& self,
                              const ComparisonOptions& options,
                              const std::vector<std::string>& only,
                              const SweepReportOptions& asked) {
  std::vector<ResultGroup> groups = group_results(results, asked.bits_of);
  if (!only.empty()) keep_families(groups, only);
  SweepReport report;
  std::set<std::pair<std::string, std::string>> codecs;
  std::set<std::tuple<std::string, std::string, std::string, int>> passages;
  for (const StoredResults& stored : results) {
    if (const auto text = unfinished(stored)) {
      report.warnings.push_back(fmt::format("{}: {}", display_name(stored.folder, results), *text));
    }
  }
  for (const ResultGroup& group : groups) {
    const SweepPlan& plan = group.results->plan;
    for (const CodecResult& codec : group.codecs) codecs.emplace(codec.codec_k, codec.codec_v);
    for (int passage : group.passages) {
      passages.emplace(plan.origin.text.name, plan.origin.text.sha256,
                       plan.cut == "tokens" ? plan.cut : "", passage);
    }
    for (const std::string& warning : group.warnings) {
      report.warnings.push_back(
          fmt::format("{}, {}: {}", group.source, mode_text(group.mode), warning));
    }
    report.control_broken |= group.control_broken;
  }
  for (std::string& shared : shared_between_splits(groups))
    report.warnings.push_back(std::move(shared));
  report.codecs = codecs.size();
  report.passages = passages.size();
  report.charts = hero_charts(groups, asked.chart_families);
  Document& out = report;
  write_head(out, report, groups);
  write_reading(out, groups);
  std::vector<std::string> provenance;
  for (const ResultGroup& group : groups) {
    const std::string line = group.codecs.empty() ? "" : provenance_line(group);
    if (!line.empty() && std::find(provenance.begin(), provenance.end(), line) == provenance.end())
      provenance.push_back(line);
  }
  out.table(circumstances_table(groups), "##", fmt::format("{}", fmt::join(provenance, "<br>")));
  const Table profiles = profiles_table(groups);
  if (!profiles.rows.empty()) out.table(profiles, "##", "");
  out.table(plans_table(groups), "##");
  report.splits = splits_tables(groups);
  for (const Table& table : report.splits) out.table(table, "##", "");
  for (const ResultGroup& group : groups) {
    if (group.likelihoods()) report.plans.push_back(plan_comparison_table(group, options));
  }
  write_choices(out, report, groups);
  write_at_kl(out, report, groups, asked.at_kl);
  std::vector<InBrief> in_brief;
  for (const ResultGroup& group : groups)
    in_brief.push_back(write_group(out, group, groups, options));
  if (asked.layer_maps) report.heat_maps = layer_maps(groups, asked.chart_families);
  write_layer_maps(out);
  write_storage(out, groups);
  report.details = std::exchange(report.markdown, summary_page(report, groups, in_brief));
  const std::string made = fmt::format("---\n\n<sub>Made by kakeya {}, commit {}: `{}`</sub>\n",
                                       self.version, self.commit, shell_text(self.command));
  report.markdown += made;
  report.details += made;
  return report;
}

}  // namespace kakeya
