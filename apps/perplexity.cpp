// SPDX-License-Identifier: Apache-2.0
// kakeya-perplexity: how likely a model finds a text, token by token.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"
#include "kakeya/model/model.h"
#include "kakeya/model/tokenizer/tokenizer.h"
#include "kakeya/model/windows.h"
#include "kakeya/store/arrays.h"
#include "model_options.h"
#include "perplexity_coded.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

constexpr const char* kHelpEnd = R"(
Conventions: sliding   each token is scored once, given up to ctx tokens before it; the window moves on by --stride
                       (later windows have no BOS: a model that needs one, as Gemma does, is measured by `windows`)
             windows   windows of ctx tokens side by side, the second half of each scored, as llama.cpp does: a BOS
                       stands first in each where the tokenizer adds one, and a rest that fills no window is left out
             all       the same windows, but every token of each scored that has one before it: what a long context
                       does by position, which samples of --out keep (kakeya-report positions)

Without --ctx the text is one sequence, scored from its second token. A text is tokenized with what its tokenizer adds (a
BOS, say); --tokenize counts the text's own tokens, or with --special those too.

With --codec (or --codec-k, --codec-v; patterns as for kakeya-sweep) the text is scored with the cache coded inside the
forward, and beside it with an uncoded bf16 cache, window by window: likelihood, perplexity, KL divergence (uncoded ||
coded) and measured bits, each mean over scored tokens with a 95 % Student-t interval over windows. Several codecs share
the uncoded pass. Windows are then 2048 tokens long and move on by 512 [--ctx, --stride]. Memory does not grow with
ctx x vocabulary: a window's logits are made from its hidden states, at most 64 MiB of each pass at a time; of the uncoded
pass up to 256 MiB, and twice that of probabilities, are held on the CPU. On a GPU passes are compared there. Only a model in
a host, transformers:NAME, sends the logits of a window whole.
`identity` is measured too, on the first window (with --out on all), and must change nothing. --out DIR keeps every window
(kakeya-report reads it); the same command goes on where it was stopped. --first-window and --windows score a part of a
text: processes that take one part each, all with the same --ctx, share it out, and scripts/merge_samples.py joins their
folders. JSON of one codec: codec, nll_mean, perplexity, nll_reference_mean, kld_mean, kld_ci, bits_per_value,
bits_per_value_whole_cache ...; of several these stand in `codecs`, an array. --noise-floor measures, beside the codecs, the
other arithmetic and another attention with nothing coded (`controls`), what a different engine alone does; not decoding
token by token, which kakeya-sweep has.

Examples:
  kakeya-perplexity --model smollm2-135m --text wiki.test.raw --ctx 2048 --convention windows
  kakeya-perplexity --model smollm2-135m --text wiki.test.raw --codec 'ece8:bits={3,4},center=mean' q8_0 --sinks 4 --skip-edge-layers 0
  kakeya-perplexity --model gemma3-270m --text book.txt --ctx 32768 --convention all --codec e8:q=10 --out out/long
  kakeya-perplexity --model nano --tokens ids.json --per-token --json)";

struct Flags {
  std::string model, text, tokens, convention = "sliding", bos = "auto";
  std::optional<std::size_t> context, stride, first_window, windows;
  CodedFlags coded;
  bool tokenize = false, special = false, per_token = false, json = false;
  ModelOptions options;
};

void define(CLI::App& app, Flags& flags) {
  add_model_option(app, flags.model);
  app.add_option("--text", flags.text, "A text file, UTF-8")->type_name("FILE");
  app.add_option("--tokens", flags.tokens,
                 "Token ids instead: a JSON array, or an object with \"tokens\"")
      ->type_name("FILE");
  app.add_option("--ctx", flags.context, "Tokens a window [the whole text]")
      ->check(whole_number(1))
      ->type_name("N");
  app.add_option("--convention", flags.convention, "sliding, windows or all, see below [sliding]")
      ->check(CLI::IsMember({"sliding", "windows", "all"}))
      ->type_name("C");
  app.add_option("--stride", flags.stride, "By how many tokens a sliding window moves on [ctx / 2]")
      ->check(whole_number(1))
      ->type_name("S");
  app.add_option(
         "--first-window", flags.first_window,
         "The number of the first window that is scored: a part of a long text, see below [0]")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option("--windows", flags.windows, "How many windows are scored [all from the first on]")
      ->check(whole_number(1))
      ->type_name("N");
  app.add_option("--bos", flags.bos,
                 "First token of each window of `windows` and `all`: auto, none or an id [auto]")
      ->type_name("ID");
  app.add_flag("--per-token", flags.per_token, "Give the likelihood of every token (or every id)");
  app.add_flag("--tokenize", flags.tokenize, "Only tokenize the text; reads no weights");
  app.add_flag("--special", flags.special,
               "With --tokenize: add what the tokenizer puts around a text");
  add_model_options(app, flags.options);
  define_coded(app, flags.coded);
  app.add_flag("--json", flags.json, "Print one JSON document");
  app.footer(kHelpEnd);
}

