// SPDX-License-Identifier: Apache-2.0
#include "perplexity_coded.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/codec_device.h"
#include "kakeya/measure/model_key_bias.h"
#include "kakeya/measure/plans/plan_cells.h"
#include "kakeya/measure/plugins/load_plugins.h"
#include "kakeya/measure/prepare_sweep.h"
#include "kakeya/measure/text_sweep.h"
#include "kakeya/model/tokenizer/tokenizer.h"
#include "kakeya/profile/token_windows.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/profile_files.h"
#include "perplexity_answer.h"
#include "plugin_option.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

using nlohmann::json;

/// The text's plan, as results of it are stored: windows are passages of which the last tokens are
/// scored.
SweepPlan plan_of(const CodedAnswer& answer, const CodedFlags& flags, const CodedRun& run,
                  const ScoringTask& task) {
  const ModelFacts& facts = run.model->facts();
  SweepPlan plan;
  plan.origin.model = model_source(*run.model, run.model_path);
  plan.origin.text = source_of(answer.file);
  plan.origin.architecture = facts.architecture;
  plan.origin.tokenizer = {"token ids of a file", ""};
  if (!answer.token_file) {
    plan.origin.tokenizer = tokenizer_source(*load_tokenizer(run.model_path), run.model_path,
                                             run.model_path, plan.origin.model.sha256);
  }
  plan.windows = facts.windows;
  plan.dtype = run.options.dtype;
  plan.device = run.options.device;
  plan.shape = facts.shape;
  plan.tap = parse_tap(flags.tap.value_or("pre-rope"));
  const std::size_t scored = task.stride > 0              ? task.stride
                             : answer.convention == "all" ? task.context - 1
                                                          : task.context / 2 - 1;
  plan.context = static_cast<int>(task.context - scored);
  plan.scored = static_cast<int>(scored);
  plan.scoring = answer.convention;
  if (task.stride > 0) plan.scoring += fmt::format(", stride {}", task.stride);
  if (task.bos) plan.scoring += fmt::format(", BOS {}", *task.bos);
  plan.policy = policy_of(flags.policy, flags.layers, facts.shape.layers);
  return plan;
}

/// Which windows share text with what each profile was calibrated on; says so on stderr.
std::vector<SharedText> shared_texts(const ProfileShelf& profiles, const SweepPlan& plan,
                                     const ScoredText& text) {
  std::vector<SharedText> found;
  for (const StoredProfile& stored : profiles.entries()) {
    const ProfileHead& of = *stored.profile;
    SharedText& shared = found.emplace_back();
    shared.path = stored.path;
    shared.whole = of.origin.text.sha256 == plan.origin.text.sha256;
    if (!of.token_windows.empty()) {
      const SeenTokens seen(of.token_windows);
      shared.passages.emplace();
      for (std::size_t window = 0; window < text.windows.size(); ++window) {
        if (seen.share(text.tokens_of(window))) shared.passages->push_back(text.passage_of(window));
      }
    }
    const std::size_t windows = shared.passages ? shared.passages->size() : 0;
    if (!shared.whole && windows == 0) continue;
    fmt::print(
        stderr,
        "kakeya-perplexity: warning: {}: calibrated on text of {} of the {} windows that are "
        "measured here ({}): its codecs look better than they are\n",
        stored.path, shared.whole ? text.windows.size() : windows, text.windows.size(),
        plan.origin.text.name);
  }
  return found;
}

/// What a control does to the windows of this run, as TextScore has it of a codec.
TextScore control_score(const ScoredText& text, const std::string& control,
                        const std::vector<ControlSample>& stored) {
  std::vector<Sample> samples(text.windows.size());
  for (const ControlSample& of : stored) {
    const std::size_t window = static_cast<std::size_t>(of.passage) - text.first_window;
    if (of.control != control || window >= samples.size()) continue;
    Sample& sample = samples[window];
    sample.nll_reference = of.nll_reference;
    sample.nll = of.nll;
    sample.kld_mean = of.kld_mean;
    sample.kld_max = of.kld_max;
    sample.top1 = of.top1;
  }
  TextScore score = score_of_text(text, samples);
  score.specs = {control, control};
  return score;
}

