// SPDX-License-Identifier: Apache-2.0
// kakeya-generate: text from a model whose KV cache lives packed.
#include "kakeya/generate/generate.h"

#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "kakeya/cache/packed_cache.h"
#include "kakeya/cache/sequence_file.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/generate/packed_step_cache.h"
#include "kakeya/generate/text_stream.h"
#include "kakeya/model/tokenizer/end_tokens.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/profile_files.h"
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

--save-cache writes the cache and the last token, which is not in it yet; with --max-tokens 0 right after the prefill.
--load-cache goes on from there, in another process too: the same tokens as without stopping, where model, codecs,
policy and sampling are the same. With --prompt that text follows what was saved. A file of another model, tokenizer,
tap point, policy or codec (with its profile) is refused by name.

JSON: text, tokens (ids generated), prompt_tokens (saved ones too), ended (by the model's own end token), codec_k, codec_v,
time_to_first_token (s), tokens_per_second, live_bytes, live (bytes by kind), bf16_bytes.

Examples:
  kakeya-generate --model smollm2-135m --prompt 'The capital of France is' --max-tokens 40
  kakeya-generate --model smollm2-135m --prompt-file chapter.txt --codec ece8:bits=4,center=mean --sinks 4 --residual-window 64
  kakeya-generate --model smollm2-135m --prompt-file chapter.txt --max-tokens 0 --codec q8_0 --save-cache chapter.kkv
  kakeya-generate --model smollm2-135m --load-cache chapter.kkv --prompt ' In short,' --codec q8_0
  kakeya-generate --model nano --prompt 'Once upon a time' --temperature 0.8 --top-p 0.95 --seed 7 --json)";

struct Flags {
  std::string model;
  std::optional<std::string> prompt, prompt_file;
  std::optional<std::string> codec, codec_k, codec_v, save, load;
  std::vector<std::string> profiles;
  PolicyFlags policy;
  std::string tap = "pre-rope";
  GenerateRequest request;
  bool ignore_end = false, json = false;
  ModelOptions options;
};

void define(CLI::App& app, Flags& flags) {
  app.add_option("--model", flags.model,
                 "Hugging Face folder, .gguf file or short name (nano, smollm2-135m, gemma3-270m)")
      ->type_name("M")
      ->required();
  app.add_option("--prompt", flags.prompt, "What the text begins with")->type_name("TEXT");
  app.add_option("--prompt-file", flags.prompt_file, "The same, out of a file")->type_name("FILE");
  app.add_option("--load-cache", flags.load, "Go on from a saved cache")->type_name("FILE");
  app.add_option("--save-cache", flags.save, "Save the cache at the end")->type_name("FILE");
  app.add_option("--max-tokens", flags.request.max_tokens, "Tokens to generate [128]")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option("--prefill-chunk", flags.request.prefill_chunk, "Prompt tokens of a step [512]")
      ->check(whole_number(1))
      ->type_name("N");
  app.add_option("--codec", flags.codec, "Codec of keys and values")->type_name("SPEC");
  app.add_option("--codec-k", flags.codec_k, "Codec of the keys")->type_name("SPEC");
  app.add_option("--codec-v", flags.codec_v, "Codec of the values")->type_name("SPEC");
  app.add_option("--profile", flags.profiles, "Profiles of kakeya-calibrate for klt and kvtc")
      ->type_name("FILE");
  add_policy_options(app, flags.policy);
  app.add_option("--tap", flags.tap, "Keys are kept pre-rope or post-rope [pre-rope]")
      ->type_name("POINT");
  app.add_option("--temperature", flags.request.sampling.temperature,
                 "Logits are divided by it; 0: the likeliest token [0]")
      ->type_name("X");
  app.add_option("--top-k", flags.request.sampling.top_k, "Only the N likeliest tokens; 0: all [0]")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option("--top-p", flags.request.sampling.top_p,
                 "Only the fewest likeliest tokens of this probability together [1]")
      ->type_name("P");
  app.add_option("--seed", flags.request.sampling.seed, "Of what --temperature draws [0]")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  app.add_flag("--ignore-end", flags.ignore_end, "Go on after the model's own end token");
  app.add_option("--device", flags.options.device,
                 "cpu, cuda or cuda:N; codecs work on the host [cpu]")
      ->type_name("DEVICE");
  app.add_option("--dtype", flags.options.dtype, "fp32 or bf16: weights and activations [fp32]")
      ->type_name("TYPE");
  app.add_option("--threads", flags.options.threads, "0: as many as the machine has [0]")
      ->check(whole_number(0, 4096))
      ->type_name("N");
  app.add_flag("--json", flags.json, "Print one JSON document");
  app.footer(kHelpEnd);
}

