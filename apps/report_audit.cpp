// SPDX-License-Identifier: Apache-2.0
#include "report_audit.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "kakeya/core/worker_pool.h"
#include "kakeya/stats/quantile.h"
#include "kakeya/store/arrays.h"
#include "kakeya/store/kv_store.h"
#include "kakeya/store/provenance.h"
#include "kakeya/studies/audit/audit_dump.h"
#include "kakeya/studies/audit/audit_report.h"
#include "kakeya/studies/audit/audit_verdicts.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kAuditFooter[] = R"(
Codecs with a fixed codebook assume that K and V, scaled to norm 1 and turned by a Hadamard transform,
are Gaussian and alike in every coordinate. This measures how far that holds, for every layer of a dump
of kakeya-capture: kurtosis, ratios of variances before and after the transform, W2/sigma as published
(two definitions) and as it should be, the share of the energy in the direct current and in channel
means, outlier channels. Published gates are shown beside what Gaussian noise of the same number and
length of vectors gives: a gate that noise does not pass either says nothing.

  report.md                    one screen: the first map, every measure beside noise
  details.md                   gates, measures beside noise, definitions, outliers, layer by layer
  results.csv                  the same tables in long format and full precision
  provenance.json              commit, machine and command
  measures.svg .png            heat map: every measure by layer, over the 95 % point of noise
  channels_k.svg channels_v.svg  heat maps: the size of every channel by layer

Without --out, only the gates are printed. Head sizes are powers of two, as the transform wants them.
Where small values are as remarkable as large ones (two_sided in the JSON), level_95 and the heat map
are of the distance from noise's median. Noise is drawn from --seed: the same command gives the same numbers, with any number of threads.

Examples:
  kakeya-capture --model nano --text data/text --passages 2 --ctx 256 --out kv.h5
  kakeya-report audit kv.h5
  kakeya-report audit kv.h5 --out out/audit --draws 199 --json)";

Json finite_or_null(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Json null_json(const NullDistribution& null) {
  Json values = Json::object();
  for (const MeasureFacts& facts : measures()) {
    const std::vector<double>& sorted = null.of(facts.measure);
    values[facts.key] = {{"smallest", sorted.front()},
                         {"median", quantile(sorted, 0.5)},
                         {"largest", sorted.back()},
                         {"two_sided", facts.two_sided},
                         {"level_95", noise_level(null, facts)}};
  }
  return {{"draws", null.replicates},  {"seed", null.seed},     {"vectors", null.shape.vectors},
          {"heads", null.shape.heads}, {"dim", null.shape.dim}, {"measures", values}};
}

Json part_json(const AuditedPart& part, const DumpAudit& audit) {
  Json values = Json::object(), p_values = Json::object();
  for (const MeasureFacts& facts : measures()) {
    values[facts.key] = p_values[facts.key] = nullptr;
    if (!part.audit) continue;
    const double value = value_of(part.audit->values, facts.measure);
    values[facts.key] = finite_or_null(value);
    p_values[facts.key] = audit.null.p_value(facts, value);
  }
  const AuditShape& shape = audit.null.shape;
  Json largest;  // null where there is none
  if (part.audit) {
    const std::size_t channel = part.audit->largest_channel;
    largest = {{"head", channel / shape.dim}, {"channel", channel % shape.dim}};
  }
  return {
      {"layer", part.layer},
      {"part", std::string(1, part_letter(part.part))},
      {"constant", !part.audit},
      {"measures", values},
      {"p_values", p_values},
      {"largest_channel", largest},
      {"constant_channels", part.audit ? part.audit->constant_channels : shape.heads * shape.dim}};
}

void print_audit_json(const ReportAuditOptions& options, const DumpAudit& audit,
                      const std::vector<std::string>& files) {
  Json gates = Json::array(), parts = Json::array();
  for (const GateVerdict& verdict : gate_verdicts(audit)) {
    gates.push_back({{"measure", measures()[static_cast<std::size_t>(verdict.measure)].key},
                     {"gate", verdict.gate},
                     {"layers_k_above", verdict.keys},
                     {"layers_v_above", verdict.values},
                     {"noise_above", verdict.of_noise}});
  }
  for (const AuditedPart& part : audit.parts) parts.push_back(part_json(part, audit));
  const DumpHead& head = audit.head;
  const Json document = {{"out", options.out},
                         {"files", files},
                         {"model", head.origin.model.name},
                         {"text", head.origin.text.name},
                         {"tap", tap_name(head.tap)},
                         {"passages", head.passages},
                         {"tokens", head.tokens},
                         {"layers", head.shape.layers},
                         {"heads", head.shape.kv_heads},
                         {"dim", head.shape.head_dim},
                         {"warnings", audit_warnings(audit)},
                         {"null", null_json(audit.null)},
                         {"gates", gates},
                         {"parts", parts}};
  fmt::print("{}\n", document.dump(1));
}

void print_gates(const DumpAudit& audit) {
  const DumpHead& head = audit.head;
  fmt::print(
      "{} on {}: {} layers, {} KV heads of {}, {} vectors a head; noise: {} draws, seed {}\n",
      head.origin.model.name, head.origin.text.name, head.shape.layers, head.shape.kv_heads,
      head.shape.head_dim, audit.null.shape.vectors, audit.null.replicates, audit.null.seed);
  fmt::print("{:<22} {:>5}  {:>14}  {:>14}  {:>11}\n", "published gate", "", "K layers above",
             "V layers above", "noise above");
  for (const GateVerdict& verdict : gate_verdicts(audit)) {
    fmt::print("{:<22} {:>5}  {:>14}  {:>14}  {:>9.0f} %\n",
               measures()[static_cast<std::size_t>(verdict.measure)].key, verdict.gate,
               verdict.keys, verdict.values, 100 * verdict.of_noise);
  }
}

}  // namespace

