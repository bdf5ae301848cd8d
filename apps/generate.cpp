// SPDX-License-Identifier: Apache-2.0
// kakeya-generate: text from a model whose KV cache lives packed.
#include <fmt/core.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/generate/session.h"
#include "kakeya/generate/text_stream.h"
#include "kakeya/measure/model_key_bias.h"
#include "kakeya/measure/plans/plan_cells.h"
#include "kakeya/measure/plugins/load_plugins.h"
#include "kakeya/model/chat/chat_template.h"
#include "kakeya/model/tokenizer/end_tokens.h"
#include "kakeya/store/npy_header.h"
#include "kakeya/store/profile_files.h"
#include "model_options.h"
#include "plugin_option.h"
#include "policy_options.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

constexpr const char* kHelpEnd = R"(
The prompt is prefilled in chunks, then every token is a step of the model over the cache. With --codec (or --codec-k,
--codec-v) the cache lives packed: sealed pages as the codec's bytes, the sinks, the residual window and the page that
is not full as bf16, and attention reads what decoding gives back. Without, all of it is bf16. Numbers on stderr at the
end: tokens a second, time to the first token, live bytes of the cache against bf16.

A page is sealed as soon as a step fills it, before the step attends: under a codec that loses something, tokens depend
a little on --prefill-chunk. The prompt is taken as it is; with --chat it is a user's message in the model's own chat template.

--save-cache writes the cache and the last token, which is not in it yet; with --max-tokens 0 right after the prefill.
--load-cache goes on from there, in another process too: the same tokens as without stopping, where sampling is the
same. Codecs, policy and tap point are those of the file where no flag says otherwise; a calibrated codec needs its
--profile again. With --prompt that text follows what was saved. A file of another model, tokenizer, --dtype, tap point,
policy or codec (with its profile) is refused by name.

With --device cuda codecs and caches are on the host, and what is decoded is copied to the GPU at every step; with
--cache-device cuda the cache lives on the GPU, keys after RoPE, and attention reads its pages as they are packed: of tq with b of 2
to 4, of d4 and e8 with q of 1 to 7, of fp8 with block of 64 or more, of klt with lattice=z,pages=tiles,page=128 and a profile of
keys after RoPE; without --codec bf16. Such a cache is neither saved nor loaded.

With --packed-sums a step of few tokens on a CPU adds values up as they are packed and transforms the sum, once a query and not once
a vector, and so products of keys that are kept --tap post-rope: of klt of heads, and of tq, d4 and e8 without pack=rans, center,
outliers and rule=published. Faster; sums are those of vectors that were not rounded to bf16, in another order, so that tokens may differ.

--save-logits writes the logits of every generated token, float32 [tokens, vocabulary]: two caches beside each other, to the last bit.

JSON: text, tokens (ids generated), prompt_tokens (saved ones too), ended (by the model's own end token), codec_k, codec_v,
prefill_seconds, time_to_first_token (s), tokens_per_second (both null where there is none), live_bytes, live (bytes by kind), bf16_bytes.

Examples:
  kakeya-generate --model smollm2-135m --chat --prompt 'What is the capital of France?' --system 'Be brief.'
  kakeya-generate --model smollm2-135m --prompt-file chapter.txt --codec ece8:bits=4,center=mean --sinks 4 --residual-window 64
  kakeya-generate --model smollm2-135m --prompt-file chapter.txt --max-tokens 0 --codec q8_0 --save-cache chapter.kkv
  kakeya-generate --model smollm2-135m --load-cache chapter.kkv --prompt ' In short,'
  kakeya-generate --model nano --prompt 'Once upon a time' --temperature 0.8 --top-p 0.95 --seed 7 --json)";

