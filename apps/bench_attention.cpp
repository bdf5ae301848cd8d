// SPDX-License-Identifier: Apache-2.0
#include "bench_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/device/device_memory.h"
#include "kakeya/report/table.h"
#include "kakeya/store/kv_store.h"
#include "kakeya/store/profile_files.h"
#include "program.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHelp =
    R"(One decoding step of attention over pages as they are in device memory (kernels/README.md): no key or value is unpacked
to memory. A launch has one query a head of every sequence; launches stand ten in a CUDA graph, and their pages take turns,
so that the L2 cache does not serve them. Of the tokens --exact are in bf16, as sinks, residual window and open page are.
One head of every row is compared with attention in doubles over what the codec decodes; beyond 1e-3 the row is an error.
scripts/gpu_sdpa.py times PyTorch's attention over bf16 in the same shapes.

us: microseconds a launch. of copy: bytes of keys and values a second, against a copy within device memory in this run.
pack us: coding a sequence's keys and values from bf16 into pages; of klt, which the host codes, there is none.
--tap pre-rope: keys in pages are before RoPE (base 500000, all of a vector), which attention applies to them: klt with
pages=tiles. Those in bf16, and queries, are after it.
--dump, --profile: klt's pages are of a dump of kakeya-capture and a profile of kakeya-calibrate, of the same tap; its tokens
come again and again. A head of the shape is a head of the dump, from --layer on one layer after another.

Examples:
  kakeya-bench attention
  kakeya-bench attention --codec e8:q=7 --shape 2x12x128,2x8x256 --tokens 32768 --batch 1,16 --json
  kakeya-bench attention --codec klt:bits=3,lattice=z,pages=tiles,page=128 --tap pre-rope --tokens 131072 --batch 1
  kakeya-bench attention --codec klt:bits=3,lattice=z,pages=tiles,page=128 --shape 8x32x64 --dump held.h5 --profile smollm2.kkp)";

constexpr const char* kStepHelp =
    R"(What the cache costs one decoding step of a model: attention of every layer over its packed pages, as `kakeya-bench
