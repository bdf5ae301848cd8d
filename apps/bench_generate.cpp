// SPDX-License-Identifier: Apache-2.0
#include "bench_generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "generation_json.h"
#include "kakeya/codec/spec_pattern.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/device/device_memory.h"
#include "kakeya/generate/decode_speed.h"
#include "kakeya/measure/speed/copy_speed.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/parse_json.h"
#include "kakeya/store/profile_files.h"
#include "kakeya/store/provenance.h"
#include "model_options.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kGenerateFooter = R"(
For every --ctx and --batch a cache of each codec is prefilled with the beginning of --text, a part of it for each sequence,
and decodes --tokens more tokens a sequence, in --rounds turns that the codecs take one after another, so that a slow
moment of the machine hits all of them. The text itself follows, whatever the model says: all caches do the same work.

first token          prefill of all sequences (in chunks of --prefill-chunk) and their first step, in seconds
tokens/s             of all sequences together; the median turn
per CPU second       the same over the CPU time of all threads: what other programs on the machine do not disturb
live, peak           bytes that the cache has allocated, at the end and at most; of bf16: against as many tokens in bf16
process              resident memory of the process at its peak: model and the caches of all codecs side by side; after the first
                     context and batch also the 128 MiB of the copy
copy                 in the JSON: copy_gb_per_second, 10^9 bytes read and written a second by a copy within the memory in which the
                     caches live (on the host by --threads), after each context and batch; of_bf16: tokens/s, or the sequences of
                     --fit, over those of `identity` beside, null where it has none

With --device cuda codecs work on the host all the same: keys and values are copied there, and what is decoded is copied back.
With --cache-device cuda caches live on the GPU, keys after RoPE, and its attention reads their pages as they are packed: of tq with
b of 2 to 4, of d4 and e8 with q of 1 to 7, of fp8 with block of 64 or more, of klt with lattice=z,pages=tiles,page=128 and a profile
of keys after RoPE (kakeya-calibrate --tap post-rope). `identity` is bf16 there, over which LibTorch's fused attention goes (--dtype bf16).
With --packed-sums attention adds up what is packed (kakeya-generate --help), but of `identity`, which is beside; codecs that
cannot are refused. `identity` is bf16; it is measured first where --codec does not name it. --fit MB: the most sequences of --ctx tokens whose
live bytes stay below, found by prefilling and holding one more after another (at most --most), beside no model.
--out FILE is written after every context and batch; the same command goes on behind those that it has.

Examples:
  kakeya-bench generate --model nano --text tale.txt --ctx 128,512 --batch 1,4 --codec q8_0 e8:q=10
  kakeya-bench generate --model smollm2-135m --text wiki.txt --threads 1 --ctx 512,2048 --codec fp8 e8:q=10 klt:bits=3 \
    --profile mix.h5 --out bench.json
  kakeya-bench generate --model smollm2-135m --text wiki.txt --ctx 2048 --codec e8:q=10 --fit 200 --json
  kakeya-bench generate --model smollm2-135m --text wiki.txt --device cuda --cache-device cuda --dtype bf16 --ctx 2048 --batch 1,16 \
    --codec tq:b=4 e8:q=7 --out gpu.json
  kakeya-report generate bench.json --out report)";

std::vector<std::string> specs_of(const BenchGenerateOptions& options) {
  std::vector<std::string> specs = expand_specs(options.codecs);
  if (std::find(specs.begin(), specs.end(), "identity") == specs.end())
    specs.insert(specs.begin(), "identity");
  return specs;
}

// What must be the same for results to stand in one file.
Json plan_of(const BenchGenerateOptions& options, const LoadedModel& loaded,
             const std::string& text, const ProfileShelf& shelf) {
  int threads = options.options.threads;
  if (threads == 0) threads = machine_threads();
  Json plan = {{"model", loaded.facts.origin.model.name},
               {"model_sha256", loaded.facts.origin.model.sha256},
               {"text_sha256", sha256(std::as_bytes(std::span(text)))},
               {"device", describe_device(options.options.device)},
               {"dtype", options.options.dtype},
               {"threads", threads},
               {"tokens", options.tokens},
               {"rounds", options.rounds},
               {"prefill_chunk", options.prefill_chunk},
               {"codecs", specs_of(options)}};
  if (options.on_gpu) plan["cache_device"] = "cuda";
  if (options.packed_sums) plan["packed_sums"] = true;
  Json profiles = Json::array();
  for (const StoredProfile& profile : shelf.entries()) profiles.push_back(profile.profile->digest);
  plan["profiles"] = profiles;
  const CachePolicy policy = policy_of(options.policy);
  for (std::size_t i = 0; i < kPolicyNumbers; ++i) {
    const PolicyNumber& number = policy_numbers()[i];
    plan[std::string(number.name)] = policy.*number.value;
  }
  return plan;
}

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