struct Flags {
  std::string model;
  std::optional<std::string> system, prompt, prompt_file;
  std::optional<std::string> codec, codec_k, codec_v, save, save_logits, load;
  std::vector<std::string> profiles, plugins;
  PolicyFlags policy;
  LayerChoice layers;
  std::optional<std::string> plan;
  std::optional<std::string> tap;
  std::optional<std::size_t> top_k;
  std::optional<double> top_p;
  std::optional<std::uint64_t> seed;
  GenerateRequest request;
  bool chat = false, ignore_end = false, json = false, on_gpu = false, packed_sums = false;
  ModelOptions options;
};

void define(CLI::App& app, Flags& flags) {
  add_model_option(app, flags.model);
  app.add_option("--prompt", flags.prompt, "What the text begins with")->type_name("TEXT");
  app.add_option("--prompt-file", flags.prompt_file, "The same, out of a file")->type_name("FILE");
  app.add_option("--load-cache", flags.load, "Go on from a saved cache")->type_name("FILE");
  app.add_flag("--chat", flags.chat, "The prompt is a user's message")->excludes("--load-cache");
  app.add_option("--system", flags.system, "Beside --chat, the system's message")->needs("--chat");
  app.add_option("--save-cache", flags.save, "Save the cache at the end")->type_name("FILE");
  app.add_option("--save-logits", flags.save_logits, "Save what each token was chosen of, as .npy")
      ->type_name("FILE");
  app.add_option("--max-tokens", flags.request.max_tokens, "Tokens to generate [128]")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option("--prefill-chunk", flags.request.prefill_chunk, "Prompt tokens of a step [512]")
      ->check(whole_number(1))
      ->type_name("N");
  add_plugin_option(app, flags.plugins);
  app.add_option("--codec", flags.codec, "Codec of keys and values")->type_name("SPEC");
  app.add_option("--codec-k", flags.codec_k, "Codec of the keys")->type_name("SPEC");
  app.add_option("--codec-v", flags.codec_v, "Codec of the values")->type_name("SPEC");
  app.add_option("--profile", flags.profiles, "Profiles of kakeya-calibrate for klt and kvtc")
      ->type_name("FILE");
  add_plan_option(app, flags.plan);
  add_policy_options(app, flags.policy);
  add_layer_options(app, flags.layers);
  app.add_option("--tap", flags.tap,
                 "Keys are kept pre-rope or post-rope [pre-rope; on a GPU post-rope]")
      ->type_name("POINT");
  app.add_option("--temperature", flags.request.sampling.temperature,
                 "Logits are divided by it; 0: the likeliest token [0]")
      ->type_name("X");
  app.add_option("--top-k", flags.top_k, "Only the N likeliest tokens; 0: all [0]")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option("--top-p", flags.top_p,
                 "Only the fewest likeliest tokens of this probability together [1]")
      ->type_name("P");
  app.add_option("--seed", flags.seed, "Of what --temperature draws [0]")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  app.add_flag("--ignore-end", flags.ignore_end, "Go on after the model's own end token");
  add_model_options(app, flags.options);
  add_cache_device_option(app, flags.on_gpu);
  add_packed_sums_option(app, flags.packed_sums);
  app.add_flag("--json", flags.json, "Print one JSON document");
  app.footer(kHelpEnd);
}

std::optional<CodecPair> codecs_of(const Flags& flags) {
  if (flags.plan) {
    if (flags.codec || flags.codec_k || flags.codec_v) {
      throw SpecError("--plan: expected it alone, without --codec, --codec-k and --codec-v");
    }
    const std::string text = read_plans({*flags.plan}).front();
    return CodecPair{text, text};
  }
  if (flags.codec && (flags.codec_k || flags.codec_v)) {
    throw SpecError("--codec: expected it alone, or --codec-k and --codec-v");
  }
  if (flags.codec) return CodecPair{*flags.codec, *flags.codec};
  if (!flags.codec_k && !flags.codec_v) return {};
  return CodecPair{flags.codec_k.value_or("identity"), flags.codec_v.value_or("identity")};
}

