// SPDX-License-Identifier: Apache-2.0
// kakeya-capture: one prefill a passage, its K and V to an HDF5 file.
#include "kakeya/measure/capture.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "capture_streams.h"
#include "cut_option.h"
#include "kakeya/codec/codec_plan.h"
#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/core/layer_choice.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/passages.h"
#include "kakeya/model/streams/v4_config.h"
#include "kakeya/store/digest.h"
#include "program.h"
#include "progress.h"

namespace {

using namespace kakeya;

struct Options {
  std::string model, text, out, storage = "bf16", device = "cpu", dtype = "fp32";
  std::optional<std::string> cut, tap, plan;
  std::optional<int> passages, first_passage, context;
  LayerChoice layers;
  int threads = 0;
  bool queries = false, json = false;
  StreamOptions streams;
};

constexpr int kContext = 2048;

void define(CLI::App& app, Options& options) {
  app.add_option(
         "--model", options.model,
         "Hugging Face folder, .gguf file, short name, or transformers:NAME, run by Python; of "
         "a DeepSeek-V4 a folder, or with --random-weights its config.json alone")
      ->required();
  app.add_option("--text", options.text,
                 "Text file, cut into passages; or a folder, one .txt file a passage");
  add_cut_option(app, options.cut);
  app.add_option("--out", options.out,
                 "The dump to write; appears when it is whole. Of a DeepSeek-V4 a folder of dumps")
      ->required();
  app.add_option("--passages", options.passages, "How many passages [8, or all if there are fewer]")
      ->check(whole_number(1, 1000000));
  app.add_option("--first-passage", options.first_passage,
                 "The number of the first, counted from 0 over those that are long enough [0]")
      ->check(whole_number(0, 1000000));
  app.add_option("--ctx", options.context, "Tokens of each passage [2048]")
      ->check(whole_number(1, 1 << 24));
  app.add_option("--tap", options.tap, "K before or after the rotary embedding [pre-rope]")
      ->check(CLI::IsMember({"pre-rope", "post-rope"}));
  app.add_option(
         "--layers", options.layers.only,
         "Only these layers, as 0,5,10-20 [all; of a DeepSeek-V4 those whose weights are there]")
      ->type_name("SET");
  app.add_option("--skip-layers", options.layers.skip, "All layers but these")->type_name("SET");
  app.add_option("--plan", options.plan,
                 "The layers that this plan.json codes, in place of --layers")
      ->type_name("FILE");
  app.add_flag("--queries", options.queries,
               "Write Q too, before or after the rotary embedding as K is");
  app.add_option("--storage", options.storage,
                 "How the file stores scalars; bf16 is what a bf16 cache holds")
      ->check(CLI::IsMember({"bf16", "fp16", "fp32"}))
      ->capture_default_str();
  app.add_option("--device", options.device,
                 "cpu, cuda or cuda:N; cuda:0,cuda:1: a run of the layers on each")
      ->capture_default_str();
  app.add_option("--dtype", options.dtype, "Of weights and activations")
      ->check(CLI::IsMember({"fp32", "bf16"}))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "0: as many as the machine has")
      ->check(whole_number(0, 4096))
      ->capture_default_str();
  add_stream_options(app, options.streams);
  app.add_flag("--json", options.json, "One JSON document on stdout");
  app.footer(
      "The file opens in h5py without our code:\n"
      "  /passages/<p>/tokens and /passages/<p>/layers/<l>/{k,v,q}, [tokens, heads, dim]\n"
      "Its root has the attributes format, schema, model_name, model_sha256, architecture, tokenizer,\n"
      "tokenizer_sha256, text_name, text_sha256, tap, storage, layers, dumped_layers (where not all), kv_heads, query_heads, head_dim,\n"
      "passages, tokens, rope_base, rope_layout, seed, queries, provenance; with queries attention_scale,\n"
      "attention_window, attention_window_layers, where known. Of K and V of one's own only layers,\n"
      "kv_heads, head_dim, passages and tokens have to be there; kakeya-sweep --replace judges them.\n"
      "\n"
      "A text file is cut into passages of --ctx tokens alone: a sweep of that file, which cuts\n"
      "passages of its --ctx and --eval tokens together, gets other ones.\n"
      "\n"
      "Of a DeepSeek-V4 (config.json says deepseek_v4) the KV streams are computed of hidden states that\n"
      "another program gives, and no forward is run. A folder gets sliding.h5 (a latent a token), csa.h5\n"
      "(one of every 4), indexer.h5 (their keys) and hca.h5 (one of every 128), behind RMSNorm and RoPE.\n"
      "Each has k alone, which is v too, and the attributes stream, stream_ratio, stream_layers,\n"
      "stream_window, stream_byte_share (its share of the cache's values: equal bits in all streams) and\n"
      "stream_weights. Weights may be F32, F16, BF16 or F8_E4M3 with block scales, of some shards alone.\n"
      "Runs of 8 equal rows or more in --hidden are refused: padding, or a token that repeats; cut them\n"
      "out of the file. kakeya-sweep --dump and kakeya-report rd --dump read the dumps.\n"
      "\n"
      "Examples:\n"
      "  kakeya-capture --model nano --text data/text --passages 2 --ctx 1024 --out nano.h5\n"
      "  kakeya-capture --model data/configs/deepseek-v4-flash.json --random-weights 7 --layers 0,2,3 \\\n"
      "    --hidden hidden.npy --out v4");
}

