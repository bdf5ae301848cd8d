// SPDX-License-Identifier: Apache-2.0
// kakeya-needle: what a model finds in a long text, over packed caches, beside the bf16 one.
#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "kakeya/core/error.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/measure/plugins/load_plugins.h"
#include "kakeya/needle/grid.h"
#include "plugin_option.h"
#include "policy_options.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

constexpr const char* kHelpEnd = R"(
Kinds (RULER's): single              one number of one word
                 multi-key           numbers of four words, one of them asked for
                 multi-value         two numbers of one word, both asked for
                 variable-tracking   a number that goes through three variables: all of them
Words, numbers and the stretch of text are drawn by --seed, for every prompt others. A prompt has exactly the length asked
for, in tokens, question and template included; needles stand behind ends of sentences. It is a user's message in the
model's own chat template, or with --plain the text behind the BOS; the first words of the answer are given.

Each cell is one prefill in chunks into a packed cache, and then a step a token. Scored: answer_nll, nats a token of the right
answer, teacher-forced, paired with that over the bf16 cache (identity, measured first, always); and the published substring
rule: the share of the answers that stand in what the model goes on with, greedy. Where the bf16 cache's share, over
depths and samples of a kind and length, is below --solved, the model does not solve the task: said at the end, and kept apart in reports.

A page that a prompt does not fill stays bf16: give codecs with long pages (klt has 1024 tokens) shorter ones, klt:bits=3,page=64.
A codec of which the longest prompt fills no page is refused.

Results: DIR/samples.jsonl (a line a cell), DIR/failures.jsonl, DIR/provenance.json. Run the same command again to go on where a
stopped run was; more lengths, depths, kinds, samples and codecs may be added, other settings are refused. Then: kakeya-report needle DIR --out REPORT

JSON: out, total, already, finished, skipped, failed (cells), tasks (of each kind and length: task, length, substring, solved).

Examples:
  kakeya-needle --model smollm2-135m --text wiki.test.raw --lengths 512,1024 --codec e8:q=10 kivi:b=4 --out out/needle
  kakeya-needle --model smollm2-135m --text wiki.test.raw --kinds single --lengths 512 --depths 0,50,100 --samples 2 --out out/find
  kakeya-needle --model nano --plain --text data/text/01-tides.txt --lengths 256 --samples 1 --codec q4_0 --out out/nano)";

struct Flags {
  std::string model, out;
  NeedleConfig config;
  std::vector<std::string> plugins;
  PolicyFlags policy;
  std::string tap = "pre-rope";
  bool json = false, dry_run = false;
};

void define(CLI::App& app, Flags& flags) {
  NeedleConfig& config = flags.config;
  app.add_option(
         "--model", flags.model,
         "Hugging Face folder, .gguf file, short name (nano, nano-bias, smollm2-135m, gemma3-270m), or "
         "transformers:NAME, run by Python")
      ->type_name("M")
      ->required();
  app.add_option("--text", config.texts, "Files of the haystack, one behind the other")
      ->type_name("FILE")
      ->required();
  add_plugin_option(app, flags.plugins);
  app.add_option("--codec", config.codecs,
                 "Codecs of keys and values, patterns as in kakeya-sweep [identity alone]")
      ->type_name("SPEC");
  app.add_option("--profile", config.profiles, "Profiles of kakeya-calibrate for klt and kvtc")
      ->type_name("FILE");
  app.add_option("--kinds", config.kinds,
                 "single, multi-key, multi-value, variable-tracking, with commas [all]")
      ->delimiter(',')
      ->type_name("KIND");
  app.add_option("--lengths", config.lengths, "Tokens of a prompt, with commas [512,1024]")
      ->delimiter(',')
      ->check(whole_number(1))
      ->type_name("N");
  app.add_option("--depths", config.depths,
                 "Percent of the haystack before the needle, with commas [0,25,50,75,100]")
      ->delimiter(',')
      ->check(whole_number(0, 100))
      ->type_name("P");
  app.add_option("--samples", config.samples, "Draws of each kind [4]")
      ->check(whole_number(1))
      ->type_name("N");
  app.add_flag("--plain", config.plain, "No chat template: the prompt as text");
  add_policy_options(app, flags.policy);
  app.add_option("--tap", flags.tap, "Keys are kept pre-rope or post-rope [pre-rope]")
      ->type_name("POINT");
  app.add_option("--prefill-chunk", config.prefill_chunk, "Prompt tokens of a step [512]")
      ->check(whole_number(1))
      ->type_name("N");
  app.add_option(
         "--more-tokens", config.more_tokens,
         "Generated beyond as many tokens as the answer has, where it is not the answer [16]")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option("--solved", config.solved,
                 "Least share of answers that the bf16 cache's model gives of a task [0.8]")
      ->type_name("X");
  app.add_flag("--skip-unsolved", config.skip_unsolved,
               "Do not measure codecs where the bf16 cache's model does not solve the task");
  app.add_option(
         "--device", config.options.device,
         "cpu, cuda or cuda:N; cuda:0,cuda:1: a run of the layers on each; codecs work on the host [cpu]")
      ->type_name("DEVICE");
  app.add_option("--dtype", config.options.dtype, "fp32 or bf16: weights and activations [fp32]")
      ->type_name("TYPE");
  app.add_option("--threads", config.options.threads, "0: as many as the machine has [0]")
      ->check(whole_number(0, 4096))
      ->type_name("N");
  app.add_option("--seed", config.seed, "Of words, numbers and stretches of text [0]")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  app.add_option("--out", flags.out, "Folder of the results")->type_name("DIR");
  app.add_flag("--dry-run", flags.dry_run, "Show what would be measured, and stop");
  app.add_flag("--json", flags.json, "Print one JSON document");
  app.footer(kHelpEnd);
}