/// The sampling that is asked for. Throws SpecError on a flag that greedy has no use for.
Sampling sampling_of(const Flags& flags) {
  Sampling sampling = flags.request.sampling;
  const auto refuse = [&](const char* name, bool given) {
    if (given && sampling.temperature == 0) {
      throw SpecError(std::string(name) + ": expected --temperature above 0 beside it");
    }
  };
  refuse("--top-k", flags.top_k.has_value());
  refuse("--top-p", flags.top_p.has_value());
  refuse("--seed", flags.seed.has_value());
  sampling.top_k = flags.top_k.value_or(sampling.top_k);
  sampling.top_p = flags.top_p.value_or(sampling.top_p);
  sampling.seed = flags.seed.value_or(sampling.seed);
  sampling.check();
  return sampling;
}

std::string prompt_of(const Flags& flags) {
  if (flags.prompt && flags.prompt_file) {
    throw SpecError("--prompt-file: expected --prompt or --prompt-file, not both");
  }
  if (flags.prompt) return *flags.prompt;
  if (flags.prompt_file) return read_text_file(*flags.prompt_file);
  if (!flags.load) throw SpecError("expected --prompt, --prompt-file or --load-cache");
  return "";
}

nlohmann::json document_of(const LiveBytes& live) {
  return {{"pages", live.pages},
          {"sinks", live.sinks},
          {"open", live.open},
          {"skipped_layers", live.skipped},
          {"tables", live.tables}};
}

nlohmann::json some(bool there, double value) {
  return there ? nlohmann::json(value) : nlohmann::json();
}

/// What came of it, with the tokens that it began with.
struct Outcome {
  Generated generated;
  std::string text;
  std::size_t prompt_tokens = 0;
  std::vector<float> logits;  // of all tokens, where they are to be saved
};

/// The codecs as samples name them: a plan by its label.
CodecPair named(const CodecPair& codecs) {
  if (!is_plan(codecs.keys)) return codecs;
  const std::string label = plan_label(CodecPlan::parse(codecs.keys, "plan"));
  return {label, label};
}