/// Fails now rather than after the first prefill.
void require_writable_folder(const std::string& out) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute(out).parent_path();
  if (!fs::is_directory(folder)) {
    throw IoError(out + ": no folder " + folder.string() + " to write it to");
  }
  if (fs::is_directory(out)) throw IoError(out + ": is a folder, expected a file name");
}

// What belongs to the capture of keys and values alone, or to that of streams.
void refuse_useless(const Options& options, bool streams) {
  const std::pair<const char*, bool> useless[] = {
      {"text", !options.text.empty()},
      {"cut", options.cut.has_value()},
      {"ctx", options.context.has_value()},
      {"queries", options.queries},
      {"plan", options.plan.has_value()},
      {"tap pre-rope", options.tap == "pre-rope"},
      {"first-passage", options.first_passage.has_value()},
      {"device", options.device != "cpu"},
      {"dtype", options.dtype != "fp32"}};
  for (const auto& [name, given] : useless) {
    if (streams && given) {
      throw SpecError(
          std::string(name) +
          ": not for a DeepSeek-V4, whose streams follow from --hidden, behind RoPE, in "
          "float32 on the CPU");
    }
  }
  if (streams) return;
  if (options.streams.given()) {
    throw SpecError(options.model +
                    ": --hidden and --random-weights are for a model whose config.json says "
                    "deepseek_v4");
  }
  if (options.text.empty()) throw SpecError("expected --text, a file or a folder of .txt files");
}

// The layers to dump, of a model of this shape: those asked for, or those that a plan codes.
IndexSet layers_of(const Options& options, const KvShape& shape) {
  if (!options.plan) return options.layers.of(shape.layers);
  const CodecPlan plan = CodecPlan::parse(read_text_file(*options.plan), *options.plan);
  const PlanLayout fits(plan, shape);
  LayerChoice coded;
  if (!plan.skip.empty()) coded.skip = plan.skip.text();
  return coded.of(shape.layers);
}

