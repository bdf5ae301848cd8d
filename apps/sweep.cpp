// SPDX-License-Identifier: Apache-2.0
// kakeya-sweep: every codec over every passage, with real bytes; results that a killed run keeps.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <tuple>

#include "cut_option.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/config.h"
#include "kakeya/measure/dump_sweep.h"
#include "kakeya/measure/model_sweep.h"
#include "kakeya/measure/passages.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/profile_files.h"
#include "program.h"
#include "progress.h"
#include "sweep_summary.h"

namespace kakeya {
namespace {

constexpr const char* kHelpEnd = R"(
Codecs: `kakeya-codec list` shows them. One --codec stands for keys and values together; --codec-k and --codec-v give
every pair of the two (one of them alone leaves the other part bf16). Patterns make grids (quote them):
  --codec 'e8:q={4,10,22,38}' 'tq:b=2..8' fp8     lists and ranges; 'e8:q=4..152..4' goes in steps of 4
A codec and a mode that exclude each other are refused before anything is measured, by --dry-run too.
`identity` (bf16 stored) is measured first on every passage and must change nothing; if it does, the sweep stops.

Modes: inforward   the codec inside the forward, in every coded layer
       snapshot    K and V of a clean pass, coded offline, replace those of a second pass
       prefix      only the context's cache is coded; the scored tokens keep their own K and V exact

Configuration: a JSON object whose keys are flags (ctx, eval, codec, codec_k, residual_window ...); an unknown key is an error. Flags
given beside --config replace what it says, codecs and modes as a whole. Files in it are relative to its own folder.

Results: DIR/samples.jsonl (one line a cell; its ledger_k and ledger_v say what K and V cost by every counting),
DIR/failures.jsonl, DIR/provenance.json. rel_mse_k and rel_mse_v are taken of decoded values before they are rounded to
bf16 for the model: taken of a decoded dump (kakeya-codec unpack), which is rounded, they come out a little different.
Run the same command again to go on where a stopped run was. Then: kakeya-report DIR --out REPORT

Examples:
  kakeya-sweep --model nano --text data/text --codec 'e8:q={10,38}' fp8 --ctx 1024 \
    --skip-edge-layers 1 --out out/nano
  kakeya-sweep --config configs/smollm2-135m.json --text wiki.test.raw --out out/smollm2
  kakeya-sweep --dump kv.h5 --codec 'd4:q=4..40..4' --out out/distortion)";

struct Flags {
  std::string config, out;
  SweepConfig sweep;
  bool json = false, dry_run = false;
};

void define(CLI::App& app, Flags& flags) {
  SweepConfig& sweep = flags.sweep;
  app.add_option("--config", flags.config, "Read the sweep from a JSON file (configs/*.json)")
      ->type_name("FILE");
  app.add_option("--model", sweep.model,
                 "Hugging Face folder, .gguf file or short name (nano, smollm2-135m, gemma3-270m)")
      ->type_name("M");
  app.add_option("--text", sweep.text,
                 "A text file, cut into passages, or a folder with a .txt file each")
      ->type_name("PATH");
  add_cut_option(app, sweep.cut);
  app.add_option("--tokenizer", sweep.tokenizer, "Where the model's own is not wanted")
      ->type_name("PATH");
  app.add_option("--dump", sweep.dump,
                 "Captured K and V, in place of --model and --text: distortion only")
      ->type_name("FILE");
  app.add_option("--codec", sweep.grid.both, "Codecs of keys and values together")
      ->type_name("SPEC");
  app.add_option("--codec-k", sweep.grid.keys, "Codecs of the keys")->type_name("SPEC");
  app.add_option("--codec-v", sweep.grid.values, "Codecs of the values")->type_name("SPEC");
  app.add_option("--mode", sweep.modes,
                 "inforward, snapshot, prefix, or several with commas [inforward]")
      ->type_name("MODE");
  app.add_option("--passages", sweep.passages, "How many; 0: all there are [8; all of a dump]")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option("--ctx", sweep.context, "Tokens before the scored ones [2048]")
      ->check(whole_number(1))
      ->type_name("N");
  app.add_option("--eval", sweep.scored, "Tokens scored in each passage [64]")
      ->check(whole_number(1))
      ->type_name("N");
  app.add_option("--skip-edge-layers,--boundary", sweep.boundary,
                 "First and last layers left bf16 [2]")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option("--sinks", sweep.sinks, "First tokens left bf16, their bytes counted [0]")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option("--residual-window,--recent", sweep.recent,
                 "Last tokens that a query sees as bf16, their bytes counted [0]")
      ->check(whole_number(0))
      ->type_name("N");
  app.add_option("--tap", sweep.tap, "Keys coded pre-rope or post-rope [pre-rope]")
      ->type_name("POINT");
  app.add_option("--profile", sweep.profiles,
                 "Profiles of kakeya-calibrate for klt and kvtc, which take the first of theirs "
                 "unless they name one")
      ->type_name("FILE");
  app.add_option("--device", sweep.device, "cpu, cuda or cuda:N [cpu]");
  app.add_option("--dtype", sweep.dtype, "fp32 or bf16: weights and activations [fp32]");
  app.add_option("--threads", sweep.threads, "0: as many as the machine has [0]")
      ->check(whole_number(0, 4096))
      ->type_name("N");
  app.add_option("--seed", sweep.seed, "Recorded; nothing here is random yet [0]")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N");
  app.add_option("--out", flags.out, "Folder of the results")->type_name("DIR");
  app.add_flag("--dry-run", flags.dry_run, "Show what would be measured, and stop");
  app.add_flag("--json", flags.json, "Print one JSON document");
  app.footer(kHelpEnd);
}

void check_numbers(const SweepConfig& sweep) {
  const std::tuple<const char*, std::optional<int>, int> numbers[] = {
      {"ctx", sweep.context, 1},       {"eval", sweep.scored, 1},
      {"passages", sweep.passages, 0}, {"skip-edge-layers", sweep.boundary, 0},
      {"sinks", sweep.sinks, 0},       {"residual-window", sweep.recent, 0},
      {"threads", sweep.threads, 0}};
  for (const auto& [name, number, lowest] : numbers) {
    if (number && *number < lowest) {
      throw SpecError(
          fmt::format("{} {}: expected a whole number of at least {}", name, *number, lowest));
    }
  }
}

void refuse_beside_dump(const SweepConfig& sweep) {
  const std::pair<const char*, bool> useless[] = {
      {"model", sweep.model.has_value()},   {"text", sweep.text.has_value()},
      {"cut", sweep.cut.has_value()},       {"tokenizer", sweep.tokenizer.has_value()},
      {"mode", !sweep.modes.empty()},       {"ctx", sweep.context.has_value()},
      {"eval", sweep.scored.has_value()},   {"tap", sweep.tap.has_value()},
      {"device", sweep.device.has_value()}, {"dtype", sweep.dtype.has_value()}};
  for (const auto& [name, given] : useless) {
    if (given)
      throw SpecError(std::string(name) +
                      ": not for a sweep over a dump, which takes codecs, passages, "
                      "skip-edge-layers, sinks, residual-window, threads and seed");
  }
}

std::string file_name(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path clean = fs::path(path).lexically_normal();
  return (clean.has_filename() ? clean : clean.parent_path()).filename().string();
}

/// A sweep made ready: what is measured, on what, and under which plan.
struct Ready {
  std::unique_ptr<WorkerPool> pool;
  std::unique_ptr<Model> model;
  std::vector<Passage> passages;
  std::unique_ptr<DumpReader> dump;
  std::unique_ptr<SweepSubject> subject;
  std::unique_ptr<ProfileShelf> profiles = std::make_unique<ProfileShelf>(read_profile_file);
  std::vector<GridCell> grid;
  SweepPlan plan;
};

void prepare_dump(Ready& ready, const SweepConfig& sweep, const CachePolicy& policy) {
  refuse_beside_dump(sweep);
  ready.dump = std::make_unique<DumpReader>(*sweep.dump);
  ready.subject = std::make_unique<DumpSubject>(*ready.dump, file_name(*sweep.dump),
                                                sweep.passages.value_or(0), policy, *ready.pool);
  const DumpHead& head = ready.dump->head();
  SweepPlan& plan = ready.plan;
  plan.origin = head.origin;
  plan.dtype = "stored " + head.storage;  // of what was captured; nothing here computes in it
  plan.device = "cpu";
  plan.shape = head.shape;
  plan.tap = head.tap;
  plan.context = head.tokens;
}

void prepare_model(Ready& ready, const SweepConfig& sweep, const CachePolicy& policy) {
  if (!sweep.model)
    throw SpecError("expected --model and --text, --dump, or a --config that names them");
  if (!sweep.text) throw SpecError("expected --text, a file or a folder of .txt files");
  ModelSubject::Settings settings;
  settings.modes =
      parse_modes(sweep.modes.empty() ? std::vector<std::string>{"inforward"} : sweep.modes);
  settings.context = static_cast<std::size_t>(sweep.context.value_or(2048));
  settings.scored = static_cast<std::size_t>(sweep.scored.value_or(64));
  settings.policy = policy;
  settings.tap = parse_tap(sweep.tap.value_or("pre-rope"));
  const ModelOptions options{sweep.device.value_or("cpu"), sweep.dtype.value_or("fp32"),
                             ready.pool->threads()};
  const std::string model_path = resolve_model(*sweep.model);
  const std::string tokenizer_path = sweep.tokenizer.value_or(model_path);
  const std::unique_ptr<Tokenizer> tokenizer = load_tokenizer(tokenizer_path);
  const Cut cut = parse_cut(sweep.cut);
  ready.passages = read_passages(
      *sweep.text, *tokenizer,
      {settings.context + settings.scored, static_cast<std::size_t>(sweep.passages.value_or(8)),
       cut, fmt::format("--ctx {} + --eval {}", settings.context, settings.scored)});
  ready.model = load_model(model_path, options);
  ready.subject =
      std::make_unique<ModelSubject>(*ready.model, ready.passages, settings, *ready.pool);
  const ModelFacts& facts = ready.model->facts();
  SweepPlan& plan = ready.plan;
  plan.origin.model = {facts.name, sha256_path(model_path)};
  plan.origin.text = {file_name(*sweep.text), sha256_path(*sweep.text)};
  plan.origin.tokenizer = {tokenizer->describe(),
                           tokenizer_digest(tokenizer_path, model_path, plan.origin.model.sha256)};
  plan.origin.architecture = facts.architecture;
  plan.windows = facts.windows;
  plan.dtype = options.dtype;
  plan.device = options.device;
  if (!std::filesystem::is_directory(*sweep.text)) plan.cut = cut_name(cut);
  plan.shape = facts.shape;
  plan.tap = settings.tap;
  plan.context = static_cast<int>(settings.context);
  plan.scored = static_cast<int>(settings.scored);
}

Ready prepare(const SweepConfig& sweep) {
  check_numbers(sweep);
  const std::vector<CodecPair> pairs =
      expand_grid(sweep.grid);  // refuses bad specs before any work
  Ready ready;
  ready.pool = std::make_unique<WorkerPool>(sweep.threads.value_or(0));
  CachePolicy policy;
  policy.boundary = sweep.boundary.value_or(2);
  policy.sinks = sweep.sinks.value_or(0);
  policy.recent = sweep.recent.value_or(0);
  sweep.dump ? prepare_dump(ready, sweep, policy) : prepare_model(ready, sweep, policy);
  ready.plan.boundary = policy.boundary;
  ready.plan.sinks = policy.sinks;
  ready.plan.recent = policy.recent;
  ready.plan.seed = sweep.seed.value_or(0);
  for (const std::string& file : sweep.profiles) ready.profiles->add(file);
  const SweepPlan& plan = ready.plan;
  ready.grid = build_grid(pairs, {plan.shape, plan.boundary, ready.profiles.get()});
  for (const GridCell& cell : ready.grid) ready.subject->check(cell);
  ready.profiles->require_model(plan.origin.model, plan.tap);
  return ready;
}

/// Whether the first passages, cut to as many tokens as a calibration took of each, are those it
/// took.
bool were_seen(const std::vector<Passage>& passages, const ProfileHead& profile) {
  const auto count = static_cast<std::size_t>(profile.passages),
             context = static_cast<std::size_t>(profile.context);
  if (passages.size() < count) return false;
  std::vector<std::int32_t> tokens;
  for (std::size_t p = 0; p < count; ++p) {
    const std::vector<std::int32_t>& each = passages[p].tokens;
    if (each.size() < context) return false;
    tokens.insert(tokens.end(), each.begin(), each.begin() + static_cast<std::ptrdiff_t>(context));
  }
  return sha256(std::as_bytes(std::span(tokens))) == profile.tokens_sha256;
}

/// A calibrated codec looks better than it is on the text that it was calibrated on.
void warn_of_seen_text(const Ready& ready) {
  for (const ProfileShelf::Entry& entry : ready.profiles->entries()) {
    const ProfileHead& profile = *entry.profile;
    if (profile.origin.text.sha256 != ready.plan.origin.text.sha256 &&
        !were_seen(ready.passages, profile)) {
      continue;
    }
    fmt::print(stderr,
               "kakeya-sweep: warning: {}: calibrated on the text that is measured here ({}): its "
               "codecs look better than they are\n",
               entry.path, ready.plan.origin.text.name);
  }
}

void run(const Flags& flags, const std::vector<std::string>& arguments) {
  SweepConfig sweep = flags.sweep;
  if (!flags.config.empty()) sweep = override_config(read_sweep_config(flags.config), flags.sweep);
  if (sweep.text) refuse_useless_cut(flags.sweep.cut, {&*sweep.text, 1});
  if (flags.out.empty() && !flags.dry_run)
    throw SpecError("expected --out, the folder of the results");
  const Ready ready = prepare(sweep);
  warn_of_seen_text(ready);
  if (flags.dry_run) {
    print_plan(ready.plan, ready.grid, ready.subject->modes(), ready.subject->passages(),
               flags.json);
    return;
  }
  Provenance provenance = make_provenance(arguments, ready.pool->threads());
  for (const ProfileShelf::Entry& entry : ready.profiles->entries()) {
    const ProfileHead& profile = *entry.profile;
    // What the hungriest codec of the sweep needs of it.
    std::size_t bytes = 0;
    for (const GridCell& cell : ready.grid) {
      if (cell.specs.keys.find(profile.short_digest()) == std::string::npos) continue;
      bytes = std::max(bytes, cell.profile_bytes());
    }
    provenance.profiles.push_back({profile.digest, profile.origin.text.name,
                                   profile.origin.text.sha256, profile.passages, profile.context,
                                   profile.sinks, bytes});
  }
  provenance.device = describe_device(ready.plan.device);
  hint_on_interrupt("sweep", "run the same command to go on");
  SweepOutcome outcome;
  {
    const std::size_t cells = ready.grid.size() * ready.subject->modes().size() *
                              static_cast<std::size_t>(ready.subject->passages());
    ResultStore store(flags.out, ready.plan, provenance, cells);
    Progress progress("sweep", cells);
    outcome = run_sweep(*ready.subject, ready.grid, store, [&](const SweepEvent& event) {
      progress.skip(event.already);
      progress.update(event.done, event.now);
    });
  }
  print_summary(flags.out, outcome, read_results(flags.out), flags.json);
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
      argc, argv, "sweep",
      "Measures KV-cache codecs on a real model: rate, distortion, likelihoods, cell by cell.",
      [&](CLI::App& app) { kakeya::define(app, flags); }, [&] { kakeya::run(flags, arguments); });
}