void print_json(const Session& session, const Outcome& outcome) {
  const Generated& generated = outcome.generated;
  const LiveBytes live = session.live_bytes();
  const nlohmann::json document = {
      {"text", outcome.text},
      {"tokens", generated.tokens},
      {"prompt_tokens", outcome.prompt_tokens},
      {"ended", generated.ended},
      {"codec_k", named(session.codecs()).keys},
      {"codec_v", named(session.codecs()).values},
      {"prefill_seconds", generated.prefill_seconds},
      {"time_to_first_token", some(!generated.tokens.empty(), generated.first_token_seconds)},
      {"tokens_per_second", some(generated.decode_steps > 0, generated.tokens_per_second())},
      {"live_bytes", live.total()},
      {"live", document_of(live)},
      {"bf16_bytes", live.bf16}};
  fmt::print("{}\n", document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_end(const Session& session, const Outcome& outcome) {
  const Generated& generated = outcome.generated;
  const LiveBytes live = session.live_bytes();
  fmt::print("\n");
  std::string took = fmt::format("prefill {:.2f} s", generated.prefill_seconds);
  if (!generated.tokens.empty()) {
    took += fmt::format(", first token after {:.2f} s", generated.first_token_seconds);
  }
  if (generated.decode_steps > 0) {
    took += fmt::format(", then {:.1f} tokens/s", generated.tokens_per_second());
  }
  fmt::print(
      stderr, "kakeya-generate: {} tokens behind {}{}; {}; {}: {:.2f} MB live, {:.3f} of bf16\n",
      generated.tokens.size(), outcome.prompt_tokens, generated.ended ? ", ended by itself" : "",
      took, named(session.codecs()).label(), static_cast<double>(live.total()) / 1e6,
      live.bf16 == 0 ? 0.0 : static_cast<double>(live.total()) / static_cast<double>(live.bf16));
}

Outcome generate_text(const Flags& flags, const LoadedModel& loaded, Session& session) {
  GenerateRequest request = flags.request;
  if (!flags.ignore_end) request.end_tokens = end_tokens_of(loaded.path);
  std::vector<std::int32_t> before = session.known();
  before.insert(before.end(), session.pending().begin(), session.pending().end());
  Outcome outcome;
  outcome.prompt_tokens = before.size();
  TextStream stream(*loaded.tokenizer, before);
  const auto show = [&](const std::string& more) {
    outcome.text += more;
    if (flags.json) return;
    fmt::print("{}", more);
    std::fflush(stdout);
  };
  std::function<void(std::span<const float>)> keep;
  if (flags.save_logits) {
    keep = [&](std::span<const float> logits) {
      outcome.logits.insert(outcome.logits.end(), logits.begin(), logits.end());
    };
  }
  Progress progress("prefill", session.pending().size());
  outcome.generated =
      session.generate(request, {[&](std::size_t done, std::size_t) { progress.update(done); },
                                 [&](std::int32_t token) { show(stream.add(token)); }, keep});
  show(stream.finish());
  return outcome;
}

void write_logits(const std::string& path, const Outcome& outcome, int vocabulary) {
  std::string file =
      make_npy_header(outcome.generated.tokens.size(), static_cast<std::size_t>(vocabulary));
  file.append(reinterpret_cast<const char*>(outcome.logits.data()),
              outcome.logits.size() * sizeof(float));
  write_file(path, file.data(), file.size());
}

void run(Flags& flags) {
  load_plugins(flags.plugins);
  flags.request.sampling = sampling_of(flags);
  const std::string prompt = prompt_of(flags);
  SessionRequest asked;
  asked.codecs = codecs_of(flags);
  asked.policy = flags.policy;
  asked.layers = flags.layers;
  if (flags.tap) asked.tap = parse_tap(*flags.tap);
  asked.prefill_chunk = flags.request.prefill_chunk;
  asked.seed = flags.request.sampling.seed;
  asked.on_gpu = flags.on_gpu;
  asked.packed_sums = flags.packed_sums;
  if (flags.on_gpu && (flags.load || flags.save)) {
    throw SpecError("--cache-device cuda: expected it without --save-cache and --load-cache");
  }
  std::optional<SavedSequence> saved;
  if (flags.load) saved = read_saved_sequence(*flags.load);
  ProfileShelf shelf = shelf_of(flags.profiles);
  const std::string path = resolve_model(flags.model);
  if (flags.packed_sums && !flags.on_gpu) require_packed_sums(path, flags.options);
  LoadedModel loaded = load_for_sessions(path, flags.options);
  if (const auto specs = saved && !asked.codecs ? saved->head.facts.codecs : asked.codecs) {
    shelve_key_bias(shelf, std::span(&*specs, 1), loaded.path);
  }
  Session session(loaded, shelf, asked, saved ? &*saved : nullptr);
  if (saved) {
    session.restore(*saved, loaded.tokenizer->encode(prompt, false));
    saved->file = {};
  } else {
    session.begin(flags.chat ? chat_prompt(loaded.path, *loaded.tokenizer, flags.system, prompt)
                             : loaded.tokenizer->encode(prompt));
  }
  const Outcome outcome = generate_text(flags, loaded, session);
  if (flags.save) session.save(*flags.save);
  if (flags.save_logits) write_logits(*flags.save_logits, outcome, loaded.model->facts().vocab);
  flags.json ? print_json(session, outcome) : print_end(session, outcome);
}

}  // namespace
}  // namespace kakeya

int main(int argc, char** argv) {
  kakeya::Flags flags;
  return kakeya::run_program(
      argc, argv, "generate", "Generates text from a model whose KV cache lives packed.",
      [&](CLI::App& app) { kakeya::define(app, flags); }, [&] { kakeya::run(flags); });
}
