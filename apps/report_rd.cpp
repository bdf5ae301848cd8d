// SPDX-License-Identifier: Apache-2.0
#include "report_rd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <limits>
#include <list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "kakeya/codec/spec_pattern.h"
#include "kakeya/core/error.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/attention_error.h"
#include "kakeya/measure/captured.h"
#include "kakeya/measure/plugins/load_plugins.h"
#include "kakeya/measure/synthetic.h"
#include "kakeya/report/rate_distortion/attention_table.h"
#include "kakeya/report/rate_distortion/ladder.h"
#include "kakeya/report/rate_distortion/rate_distortion_report.h"
#include "kakeya/stats/rate_distortion.h"
#include "kakeya/store/arrays.h"
#include "kakeya/store/kv_store.h"
#include "kakeya/store/provenance.h"
#include "plugin_option.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kRdFooter[] = R"(
Every codec writes real frames of every source and decodes them from their bytes. Written into R:

  report.md        one screen: a chart, every family's gap to the Shannon bound at 4 measured bits
  details.md       per source: measured, nominal, codebook and entropy rate of every codec, rel-MSE,
                   effective bits, gap to the Shannon bound at the measured rate and to the sharper bounds
                   of that source; gaps at equal measured rates; what was left out, and why
  results.csv      the same tables in long format and full precision, with the split of every rate;
                   attention errors of each layer
  provenance.json  commit, machine and command
  *.svg *.png      rel-MSE against measured bits, gap against measured bits; *.gp and *.dat redraw them

Sources: gaussian, laplace, student-t (5 degrees of freedom), uniform: N vectors of D values of variance
1 as one frame. --dump adds the K and the V of files of kakeya-capture: all passages, layers and heads.
Where a dump has queries too (kakeya-capture --queries --tap post-rope), attention_rel_mse is what a
codec of both K and V does to attention outputs: of softmax(s q K^T) V over decoded K and V against
captured ones, the sum of squared differences / sum of squares of a query head over the tokens of a
passage, the mean over heads and layers, and its interval over passages. Causal; s and the layers'
windows are the dump's attention_scale and attention_window, else 1 / sqrt(head_dim) and none. Keys and
queries from before RoPE have none, which is said. It takes tokens^2 a codec; --no-attention leaves it out.
--in adds vectors of array files, each file as one frame of values. Codecs with a profile (klt, kvtc) are for
the model of their profile alone: kakeya-sweep --dump measures them.

Without --codec: a ladder of rates of every codec of `kakeya-codec list`, and of its variants.

Examples:
  kakeya-report rd --out rd
  kakeya-report rd --codec 'e8:q={10,38}' tq:b=2..8 --source gaussian --dim 64 --out rd --json
  kakeya-report rd --dump kv.h5 --out rd
  kakeya-capture --model nano --text data/text --tap post-rope --queries --out kvq.h5
  kakeya-report rd --dump kvq.h5 --codec 'e8:q={10,38}' tq:b=4 --out rd
  kakeya-report rd --in keys.npy values.npy --codec 'e8:q={10,38}' 'ece8:bits={2,3,4}' --out rd)";

/// The specs measured, and those of the ladder that cannot be built for a dim.
struct Grid {
  std::vector<std::string> specs;
  bool asked = false;  ///< by name: then each of them must be built
  std::vector<LeftOut> left_out;

  std::vector<std::unique_ptr<Codec>> build(const SourceFacts& source) {
    const std::size_t before = left_out.size();
    auto codecs = build_codecs(specs, source, left_out);
    if (asked && left_out.size() > before) {
      make_codec(left_out.back().spec, codec_input_of(source));  // throws again what it threw
    }
    return codecs;
  }
};

