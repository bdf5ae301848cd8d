// SPDX-License-Identifier: Apache-2.0
#include "report_streaming.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "kakeya/codec/spec.h"
#include "kakeya/codec/spec_pattern.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/model/torch_library.h"
#include "kakeya/report/rate_distortion/ladder.h"
#include "kakeya/report/streaming_report.h"
#include "kakeya/store/parse_json.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::size_t, 4> kChunks = {1, 3, 7, 64};
constexpr std::array<std::size_t, 6> kBatches = {1, 2, 4, 8, 32, 2048};

constexpr char kStreamingFooter[] = R"(
The same tokens are appended to a live cache all at once and 1, 3, 7 and 64 at a time. Compared are the bytes
of the saved cache and every value that attention reads. Round trips of e8, d4 and tq are made in calls of
1 to 2048 tokens, ours and as the authors of the published code compose them of tensor operations (needs a
build with LibTorch). Written into R:

  report.md       one screen: what depends on how tokens come
  details.md      the tables; codecs that cannot live in a growing cache, each with the reason
  results.csv     the same in long format and full precision
  streaming.json  what was measured, which --from reads

Without --codec: a setting of every codec; of klt, for which a profile is drawn, one of heads, of paths, of each
readable layout of pages, of whole layers, one that learns, and one without a profile. A codec that has no growing
cache, and kvtc, whose profile cannot be drawn, is a line with the reason. Exit code 1 where a cache depends on how
its tokens came.

Examples:
  kakeya-report streaming --out streaming
  kakeya-report streaming --codec 'e8:q={10,38}' kivi:b=4 --tokens 512 --out streaming
  kakeya-report streaming --from streaming/streaming.json --out again)";

// Of every codec of the ladder the setting in its middle, klt in its forms, and kvtc.
std::vector<std::string> default_codecs() {
  std::vector<std::string> codecs, family;
  const auto take_middle = [&] {
    if (!family.empty()) codecs.push_back(family[family.size() / 2]);
    family.clear();
  };
  for (const std::string& spec : default_ladder()) {
    if (!family.empty() && Spec::parse(family.back()).family() != Spec::parse(spec).family()) {
      take_middle();
    }
    family.push_back(spec);
  }
  take_middle();
  for (const char* spec : {"klt:bits=3", "klt:bits=3,lattice=tcq", "klt:bits=3,pages=fixed",
                           "klt:bits=3,lattice=z,pages=prefix", "klt:bits=3,lattice=z,pages=tiles",
                           "klt:bits=3,adapt=256", "klt:bits=3,profile=none",
                           "klt:bits=2,lattice=tcq,scope=layer,restart=1",
                           "klt:bits=3,scope=layer,predict=1", "kvtc:bits=2"}) {
    codecs.emplace_back(spec);
  }
  return codecs;
}

Streaming measure_all(const ReportStreamingOptions& options) {
  Streaming measured;
  measured.input = options.input;
  const std::vector<std::string> codecs =
      options.codecs.empty() ? default_codecs() : expand_specs(options.codecs);
  const std::vector<std::string> published = {"e8:q=10", "e8:q=38",  "d4:q=10",
                                              "d4:q=38", "d4:q=152", "tq:b=6"};
  std::vector<std::size_t> chunks, batches;
  for (const std::size_t chunk : kChunks) {
    if (chunk <= options.input.tokens) chunks.push_back(chunk);
  }
  for (const std::size_t batch : kBatches) {
    if (batch <= options.input.tokens) batches.push_back(batch);
  }
  Progress progress("streaming", codecs.size() + published.size());
  for (const std::string& spec : codecs) {
    measured.codecs.push_back(stream_codec(spec, options.input, chunks));
    progress.update(measured.codecs.size(), spec);
  }
  if (has_torch_library()) {
    const TorchLibrary& torch = torch_library("streaming");
    torch.set_threads(1);
    measured.library = torch.name();
  }
  for (std::size_t i = 0; i < published.size(); ++i) {
    for (const bool theirs : {true, false}) {
      if (theirs && measured.library.empty()) continue;
      const auto more = batched_round_trips(published[i], theirs, options.input, batches);
      measured.round_trips.insert(measured.round_trips.end(), more.begin(), more.end());
    }
    progress.update(codecs.size() + i + 1, published[i]);
  }
  return measured;
}