CLI::App* define_report_audit(CLI::App& app, ReportAuditOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "audit", "Are captured K and V Gaussian: published and corrected measures beside noise");
  sub->add_option("DUMP", options.dump, "K and V that kakeya-capture wrote")
      ->required()
      ->type_name("FILE");
  sub->add_option("--out", options.out, "Folder for the report, made if missing")->type_name("R");
  sub->add_option("--draws", options.draws, "Of noise, as many vectors each as a layer has [99]")
      ->check(whole_number(1, 1 << 20))
      ->type_name("N");
  sub->add_option("--seed", options.seed, "Of the noise [0]")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  sub->add_option("--threads", options.threads, "0: as many as the machine has [0]")
      ->check(whole_number(0, 4096))
      ->type_name("N");
  sub->add_flag("--no-charts", options.no_charts,
                "Write the charts' data and scripts, but do not run gnuplot");
  sub->add_flag("--json", options.json,
                "Print one JSON document: out, files, model, text, tap, passages, tokens, layers, "
                "heads, dim, warnings, null, gates, parts");
  sub->footer(kAuditFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_audit(const ReportAuditOptions& options,
                      const std::vector<std::string>& arguments) {
  const DumpReader dump(options.dump);
  const int threads = options.threads > 0 ? options.threads : machine_threads();
  Provenance self = make_provenance(arguments, threads);
  self.device = "cpu";
  Progress progress("audit",
                    static_cast<std::size_t>(2 * dump.head().shape.layers) + options.draws);
  const DumpAudit audit = audit_dump(dump, options.draws, options.seed, threads,
                                     [&](std::size_t done, std::size_t) { progress.update(done); });
  std::vector<std::string> files;
  if (!options.out.empty()) {
    const std::string name = std::filesystem::path(options.dump).stem().string();
    files = write_document(make_audit_report(audit, name, self), options.out, !options.no_charts);
    write_file(options.out + "/provenance.json", to_json(self) + "\n");
    files.insert(files.begin() + 2, "provenance.json");
  }
  for (const std::string& warning : audit_warnings(audit))
    fmt::print(stderr, "kakeya-report: {}\n", warning);
  if (options.json) {
    print_audit_json(options, audit, files);
  } else {
    print_gates(audit);
    if (!options.out.empty()) fmt::print("{}/report.md\n", options.out);
  }
}

}  // namespace kakeya