Json number_or_null(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Json or_null(std::optional<double> number) {
  return number ? number_or_null(*number) : Json(nullptr);
}

std::optional<double> gap_db(const RatePoint& point, std::optional<double> bound) {
  if (!bound || *bound <= 0) return std::nullopt;
  return 10 * std::log10(point.distortion.rel_mse() / *bound);
}

Json point_json(const SourceResult& result, const RatePoint& point) {
  const double bits = point.measured_bits_per_value(), rel_mse = point.distortion.rel_mse();
  const RateLedger& ledger = point.ledger;
  const CodedRates rates = point.rates();
  return {
      {"source", result.facts.name},
      {"codec", point.spec},
      {"values", ledger.values},
      {"bytes_written", ledger.written_bits() / 8},
      {"measured_bits_per_value", bits},
      {"real_bits_per_value", bits},
      {"nominal_bits_per_value", or_null(rates.nominal)},
      {"charged_bits_per_value", or_null(rates.nominal)},
      {"codebook_bits_per_value", or_null(rates.codebook)},
      {"exact_bits_per_value", or_null(rates.codebook)},
      {"entropy_bits_per_value", or_null(rates.entropy)},
      {"rel_mse", rel_mse},
      {"effective_bits_per_value", number_or_null(effective_bits(rel_mse))},
      {"shannon_gap_db", number_or_null(point.gap_db())},
      {"shannon_lower_gap_db", or_null(gap_db(point, result.shannon_lower_rel_mse(bits)))},
      {"water_filling_gap_db", or_null(gap_db(point, result.water_filling_rel_mse(bits, false)))},
      {"water_filling_centred_gap_db",
       or_null(gap_db(point, result.water_filling_rel_mse(bits, true)))},
      {"attention_rel_mse",
       point.attention_rel_mse ? number_or_null(point.attention_rel_mse->mean) : Json(nullptr)}};
}

Json attention_json(const AttentionResult& attention) {
  Json points = Json::array();
  for (const AttentionPoint& point : attention.points) {
    points.push_back({{"codec", point.spec},
                      {"attention_rel_mse", number_or_null(point.rel_mse.mean)},
                      {"half_width", number_or_null(point.rel_mse.half_width)},
                      {"passages", point.passages},
                      {"layers", point.layers}});
  }
  Json json = {{"dump", attention.name},
               {"scale", attention.scale},
               {"scale_told", attention.scale_told},
               {"window", attention.windows.tokens},
               {"window_layers", attention.windows.layers},
               {"layers", attention.layers},
               {"points", points}};
  json["missing"] = attention.missing.empty() ? Json(nullptr) : Json(attention.missing);
  return json;
}

void print_rd_json(const ReportRdOptions& options, const std::vector<SourceResult>& results,
                   const Grid& grid, const TradeoffContext& context, const TradeoffReport& report,
                   const std::vector<std::string>& files) {
  Json sources = Json::array(), points = Json::array(), left_out = Json::array(),
       attention = Json::array();
  for (const SourceResult& result : results) {
    sources.push_back({{"name", result.facts.name},
                       {"title", result.facts.title},
                       {"dim", result.facts.dim},
                       {"vectors", result.vectors},
                       {"values", result.values},
                       {"frames", result.frames},
                       {"mean_square", result.mean_square}});
    for (const RatePoint& point : result.points) points.push_back(point_json(result, point));
  }
  for (const LeftOut& each : grid.left_out)
    left_out.push_back({{"source", each.source}, {"codec", each.spec}, {"reason", each.reason}});
  for (const AttentionResult& each : context.attention) attention.push_back(attention_json(each));
  const Json document = {{"out", options.out},
                         {"files", files},
                         {"sources", sources},
                         {"points", points},
                         {"attention", attention},
                         {"left_out", left_out},
                         {"control_broken", report.control_broken}};
  fmt::print("{}\n", document.dump(1));
}

/// Every codec on the attention outputs of a dump with queries, told to the points of its K and V.
AttentionResult attention_of(const DumpReader& dump, const std::string& name,
                             std::span<const std::string> specs, int threads,
                             std::span<SourceResult> results) {
  std::optional<Progress> progress;
  AttentionResult attention = measure_attention(
      dump, name, specs, threads,
      [&](std::size_t done, std::size_t total, const std::string& spec) {
        if (!progress) progress.emplace("Attention of " + dump.head().origin.model.name, total);
        progress->update(done, spec);
      });
  progress.reset();
  if (!attention.missing.empty()) {
    fmt::print(stderr, "kakeya-report: {}\n", error_line(missing_attention_text(attention)));
  }
  tell_points(attention, results);
  return attention;
}

}  // namespace

