// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/audit/audit_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kakeya/report/dump_table.h"
#include "kakeya/report/number.h"
#include "kakeya/stats/quantile.h"
#include "kakeya/studies/audit/audit_maps.h"
#include "kakeya/studies/audit/audit_verdicts.h"

namespace kakeya {
namespace {

std::string letter(Part part) { return part == Part::key ? "K" : "V"; }

std::string shown(double value) { return std::isfinite(value) ? significant(value) : "∞"; }

/// No number in the CSV where it is infinite.
Cell cell_of(double value, std::string text) {
  return std::isfinite(value) ? number_cell(value, std::move(text)) : text_cell(std::move(text));
}

Cell value_cell(double value) { return cell_of(value, shown(value)); }

/// Of every layer of a part, rising.
std::vector<double> over_layers(const DumpAudit& audit, Part part, Measure measure) {
  std::vector<double> values;
  for (const AuditedPart& each : audit.parts) {
    if (each.part == part && each.audit) values.push_back(value_of(each.audit->values, measure));
  }
  std::sort(values.begin(), values.end());
  return values;
}

Cell count_cell(std::size_t count, std::size_t all) {
  return number_cell(static_cast<double>(count), fmt::format("{} of {}", count, all));
}

std::string range_text(const std::vector<double>& sorted) {
  return fmt::format("{} ({} to {})", shown(quantile(sorted, 0.5)), shown(sorted.front()),
                     shown(sorted.back()));
}

std::string yes_no(double share) {
  if (share == 1) return "yes";
  return share == 0 ? "no" : fmt::format("{:.0f} % of draws", 100 * share);
}

Table gate_table(const DumpAudit& audit) {
  Table table = named_table("gates", "Published gates");
  table.note = fmt::format(
      "A layer is *above* when its value exceeds the gate, which the publications read as "
      "non-Gaussian or anisotropic. The last columns are {} draws of independent Gaussian vectors "
      "of equal variance, as many and as long: where such noise is above, the gate says nothing, "
      "at this N, about K or V.",
      audit.null.replicates);
  table.columns = {
      {"measure", "measure", false},           {"gate", "gate"},
      {"K layers above", "K layers above"},    {"V layers above", "V layers above"},
      {"noise above", "share of noise above"}, {"noise, 95 % point", "noise, 95 % point"}};
  for (const GateVerdict& verdict : gate_verdicts(audit)) {
    const MeasureFacts& facts = measures()[static_cast<std::size_t>(verdict.measure)];
    const auto of = [&](std::size_t count, Part part) {
      return count_cell(count, measured_layers(audit, part));
    };
    table.rows.push_back({text_cell(facts.heading),
                          number_cell(verdict.gate, fmt::format("{}", verdict.gate)),
                          of(verdict.keys, Part::key), of(verdict.values, Part::value),
                          number_cell(verdict.of_noise, yes_no(verdict.of_noise)),
                          value_cell(noise_level(audit.null, facts))});
  }
  return table;
}

/// "excess kurtosis and direct current"
std::string two_sided_names() {
  std::vector<std::string> names;
  for (const MeasureFacts& facts : measures()) {
    if (facts.two_sided) names.emplace_back(facts.heading);
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

Table summary_table(const DumpAudit& audit) {
  Table table = named_table("measures", "Every measure beside its null distribution");
  table.note = fmt::format(
      "Median over layers (smallest to largest); of noise, median over draws (2.5 % to 97.5 % "
      "point). The last columns count the layers that are beyond every draw: above it, or, of {}, "
      "below it.",
      two_sided_names());
  table.columns = {{"measure", "measure", false},
                   {"K", "K, median over layers"},
                   {"V", "V, median over layers"},
                   {"noise", "noise, median"},
                   {"K beyond noise", "K layers beyond every draw"},
                   {"V beyond noise", "V layers beyond every draw"}};
  for (const MeasureFacts& facts : measures()) {
    const std::vector<double>& noise = audit.null.of(facts.measure);
    std::vector<Cell> row = {text_cell(facts.heading)};
    for (const Part part : {Part::key, Part::value}) {
      const std::vector<double> values = over_layers(audit, part, facts.measure);
      row.push_back(values.empty() ? text_cell("-")
                                   : cell_of(quantile(values, 0.5), range_text(values)));
    }
    row.push_back(number_cell(
        quantile(noise, 0.5),
        fmt::format("{} ({} to {})", significant(quantile(noise, 0.5)),
                    significant(quantile(noise, 0.025)), significant(quantile(noise, 0.975)))));
    for (const Part part : {Part::key, Part::value}) {
      const std::vector<double> values = over_layers(audit, part, facts.measure);
      const auto beyond = std::count_if(values.begin(), values.end(), [&](double value) {
        return value > noise.back() || (facts.two_sided && value < noise.front());
      });
      row.push_back(count_cell(static_cast<std::size_t>(beyond), values.size()));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table part_table(const DumpAudit& audit, Part part) {
  Table table = named_table(std::string(1, part_letter(part)), letter(part) + ", layer by layer");
  table.columns = {{"layer", "layer"}};
  for (const MeasureFacts& facts : measures()) table.columns.push_back({facts.heading, facts.key});
  table.columns.push_back({"constant channels", "constant_channels"});
  table.note = "A star: the value is not beyond every draw of noise.";
  for (const AuditedPart& each : audit.parts) {
    if (each.part != part) continue;
    std::vector<Cell> row = {text_cell(std::to_string(each.layer))};
    if (!each.audit) {
      row.resize(table.columns.size(), text_cell("-"));
      table.rows.push_back(std::move(row));
      continue;
    }
    for (const MeasureFacts& facts : measures()) {
      const double value = value_of(each.audit->values, facts.measure);
      const std::vector<double>& noise = audit.null.of(facts.measure);
      Cell cell = value_cell(value);
      if (value <= noise.back() && !(facts.two_sided && value < noise.front())) cell.text += "*";
      row.push_back(std::move(cell));
    }
    const auto constant = static_cast<double>(each.audit->constant_channels);
    row.push_back(number_cell(constant, std::to_string(each.audit->constant_channels)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The largest channel of every layer and part that has an outlier.
Table outlier_table(const DumpAudit& audit) {
  Table table = named_table("outliers", "Outlier channels");
  table.note = fmt::format(
      "Layers with a channel of at least {} times the median root mean square of its head; the "
      "largest of them. A channel is counted within its head.",
      kOutlierRatio);
  table.columns = {{"layer", "layer", false},
                   {"channels", "outlier channels"},
                   {"largest: head", "head"},
                   {"channel", "channel"},
                   {"times the median", "times the median"}};
  const std::size_t dim = audit.head.shape.dim();
  for (const AuditedPart& each : audit.parts) {
    if (!each.audit) continue;
    const double count = value_of(each.audit->values, Measure::outlier_channels);
    if (count == 0) continue;
    const auto whole = [](std::size_t number) {
      return number_cell(static_cast<double>(number), std::to_string(number));
    };
    table.rows.push_back({text_cell(fmt::format("{} {}", letter(each.part), each.layer)),
                          whole(static_cast<std::size_t>(count)),
                          whole(each.audit->largest_channel / dim),
                          whole(each.audit->largest_channel % dim),
                          value_cell(value_of(each.audit->values, Measure::outlier_ratio))});
  }
  return table;
}

void write_definitions(Document& out) {
  out.paragraph("## What is measured");
  std::string text;
  for (const MeasureFacts& facts : measures()) {
    text += fmt::format("{}- **{}** (`{}`): {}.", text.empty() ? "" : "\n", facts.heading,
                        facts.key, facts.definition);
    if (facts.gate) text += fmt::format(" Gate {}.", *facts.gate);
  }
  out.paragraph(text);
  out.paragraph(
      "Variances and moments are about the mean and over N, sums in double; the transform is the "
      "codecs' unsigned Hadamard transform, in float. The published score deviation is left out: "
      "its record does not say enough to compute it.");
}

void write_null(Document& out, const NullDistribution& null) {
  out.paragraph(fmt::format(
      "**Noise** here is {} draws (seed {}) of {} vectors for each of {} heads, of {} independent "
      "Gaussian values of equal variance, measured in the same way; `--json` has p-values, (1 + "
      "draws at least as large) / {}, of {} twice the smaller tail's: small values are as "
      "remarkable there, and the first heat map shows their distance from noise's median. Tokens "
      "of a text depend on each other, so that N of them hold less than N independent ones: a "
      "Gaussian process with their correlation would spread more than this noise. To be beyond it "
      "is necessary for a finding, not sufficient; the size of a measure is what matters.",
      null.replicates, null.seed, grouped(null.shape.vectors), null.shape.heads, null.shape.dim,
      null.replicates + 1, two_sided_names()));
}

}  // namespace

Document make_audit_report(const DumpAudit& audit, const std::string& name,
                           const Provenance& self) {
  Document out;
  out.heat_maps = audit_maps(audit);
  std::vector<std::string> head = {
      "# Are K and V Gaussian?",
      "What codecs assume of K and V, measured by layer, with the published measures and with "
      "corrected ones, each beside what noise of the same size gives."};
  for (const std::string& warning : audit_warnings(audit))
    head.push_back(fmt::format("**{}.**", warning));
  for (const std::string& text : head) out.paragraph(text);
  for (const HeatMap& map : out.heat_maps)
    out.paragraph(fmt::format("![{}]({}.svg)", map.title, map.name));
  write_null(out, audit.null);
  out.table(gate_table(audit), "##");
  out.table(summary_table(audit), "##");
  write_definitions(out);
  out.table(outlier_table(audit), "##");
  for (const Part part : {Part::key, Part::value}) out.table(part_table(audit, part), "##");
  out.table(dump_table({{name, audit.head}}), "##");
  FrontPage front{head, "", {}, summary_table(audit), made_by_line(self)};
  if (!out.heat_maps.empty()) front.chart = out.heat_maps.front().name;
  out.put_behind(front);
  return out;
}

}  // namespace kakeya