json document_of(const CodedAnswer& answer, const CodedRun& run, const ScoredText& text,
                 const ScoringTask& task, const SweepPlan& plan, std::size_t scored, double seconds,
                 const std::vector<TextScore>& scores) {
  const ModelFacts& facts = run.model->facts();
  json document = {{"model", facts.name},
                   {"architecture", facts.architecture},
                   {"weights", facts.weight_types},
                   {"device", run.options.device},
                   {"codec_device", run.places.device},
                   {"dtype", run.options.dtype},
                   {"convention", answer.convention},
                   {"ctx", task.context},
                   {"windows", text.windows.size()},
                   {"tokens", task.tokens.size()},
                   {"scored", scored},
                   {"tap", tap_name(plan.tap)},
                   {"nll_reference_mean", scores.front().nll_reference.mean},
                   {"perplexity_reference", std::exp(scores.front().nll_reference.mean)},
                   {"seconds", seconds}};
  for (const PolicyNumber& number : policy_numbers())
    document[number.name] = plan.policy.*number.value;
  if (!plan.policy.skipped.empty()) document["skip_layers"] = plan.policy.all_skipped().text();
  if (task.stride > 0) document["stride"] = task.stride;
  if (task.bos) document["bos"] = *task.bos;
  if (task.first_window > 0) document["first_window"] = task.first_window;
  json list = json::array();
  for (const TextScore& score : scores) list.push_back(score_json(score));
  if (list.size() == 1) document.update(list.front());
  document["codecs"] = std::move(list);
  return document;
}

/// Measures the controls that `store`, the folder `out`, lacks. Returns what each does to this run's windows.
std::vector<TextScore> measure_controls(const ScoredText& text, const TextSettings& settings,
                                        const CodedRun& run, ResultStore& store,
                                        const std::string& out) {
  const ControlPassages windows =
      control_windows(*run.model, run.options, text, settings, *run.pool);
  Progress progress("controls", windows.total());
  run_noise_floor(windows, run.model_path, run.options, store,
                  [&](std::size_t done, const std::string& now) { progress.update(done, now); });
  const std::vector<ControlSample> stored = read_results(out).controls;
  std::vector<TextScore> scores;
  for (const std::string& control : windows.controls)
    scores.push_back(control_score(text, control, stored));
  return scores;
}

/// NaN, and null in JSON, where a token was not scored: entry i is for token i + 1.
json token_array(const ScoredText& text, const std::vector<Sample>& samples,
                 std::vector<double> Sample::*array) {
  std::vector<double> tokens(text.tokens.size() - 1, std::nan(""));
  for (std::size_t window = 0; window < samples.size(); ++window) {
    const std::vector<double>& of = samples[window].*array;
    std::copy(of.begin(), of.end(),
              tokens.begin() + static_cast<std::ptrdiff_t>(text.windows[window].first_scored) - 1);
  }
  return tokens;
}

}  // namespace

void define_coded(CLI::App& app, CodedFlags& flags) {
  app.add_option("--codec", flags.grid.both,
                 "Code the cache inside the forward: codecs of keys and values together")
      ->type_name("SPEC");
  app.add_option("--codec-k", flags.grid.keys, "Codecs of the keys, each with each of --codec-v")
      ->type_name("SPEC");
  app.add_option("--codec-v", flags.grid.values, "Codecs of the values")->type_name("SPEC");
  app.add_option("--profile", flags.profiles, "Profiles of kakeya-calibrate for klt and kvtc")
      ->type_name("FILE");
  add_plugin_option(app, flags.plugins);
  app.add_option(
         "--plan", flags.plans,
         "plan.json: a codec for each layer, keys and values, head, beside those of --codec")
      ->type_name("FILE");
  add_policy_options(app, flags.policy);
  add_layer_options(app, flags.layers);
  app.add_option("--tap", flags.tap, "Keys coded pre-rope or post-rope [pre-rope]")
      ->type_name("POINT");
  app.add_option("--codec-device", flags.codec_device,
                 "Where codecs work: cpu; cuda, beside the model; auto, there, and on the "
                 "host those without a kernel [the model's]");
  app.add_flag("--noise-floor", flags.noise_floor,
               "Also measure every window, with nothing coded, in the other arithmetic (bf16 or "
               "fp32) and with another attention: what a KL divergence has to exceed; needs --out");
  app.add_option("--out", flags.out,
                 "Keep the result of every window in this folder, and go on from there")
      ->type_name("DIR");
}

void refuse_useless(const CodedFlags& flags, bool tokenize) {
  if (flags.asked()) {
    if (tokenize) throw SpecError("--codec: --tokenize has no use for it");
    if (flags.noise_floor && !flags.out)
      throw SpecError("--noise-floor: expected --out beside it, where its controls are kept");
    return;
  }
  const auto refuse = [](const std::string& name, bool given) {
    if (given)
      throw SpecError("--" + name + ": expected --codec, --codec-k or --codec-v beside it");
  };
  refuse("profile", !flags.profiles.empty());
  refuse("plugin", !flags.plugins.empty());
  for (std::size_t i = 0; i < kPolicyNumbers; ++i) {
    std::string name = policy_numbers()[i].name;
    std::replace(name.begin(), name.end(), '_', '-');
    refuse(name, flags.policy[i].has_value());
  }
  refuse("layers", flags.layers.only.has_value());
  refuse("skip-layers", flags.layers.skip.has_value());
  refuse("tap", flags.tap.has_value());
  refuse("codec-device", flags.codec_device.has_value());
  refuse("noise-floor", flags.noise_floor);
  refuse("out", flags.out.has_value());
}

