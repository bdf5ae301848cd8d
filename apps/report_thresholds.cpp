// SPDX-License-Identifier: Apache-2.0
#include "report_thresholds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/spec_pattern.h"
#include "kakeya/core/error.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/captured.h"
#include "kakeya/report/stored_streams.h"
#include "kakeya/report/threshold_tables.h"
#include "kakeya/store/kv_store.h"
#include "program.h"
#include "progress.h"
#include "threshold_samples.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kSweepOfQ[] = "e8:q={1,2,3,4,6,8,10,14,19,24,38,44,50,56,62,68,76}";

constexpr char kThresholdsFooter[] = R"(
How coarse may a codec be before it loses more than another? Of every family, stream and factor: the setting of fewest
bits whose loss is at most factor times that of --against, of those that were tried.

  point   the mean loss over passages is within
  safe    so is the upper end of the 95 % Student-t interval of the difference, paired over passages

DIR is a folder of kakeya-sweep, of any mode; its streams are K and V by rel-MSE and, where samples have it, both
together by KL divergence. --codec names families there (patterns, * stands for anything). --dump files of kakeya-capture
are coded here instead: each has a stream of keys and one of values, NAME/k and NAME/v, every layer and head of it.
The KV streams of a DeepSeek-V4 are given together, a DIR or FILE each, and are streams by their names (sliding, csa, ...).
Calibrated codecs need --profile. They and codecs of whole tokens need --out R: then each dump is coded as kakeya-sweep --dump does it, with no layer or token
kept in bf16, its samples are kept in R/samples, and its streams are K and V.
Without --codec the 17 Q of the published DeepSeek-V4 study (e8; its codec is e8:q=...,rule=published).

Joint answers, of families with several streams: --strategy 1 is one setting for all streams, within on each; 2 a setting a
stream. Their bits are weighted by scalars, KV streams by their shares of the cache's values; or by --weights, such
as the published layers: --weights sliding=3 csa=20 hca=20.
The published thresholds A, B and C are the factors 1, 1.05 and 1.2; its bits are nominal (--bits nominal).

Exit code 1 when nothing is within any factor. Settings of more bits that are not within are named: that is noise.

Examples:
  kakeya-report thresholds out/sweep --against fp8
  kakeya-report thresholds out/sweep --against q8_0 --factor 1 --codec e8 'd4*' --json
  kakeya-report thresholds --dump kv.h5 --against fp8 --codec 'e8:q={30..48..2}' --strategy 2
  kakeya-report thresholds --dump kv.h5 --profile profile.h5 --codec 'klt:bits={3,4,5,6}' --out thresholds
  kakeya-report thresholds out/sliding out/csa out/hca --against fp8:scale=e8m0,tail=64
  kakeya-report thresholds --dump sliding.h5 csa.h5 hca.h5 --bits nominal --out thresholds)";

std::vector<double> parse_factors(const std::string& text) {
  std::vector<double> factors;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    double factor = 0;
    const char* const end = text.data() + comma;
    const auto [read, error] = std::from_chars(text.data() + begin, end, factor);
    if (error != std::errc() || read != end || !(factor > 0) || !std::isfinite(factor)) {
      throw SpecError(
          fmt::format("--factor {}: expected numbers above 0 with commas, as 1,1.05", text));
    }
    factors.push_back(factor);
    if (comma == text.size()) return factors;
    begin = comma + 1;
  }
}

/// As samples name it. Calibrated codecs are named by their profile's digest, as they are given.
std::string canonical(const std::string& spec) {
  constexpr std::size_t kAnyDim = 512;
  if (is_calibrated(spec)) return spec;
  return make_codec(spec, {.dim = kAnyDim, .site = KvSite{0, Part::key, 0}})->spec();
}

/// A group of samples, the KV streams of one model, or the dumps.
struct Answered {
  std::string source, mode;
  std::optional<StoredStream> stream = {};  ///< of KV streams, the first
  std::vector<std::string> skipped = {};    ///< settings that were not looked at: mixed K and V
  std::vector<LossFamily> families = {};
  std::vector<ThresholdAnswer> answers = {};
};

void answer(Answered asked, const ReportThresholdsOptions& options,
            const ThresholdQuestion& question, std::vector<Answered>& all) {
  set_weights(options.weights, asked.families);
  asked.answers = answer_thresholds(asked.families, question);
  all.push_back(std::move(asked));
}

void answer_samples(const ReportThresholdsOptions& options, const ThresholdQuestion& question,
                    const std::vector<std::string>& folders, std::span<const std::string> codecs,
                    std::vector<Answered>& all) {
  std::vector<StoredResults> results;
  for (const std::string& folder : folders) results.push_back(read_results(folder));
  const std::vector<ResultGroup> groups = group_results(results);
  for (const ResultGroup& group : groups) {
    for (const std::string& warning : group.warnings)
      fmt::print(stderr, "kakeya-report: {}\n", warning);
  }
  if (const std::vector<StoredStream> streams = streams_of(results); any_stream(streams)) {
    require_one_model(streams);
    Answered asked{streams.front().origin.model.name, groups.front().mode, streams.front()};
    asked.families = stream_loss_families(groups, question.reference, codecs, question.bits);
    return answer(std::move(asked), options, question, all);
  }
  for (const ResultGroup& group : groups) {
    Answered asked{group.source, group.mode};
    asked.skipped = mixed_settings(group, codecs);
    asked.families = loss_families(group, question.reference, codecs, question.bits);
    answer(std::move(asked), options, question, all);
  }
}