// Of a copy within the memory in which the caches live.
double copy_speed(const BenchGenerateOptions& options) {
  if (!options.on_gpu) return memory_copy_gb_per_second(options.options.threads);
  const std::string& device = options.options.device;  // one GPU: several are refused
  const std::size_t number = device.find(':');
  const OnDevice there(number == std::string::npos ? 0 : std::stoi(device.substr(number + 1)));
  return device_copy_gb_per_second();
}

Json cell_of(const DecodeSpeed& speed, const std::string& device, double copy) {
  return {{"codec_k", speed.codecs.keys},
          {"codec_v", speed.codecs.values},
          {"context", speed.context},
          {"batch", speed.batch},
          {"tokens", speed.tokens},
          {"first_token_seconds", speed.first_token_seconds},
          {"tokens_per_second", speed.tokens_per_second()},
          {"tokens_per_cpu_second", speed.tokens_per_cpu_second()},
          {"live_bytes", speed.live.total()},
          {"live",
           {{"pages", speed.live.pages},
            {"sinks", speed.live.sinks},
            {"open", speed.live.open},
            {"skipped_layers", speed.live.skipped},
            {"tables", speed.live.tables}}},
          {"bf16_bytes", speed.live.bf16},
          {"peak_live_bytes", speed.peak_live},
          {"peak_process_bytes", speed.peak_process},
          {"device", device},
          {"copy_gb_per_second", copy},
          {"of_bf16", number_or_null(speed.of_bf16)}};
}

/// A run: what it works with, and what it has measured.
class GenerateBench {
 public:
  GenerateBench(const BenchGenerateOptions& options, const std::vector<std::string>& arguments)
      : options_(options),
        shelf_(shelf_of(options.profiles)),
        loaded_(load(options)),
        device_(describe_device(options.options.device, loaded_.model->facts().host)) {
    const std::string text = read_text_file(options.text);
    tokens_ = loaded_.tokenizer->encode(text);
    const Json plan = plan_of(options, loaded_, text, shelf_);
    if (!options.out.empty() && std::filesystem::exists(options.out)) {
      document_ = parse_ordered_json(read_text_file(options.out), options.out);
      generation_speeds(document_, options.out);
      if (Json(document_.at("plan")) != plan) {
        throw InputError(
            options.out +
            ": of another model, text, device, profile, policy or list of codecs: expected " +
            plan.dump());
      }
      return;
    }
    Provenance provenance = make_provenance(arguments, plan.at("threads").get<int>());
    provenance.device = device_;
    document_ = {{"plan", plan},
                 {"cells", Json::array()},
                 {"fits", Json::array()},
                 {"provenance", Json::parse(to_json(provenance))}};
  }

  void run() {
    for (const std::size_t context : options_.contexts) {
      if (options_.fit_mb) {
        fit(context);
        continue;
      }
      for (const std::size_t batch : options_.batches) time(context, batch);
    }
  }

  const Json& document() const { return document_; }

 private:
  static LoadedModel load(const BenchGenerateOptions& options) {
    const std::string path = resolve_model(options.model);
    if (options.packed_sums && !options.on_gpu) require_packed_sums(path, options.options);
    return load_for_sessions(path, options.options);
  }

  SessionRequest request_of(const std::string& spec, std::size_t batch, std::size_t tokens) const {
    SessionRequest request;
    request.codecs = CodecPair{spec, spec};
    request.policy = options_.policy;
    request.prefill_chunk = options_.prefill_chunk;
    request.on_gpu = options_.on_gpu;
    request.packed_sums = options_.packed_sums && spec != "identity";
    request.gpu_room = {batch, tokens};
    return request;
  }

  bool has(const char* rows, std::size_t context, const char* key, double value) const {
    return std::any_of(document_.at(rows).begin(), document_.at(rows).end(), [&](const Json& row) {
      return row.at("context") == context && row.at(key).get<double>() == value;
    });
  }

  void time(std::size_t context, std::size_t batch) {
    if (has("cells", context, "batch", static_cast<double>(batch))) return;
    DecodePlan plan;
    for (const std::string& spec : specs_of(options_)) {
      plan.caches.push_back(request_of(spec, batch, context + 1 + options_.tokens));
    }
    plan.context = context;
    plan.batch = batch;
    plan.tokens = options_.tokens;
    plan.rounds = options_.rounds;
    const std::size_t rounds = std::min(plan.rounds, plan.tokens);
    Progress progress(fmt::format("context {} batch {}", context, batch),
                      plan.caches.size() * (rounds + 1));
    const auto told = [&](const std::string& codec, std::size_t done) {
      progress.update(done, codec);
    };
    const auto speeds = time_decoding(loaded_, shelf_, plan, tokens_, told);
    const double copy = copy_speed(options_);
    for (const DecodeSpeed& speed : speeds)
      document_["cells"].push_back(cell_of(speed, device_, copy));
    save();
  }