CodecPair codecs_of(const Flags& flags) {
  if (flags.codec && (flags.codec_k || flags.codec_v)) {
    throw SpecError("--codec: expected it alone, or --codec-k and --codec-v");
  }
  const std::string both = flags.codec.value_or("identity");
  return {flags.codec_k.value_or(both), flags.codec_v.value_or(both)};
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

/// What a file says of the cache, and has to say to be restored.
CacheFacts facts_of(const Flags& flags, const ModelFacts& model, const std::string& path,
                    const Tokenizer& tokenizer) {
  CacheFacts facts;
  facts.origin.model = {model.name, sha256_path(path)};
  facts.origin.architecture = model.architecture;
  facts.origin.tokenizer = tokenizer_source(tokenizer, path, path, facts.origin.model.sha256);
  facts.tap = parse_tap(flags.tap);
  facts.rope_layout = model.rope_layout;
  facts.rope_base = model.rope_base;
  facts.seed = flags.request.sampling.seed;
  return facts;
}

nlohmann::json document_of(const LiveBytes& live) {
  return {{"pages", live.pages},
          {"sinks", live.sinks},
          {"open", live.open},
          {"skipped_layers", live.skipped},
          {"tables", live.tables}};
}

/// A model, its cache and one sequence of it.
class Session {
 public:
  explicit Session(const Flags& flags)
      : flags_(flags),
        path_(resolve_model(flags.model)),
        tokenizer_(load_tokenizer(path_)),
        model_(load_model(path_, flags.options)),
        facts_(facts_of(flags, model_->facts(), path_, *tokenizer_)),
        shelf_(shelf_of(flags.profiles)),
        packed_(make_cache()),
        cache_(packed_, facts_.tap) {
    flags_.load ? load() : begin();
  }

  void run() {
    GenerateRequest request = flags_.request;
    request.sequence = sequence_;
    request.prompt = pending_;
    if (!flags_.ignore_end) request.end_tokens = end_tokens_of(path_);
    TextStream stream(*tokenizer_);
    std::string text;
    const auto show = [&](const std::string& more) {
      text += more;
      if (flags_.json) return;
      fmt::print("{}", more);
      std::fflush(stdout);
    };
    Progress progress("prefill", request.prompt.size());
    const Generated generated =
        generate(*model_, cache_, request,
                 {[&](std::size_t done, std::size_t) { progress.update(done); },
                  [&](std::int32_t token) { show(stream.add(token)); }});
    show(stream.finish());
    if (flags_.save) save(request.prompt, generated);
    flags_.json ? print_json(generated, text) : print_end(generated);
  }

 private:
  PackedCache make_cache() {
    const ModelFacts& model = model_->facts();
    CachePolicy policy = policy_of(flags_.policy);
    policy.layers = model.shape.layers;
    CacheCodecs codecs =
        make_cache_codecs(codecs_of(flags_), {model.shape, policy.skipped_layers, &shelf_});
    shelf_.require_model(facts_.origin.model, facts_.tap);
    specs_ = codecs.canonical();
    return {model.shape, policy, std::move(codecs),
            step_windows(model, flags_.request.prefill_chunk)};
  }

  void begin() {
    sequence_ = packed_.add_sequence();
    pending_ = tokenizer_->encode(prompt_of(flags_));
    if (pending_.empty()) throw InputError("an empty prompt: expected at least one token");
  }

  void load() {
    const std::vector<std::byte> file = read_file(*flags_.load);
    try {
      const SequenceHead head = read_sequence_head(file);
      sequence_ = restore_sequence(packed_, file, facts_);
      known_ = head.token_ids;
      if (head.next) pending_.push_back(*head.next);
    } catch (const CorruptStream& error) {
      throw CorruptStream(*flags_.load + ": " + error.what());
    } catch (const InputError& error) {
      throw InputError(*flags_.load + ": " + error.what());
    }
    const std::vector<std::int32_t> more = tokenizer_->encode(prompt_of(flags_), false);
    pending_.insert(pending_.end(), more.begin(), more.end());
    if (pending_.empty()) {
      throw InputError(*flags_.load + ": has no token that comes next: expected --prompt");
    }
  }

  void save(const std::vector<std::int32_t>& prompt, const Generated& generated) {
    std::vector<std::int32_t> all = known_;
    all.insert(all.end(), prompt.begin(), prompt.end());
    all.insert(all.end(), generated.tokens.begin(), generated.tokens.end());
    const std::int32_t next = all.back();
    all.pop_back();
    const std::vector<std::byte> file =
        save_sequence(packed_, sequence_, facts_, std::move(all), next);
    write_file(*flags_.save, file.data(), file.size());
  }

  std::size_t prompt_tokens() const { return known_.size() + pending_.size(); }

  void print_json(const Generated& generated, const std::string& text) const {
    const LiveBytes live = packed_.live_bytes();
    const nlohmann::json document = {{"text", text},
                                     {"tokens", generated.tokens},
                                     {"prompt_tokens", prompt_tokens()},
                                     {"ended", generated.ended},
                                     {"codec_k", specs_.keys},
                                     {"codec_v", specs_.values},
                                     {"time_to_first_token", generated.first_token_seconds},
                                     {"tokens_per_second", generated.tokens_per_second()},
                                     {"live_bytes", live.total()},
                                     {"live", document_of(live)},
                                     {"bf16_bytes", live.bf16}};
    fmt::print("{}\n", document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }

  void print_end(const Generated& generated) const {
    const LiveBytes live = packed_.live_bytes();
    fmt::print("\n");
    fmt::print(
        stderr,
        "kakeya-generate: {} tokens behind {}; first after {:.2f} s, then {:.1f} tokens/s; "
        "{} ({}): {:.2f} MB live, {:.3f} of bf16\n",
        generated.tokens.size(), prompt_tokens(), generated.first_token_seconds,
        generated.tokens_per_second(), specs_.label(),
        generated.ended ? "ended by itself" : "stopped at --max-tokens",
        static_cast<double>(live.total()) / 1e6,
        live.bf16 == 0 ? 0.0 : static_cast<double>(live.total()) / static_cast<double>(live.bf16));
  }

  const Flags& flags_;
  std::string path_;
  std::unique_ptr<Tokenizer> tokenizer_;
  std::unique_ptr<Model> model_;
  CacheFacts facts_;
  ProfileShelf shelf_;
  CodecPair specs_;
  PackedCache packed_;
  PackedStepCache cache_;
  int sequence_ = 0;
  std::vector<std::int32_t> known_;    // in the cache
  std::vector<std::int32_t> pending_;  // to be given to it first
};

void run(const Flags& flags) {
  flags.request.sampling.check();
  Session(flags).run();
}

}  // namespace
}  // namespace kakeya

int main(int argc, char** argv) {
  kakeya::Flags flags;
  return kakeya::run_program(
      argc, argv, "generate", "Generates text from a model whose KV cache lives packed.",
      [&](CLI::App& app) { kakeya::define(app, flags); }, [&] { kakeya::run(flags); });
}