void print_plan(const NeedleRun& ready, const Flags& flags) {
  const NeedleConfig& config = flags.config;
  if (flags.json) {
    const nlohmann::json document = {{"cells", ready.cells()},   {"codecs", ready.codecs()},
                                     {"kinds", config.kinds},    {"lengths", config.lengths},
                                     {"depths", config.depths},  {"samples", config.samples},
                                     {"chat", ready.plan().chat}};
    fmt::print("{}\n", document.dump(2));
    return;
  }
  fmt::print("{} cells: {} kinds, {} lengths, {} depths, {} samples, {} codecs\n", ready.cells(),
             config.kinds.size(), config.lengths.size(), config.depths.size(), config.samples,
             ready.codecs().size());
  for (const std::string& codec : ready.codecs()) fmt::print("  {}\n", codec);
}

void print_outcome(const NeedleOutcome& outcome, const Flags& flags) {
  if (flags.json) {
    nlohmann::json tasks = nlohmann::json::array();
    for (const NeedleSolved& task : outcome.tasks) {
      tasks.push_back({{"task", task.task},
                       {"length", task.length},
                       {"substring", task.substring},
                       {"solved", task.solved}});
    }
    const nlohmann::json document = {{"out", flags.out},
                                     {"total", outcome.total},
                                     {"already", outcome.already},
                                     {"finished", outcome.finished},
                                     {"skipped", outcome.skipped},
                                     {"failed", outcome.failed.size()},
                                     {"tasks", tasks}};
    fmt::print("{}\n", document.dump(2));
    return;
  }
  for (const NeedleSolved& task : outcome.tasks) {
    fmt::print("{}, {} tokens: the bf16 cache's model gives {:.0f} % of the answers{}\n", task.task,
               task.length, 100 * task.substring, task.solved ? "" : ": not solved");
  }
  fmt::print("{} cells: {} were there, {} measured, {} skipped, {} failed: {}\n", outcome.total,
             outcome.already, outcome.finished, outcome.skipped, outcome.failed.size(), flags.out);
}

void run(Flags& flags, const std::vector<std::string>& arguments) {
  if (flags.out.empty() && !flags.dry_run) {
    throw SpecError("expected --out, the folder of the results");
  }
  std::vector<PluginRecord> plugins = load_plugins(flags.plugins);
  flags.config.model = resolve_model(flags.model);
  flags.config.policy = policy_of(flags.policy);
  flags.config.tap = parse_tap(flags.tap);
  NeedleRun ready(flags.config);
  if (flags.dry_run) return print_plan(ready, flags);
  const int threads = flags.config.options.threads;
  Provenance provenance = make_provenance(arguments, threads > 0 ? threads : machine_threads());
  provenance.device = describe_device(ready.plan().device, ready.model().host);
  provenance.profiles = ready.profile_records();
  provenance.plugins = std::move(plugins);
  hint_on_interrupt("needle", "run the same command to go on");
  NeedleOutcome outcome;
  {
    NeedleStore store(flags.out, ready.plan(), provenance, ready.cells());
    Progress progress("needle", ready.cells());
    outcome = ready.run(store, [&](const NeedleEvent& event) {
      progress.skip(event.already);
      progress.update(event.done, event.now);
    });
  }
  print_outcome(outcome, flags);
  if (!outcome.failed.empty()) {
    throw Error(fmt::format("{} of {} cells failed: see {}", outcome.failed.size(), outcome.total,
                            (std::filesystem::path(flags.out) / "failures.jsonl").string()));
  }
}

}  // namespace
}  // namespace kakeya

int main(int argc, char** argv) {
  kakeya::Flags flags;
  const std::vector<std::string> arguments(argv, argv + argc);
  return kakeya::run_program(
      argc, argv, "needle",
      "Hides needles in long texts and asks for them, over packed caches and the bf16 one.",
      [&](CLI::App& app) { kakeya::define(app, flags); }, [&] { kakeya::run(flags, arguments); });
}