attention` times one, in one CUDA graph, each layer over a cache of its own as far as the memory goes (caches: how many);
and coding pages as they fill: the time of one page of one sequence and layer, times sequences and layers, over the
page's tokens. klt's pages are coded by the host here: its step is attention alone (kakeya-bench gpu times its kernels).
--tap pre-rope is as `kakeya-bench attention` has it.
scripts/gpu_sdpa.py times the same step of PyTorch's attention over bf16.

Shapes of the default: Qwen3-4B, DeepSeek-R1-Distill-Qwen-1.5B, Gemma 4 E4B (the layers that own a cache, windows not
regarded), GLM-4-9B, Llama-3.1-8B.

Examples:
  kakeya-bench step
  kakeya-bench step --codec e8:q=7 --shape 36x8x32x128 --tokens 32768 --batch 1,16 --json)";

// What --shape has: layers too, of a step.
KvShape parse_shape(const std::string& text, bool step) {
  KvShape shape;
  shape.layers = 1;
  int end = 0;
  const int found = step ? std::sscanf(text.c_str(), "%dx%dx%dx%d%n", &shape.layers,
                                       &shape.kv_heads, &shape.query_heads, &shape.head_dim, &end)
                         : std::sscanf(text.c_str(), "%dx%dx%d%n", &shape.kv_heads,
                                       &shape.query_heads, &shape.head_dim, &end);
  if (found != (step ? 4 : 3) || static_cast<std::size_t>(end) != text.size() ||
      (step && shape.layers < 2)) {
    throw SpecError("--shape " + text + ": expected " +
                    (step ? "layers (2 or more) x KV heads x query heads x head_dim, such as "
                            "32x8x32x128"
                          : "KV heads x query heads x head_dim, such as 8x32x128"));
  }
  return shape;
}

std::string shape_text(const KvShape& shape) {
  const std::string layers = shape.layers > 1 ? fmt::format("{}x", shape.layers) : "";
  return fmt::format("{}{}x{}x{}", layers, shape.kv_heads, shape.query_heads, shape.head_dim);
}

// A step is attention and sealing.
LaunchTimes step_times(const AttentionBenchRow& row) {
  const double more = row.seal_us.value_or(0);
  return {row.us.least + more, row.us.median + more, row.us.p99 + more};
}

Json times_json(const LaunchTimes& us) {
  return {{"min", us.least}, {"median", us.median}, {"p99", us.p99}};
}

void print_json(const std::vector<AttentionBenchRow>& rows, const Provenance& provenance) {
  const DeviceInfo info = device_info();
  Json document;
  document["attention"] = Json::array();
  for (const AttentionBenchRow& row : rows) {
    Json line = {{"codec", row.spec},
                 {"tap", tap_name(row.tap)},
                 {"shape", shape_text(row.shape)},
                 {"batch", row.batch},
                 {"tokens", row.tokens},
                 {"exact_tokens", row.exact},
                 {"bits_per_value", row.bits_per_value},
                 {"bytes", row.bytes},
                 {"us", times_json(step_times(row))},
                 {"gb_per_second", row.gb_per_second()},
                 {"values_per_second", row.values_per_second()},
                 {"copy_gb_per_second", row.copy_gb_per_second},
                 {"of_copy", row.of_copy()},
                 {"relative_error", row.relative_error},
                 {"pack_us", row.pack_us ? times_json(*row.pack_us) : Json()},
                 {"device", info.name}};
    if (row.shape.layers > 1) {
      line["layers"] = row.shape.layers;
      line["caches"] = row.pools;
      line["attention_us"] = times_json(row.us);
      line["seal_us"] = row.seal_us ? Json(*row.seal_us) : Json();
    }
    document["attention"].push_back(std::move(line));
  }
  document["device"] = {{"name", info.name},
                        {"cuda", info.cuda},
                        {"multiprocessors", info.multiprocessors},
                        {"memory_bytes", info.memory_bytes},
                        {"l2_bytes", info.l2_bytes}};
  document["provenance"] = Json::parse(to_json(provenance));
  fmt::print("{}\n", document.dump(2));
}

void print_table(const std::vector<AttentionBenchRow>& rows) {
  Table table;
  table.label_columns = 2;
  table.columns = {{"codec", "codec", false}, {"shape", "shape", false},  {"batch", "batch"},
                   {"tokens", "tokens"},      {"bits", "bits per value"}, {"us", "median (us)"},
                   {"p99", "p99 (us)"},       {"GB/s", "GB/s"},           {"of copy", "of copy"},
                   {"pack", "pack (us)"},     {"error", "relative error"}};
  const bool step = !rows.empty() && rows.front().shape.layers > 1;
  if (step) table.columns[9] = {"pages", "of them pages (us)"};
  for (const AttentionBenchRow& row : rows) {
    table.rows.push_back(
        {text_cell(row.spec), text_cell(shape_text(row.shape)),
         text_cell(std::to_string(row.batch)), text_cell(std::to_string(row.tokens)),
         fixed_cell(row.bits_per_value, 3), fixed_cell(step_times(row).median, 1),
         fixed_cell(step_times(row).p99, 1), fixed_cell(row.gb_per_second(), 0),
         number_cell(row.of_copy(), fmt::format("{:.1f} %", 100 * row.of_copy())),
         step          ? (row.seal_us ? fixed_cell(*row.seal_us, 1) : text_cell("-"))
         : row.pack_us ? fixed_cell(row.pack_us->median, 1)
                       : text_cell("-"),
         number_cell(row.relative_error, fmt::format("{:.1e}", row.relative_error))});
  }
  const DeviceInfo info = device_info();
  const bool before = !rows.empty() && rows.front().tap == TapPoint::pre_rope;
  fmt::print("{}\n{}, {}{}\n", to_markdown(table), info.name, info.cuda,
             before ? "; keys in pages before RoPE" : "");
}

}  // namespace

namespace {

void define(CLI::App* attention, BenchAttentionOptions& options, const std::string& codecs,
            const std::string& shapes, const char* help) {
  AttentionBenchPlan& plan = options.plan;
  attention->fallthrough();
  attention->add_option("--codec", plan.codecs, "Codec specs [" + codecs + "]")->type_name("SPEC");
  attention->add_option("--shape", options.shapes, shapes)->delimiter(',')->type_name("SHAPE");
  attention->add_option("--batch", plan.batches, "Sequences; several with commas [1,16]")
      ->delimiter(',')
      ->check(whole_number(1))
      ->type_name("B");
  attention
      ->add_option("--tokens", plan.tokens,
                   "Of a sequence; several with commas [8192,32768,131072]")
      ->delimiter(',')
      ->check(whole_number(1))
      ->type_name("N");
  attention->add_option("--tap", options.tap, "Keys in pages are pre-rope or post-rope [post-rope]")
      ->check(CLI::IsMember({"pre-rope", "post-rope"}));
  CLI::Option* const dump =
      attention
          ->add_option("--dump", options.dump,
                       "Of kakeya-capture: keys and values of klt, with --profile [drawn ones]")
          ->type_name("FILE");
  attention->add_option("--layer", options.layer, "The first of --dump whose heads are taken [0]")
      ->needs(dump)
      ->check(whole_number(0))
      ->type_name("L");
  dump->needs(
      attention->add_option("--profile", options.profiles, "Of kakeya-calibrate, for --dump")
          ->needs(dump)
          ->type_name("FILE"));
  attention->add_option("--exact", plan.exact, "Of these tokens, in bf16 [64]")->type_name("N");
  attention->add_option("--repeat", plan.rounds, "Graphs timed [20]")
      ->check(whole_number(1))
      ->type_name("R");
  attention->footer(help);
  attention->callback([&options] { options.chosen = true; });
}

}  // namespace

void define_bench_attention(CLI::App& app, BenchAttentionOptions& options) {
  define(app.add_subcommand("attention", "Time decode attention over packed pages on a GPU"),
         options, "tq:b=4 e8:q=7; pre-rope: klt:bits=3,lattice=z,pages=tiles,page=128",
         "KV heads x query heads x head_dim; several with commas [8x32x128]", kHelp);
}

void define_bench_step(CLI::App& app, BenchAttentionOptions& options) {
  options.step = true;
  define(app.add_subcommand("step", "Time what the cache costs a model's decoding step on a GPU"),
         options, "tq:b=4 e8:q=7 klt:bits=3,lattice=z,pages=tiles,page=128; pre-rope: the last",
         "Layers x KV heads x query heads x head_dim; several with commas [five models']",
         kStepHelp);
}

namespace {

// Heads of a dump, those of one layer after another, as many as the largest shape wants.
BenchCaches caches_of(const BenchAttentionOptions& options, const ProfileShelf& shelf) {
  const DumpReader dump(options.dump);
  const DumpHead& head = dump.head();
  if (head.tap != options.plan.tap) {
    throw InputError(fmt::format("--dump {}: tapped {}, expected {}, as --tap has it", options.dump,
                                 tap_name(head.tap), tap_name(options.plan.tap)));
  }
  std::size_t wanted = 0;
  for (const KvShape& shape : options.plan.shapes) {
    wanted = std::max(wanted, shape.heads());
    if (shape.head_dim != head.shape.head_dim) {
      throw InputError(fmt::format("--dump {}: head_dim {}, expected {}, as --shape {} has it",
                                   options.dump, head.shape.head_dim, shape.head_dim,
                                   shape_text(shape)));
    }
  }
  BenchCaches made;
  made.profiles = &shelf;
  const std::size_t dim = head.shape.dim(), heads = head.shape.heads();
  for (const Part part : {Part::key, Part::value}) {
    auto& all = part == Part::key ? made.keys : made.values;
    for (int layer = options.layer; all.size() < wanted; ++layer) {
      const std::size_t first = all.size(), here = std::min(heads, wanted - first);
      all.resize(first + here);
      for (int passage = 0; passage < head.passages; ++passage) {
        const std::vector<float> values = dump.part(passage, {layer, part, 0});
        for (std::size_t h = 0; h < here; ++h) {
          auto& of = all[first + h];
          of.site = {layer, part, static_cast<int>(h)};
          for (std::size_t at = h * dim; at < values.size(); at += heads * dim) {
            of.vectors.insert(of.vectors.end(), &values[at], &values[at] + dim);
          }
        }
      }
    }
  }
  return made;
}

}  // namespace

void run_bench_attention(BenchAttentionOptions options, const std::vector<std::string>& arguments,
                         bool json) {
  AttentionBenchPlan& plan = options.plan;
  plan.tap = parse_tap(options.tap);
  if (plan.codecs.empty() && plan.tap == TapPoint::pre_rope) {
    plan.codecs = {"klt:bits=3,lattice=z,pages=tiles,page=128"};
  } else if (plan.codecs.empty()) {
    plan.codecs = {"tq:b=4", "e8:q=7"};
    if (options.step) plan.codecs.push_back("klt:bits=3,lattice=z,pages=tiles,page=128");
  }
  if (options.shapes.empty() && options.step) {
    options.shapes = {"36x8x32x128", "28x2x12x128", "24x2x8x256", "40x2x32x128", "32x8x32x128"};
  } else if (options.shapes.empty()) {
    options.shapes = {"8x32x128"};
  }
  if (plan.batches.empty()) plan.batches = {1, 16};
  if (plan.tokens.empty()) plan.tokens = {8192, 32768, 131072};
  for (const std::string& text : options.shapes)
    plan.shapes.push_back(parse_shape(text, options.step));
  const ProfileShelf shelf = shelf_of(options.profiles);
  BenchCaches caches;
  if (!options.dump.empty()) {
    caches = caches_of(options, shelf);
    plan.caches = &caches;
  }
  const std::vector<AttentionBenchRow> rows = time_attention(plan);
  if (!json) return print_table(rows);
  Provenance provenance = make_provenance(arguments, 1);
  provenance.device = device_info().name;
  print_json(rows, provenance);
}

}  // namespace kakeya
