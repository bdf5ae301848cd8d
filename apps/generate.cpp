// SPDX-License-Identifier: Apache-2.0
// kakeya-generate: text from a model whose KV cache lives packed.
#include "kakeya/generate/generate.h"

#include <fmt/core.h>

#include <algorithm>
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
#include "kakeya/model/chat/chat_template.h"
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

A page is sealed as soon as a step fills it, before the step attends: under a codec that loses something, tokens depend
a little on --prefill-chunk. The prompt is taken as it is; with --chat it is a user's message in the model's own chat template.

--save-cache writes the cache and the last token, which is not in it yet; with --max-tokens 0 right after the prefill.
--load-cache goes on from there, in another process too: the same tokens as without stopping, where sampling is the
same. Codecs, policy and tap point are those of the file where no flag says otherwise; a calibrated codec needs its
--profile again. With --prompt that text follows what was saved. A file of another model, tokenizer, --dtype, tap point,
policy or codec (with its profile) is refused by name.

JSON: text, tokens (ids generated), prompt_tokens (saved ones too), ended (by the model's own end token), codec_k, codec_v,
prefill_seconds, time_to_first_token (s), tokens_per_second (both null where there is none), live_bytes, live (bytes by kind), bf16_bytes.

Examples:
  kakeya-generate --model smollm2-135m --chat --prompt 'What is the capital of France?' --system 'Be brief.'
  kakeya-generate --model smollm2-135m --prompt-file chapter.txt --codec ece8:bits=4,center=mean --sinks 4 --residual-window 64
  kakeya-generate --model smollm2-135m --prompt-file chapter.txt --max-tokens 0 --codec q8_0 --save-cache chapter.kkv
  kakeya-generate --model smollm2-135m --load-cache chapter.kkv --prompt ' In short,'
  kakeya-generate --model nano --prompt 'Once upon a time' --temperature 0.8 --top-p 0.95 --seed 7 --json)";