CodedRun prepare_coded(const CodedFlags& flags, const ModelOptions& options,
                       const std::string& model) {
  CodedRun run;
  run.plugins = load_plugins(flags.plugins);
  const bool edges = flags.policy[kSkippedEdgeLayers].has_value();
  flags.layers.check(edges);
  if (flags.grid.empty() && (flags.layers.given() || edges)) {
    throw SpecError(
        "--plan: says itself which layers are coded: expected no --layers, "
        "--skip-layers or --skip-edge-layers beside it, or a codec that they are for");
  }
  GridRequest asked = flags.grid;
  asked.plans = read_plans(flags.plans);
  run.pairs = expand_grid(asked);
  parse_tap(flags.tap.value_or("pre-rope"));
  run.places = codec_places_of(flags.codec_device, options.device, model);
  run.pool = std::make_unique<WorkerPool>(options.threads);
  run.options = options;
  run.options.threads = run.pool->threads();
  return run;
}

void score_coded(const CodedAnswer& answer, const CodedFlags& flags, CodedRun& run,
                 const ScoringTask& task, const std::vector<std::string>& arguments) {
  const ScoredText text{task.tokens, task.windows, task.bos, task.first_window};
  PreparedSweep ready;  // as a sweep's: profiles, grid and what records say of them
  ready.plan = plan_of(answer, flags, run, task);
  ready.profiles = std::make_unique<ProfileShelf>(shelf_of(flags.profiles));
  const SweepPlan& plan = ready.plan;
  shelve_key_bias(*ready.profiles, run.pairs, run.model_path);
  CacheInput cache{plan.shape, plan.policy, ready.profiles.get()};
  cache.layer_devices = run.model->facts().layer_devices;
  ready.grid = build_grid(run.pairs, cache);
  if (run.places.device != "cpu") {
    use_codec_device(run.places.device);
    add_device_codecs(ready.grid, cache, run.places.host_too);
  }
  if (ready.grid.size() < 2)
    throw SpecError("--codec identity: expected a codec that is not the control alone");
  tell_host_codecs("perplexity", host_codecs(ready.grid));
  ready.profiles->require_model(plan.origin.model, plan.tap);
  ready.shared_texts = shared_texts(*ready.profiles, plan, text);
  std::unique_ptr<ResultStore> store;
  std::vector<Sample> stored;
  if (flags.out) {
    Provenance provenance = make_provenance(arguments, run.pool->threads());
    provenance.profiles = ready.profile_records();
    provenance.device = describe_device(plan.device, run.model->facts().host);
    if (plan.device != "cpu") provenance.codec_device = describe_device(run.places.device);
    provenance.host_codecs = host_codecs(ready.grid);
    provenance.plugins = run.plugins;
    provenance.plans = ready.plan_records();
    store = std::make_unique<ResultStore>(*flags.out, plan, provenance,
                                          ready.grid.size() * text.windows.size());
    stored = read_results(*flags.out).samples;
    hint_on_interrupt("perplexity", "run the same command to go on");
  }
  const TextSettings settings{plan.policy, plan.tap, run.places.device != "cpu", answer.per_token};
  const auto started = Clock::now();
  std::vector<std::vector<Sample>> samples;
  {
    Progress progress("scoring", text.windows.size() * ready.grid.size());
    samples = measure_text(*run.model, text, ready.grid, settings, *run.pool, store.get(), stored,
                           [&](const TextProgress& event) {
                             progress.skip(event.already);
                             progress.update(event.done, event.now);
                           });
  }
  std::vector<TextScore> controls;
  if (flags.noise_floor) controls = measure_controls(text, settings, run, *store, *flags.out);
  const double seconds = seconds_since(started);
  std::vector<TextScore> scores;
  for (const std::vector<Sample>& of : samples) scores.push_back(score_of_text(text, of));
  std::size_t scored = 0;
  for (std::size_t window = 0; window < text.windows.size(); ++window)
    scored += text.scored(window);
  if (!answer.json) {
    print_scores(run.model->facts(), text, task, scores, scored, seconds);
    print_controls(controls);
    return;
  }
  json document = document_of(answer, run, text, task, plan, scored, seconds, scores);
  if (answer.per_token) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      json& of = document["codecs"][i];
      of["nll"] = token_array(text, samples[i], &Sample::nll_tokens);
      of["kld"] = token_array(text, samples[i], &Sample::kld_tokens);
    }
    document["nll_reference"] = token_array(text, samples[0], &Sample::nll_reference_tokens);
    if (samples.size() == 1) document["nll"] = document["codecs"][0]["nll"];
  }
  if (flags.noise_floor) document["controls"] = controls_json(controls);
  fmt::print("{}\n", document.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace kakeya