std::vector<std::int32_t> encode_file(const Tokenizer& tokenizer, const std::string& path,
                                      bool special) {
  const std::vector<std::byte> bytes = read_file(path);
  Progress progress("tokenizing", bytes.size());
  return tokenizer.encode({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, special,
                          [&](std::size_t done) { progress.update(done); });
}

void tokenize(const Flags& flags) {
  if (flags.text.empty()) throw SpecError("--tokenize: expected --text");
  const auto tokenizer = load_tokenizer(resolve_model(flags.model));
  const std::vector<std::int32_t> ids = encode_file(*tokenizer, flags.text, flags.special);
  if (flags.json) {
    nlohmann::json document = {{"tokens", ids.size()}, {"tokenizer", tokenizer->describe()}};
    if (flags.per_token) document["ids"] = ids;
    fmt::print("{}\n", document.dump());
    return;
  }
  fmt::print("{} tokens ({})\n", ids.size(), tokenizer->describe());
  if (flags.per_token) {
    for (const std::int32_t id : ids) fmt::print("{}\n", id);
  }
}

std::int32_t parse_id(const std::string& text) {
  std::int32_t id = -1;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || rest != text.data() + text.size() || id < 0) {
    throw SpecError("bos " + text + ": expected auto, none or a token id");
  }
  return id;
}

/// Refuses ids that the model has no row for, before any forward and by their place in the file.
void check_tokens(const std::vector<std::int32_t>& tokens, int vocab) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] < 0 || tokens[i] >= vocab) {
      throw InputError(fmt::format("token {} is {}, expected 0 to {}", i, tokens[i], vocab - 1));
    }
  }
}