struct Flags {
  std::string model, system;
  std::optional<std::string> prompt, prompt_file;
  std::optional<std::string> codec, codec_k, codec_v, save, load;
  std::vector<std::string> profiles;
  PolicyFlags policy;
  std::optional<std::string> tap;
  std::optional<std::size_t> top_k;
  std::optional<double> top_p;
  std::optional<std::uint64_t> seed;
  GenerateRequest request;
  bool chat = false, ignore_end = false, json = false;
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
  app.add_flag("--chat", flags.chat, "The prompt is a user's message")->excludes("--load-cache");
  app.add_option("--system", flags.system, "Beside --chat, the system's message")->needs("--chat");
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

CodecPair codecs_of(const Flags& flags, const CacheFacts* saved) {
  if (flags.codec && (flags.codec_k || flags.codec_v)) {
    throw SpecError("--codec: expected it alone, or --codec-k and --codec-v");
  }
  const CodecPair other = saved ? saved->codecs : CodecPair{"identity", "identity"};
  if (flags.codec) return {*flags.codec, *flags.codec};
  const bool one = flags.codec_k || flags.codec_v;
  return {flags.codec_k.value_or(one ? "identity" : other.keys),
          flags.codec_v.value_or(one ? "identity" : other.values)};
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

CachePolicy policy_or_saved(const Flags& flags, const CacheFacts* saved) {
  CachePolicy policy = policy_of(flags.policy);
  for (std::size_t i = 0; saved != nullptr && i < kPolicyNumbers; ++i) {
    const auto number = policy_numbers()[i].value;
    if (!flags.policy[i]) policy.*number = saved->extent.policy.*number;
  }
  return policy;
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
CacheFacts facts_of(const Flags& flags, const CacheFacts* saved, const ModelFacts& model,
                    const std::string& path, const Tokenizer& tokenizer) {
  CacheFacts facts;
  facts.origin.model = {model.name, sha256_path(path)};
  facts.origin.architecture = model.architecture;
  facts.origin.tokenizer = tokenizer_source(tokenizer, path, path, facts.origin.model.sha256);
  const TapPoint tap = saved != nullptr ? saved->tap : TapPoint::pre_rope;
  facts.tap = flags.tap ? parse_tap(*flags.tap) : tap;
  facts.passage = "generated, " + flags.options.dtype;
  facts.rope_layout = model.rope_layout;
  facts.rope_base = model.rope_base;
  facts.seed = flags.request.sampling.seed;
  return facts;
}

/// A saved cache: the bytes of its file, and what they say.
struct Saved {
  std::vector<std::byte> file;
  SequenceHead head;
};

std::optional<Saved> read_saved(const Flags& flags) {
  if (!flags.load) return {};
  Saved saved{read_file(*flags.load), {}};
  try {
    saved.head = read_sequence_head(saved.file);
  } catch (const CorruptStream& error) {
    throw CorruptStream(*flags.load + ": " + error.what());
  }
  return saved;
}

nlohmann::json some(bool there, double value) {
  return there ? nlohmann::json(value) : nlohmann::json();
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
        prompt_(prompt_of(flags)),
        saved_(read_saved(flags)),
        path_(resolve_model(flags.model)),
        tokenizer_(load_tokenizer(path_)),
        shelf_(shelf_of(flags.profiles)),
        model_(load_model(path_, flags.options)),
        facts_(facts_of(flags, saved(), model_->facts(), path_, *tokenizer_)),
        packed_(make_cache()),
        cache_(packed_, facts_.tap) {
    saved_ ? load() : begin();
  }

  void run() {
    GenerateRequest request = flags_.request;
    request.sequence = sequence_;
    request.prompt = pending_;
    if (!flags_.ignore_end) request.end_tokens = end_tokens_of(path_);
    std::vector<std::int32_t> before = known_;
    before.insert(before.end(), pending_.begin(), pending_.end());
    TextStream stream(*tokenizer_, before);
    std::string text;
    const auto show = [&](const std::string& more) {
      text += more;
      if (flags_.json) return;
      fmt::print("{}", more);
      std::fflush(stdout);
    };
    Generated generated;
    const auto& ends = request.end_tokens;
    if (saved_ && pending_.size() == 1 && pending_.front() == saved_->head.next &&
        std::find(ends.begin(), ends.end(), pending_.front()) != ends.end()) {
      generated.ended = true;  // it had ended when it was saved
    } else {
      Progress progress("prefill", request.prompt.size());
      generated = generate(*model_, cache_, request,
                           {[&](std::size_t done, std::size_t) { progress.update(done); },
                            [&](std::int32_t token) { show(stream.add(token)); }});
    }
    show(stream.finish());
    if (flags_.save) save(request.prompt, generated);
    flags_.json ? print_json(generated, text) : print_end(generated);
  }

 private:
  const CacheFacts* saved() const { return saved_ ? &saved_->head.facts : nullptr; }

  PackedCache make_cache() {
    const ModelFacts& model = model_->facts();
    CachePolicy policy = policy_or_saved(flags_, saved());
    policy.layers = model.shape.layers;
    const CodecPair specs = codecs_of(flags_, saved());
    if (!flags_.profiles.empty() && !is_calibrated(specs.keys) && !is_calibrated(specs.values)) {
      throw SpecError("--profile: " + specs.label() + " has no use for it");
    }
    CacheCodecs codecs = make_cache_codecs(specs, {model.shape, policy.skipped_layers, &shelf_});
    shelf_.require_model(facts_.origin.model, facts_.tap);
    specs_ = codecs.canonical();
    return {model.shape, policy, std::move(codecs), windows()};
  }

  // What a saved cache kept of its windows' past bounds the steps that can go on with it.
  std::vector<std::size_t> windows() const {
    const std::size_t chunk = flags_.request.prefill_chunk;
    std::vector<std::size_t> windows = step_windows(model_->facts(), chunk);
    if (!saved_ || windows.empty()) return windows;
    const std::vector<std::size_t>& kept = saved_->head.windows;
    if (kept.size() != windows.size()) return windows;  // of another shape: refused by name
    for (std::size_t layer = 0; layer < windows.size(); ++layer) {
      if ((kept[layer] == 0) != (windows[layer] == 0) || kept[layer] >= windows[layer]) continue;
      const std::size_t least = windows[layer] - chunk;
      throw InputError(fmt::format(
          "{}: layer {} keeps {} tokens: --prefill-chunk {}, expected at most {}", *flags_.load,
          layer, kept[layer], chunk, kept[layer] > least ? kept[layer] - least : 0));
    }
    return kept;
  }

  void begin() {
    sequence_ = packed_.add_sequence();
    pending_ = flags_.chat ? chat_prompt(path_, *tokenizer_, flags_.system, prompt_)
                           : tokenizer_->encode(prompt_);
    if (pending_.empty()) throw InputError("an empty prompt: expected at least one token");
  }

  void load() {
    try {
      if (saved()->passage != facts_.passage) {
        throw InputError("saved sequence: of passage \"" + saved()->passage + "\", expected \"" +
                         facts_.passage + "\" (--dtype)");
      }
      sequence_ = restore_sequence(packed_, saved_->file, facts_);
    } catch (const CorruptStream& error) {
      throw CorruptStream(*flags_.load + ": " + error.what());
    } catch (const InputError& error) {
      throw InputError(*flags_.load + ": " + error.what());
    }
    known_ = saved_->head.token_ids;
    if (saved_->head.next) pending_.push_back(*saved_->head.next);
    const std::vector<std::int32_t> more = tokenizer_->encode(prompt_, false);
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
    const nlohmann::json document = {
        {"text", text},
        {"tokens", generated.tokens},
        {"prompt_tokens", prompt_tokens()},
        {"ended", generated.ended},
        {"codec_k", specs_.keys},
        {"codec_v", specs_.values},
        {"prefill_seconds", generated.prefill_seconds},
        {"time_to_first_token", some(!generated.tokens.empty(), generated.first_token_seconds)},
        {"tokens_per_second", some(generated.decode_steps > 0, generated.tokens_per_second())},
        {"live_bytes", live.total()},
        {"live", document_of(live)},
        {"bf16_bytes", live.bf16}};
    fmt::print("{}\n", document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }

  void print_end(const Generated& generated) const {
    const LiveBytes live = packed_.live_bytes();
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
        generated.tokens.size(), prompt_tokens(), generated.ended ? ", ended by itself" : "", took,
        specs_.label(), static_cast<double>(live.total()) / 1e6,
        live.bf16 == 0 ? 0.0 : static_cast<double>(live.total()) / static_cast<double>(live.bf16));
  }

  const Flags& flags_;
  std::string prompt_;
  std::optional<Saved> saved_;
  std::string path_;
  std::unique_ptr<Tokenizer> tokenizer_;
  ProfileShelf shelf_;
  std::unique_ptr<Model> model_;
  CacheFacts facts_;
  CodecPair specs_;
  PackedCache packed_;
  PackedStepCache cache_;
  int sequence_ = 0;
  std::vector<std::int32_t> known_;    // in the cache
  std::vector<std::int32_t> pending_;  // to be given to it first
};

void run(Flags& flags) {
  flags.request.sampling = sampling_of(flags);
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
