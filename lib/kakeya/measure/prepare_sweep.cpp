// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/prepare_sweep.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <tuple>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/measure/codec_device.h"
#include "kakeya/measure/dump_sweep.h"
#include "kakeya/measure/layer_study.h"
#include "kakeya/measure/model_key_bias.h"
#include "kakeya/measure/model_sweep.h"
#include "kakeya/measure/plans/plan_cells.h"
#include "kakeya/measure/plugins/load_plugins.h"
#include "kakeya/measure/replaced_subject.h"
#include "kakeya/measure/text_splits.h"
#include "kakeya/profile/token_windows.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/profile_files.h"
#include "kakeya/store/whole_cache.h"

namespace kakeya {
namespace {

void check_numbers(const SweepConfig& sweep) {
  const auto check = [](const std::string& name, std::optional<int> number, int lowest) {
    if (!number || *number >= lowest) return;
    throw SpecError(name + " " + std::to_string(*number) +
                    ": expected a whole number of at least " + std::to_string(lowest));
  };
  check("ctx", sweep.context, 1);
  check("eval", sweep.scored, 1);
  check("passages", sweep.passages, 0);
  check("first-passage", sweep.first_passage, 0);
  check("threads", sweep.threads, 0);
  for (std::size_t i = 0; i < kPolicyNumbers; ++i) {
    check(policy_numbers()[i].name, sweep.policy[i], 0);
  }
}

void check_split(const SweepConfig& sweep) {
  if (sweep.split && !is_split(*sweep.split))
    throw SpecError("split " + *sweep.split + ": expected " + std::string(kSplits));
}

void refuse_beside_dump(const SweepConfig& sweep) {
  const std::pair<const char*, bool> useless[] = {
      {"model", sweep.model.has_value()},
      {"text", sweep.text.has_value()},
      {"replace", sweep.replace.has_value()},
      {"claim-bits", sweep.claim_bits.has_value()},
      {"first-passage", sweep.first_passage.has_value()},
      {"splits", sweep.splits.has_value()},
      {"cut", sweep.cut.has_value()},
      {"tokenizer", sweep.tokenizer.has_value()},
      {"mode", !sweep.modes.empty()},
      {"ctx", sweep.context.has_value()},
      {"eval", sweep.scored.has_value()},
      {"tap", sweep.tap.has_value()},
      {"device", sweep.device.has_value()},
      {"codec-device", sweep.codec_device.has_value()},
      {"dtype", sweep.dtype.has_value()},
      {"batch-invariant", sweep.batch_invariant.value_or(false)},
      {"noise-floor", sweep.noise_floor.value_or(false)}};
  for (const auto& [name, given] : useless) {
    if (given)
      throw SpecError(std::string(name) +
                      ": not for a sweep over a dump, which takes codecs, passages, "
                      "those of its policy, threads and seed");
  }
}

bool has_mode(const std::vector<EvalMode>& modes, EvalMode mode) {
  return std::find(modes.begin(), modes.end(), mode) != modes.end();
}

// The policy for a model of so many layers.
const CachePolicy& fit_policy(PreparedSweep& ready, const SweepConfig& sweep, int layers) {
  CachePolicy& policy = ready.plan.policy;
  policy.layers = layers;
  sweep.layers.apply(policy, sweep.policy[kSkippedEdgeLayers].has_value());
  return policy;
}

void prepare_dump(PreparedSweep& ready, const SweepConfig& sweep) {
  refuse_beside_dump(sweep);
  ready.dump = std::make_unique<DumpReader>(*sweep.dump);
  const CachePolicy& policy = fit_policy(ready, sweep, ready.dump->head().shape.layers);
  ready.subject = std::make_unique<DumpSubject>(*ready.dump, last_part(*sweep.dump),
                                                sweep.passages.value_or(0), policy, *ready.pool);
  const DumpHead& head = ready.dump->head();
  SweepPlan& plan = ready.plan;
  plan.origin = head.origin;
  plan.dtype = "stored " + head.storage;  // of what was captured; nothing here computes in it
  plan.device = "cpu";
  plan.shape = head.shape;
  plan.tap = head.tap;
  plan.context = head.tokens;
  plan.stream = head.stream;
}

// What lines of the text are of which split, where that is said, and the passages as it wants them.
void record_splits(PreparedSweep& ready, const SweepConfig& sweep) {
  if (!sweep.splits || *sweep.splits == kNoSplits) return;
  const TextSplits splits = read_text_splits(*sweep.splits);
  if (!sweep.split) {
    throw SpecError("splits " + *sweep.splits + ": expected --split beside it, " +
                    std::string(kSplits));
  }
  check_text_splits(splits, *sweep.split, *ready.passages, sweep.first_passage.value_or(0),
                    ready.plan.origin.text.sha256);
  ready.plan.split_lines = splits.text();
}

void prepare_model(PreparedSweep& ready, const SweepConfig& sweep) {
  if (!sweep.model)
    throw SpecError("expected --model and --text, --dump, or a --config that names them");
  if (!sweep.text) throw SpecError("expected --text, a file or a folder of .txt files");
  ModelSubject::Settings settings;
  const char* const standard_mode = sweep.replace ? "snapshot" : "inforward";
  settings.modes =
      parse_modes(sweep.modes.empty() ? std::vector<std::string>{standard_mode} : sweep.modes);
  settings.context = static_cast<std::size_t>(sweep.context.value_or(2048));
  settings.scored = static_cast<std::size_t>(sweep.scored.value_or(64));
  settings.tap = parse_tap(sweep.tap.value_or("pre-rope"));
  ModelOptions options{sweep.device.value_or("cpu"), sweep.dtype.value_or("fp32"),
                       ready.pool->threads()};
  options.batch_invariant = sweep.batch_invariant.value_or(false);
  if (options.batch_invariant && options.device != "cpu")
    throw SpecError("batch-invariant: given with device " + options.device + ", expected cpu");
  if (sweep.replace) check_replacement(settings.modes, sweep.codec_device);
  const bool decodes = has_mode(settings.modes, EvalMode::decode);
  if (decodes && sweep.codec_device == "cuda") {
    throw SpecError(
        "codec-device cuda: the packed cache of mode decode is on the host: expected cpu or auto, or "
        "other modes");
  }
  const bool on_host = sweep.replace || (decodes && settings.modes.size() == 1);
  const CodecPlaces places =
      codec_places_of(on_host ? std::optional<std::string>("cpu") : sweep.codec_device,
                      options.device, *sweep.model);
  ready.codec_device = places.device;
  settings.on_device = ready.codec_device != "cpu";
  const std::string& model_path = *sweep.model;
  const std::string tokenizer_path = sweep.tokenizer.value_or(model_path);
  const std::unique_ptr<Tokenizer> tokenizer = load_tokenizer(tokenizer_path);
  const Cut cut = sweep.cut ? parse_cut(*sweep.cut) : Cut::tokens;
  ready.passages = std::make_unique<std::vector<Passage>>(read_passages(
      *sweep.text, *tokenizer,
      {settings.context + settings.scored,
       static_cast<std::size_t>(sweep.passages.value_or(kSweepPassages)), cut,
       "--ctx " + std::to_string(settings.context) + " + --eval " + std::to_string(settings.scored),
       !sweep.passages, static_cast<std::size_t>(sweep.first_passage.value_or(0))}));
  settings.first_passage = sweep.first_passage.value_or(0);
  ready.model = load_model(model_path, options);
  settings.policy = fit_policy(ready, sweep, ready.model->facts().shape.layers);
  if (settings.on_device) use_codec_device(ready.codec_device);
  const auto make_subject = [&]() -> std::unique_ptr<ModelSubject> {
    if (!sweep.replace)
      return std::make_unique<ModelSubject>(*ready.model, *ready.passages, settings, *ready.pool);
    ready.dump = std::make_unique<DumpReader>(*sweep.replace);
    return std::make_unique<ReplacedSubject>(
        *ready.model, *ready.passages, settings, *ready.pool,
        Replacement{*ready.dump, last_part(*sweep.replace), sweep.claim_bits.value()},
        model_source(*ready.model, model_path).sha256);
  };
  std::unique_ptr<ModelSubject> subject = make_subject();
  if (sweep.noise_floor.value_or(false))
    ready.noise_floor = NoiseFloor{subject.get(), model_path, options};
  ready.subject = std::move(subject);
  const ModelFacts& facts = ready.model->facts();
  SweepPlan& plan = ready.plan;
  plan.origin.model = model_source(*ready.model, model_path);
  plan.origin.text = source_of(*sweep.text);
  plan.origin.tokenizer =
      tokenizer_source(*tokenizer, tokenizer_path, model_path, plan.origin.model.sha256);
  plan.origin.architecture = facts.architecture;
  plan.windows = facts.windows;
  plan.dtype = options.dtype + (options.batch_invariant ? ", batch-invariant" : "");
  plan.device = options.device;
  if (!std::filesystem::is_directory(*sweep.text)) plan.cut = cut_name(cut);
  record_splits(ready, sweep);
  plan.shape = facts.shape;
  plan.tap = settings.tap;
  plan.context = static_cast<int>(settings.context);
  plan.scored = static_cast<int>(settings.scored);
}

// What every passage has to say of itself, wherever it comes from.
std::vector<Passage> passages_of(const PreparedSweep& ready) {
  if (ready.passages) return *ready.passages;
  std::vector<Passage> passages;
  for (int p = 0; p < ready.subject->passages(); ++p) {
    passages.push_back({ready.dump->tokens(p), ready.dump->origin(p)});
  }
  return passages;
}

std::vector<SharedText> shared_texts(const PreparedSweep& ready) {
  std::vector<SharedText> found;
  if (ready.profiles->entries().empty()) return found;
  const std::vector<Passage> passages = passages_of(ready);
  for (const StoredProfile& stored : ready.profiles->entries()) {
    const ProfileHead& of = *stored.profile;
    SharedText& shared = found.emplace_back();
    shared.path = stored.path;
    shared.whole = of.origin.text.sha256 == ready.plan.origin.text.sha256 ||
                   tokens_digest(passages, static_cast<std::size_t>(of.passages),
                                 static_cast<std::size_t>(of.context)) == of.tokens_sha256;
    if (of.token_windows.empty()) continue;
    const SeenTokens seen(of.token_windows);
    shared.passages.emplace();
    for (std::size_t p = 0; p < passages.size(); ++p) {
      if (!seen.share(passages[p].tokens)) continue;
      shared.passages->push_back(ready.subject->first_passage() + static_cast<int>(p));
    }
  }
  return found;
}

// Whether a cell, or a site of its plan, is coded with a profile of these digits.
bool names_profile(const GridCell& cell, const std::string& digits) {
  const std::string text = cell.plan ? cell.plan->text() : cell.specs.keys;
  return text.find(digits) != std::string::npos;
}

}  // namespace

PreparedSweep prepare_sweep(const SweepConfig& sweep) {
  check_numbers(sweep);
  check_split(sweep);
  std::vector<PluginRecord> plugins = load_plugins(sweep.plugins);
  if (sweep.replace.has_value() != sweep.claim_bits.has_value()) {
    throw SpecError(sweep.replace ? "replace: expected claim-bits beside it, the bits a value that "
                                    "the author of its K and V claims"
                                  : "claim-bits: expected replace beside it, a dump");
  }
  std::optional<GridCell> claimed;
  if (sweep.replace) claimed = claimed_cell(*sweep.replace, *sweep.claim_bits);
  sweep.layers.check(sweep.policy[kSkippedEdgeLayers].has_value());
  GridRequest asked = sweep.grid;
  const bool plans_alone = asked.empty() && !sweep.plans.empty();
  if (plans_alone && (sweep.layers.given() || sweep.policy[kSkippedEdgeLayers])) {
    throw SpecError(
        "plan: says itself which layers are coded: expected no layers, skip-layers or "
        "skip-edge-layers beside it, or a codec that they are for");
  }
  asked.plans = read_plans(sweep.plans);
  const bool study = sweep.layer_study.value_or(false);
  const bool alone = sweep.replace && asked.empty();
  const std::vector<CodecPair> pairs =  // refuses bad specs before any work
      alone ? std::vector<CodecPair>{{"identity", "identity"}} : expand_grid(asked);
  PreparedSweep ready;
  ready.plugins = std::move(plugins);
  ready.pool = std::make_unique<WorkerPool>(sweep.threads.value_or(0));
  CachePolicy policy;
  for (std::size_t i = 0; i < kPolicyNumbers; ++i) {
    const PolicyNumber& number = policy_numbers()[i];
    policy.*number.value = sweep.policy[i].value_or(number.standard);
  }
  ready.plan.policy = policy;
  sweep.dump ? prepare_dump(ready, sweep) : prepare_model(ready, sweep);
  ready.plan.seed = sweep.seed.value_or(0);
  ready.plan.split = sweep.split.value_or("");
  ready.profiles = std::make_unique<ProfileShelf>(shelf_of(sweep.profiles));
  const SweepPlan& plan = ready.plan;
  if (sweep.model) shelve_key_bias(*ready.profiles, pairs, *sweep.model);
  CacheInput cache{plan.shape, plan.policy, ready.profiles.get()};
  if (ready.model) cache.layer_devices = ready.model->facts().layer_devices;
  ready.grid = build_grid(study ? with_layer_study(pairs, plan.policy) : pairs, cache);
  if (ready.codec_device != "cpu")
    add_device_codecs(ready.grid, cache, sweep.codec_device == "auto");
  if (claimed) ready.grid.push_back(*std::move(claimed));
  for (const GridCell& cell : ready.grid) ready.subject->check(cell);
  ready.profiles->require_model(plan.origin.model, plan.tap);
  ready.shared_texts = shared_texts(ready);
  return ready;
}

std::vector<PlanRecord> PreparedSweep::plan_records() const {
  std::vector<PlanRecord> records;
  for (const GridCell& cell : grid) {
    if (cell.plan) records.push_back(plan_record(*cell.plan));
  }
  return records;
}

Provenance PreparedSweep::provenance(const std::vector<std::string>& arguments) const {
  Provenance record = make_provenance(arguments, pool->threads());
  record.profiles = profile_records();
  record.device = describe_device(plan.device, model ? model->facts().host : std::string());
  if (plan.device != "cpu") record.codec_device = describe_device(codec_device);
  record.host_codecs = codecs_on_host();
  record.plugins = plugins;
  record.plans = plan_records();
  return record;
}

std::vector<ProfileRecord> PreparedSweep::profile_records() const {
  std::vector<ProfileRecord> records;
  for (std::size_t p = 0; p < shared_texts.size(); ++p) {
    const ProfileHead& of = *profiles->entries()[p].profile;
    ProfileRecord record{of.digest,   of.origin.text.name, of.origin.text.sha256,
                         of.passages, of.context,          of.sinks};
    record.shared_passages = shared_texts[p].passages;
    for (const GridCell& cell : grid) {
      if (!names_profile(cell, of.short_digest())) continue;
      record.uses.push_back({cell.specs.keys, cell.profile_bytes()});
      record.reader_bytes = std::max(record.reader_bytes, record.uses.back().reader_bytes);
    }
    records.push_back(std::move(record));
  }
  return records;
}

std::vector<std::string> PreparedSweep::codecs_on_host() const {
  std::vector<std::string> names = host_codecs(grid);
  const std::vector<std::string> modes = subject->modes();
  const bool decodes =
      std::find(modes.begin(), modes.end(), mode_name(EvalMode::decode)) != modes.end();
  if (codec_device == "cpu" || !decodes) return names;
  for (const GridCell& cell : grid) {
    if (cell.on_host || !cell.failure.empty()) continue;
    names.push_back(cell.specs.label() + " in mode " + std::string(mode_name(EvalMode::decode)));
  }
  return names;
}

std::vector<StoredProfile> PreparedSweep::cold_profiles_inside_forward() const {
  const std::vector<std::string> modes = subject->modes();
  std::vector<StoredProfile> found;
  if (std::none_of(modes.begin(), modes.end(), cache_grows)) return found;
  for (const StoredProfile& stored : profiles->entries()) {
    const auto klt = stored.as<Profile>();
    if (!klt || klt->layer_transforms.empty() || klt->layer_steps == Tier::hot) continue;
    const bool used = std::any_of(grid.begin(), grid.end(), [&](const GridCell& cell) {
      return cell.tokens && names_profile(cell, klt->short_digest());
    });
    if (used) found.push_back(stored);
  }
  return found;
}

}  // namespace kakeya