/// What dumps are coded with.
std::vector<std::string> specs_of(const ReportThresholdsOptions& options) {
  std::vector<std::string> patterns = options.codecs;
  if (patterns.empty()) patterns = {kSweepOfQ};
  std::vector<std::string> specs = expand_specs(patterns);
  specs.push_back(canonical(options.reference));
  return specs;
}

/// Sources of vectors have no profile, and no whole tokens.
bool needs_sweep(const ReportThresholdsOptions& options) {
  return !options.profiles.empty() || std::ranges::any_of(specs_of(options), [](const auto& spec) {
    return scope_of(spec) == VectorScope::token && !is_calibrated(spec);
  });
}

/// Codecs of sources of vectors have no profile.
void require_profiles(const std::vector<std::string>& specs) {
  for (const std::string& spec : specs) {
    if (is_calibrated(spec))
      throw SpecError(
          fmt::format("thresholds: {}: expected --profile, a file of kakeya-calibrate", spec));
  }
}

void answer_dumps(const ReportThresholdsOptions& options, const ThresholdQuestion& question,
                  std::vector<Answered>& all) {
  const std::vector<std::string> specs = specs_of(options);
  require_profiles(specs);
  std::list<DumpReader> dumps;
  std::vector<std::unique_ptr<VectorSource>> sources;
  std::vector<StoredStream> streams;
  for (const std::string& path : options.dumps) {
    const std::string name = std::filesystem::path(path).stem().string();
    const DumpReader& dump = dumps.emplace_back(path);
    streams.push_back({path, dump.head().origin, dump.head().stream});
    for (const Part part : stored_parts(dump.head()))
      if (part != Part::query) sources.push_back(make_captured(dump, name, part));
    if (std::count_if(sources.begin(), sources.end(), [&](const auto& source) {
          return source->facts().name == sources.back()->facts().name;
        }) > 1) {
      throw InputError(path + ": a dump named " + name + " is there already: expected other names");
    }
  }
  Answered asked{"dump", "distortion"};
  if (any_stream(streams)) {
    require_one_model(streams);
    asked.source = streams.front().origin.model.name;
    asked.stream = streams.front();
  }
  const int threads = options.threads > 0 ? options.threads : machine_threads();
  std::vector<SourceResult> results;
  for (const auto& source : sources) {
    const SourceFacts& facts = source->facts();
    std::vector<LeftOut> left_out;
    const auto codecs = build_codecs(specs, facts, left_out);
    if (!left_out.empty()) {
      throw InputError(
          fmt::format("{}: {}: {}", facts.title, left_out.front().spec, left_out.front().reason));
    }
    Progress progress(facts.title, facts.slabs * codecs.size());
    results.push_back(measure(*source, codecs, threads,
                              [&](std::size_t done, std::size_t, const std::string& spec) {
                                progress.update(done, spec);
                              }));
  }
  asked.families = loss_families(results, question.reference, question.bits);
  answer(std::move(asked), options, question, all);
}

Json ends_json(const std::optional<Interval>& interval) {
  if (!interval || !std::isfinite(interval->half_width)) return nullptr;
  return {interval->low(), interval->high()};
}

Json answer_json(const ThresholdAnswer& each, const Answered& of) {
  const bool found = each.setting.has_value();
  return {{"source", of.source},
          {"mode", of.mode},
          {"metric", each.metric},
          {"family", each.family},
          {"stream", each.stream},
          {"strategy", each.strategy > 0 ? Json(each.strategy) : Json(nullptr)},
          {"factor", each.factor},
          {"rule", rule_name(each.rule)},
          {"setting", found ? Json(*each.setting) : Json(nullptr)},
          {"bits_per_value", found ? Json(each.bits) : Json(nullptr)},
          {"reference_bits_per_value", found ? Json(each.reference_bits) : Json(nullptr)},
          {"ratio", each.ratio ? Json(*each.ratio) : Json(nullptr)},
          {"ratio_ci", ends_json(each.paired)},
          {"fails_above", each.fails_above}};
}

}  // namespace