  void fit(std::size_t context) {
    const double bytes = *options_.fit_mb * 1e6;
    if (has("fits", context, "limit_bytes", bytes)) return;
    std::vector<FittingBatch> fits;
    for (const std::string& spec : specs_of(options_)) {
      Progress progress(fmt::format("fit {}", spec), options_.most);
      fits.push_back(
          largest_batch(loaded_, shelf_, request_of(spec, 1, context), context,
                        static_cast<std::uint64_t>(bytes), options_.most, tokens_,
                        [&](const std::string&, std::size_t done) { progress.update(done); }));
    }
    const auto bf16 = std::find_if(fits.begin(), fits.end(), [](const FittingBatch& each) {
      return each.codecs == CodecPair{"identity", "identity"} && each.batch > 0;
    });
    const double copy = copy_speed(options_);
    for (const FittingBatch& fit : fits) {
      std::optional<double> of_bf16;
      if (bf16 != fits.end())
        of_bf16 = static_cast<double>(fit.batch) / static_cast<double>(bf16->batch);
      document_["fits"].push_back({{"codec_k", fit.codecs.keys},
                                   {"codec_v", fit.codecs.values},
                                   {"context", context},
                                   {"limit_bytes", bytes},
                                   {"batch", fit.batch},
                                   {"live_bytes", fit.live},
                                   {"device", device_},
                                   {"copy_gb_per_second", copy},
                                   {"of_bf16", number_or_null(of_bf16)}});
    }
    save();
  }

  void save() const {
    if (options_.out.empty()) return;
    const std::string text = document_.dump(1) + "\n";
    write_file(options_.out, text.data(), text.size());
  }

  const BenchGenerateOptions& options_;
  ProfileShelf shelf_;
  LoadedModel loaded_;
  std::string device_;
  std::vector<std::int32_t> tokens_;
  Json document_;
};

}  // namespace

void define_bench_generate(CLI::App& app, BenchGenerateOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "generate", "Time a model that decodes over packed caches, codec by codec");
  sub->fallthrough();
  add_model_option(*sub, options.model);
  sub->add_option("--text", options.text, "What the sequences are of, UTF-8")
      ->type_name("FILE")
      ->required();
  sub->add_option("--codec", options.codecs, "Codec specs; patterns as in kakeya-sweep [identity]")
      ->type_name("SPEC");
  sub->add_option("--profile", options.profiles, "Of kakeya-calibrate, for klt and kvtc")
      ->type_name("FILE");
  const auto numbers = [&](const char* name, std::vector<std::size_t>& to, const char* help) {
    sub->add_option(name, to, help)->delimiter(',')->check(whole_number(1))->type_name("N");
  };
  numbers("--ctx", options.contexts, "Tokens of a sequence before those timed; several [512]");
  numbers("--batch", options.batches, "Sequences; several with commas [1]");
  const auto number = [&](const char* name, std::size_t& to, const char* help) {
    sub->add_option(name, to, help)->check(whole_number(1))->type_name("N");
  };
  number("--tokens", options.tokens, "Tokens that each sequence decodes [32]");
  number("--rounds", options.rounds, "Turns that these are cut into [4]");
  number("--prefill-chunk", options.prefill_chunk, "Prompt tokens of a step [512]");
  sub->add_option("--fit", options.fit_mb, "Instead: the most sequences within so many 10^6 bytes")
      ->type_name("MB");
  number("--most", options.most, "Sequences that --fit tries at most [64]");
  add_policy_options(*sub, options.policy);
  add_model_options(*sub, options.options);
  add_cache_device_option(*sub, options.on_gpu);
  add_packed_sums_option(*sub, options.packed_sums);
  sub->add_option("--out", options.out, "The JSON document, after every context and batch")
      ->type_name("FILE");
  sub->footer(kGenerateFooter);
  sub->callback([&options] { options.chosen = true; });
}

void run_bench_generate(const BenchGenerateOptions& options,
                        const std::vector<std::string>& arguments, bool json) {
  if (options.fit_mb && !(std::isfinite(*options.fit_mb) && *options.fit_mb > 0)) {
    throw SpecError(fmt::format("--fit {}: expected a number above 0", *options.fit_mb));
  }
  GenerateBench bench(options, arguments);
  bench.run();
  if (json) {
    fmt::print("{}\n", bench.document().dump(1));
    return;
  }
  const GenerationSpeeds speeds = generation_speeds(bench.document(), options.out);
  for (const Table& table : {generation_table(speeds), fitting_table(speeds)}) {
    if (!table.rows.empty()) fmt::print("{}\n{}\n\n", to_markdown(table), table.note);
  }
  if (options.options.device != "cpu" && !options.on_gpu) {
    fmt::print("On the host: all codecs, decoding and coding of pages.\n");
  }
}

}  // namespace kakeya
