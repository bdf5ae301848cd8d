// SPDX-License-Identifier: Apache-2.0
#include "report_storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "kakeya/capacity/sizes.h"
#include "kakeya/codec/spec_pattern.h"
#include "kakeya/core/error.h"
#include "kakeya/studies/published/storage_claims.h"
#include "program.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kStorageFooter[] = R"(
What a KV cache takes, from config.json alone: no weights, no forward. A config is a file or the folder that has
one, of Llama, Mistral, Mixtral, Phi-3, Qwen2, Qwen3 (also with experts), GLM, GLM-4, Gemma 2, 3, 3n and 4, gpt-oss,
DeepSeek V2, V3 and V4. Another model_type is an error that names it: its cache could only be guessed.

  full      K and V of all tokens             latent    one latent and one rotary key a token (DeepSeek V2, V3)
  sliding   of the last tokens alone          pooled    one vector of every 4 or 128 tokens (V4), and indexer keys
  shared    nothing: those of another layer

"counted": frames of these shapes were written, and their bytes do not depend on the values. "nominal": the rate is what
the codec's key bits promises (klt, kvtc, ece8), without headers; a sweep measures the real one. Either way counted in:
sinks, the residual window and skipped layers in bf16; what waits in bf16 for its page to fill, half a page on the mean
(--open-page exact: at exactly this length, the best or worst case of a length); of sliding windows the rest of a page
that the window has half left. e8, d4 and tq have no pages: a live cache codes 128 tokens of them together, a frame each.
bf16, fp8, llama.cpp's and vLLM's formats are counted vector by vector, as those engines store them. Not counted: a
codec's profile, which is once a model (kakeya-report capacity counts it).

Without --codec: bf16, fp8, llama.cpp's q8_0 and q4_0, KIVI, and ours. Those that cannot code a model's vectors are named.
Without --out the tables are printed. details.md of --out has the same, report.md one table of all models, and
results.csv also what the bytes consist of.