CLI::App* define_report_thresholds(CLI::App& app, ReportThresholdsOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "thresholds", "The fewest bits that lose no more than a reference codec, by stream");
  CLI::Option* folder = sub->add_option("DIR", options.folders,
                                        "Folders of results of kakeya-sweep; of the KV streams of "
                                        "a DeepSeek-V4 one each, judged together");
  sub->add_option("--dump", options.dumps, "K and V that kakeya-capture wrote, coded here")
      ->type_name("FILE")
      ->excludes(folder);
  sub->add_option("--profile", options.profiles,
                  "With --dump, for calibrated codecs: of kakeya-calibrate")
      ->type_name("FILE")
      ->excludes(folder);
  sub->add_option("--against", options.reference, "The reference codec")
      ->capture_default_str()
      ->type_name("SPEC");
  sub->add_option("--factor", options.factors,
                  "How much of the reference's loss a setting may have, several with commas")
      ->capture_default_str()
      ->type_name("LIST");
  sub->add_option("--codec", options.codecs,
                  "With --dump codecs, also patterns as in kakeya-sweep [e8 at 17 Q]; with DIR "
                  "families of it [all]")
      ->type_name("SPEC");
  sub->add_option("--strategy", options.strategies,
                  "Joint answers: 1, one setting for all streams; 2, a setting a stream; both with "
                  "a comma [1,2]")
      ->delimiter(',')
      ->check(CLI::IsMember({1, 2}))
      ->type_name("LIST");
  sub->add_option("--weights", options.weights,
                  "Weights of the streams in joint answers, one for each [their scalars]")
      ->type_name("NAME=W");
  sub->add_option("--bits", options.bits,
                  "Which bits count: measured (8 x bytes written / values), or nominal (the "
                  "published formula)")
      ->check(CLI::IsMember({"measured", "nominal"}))
      ->capture_default_str()
      ->type_name("OF");
  sub->add_option("--threads", options.threads, "With --dump; 0: as many as the machine has [0]")
      ->check(whole_number(0, 4096))
      ->type_name("N");
  sub->add_option("--out", options.out, "Folder for report.md and results.csv, made if missing")
      ->type_name("R");
  sub->add_flag("--no-charts", options.no_charts, "Nothing: there are no charts")->group("");
  sub->add_flag(
      "--json", options.json,
      "Print one JSON document: out, files, model_weights (of KV streams), answers (metric, family, stream, strategy, "
      "factor, rule, setting, bits_per_value, ratio, ratio_ci, fails_above, ...), skipped");
  sub->footer(kThresholdsFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_thresholds(const ReportThresholdsOptions& options,
                           const std::vector<std::string>& arguments) {
  if (options.folders.empty() && options.dumps.empty()) {
    throw SpecError("thresholds: expected DIR, a folder of results, or --dump");
  }
  ThresholdQuestion question;
  question.factors = parse_factors(options.factors);
  question.strategies = options.strategies;
  question.reference = canonical(options.reference);
  if (options.bits == "nominal") question.bits = ThresholdBits::nominal;
  std::vector<Answered> all;
  if (options.dumps.empty()) {
    answer_samples(options, question, options.folders, options.codecs, all);
  } else if (needs_sweep(options)) {
    answer_samples(options, question, sweep_dumps(options, specs_of(options), arguments), {}, all);
  } else {
    answer_dumps(options, question, all);
  }
  Document report;
  report.paragraph(fmt::format("# The fewest bits that lose no more than {}", question.reference));
  Json answers = Json::array(), skipped = Json::array(), weights = nullptr;
  bool any = false;
  for (const Answered& each : all) {
    if (each.stream) weights = each.stream->facts->weights;
    for (const ThresholdAnswer& answer : each.answers) {
      answers.push_back(answer_json(answer, each));
      any = any || answer.setting;
    }
    report.paragraph(fmt::format("## {}, {}", each.source, each.mode));
    if (each.stream) report.paragraph(made_of_text(*each.stream));
    if (!each.skipped.empty()) {
      report.paragraph(fmt::format("Left out, as keys and values have different codecs: {}.",
                                   fmt::join(each.skipped, "; ")));
      skipped.push_back({{"source", each.source}, {"mode", each.mode}, {"settings", each.skipped}});
    }
    for (Table table :
         {thresholds_table(each.answers, question, false),
          thresholds_table(each.answers, question, true), losses_table(each.families, question)}) {
      table.source = each.source;
      table.mode = each.mode;
      report.table(table, "###");
    }
  }
  std::vector<std::string> files;
  if (!options.out.empty()) files = write_document(report, options.out, false);
  if (options.json) {
    const Json document = {{"out", options.out},
                           {"files", files},
                           {"model_weights", weights},
                           {"answers", answers},
                           {"skipped", skipped}};
    fmt::print("{}\n", document.dump(1));
  } else if (options.out.empty()) {
    fmt::print("{}", report.markdown);
  } else {
    fmt::print("{} answers{}: {}/report.md\n", answers.size(),
               weights.is_null() ? "" : fmt::format(" (weights {})", weights.get<std::string>()),
               options.out);
  }
  if (!any) {
    throw InputError(fmt::format(
        "thresholds: no setting is within {} times the loss of {}: expected finer settings, or a "
        "larger --factor",
        options.factors, question.reference));
  }
}

}  // namespace kakeya