/// What is wrong with a text or its tokens, said with the name of the file.
template <typename Work>
auto of_file(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

bool side_by_side(const Flags& flags) { return flags.convention != "sliding"; }

/// What --ctx says or, with a codec, would say.
std::optional<std::size_t> context_of(const Flags& flags) {
  if (flags.coded.asked() && !flags.context) return kCodedContext;
  return flags.context;
}

/// Leaves of a text's windows those that --first-window and --windows ask for.
ScoringTask part_of(ScoringTask task, const Flags& flags) {
  const std::size_t count = task.windows.size(), first = flags.first_window.value_or(0);
  const std::size_t most = first < count ? count - first : 0, taken = flags.windows.value_or(most);
  if (most == 0) {
    throw InputError(fmt::format("first-window {}: expected at most {}, the text has {} windows",
                                 first, count - 1, count));
  }
  if (taken > most) {
    throw InputError(fmt::format("windows {}: expected at most {}, the text has {} windows{}",
                                 taken, most, count,
                                 first > 0 ? fmt::format(" and {} come before", first) : ""));
  }
  const auto begin = task.windows.begin() + static_cast<std::ptrdiff_t>(first);
  task.windows = {begin, begin + static_cast<std::ptrdiff_t>(taken)};
  task.first_window = first;
  return task;
}

ScoringTask whole_plan(const Flags& flags, const std::string& model_path, const ModelFacts& facts) {
  const std::string& file = flags.text.empty() ? flags.tokens : flags.text;
  ScoringTask task;
  const bool fixed = side_by_side(flags);
  std::unique_ptr<Tokenizer> tokenizer;
  if (!flags.text.empty() || (fixed && flags.bos == "auto")) tokenizer = load_tokenizer(model_path);
  task.tokens = flags.text.empty() ? read_token_file(flags.tokens)
                                   : encode_file(*tokenizer, flags.text, true);
  const std::size_t count = task.tokens.size(), most = static_cast<std::size_t>(facts.context);
  of_file(file, [&] { check_tokens(task.tokens, facts.vocab); });
  const std::optional<std::size_t> context = context_of(flags);
  if (!context && count > most) {
    throw InputError(fmt::format(
        "{}: {} tokens, the model's context is {}: give --ctx, at most that", file, count, most));
  }
  task.context = context.value_or(std::max<std::size_t>(2, count));
  if (task.context > most) {
    throw InputError(
        fmt::format("ctx {}: expected at most {}, the model's context", task.context, most));
  }
  if (fixed) {
    const bool all = flags.convention == "all";
    task.windows = of_file(file, [&] {
      return all ? whole_windows(count, task.context) : fixed_windows(count, task.context);
    });
    if (flags.bos == "auto") {
      task.bos = bos_of(*tokenizer);
    } else if (flags.bos != "none") {
      task.bos = parse_id(flags.bos);
    }
    return task;
  }
  task.stride = flags.stride.value_or(flags.coded.asked() && !flags.context
                                          ? kCodedStride
                                          : std::max<std::size_t>(1, task.context / 2));
  task.windows = of_file(file, [&] { return sliding_windows(count, task.context, task.stride); });
  return task;
}

ScoringTask plan(const Flags& flags, const std::string& model_path, const ModelFacts& facts) {
  return part_of(whole_plan(flags, model_path, facts), flags);
}

void check(const Flags& flags) {
  if (flags.text.empty() == flags.tokens.empty())
    throw SpecError("expected either --text or --tokens");
  if (flags.special && !flags.tokenize)
    throw SpecError("--special: only --tokenize has a use for it");
  if (flags.tokenize && (flags.first_window || flags.windows))
    throw SpecError("--first-window, --windows: --tokenize has no use for them");
  refuse_useless(flags.coded, flags.tokenize);
  const bool fixed = side_by_side(flags);
  if (fixed && !context_of(flags))
    throw SpecError("--convention " + flags.convention +
                    ": expected --ctx, the tokens of a window");
  if (fixed && flags.stride)
    throw SpecError("--stride: windows lie side by side, only sliding ones have a stride");
  if (!fixed && flags.bos != "auto")
    throw SpecError("--bos: only --convention windows and all have a use for it");
  if (!fixed && flags.stride && !context_of(flags))
    throw SpecError("--stride: expected --ctx beside it");
}

WindowScores score(Model& model, const ScoringTask& task) {
  Progress progress("scoring", task.tokens.size());
  return score_windows(model, task.tokens, task.windows, task.bos,
                       [&](const Window& next, const WindowScores& so_far) {
                         progress.update(next.begin, so_far.scored == 0
                                                         ? std::string()
                                                         : fmt::format("perplexity {:.4f}",
                                                                       std::exp(so_far.mean())));
                       });
}

void print(const Flags& flags, const Model& model, const ScoringTask& task,
           const WindowScores& scores, double load_seconds) {
  const double mean = scores.mean();
  const double speed = static_cast<double>(scores.forwarded) / scores.seconds;
  const ModelFacts& facts = model.facts();
  if (flags.json) {
    nlohmann::json document = {{"model", facts.name},
                               {"architecture", facts.architecture},
                               {"weights", facts.weight_types},
                               {"device", flags.options.device},
                               {"dtype", flags.options.dtype},
                               {"convention", flags.convention},
                               {"ctx", task.context},
                               {"windows", task.windows.size()},
                               {"tokens", task.tokens.size()},
                               {"scored", scores.scored},
                               {"nll_mean", mean},
                               {"perplexity", std::exp(mean)},
                               {"tokens_per_second", speed},
                               {"seconds", scores.seconds},
                               {"load_seconds", load_seconds}};
    if (task.stride > 0) document["stride"] = task.stride;
    if (task.bos) document["bos"] = *task.bos;
    if (task.first_window > 0) document["first_window"] = task.first_window;
    if (flags.per_token) document["nll"] = scores.nll;  // NaN is written as null
    fmt::print("{}\n", document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  fmt::print("model       {} ({}; {})\n", facts.name, facts.architecture, facts.weight_types);
  fmt::print("tokens      {}, {} scored in {} {} of {}\n", task.tokens.size(), scores.scored,
             task.windows.size(), task.windows.size() == 1 ? "window" : "windows", task.context);
  fmt::print("nll         {:.6f} nats a token\n", mean);
  fmt::print("perplexity  {:.4f}\n", std::exp(mean));
  fmt::print("speed       {:.0f} tokens/s ({:.1f} s; loading {:.1f} s)\n", speed, scores.seconds,
             load_seconds);
  if (!flags.per_token) return;
  fmt::print("\nposition  token  nll\n");
  for (std::size_t i = 0; i < scores.nll.size(); ++i) {
    if (!std::isnan(scores.nll[i]))
      fmt::print("{}  {}  {:.6f}\n", i + 1, task.tokens[i + 1], scores.nll[i]);
  }
}

void run_coded(const Flags& flags, const std::vector<std::string>& arguments) {
  CodedRun run = prepare_coded(flags.coded, flags.options, flags.model);
  const std::string path = run.model_path = resolve_model(flags.model);
  run.model = load_model(path, run.options);
  const std::string& file = flags.text.empty() ? flags.tokens : flags.text;
  const ScoringTask task = plan(flags, path, run.model->facts());
  score_coded({flags.convention, file, flags.text.empty(), flags.per_token, flags.json},
              flags.coded, run, task, arguments);
}

void run(const Flags& flags, const std::vector<std::string>& arguments) {
  check(flags);
  if (flags.tokenize) return tokenize(flags);
  if (flags.coded.asked()) return run_coded(flags, arguments);
  const std::string path = resolve_model(flags.model);
  const auto start = Clock::now();
  const std::unique_ptr<Model> model = load_model(path, flags.options);
  const double load_seconds = seconds_since(start);
  const ScoringTask task = plan(flags, path, model->facts());
  print(flags, *model, task, score(*model, task), load_seconds);
}

}  // namespace
}  // namespace kakeya

int main(int argc, char** argv) {
  kakeya::Flags flags;
  const std::vector<std::string> arguments(argv, argv + argc);
  return kakeya::run_program(
      argc, argv, "perplexity",
      "Measures how likely a model finds a text: per-token likelihoods and perplexity.",
      [&](CLI::App& app) { kakeya::define(app, flags); }, [&] { kakeya::run(flags, arguments); });
}