Examples:
  kakeya-report storage --config data/models/nano
  kakeya-report storage --config data/configs/gemma-4-e4b.json --tokens 8k,128k --codec 'e8:q={10,38}' kivi:b=4
  kakeya-report storage --config data/configs/*.json --published --out storage
  kakeya-report storage --config my/config.json --tokens 32k --sinks 4 --residual-window 128 --json)";

Json storage_json(const StorageCell& cell, const std::string& model) {
  const CacheBytes& bytes = cell.bytes;
  const bool kept = bytes.bf16 > 0;
  return {{"model", model},
          {"codec", cell.codec},
          {"kind", cell.kind},
          {"layers", cell.layers},
          {"tokens", cell.tokens},
          {"bytes", bytes.total()},
          {"bf16_bytes", bytes.bf16},
          {"ratio", kept ? Json(bytes.ratio()) : Json(nullptr)},
          {"bits_per_value", kept ? Json(16 / bytes.ratio()) : Json(nullptr)},
          {"coded_bytes", bytes.coded},
          {"open_page_bytes", bytes.open},
          {"exact_bytes", bytes.exact},
          {"left_of_window_bytes", bytes.stale},
          {"rate", bytes.nominal ? "nominal" : "counted"}};
}

Json storage_json(const Table& claims) {
  Json list = Json::array();
  for (const std::vector<Cell>& row : claims.rows) {
    list.push_back({{"model", row[0].text},
                    {"figure", row[1].text},
                    {"published", row[2].text},
                    {"ours", *row[3].value},
                    {"verdict", row[4].text}});
  }
  return list;
}

void print_storage_json(const ReportStorageOptions& options,
                        const std::vector<ModelStorage>& models, const Table& claims,
                        const std::vector<std::string>& files) {
  Json list = Json::array(), cells = Json::array();
  for (const ModelStorage& model : models) {
    const Decoder& decoder = model.decoder;
    list.push_back({{"model", decoder.name},
                    {"model_type", decoder.model_type},
                    {"layers", decoder.layers},
                    {"context", decoder.context},
                    {"parameters", decoder.parameter_count()},
                    {"notes", decoder.notes},
                    {"left_out", model.left_out}});
    for (const StorageCell& cell : model.cells) cells.push_back(storage_json(cell, decoder.name));
  }
  const Json document = {{"out", options.out},
                         {"files", files},
                         {"models", list},
                         {"storage", cells},
                         {"published", storage_json(claims)}};
  fmt::print("{}\n", document.dump(1));
}

}  // namespace

void add_cache_question(CLI::App& sub, CacheQuestionOptions& options, const std::string& tokens) {
  options.tokens = tokens;
  sub.add_option("--config", options.configs, "config.json of models, or their folders")
      ->required()
      ->type_name("FILE");
  sub.add_option("--tokens", options.tokens,
                 "Tokens of a sequence: numbers with commas, also with k (1024) and M (1048576)")
      ->capture_default_str()
      ->type_name("LIST");
  sub.add_option("--codec", options.codecs, "Codecs, also patterns as in kakeya-sweep")
      ->type_name("SPEC");
  sub.add_option("--skip-edge-layers", options.skipped_layers,
                 "First and last layers that stay bf16, so many at either end [0]")
      ->check(whole_number(0))
      ->type_name("N");
  sub.add_option("--sinks", options.sinks, "First tokens that stay bf16 [0]")
      ->check(whole_number(0))
      ->type_name("N");
  sub.add_option("--residual-window", options.residual_window, "Last tokens that stay bf16 [0]")
      ->check(whole_number(0))
      ->type_name("N");
  sub.add_option("--open-page", options.open_page,
                 "Where the last page stands: mean, over all lengths, or exact, at this one")
      ->check(CLI::IsMember({"mean", "exact"}))
      ->capture_default_str()
      ->type_name("WHERE");
}

StorageQuestion CacheQuestionOptions::question() const {
  StorageQuestion question;
  question.every_codec = !codecs.empty();
  question.codecs = codecs.empty() ? usual_cache_codecs() : expand_specs(codecs);
  question.tokens = parse_token_list(tokens);
  question.policy.skipped_layers = skipped_layers;
  question.policy.sinks = sinks;
  question.policy.residual_window = residual_window;
  if (open_page == "exact") question.open_page = OpenPage::exact;
  return question;
}

std::vector<Decoder> CacheQuestionOptions::decoders() const {
  std::vector<Decoder> read;
  for (const std::string& config : configs) {
    Decoder decoder = read_decoder(config);
    if (std::any_of(read.begin(), read.end(),
                    [&](const Decoder& other) { return other.name == decoder.name; })) {
      throw InputError(fmt::format(
          "{}: a model named {} is there already: expected files or folders of other names", config,
          decoder.name));
    }
    read.push_back(std::move(decoder));
  }
  return read;
}

CLI::App* define_report_storage(CLI::App& app, ReportStorageOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "storage", "What a cache takes by layer and codec, from config.json alone");
  add_cache_question(*sub, options.asked, "8k,32k,128k,1M");
  sub->add_flag("--published", options.published,
                "Also the published figures of these models, beside ours with a verdict: "
                "data/published, of data/configs/{qwen3-4b,glm-4-9b,gemma-4-e4b,"
                "deepseek-r1-distill-qwen-1.5b}.json");
  sub->add_option("--out", options.out, "Folder for the report, made if missing")->type_name("R");
  sub->add_flag("--no-charts", options.no_charts, "Nothing: there are no charts")->group("");
  sub->add_flag("--json", options.json,
                "Print one JSON document: out, files, models, storage (model, codec, kind, layers, "
                "tokens, bytes, bf16_bytes, ratio, rate, ...), published");
  sub->footer(kStorageFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_storage(const ReportStorageOptions& options) {
  const StorageQuestion question = options.asked.question();
  std::vector<ModelStorage> models;
  std::vector<Decoder> decoders = options.asked.decoders();
  Table claims = named_table("published", "");
  if (options.published) {
    claims = storage_claims_table(
        read_published_tables(shipped_folder("data/published") + "/tables"), decoders);
    if (claims.rows.empty()) {
      throw InputError(
          "--published: none of these configs is of a model whose storage was published: expected "
          "qwen3-4b, glm-4-9b, gemma-4-e4b or deepseek-r1-distill-qwen-1.5b of data/configs");
    }
  }
  for (Decoder& decoder : decoders) models.push_back(storage_of(std::move(decoder), question));
  std::vector<std::string> files;
  if (!options.out.empty()) {
    files = write_document(make_storage_report(models, question, {claims}), options.out, false);
  }
  if (options.json) {
    print_storage_json(options, models, claims, files);
  } else if (!options.out.empty()) {
    fmt::print("{} models: {}/report.md\n", models.size(), options.out);
  } else {
    fmt::print("{}", make_storage_report(models, question, {claims}).details);
  }
}

}  // namespace kakeya