Json streaming_json(const Streaming& measured, const Provenance& provenance) {
  const StreamInput& input = measured.input;
  Json codecs = Json::array(), trips = Json::array();
  for (const StreamedCodec& codec : measured.codecs) {
    Json ways = Json::array();
    for (const StreamedWay& way : codec.ways) {
      ways.push_back({{"chunk", way.chunk},
                      {"same_bytes", way.same_bytes},
                      {"values_differ", way.values_differ},
                      {"largest_difference", way.largest_difference}});
    }
    codecs.push_back({{"codec", codec.codec},
                      {"refused", codec.refused},
                      {"page_tokens", codec.page_tokens},
                      {"bytes", codec.bytes},
                      {"values", codec.values},
                      {"ways", ways}});
  }
  for (const BatchedRoundTrip& one : measured.round_trips) {
    trips.push_back({{"codec", one.codec},
                     {"published", one.published},
                     {"batch", one.batch},
                     {"values_differ", one.values_differ},
                     {"vectors_moved", one.vectors_moved},
                     {"largest_difference", one.largest_difference},
                     {"rel_mse", one.rel_mse},
                     {"rel_mse_at_once", one.rel_mse_at_once}});
  }
  return {{"tokens", input.tokens},
          {"heads", input.heads},
          {"dim", input.dim},
          {"seed", input.seed},
          {"deviation", input.deviation},
          {"library", measured.library},
          {"codecs", codecs},
          {"round_trips", trips},
          {"provenance", Json::parse(to_json(provenance))}};
}

Streaming streaming_from(const std::string& path, Provenance& provenance) {
  const nlohmann::json json = parse_json(read_text_file(path), path);
  Streaming measured;
  try {
    json.at("tokens").get_to(measured.input.tokens);
    json.at("heads").get_to(measured.input.heads);
    json.at("dim").get_to(measured.input.dim);
    json.at("seed").get_to(measured.input.seed);
    json.at("deviation").get_to(measured.input.deviation);
    json.at("library").get_to(measured.library);
    for (const auto& each : json.at("codecs")) {
      StreamedCodec codec{each.at("codec"), each.at("refused"), each.at("page_tokens"),
                          each.at("bytes"), each.at("values"),  {}};
      for (const auto& way : each.at("ways")) {
        codec.ways.push_back({way.at("chunk"), way.at("same_bytes"), way.at("values_differ"),
                              way.at("largest_difference")});
      }
      measured.codecs.push_back(std::move(codec));
    }
    for (const auto& each : json.at("round_trips")) {
      measured.round_trips.push_back({each.at("codec"), each.at("published"), each.at("batch"),
                                      each.at("values_differ"), each.at("vectors_moved"),
                                      each.at("largest_difference"), each.at("rel_mse"),
                                      each.at("rel_mse_at_once")});
    }
    provenance = provenance_from_json(json.at("provenance").dump());
  } catch (const nlohmann::json::exception& wrong) {
    throw CorruptStream(
        fmt::format("{}: not what kakeya-report streaming writes: {}", path, wrong.what()));
  }
  return measured;
}

}  // namespace

CLI::App* define_report_streaming(CLI::App& app, ReportStreamingOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "streaming", "Whether bytes and values depend on how tokens arrive, of every codec");
  sub->add_option("--codec", options.codecs, "Codecs, also patterns as in kakeya-sweep")
      ->type_name("SPEC");
  sub->add_option("--tokens", options.input.tokens, "Tokens [2048]")
      ->check(whole_number(1, 1 << 20))
      ->type_name("N");
  sub->add_option("--heads", options.input.heads, "KV heads [8]")
      ->check(whole_number(1, 1024))
      ->type_name("H");
  sub->add_option("--dim", options.input.dim, "Values of a head's vector [128]")
      ->check(whole_number(1, 1 << 16))
      ->type_name("D");
  sub->add_option("--seed", options.input.seed, "Of the drawn values [0]")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  sub->add_option("--from", options.from, "streaming.json of an earlier run: measure nothing")
      ->type_name("FILE")
      ->excludes("--codec")
      ->excludes("--tokens")
      ->excludes("--heads")
      ->excludes("--dim")
      ->excludes("--seed");
  sub->add_option("--out", options.out, "Folder for the report, made if missing")
      ->required()
      ->type_name("R");
  sub->add_flag("--json", options.json, "Print what was measured as one JSON document");
  // There are no charts; verify gives this to every report.
  sub->add_flag("--no-charts", options.no_charts, "Nothing: there are no charts")->group("");
  sub->footer(kStreamingFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_streaming(const ReportStreamingOptions& options,
                          const std::vector<std::string>& arguments) {
  Provenance provenance = make_provenance(arguments, 1);
  provenance.device = "cpu";
  const Streaming measured =
      options.from.empty() ? measure_all(options) : streaming_from(options.from, provenance);
  write_document(make_streaming_report(measured, provenance), options.out, false);
  const Json json = streaming_json(measured, provenance);
  if (options.from.empty()) write_file(options.out + "/streaming.json", json.dump(1) + "\n");
  if (options.json) {
    fmt::print("{}\n", json.dump(1));
  } else {
    fmt::print("{} codecs: {}/report.md\n", measured.codecs.size(), options.out);
  }
  for (const StreamedCodec& codec : measured.codecs) {
    if (!depends(codec)) continue;
    throw InputError(
        fmt::format("{}/report.md: {} depends on how its tokens come: expected the same "
                    "bytes and values",
                    options.out, codec.codec));
  }
}

}  // namespace kakeya