CLI::App* define_report_rd(CLI::App& app, ReportRdOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "rd", "Rate-distortion report: every codec on drawn values and on captured K and V");
  sub->add_option("--codec", options.codecs,
                  "Codecs, also patterns as in kakeya-sweep; none: a ladder of each there is")
      ->type_name("SPEC");
  add_plugin_option(*sub, options.plugins);
  sub->add_option("--source", options.sources,
                  "gaussian, laplace, student-t, uniform, or several with commas "
                  "[gaussian,laplace,student-t]")
      ->delimiter(',')
      ->type_name("NAME");
  sub->add_option("--dim", options.dim, "Values of a drawn vector [128]")
      ->check(whole_number(1, 1 << 20))
      ->type_name("D");
  sub->add_option("--vectors", options.vectors, "Vectors drawn of each source [8192]")
      ->check(whole_number(1, 1 << 24))
      ->type_name("N");
  sub->add_option("--dump", options.dumps, "K and V that kakeya-capture wrote")->type_name("FILE");
  sub->add_option(
         "--in", options.arrays,
         "Vectors of one's own: .npy (float16, 32 or 64; last axis: values of a vector), or "
         ".f32 of vectors of --dim values")
      ->type_name("FILE");
  sub->add_flag("--no-attention", options.no_attention,
                "Leave out the attention outputs of dumps with queries");
  sub->add_option("--seed", options.seed, "Of the drawn values [0]")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  sub->add_option("--threads", options.threads, "0: as many as the machine has [0]")
      ->check(whole_number(0, 4096))
      ->type_name("N");
  sub->add_option("--out", options.out, "Folder for the report, made if missing")
      ->required()
      ->type_name("R");
  sub->add_flag("--no-charts", options.no_charts,
                "Write the charts' data and scripts, but do not run gnuplot");
  sub->add_flag("--json", options.json,
                "Print one JSON document: out, files, sources, points, attention, left_out, "
                "control_broken");
  sub->footer(kRdFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_rd(const ReportRdOptions& options, const std::vector<std::string>& arguments) {
  std::vector<PluginRecord> plugins = load_plugins(options.plugins);
  Grid grid;
  grid.asked = !options.codecs.empty();
  grid.specs = grid.asked ? expand_specs(options.codecs) : default_ladder();
  for (const std::string& spec : grid.specs) {
    const bool tokens = scope_of(spec) == VectorScope::token;
    if (!is_calibrated(spec) && !tokens) continue;
    throw SpecError(spec +
                    (tokens ? ": codes whole tokens, and rd measures vectors of single heads"
                            : ": needs the profile of a model, and rd measures vectors of any") +
                    std::string(": expected other codecs (kakeya-sweep --dump measures it)"));
  }
  std::vector<std::unique_ptr<VectorSource>> sources;
  for (const std::string& name : options.sources)
    sources.push_back(make_synthetic(name, options.dim, options.vectors, options.seed));
  TradeoffContext context;
  std::list<DumpReader> dumps;
  for (const std::string& path : options.dumps) {
    const DumpReader& dump = dumps.emplace_back(path);
    const std::string name = std::filesystem::path(path).stem().string();
    if (std::any_of(context.dumps.begin(), context.dumps.end(),
                    [&](const auto& each) { return each.first == name; })) {
      throw InputError(path + ": a dump named " + name + " is there already: expected other names");
    }
    context.dumps.emplace_back(name, dump.head());
    for (const Part part : stored_parts(dump.head()))
      if (part != Part::query) sources.push_back(make_captured(dump, name, part));
  }
  for (const std::string& path : options.arrays) {
    const std::string name = std::filesystem::path(path).stem().string();
    const bool npy = path.ends_with(".npy");
    sources.push_back(make_stored(path, npy ? 0 : options.dim, name));
    if (std::any_of(sources.begin(), sources.end() - 1,
                    [&](const auto& each) { return each->facts().name == name; })) {
      throw InputError(path + ": a source named " + name +
                       " is there already: expected other names");
    }
  }
  const int threads = options.threads > 0 ? options.threads : machine_threads();
  context.self = make_provenance(arguments, threads);
  context.self.device = "cpu";
  context.self.plugins = std::move(plugins);

  std::vector<SourceResult> results;
  for (const auto& source : sources) {
    const SourceFacts& facts = source->facts();
    const auto codecs = grid.build(facts);
    Progress progress(facts.title, facts.slabs * codecs.size());
    results.push_back(measure(*source, codecs, threads,
                              [&](std::size_t done, std::size_t, const std::string& spec) {
                                progress.update(done, spec);
                              }));
  }
  for (std::size_t i = 0; i < context.dumps.size() && !options.no_attention; ++i) {
    if (!context.dumps[i].second.queries) continue;
    const DumpReader& dump = *std::next(dumps.begin(), static_cast<std::ptrdiff_t>(i));
    context.attention.push_back(
        attention_of(dump, context.dumps[i].first, grid.specs, threads, results));
  }
  context.left_out = grid.left_out;
  const TradeoffReport report = make_tradeoff_report(results, context);
  for (const std::string& warning : report.warnings)
    fmt::print(stderr, "kakeya-report: {}\n", error_line(warning));
  std::vector<std::string> files = write_document(report, options.out, !options.no_charts);
  write_file(options.out + "/provenance.json", to_json(context.self) + "\n");
  files.insert(files.begin() + 2, "provenance.json");
  if (options.json) {
    print_rd_json(options, results, grid, context, report, files);
  } else {
    std::size_t points = 0;
    for (const SourceResult& result : results) points += result.points.size();
    fmt::print("{} sources, {} points: {}/report.md\n", results.size(), points, options.out);
  }
  if (report.control_broken) {
    throw InputError(options.out +
                     "/report.md: identity changes captured values: expected exact copies");
  }
}

}  // namespace kakeya