void capture(const Options& options, const std::vector<std::string>& arguments) {
  const auto begin = Clock::now();
  options.layers.check(false);
  if (options.plan && options.layers.given()) {
    throw SpecError(
        "--plan " + *options.plan +
        ": expected no --layers and --skip-layers beside it: it says which layers it codes");
  }
  const std::string path = resolve_model(options.model);
  if (is_v4(path)) {
    refuse_useless(options, true);
    return capture_v4(options.streams,
                      {path, options.out, options.storage, options.layers, options.passages,
                       options.threads, options.json},
                      arguments);
  }
  refuse_useless(options, false);
  const int context = options.context.value_or(kContext);
  require_writable_folder(options.out);
  refuse_useless_cut(options.cut, {&options.text, 1});
  const auto tokenizer = load_tokenizer(path);
  const auto passages = read_passages(
      options.text, *tokenizer,
      {static_cast<std::size_t>(context), static_cast<std::size_t>(options.passages.value_or(8)),
       parse_cut(options.cut), fmt::format("--ctx {}", context), !options.passages,
       static_cast<std::size_t>(options.first_passage.value_or(0))});
  const int threads = options.threads > 0 ? options.threads : machine_threads();
  const auto model = load_model(path, {options.device, options.dtype, threads});
  if (context > model->facts().context) {
    throw InputError(fmt::format("--ctx {}: {} takes at most {} tokens", context,
                                 model->facts().name, model->facts().context));
  }

  DumpHead head = dump_head(model->facts(), parse_tap(options.tap.value_or("pre-rope")),
                            options.queries, static_cast<int>(passages.size()), context);
  head.storage = options.storage;
  head.dumped = layers_of(options, head.shape);
  head.origin.model = model_source(*model, path);
  head.origin.tokenizer = tokenizer_source(*tokenizer, path, path, head.origin.model.sha256);
  head.origin.text = source_of(options.text);
  head.provenance = make_provenance(arguments, threads);
  head.provenance.device = describe_device(options.device, model->facts().host);

  DumpWriter writer(options.out, head);
  {
    Progress progress("capture", passages.size());
    for (int p = 0; p < head.passages; ++p) {
      const Passage& passage = passages[static_cast<std::size_t>(p)];
      progress.update(static_cast<std::size_t>(p), passage.origin);
      capture_passage(*model, writer, head, p, passage.tokens, passage.origin);
    }
    progress.update(passages.size());
  }
  writer.commit();

  const std::uint64_t heads =
      2 * head.shape.heads() + (head.queries ? head.shape.heads(Part::query) : 0);
  const std::uint64_t values =
      heads * head.shape.dim() *
      static_cast<std::uint64_t>(head.dumped.empty() ? head.shape.layers : head.dumped.count()) *
      static_cast<std::uint64_t>(head.tokens) * static_cast<std::uint64_t>(head.passages);
  const std::uint64_t raw = values * (head.storage == "fp32" ? 4 : 2);
  const std::uint64_t bytes = std::filesystem::file_size(options.out);
  const double ratio = static_cast<double>(bytes) / static_cast<double>(raw);
  const double seconds = seconds_since(begin);
  if (options.json) {
    nlohmann::ordered_json json;
    json["file"] = options.out;
    json["passages"] = head.passages;
    json["layers"] = head.shape.layers;
    if (!head.dumped.empty()) json["dumped_layers"] = head.dumped.text();
    json["heads"] = head.shape.kv_heads;
    json["dim"] = head.shape.head_dim;
    json["tokens"] = head.tokens;
    json["storage"] = head.storage;
    json["tap"] = tap_name(head.tap);
    json["queries"] = head.queries;
    json["values"] = values;
    json["raw_bytes"] = raw;
    json["bytes_written"] = bytes;
    json["ratio_to_raw"] = ratio;
    json["seconds"] = seconds;
    fmt::print("{}\n", json.dump(2));
  } else {
    const std::string layers =
        head.dumped.empty() ? fmt::format("{} layers", head.shape.layers)
                            : fmt::format("layers {} of {}", head.dumped.text(), head.shape.layers);
    fmt::print("{}: {} passages of {} tokens, {}, {} KV heads of {}, {}, {}{}\n", options.out,
               head.passages, head.tokens, layers, head.shape.kv_heads, head.shape.head_dim,
               tap_name(head.tap), head.storage, head.queries ? ", with queries" : "");
    fmt::print("{} bytes written, {:.3f} of the {} bytes of its scalars; {:.1f} s\n", bytes, ratio,
               raw, seconds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const std::vector<std::string> arguments(argv, argv + argc);
  return run_program(
      argc, argv, "capture", "K and V of a real model over real text, to one HDF5 file",
      [&](CLI::App& app) { define(app, options); }, [&] { capture(options, arguments); });
}
