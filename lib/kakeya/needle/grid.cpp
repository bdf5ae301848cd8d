// SPDX-License-Identifier: Apache-2.0
#include "kakeya/needle/grid.h"

#include <algorithm>
#include <set>
#include <utility>

#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/generate/packed_step_cache.h"
#include "kakeya/measure/grid.h"
#include "kakeya/measure/model_key_bias.h"
#include "kakeya/model/tokenizer/end_tokens.h"
#include "kakeya/needle/score.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/profile_files.h"

namespace kakeya {
namespace {

std::string sha256_of(const std::string& text) {
  return sha256(std::as_bytes(std::span(text.data(), text.size())));
}

std::string text_of(const std::vector<std::string>& files, Source& source) {
  if (files.empty()) throw SpecError("expected --text, files of the haystack");
  std::string text;
  for (const std::string& file : files) {
    text += read_text_file(file);
    source.name += (source.name.empty() ? "" : ", ") + last_part(file);
  }
  source.sha256 = sha256_of(text);
  return text;
}

void refuse_doubles(std::vector<int> numbers, const char* flag) {
  std::sort(numbers.begin(), numbers.end());
  const auto twice = std::adjacent_find(numbers.begin(), numbers.end());
  if (numbers.empty()) throw SpecError(std::string(flag) + ": expected at least one");
  if (twice != numbers.end()) {
    throw SpecError(std::string(flag) + ": " + std::to_string(*twice) + " is there twice");
  }
}

void check(const NeedleConfig& config) {
  refuse_doubles(config.lengths, "--lengths");
  refuse_doubles(config.depths, "--depths");
  for (const int depth : config.depths) {
    if (depth < 0 || depth > 100) {
      throw SpecError("--depths " + std::to_string(depth) + ": expected percents, 0 to 100");
    }
  }
  std::set<std::string> kinds;
  for (const std::string& kind : config.kinds) {
    parse_needle_kind(kind);
    if (!kinds.insert(kind).second) throw SpecError("--kinds: " + kind + " is there twice");
  }
  if (kinds.empty()) throw SpecError("--kinds: expected at least one");
  if (config.samples < 1) throw SpecError("--samples: expected at least 1");
  if (!(config.solved >= 0) || config.solved > 1) {
    throw SpecError("--solved: expected a share, 0 to 1");
  }
}

// A page that no prompt fills is bf16 to the end: such a codec would be measured nowhere.
void require_full_pages(const PackedCache& cache, const CodecPair& specs, int longest) {
  const CachePolicy& policy = cache.policy();
  for (const Part part : {Part::key, Part::value}) {
    if ((part == Part::key ? specs.keys : specs.values) == "identity") continue;
    const std::size_t page = cache.page_tokens({policy.coded_span().first, part}),
                      needed = page + policy.exact_ends(kPackedCache).count();
    if (needed <= static_cast<std::size_t>(longest)) continue;
    throw SpecError(specs.label() + ": a page of " + std::to_string(page) + " tokens of the " +
                    std::string(part_name(part)) + " never fills in the " +
                    std::to_string(longest) + " of the longest prompt, expected --lengths of " +
                    std::to_string(needed) + " or more, or a smaller page");
  }
}

/// Solved as a report would judge, by all that is stored; of the cells asked for, in their order.
std::vector<NeedleSolved> solved_of(const NeedleStore& store, const std::vector<NeedleKey>& asked,
                                    double solved) {
  std::vector<NeedleSample> all;
  for (const auto& [key, sample] : store.samples()) all.push_back(sample);
  const std::vector<NeedleSolved> stored = solved_tasks(all, solved);
  std::set<std::pair<std::string, int>> told;
  std::vector<NeedleSolved> tasks;
  for (const NeedleKey& key : asked) {
    if (!told.insert({key.task, key.length}).second) continue;
    tasks.push_back(*std::find_if(stored.begin(), stored.end(), [&](const NeedleSolved& task) {
      return task.task == key.task && task.length == key.length;
    }));
  }
  return tasks;
}

}  // namespace

struct NeedleRun::Cell {
  NeedleKind kind;
  int length, depth, sample;

  NeedleTask task(std::uint64_t seed) const {
    return make_needle_task({kind, length, depth, sample}, seed);
  }
  NeedleKey key(const CodecPair& specs) const {
    return {specs.keys, specs.values, std::string(needle_kind_name(kind)), length, depth, sample};
  }
};

NeedleRun::NeedleRun(const NeedleConfig& config) : config_(config) {
  check(config_);
  const std::vector<CodecPair> pairs = config_.codecs.empty()
                                           ? std::vector<CodecPair>{{"identity", "identity"}}
                                           : expand_grid({config_.codecs, {}, {}});
  const std::string text = text_of(config_.texts, plan_.origin.text);
  tokenizer_ = load_tokenizer(config_.model);
  std::optional<ChatTemplate> chat;
  if (!config_.plain) chat = require_chat_template(config_.model);
  plan_.chat = chat ? sha256_of(chat->source()) : "plain";
  prompts_ = std::make_unique<NeedlePrompts>(*tokenizer_, std::move(chat), text);
  shelf_ = shelf_of(config_.profiles);
  model_ = load_model(config_.model, config_.options);
  end_tokens_ = end_tokens_of(config_.model);
  const ModelFacts& facts = model_->facts();
  config_.policy.layers = facts.shape.layers;
  plan_.origin.model = model_source(*model_, config_.model);
  shelve_key_bias(shelf_, pairs, config_.model);
  plan_.origin.architecture = facts.architecture;
  plan_.origin.tokenizer =
      tokenizer_source(*tokenizer_, config_.model, config_.model, plan_.origin.model.sha256);
  plan_.dtype = config_.options.dtype;
  plan_.device = config_.options.device;
  plan_.tap = config_.tap;
  plan_.policy = config_.policy;
  plan_.seed = config_.seed;
  plan_.prefill_chunk = config_.prefill_chunk;
  plan_.more_tokens = config_.more_tokens;
  plan_.draws = kNeedleDraws;
  const std::vector<std::size_t> windows = step_windows(facts, config_.prefill_chunk);
  for (const CodecPair& pair : pairs) {
    CacheCodecs made = make_cache_codecs(pair, {facts.shape, config_.policy, &shelf_});
    const PackedCache fits(facts.shape, config_.policy, made, windows);  // or it throws
    require_full_pages(fits, made.canonical(),
                       *std::max_element(config_.lengths.begin(), config_.lengths.end()));
    const bool there = std::any_of(codecs_.begin(), codecs_.end(), [&](const CacheCodecs& other) {
      return other.canonical() == made.canonical();
    });
    if (!there) codecs_.push_back(std::move(made));
  }
  shelf_.require_model(plan_.origin.model, config_.tap);
  check_prompts();
}

NeedleRun::~NeedleRun() = default;

std::vector<std::string> NeedleRun::codecs() const {
  std::vector<std::string> names;
  for (const CacheCodecs& codecs : codecs_) names.push_back(codecs.canonical().label());
  return names;
}

std::vector<NeedleRun::Cell> NeedleRun::all_cells() const {
  std::vector<Cell> cells;
  for (const int length : config_.lengths) {
    for (const std::string& kind : config_.kinds) {
      for (int sample = 0; sample < config_.samples; ++sample) {
        for (const int depth : config_.depths) {
          cells.push_back({parse_needle_kind(kind), length, depth, sample});
        }
      }
    }
  }
  return cells;
}

std::size_t NeedleRun::cells() const { return all_cells().size() * codecs_.size(); }

void NeedleRun::check_prompts() const {
  const auto context = static_cast<std::size_t>(model_->facts().context);
  for (const Cell& cell : all_cells()) {
    const NeedlePrompt prompt =
        prompts_->make(cell.task(config_.seed), static_cast<std::size_t>(cell.length));
    const std::size_t all = prompt.tokens.size() + prompt.answer.size() + config_.more_tokens;
    if (all > context) {
      throw InputError("--lengths " + std::to_string(cell.length) + ": with the answer " +
                       std::to_string(all) + " tokens, expected at most the " +
                       std::to_string(context) + " of the model's context");
    }
  }
}

std::vector<ProfileRecord> NeedleRun::profile_records() const {
  std::vector<ProfileRecord> records;
  for (const StoredProfile& stored : shelf_.entries()) {
    const ProfileHead& of = *stored.profile;
    records.push_back(
        {of.digest, of.origin.text.name, of.origin.text.sha256, of.passages, of.context, of.sinks});
  }
  return records;
}

NeedleSample NeedleRun::measure(const Cell& cell, const CacheCodecs& codecs, const NeedleKey& key) {
  const auto started = Clock::now();
  const NeedleTask task = cell.task(config_.seed);
  const NeedlePrompt prompt = prompts_->make(task, static_cast<std::size_t>(cell.length));
  const ModelFacts& facts = model_->facts();
  PackedCache cache(facts.shape, config_.policy, codecs,
                    step_windows(facts, config_.prefill_chunk));
  const NeedleScore score =
      score_needle(*model_, cache, prompt,
                   {config_.tap, config_.prefill_chunk, config_.more_tokens, end_tokens_});
  NeedleSample sample;
  sample.key = key;
  sample.answer_nll = sample.answer_nll_reference = score.answer_nll;
  sample.answer = task.answer;
  sample.generated = tokenizer_->decode(score.generated);
  sample.substring = substring_score(task.answers, sample.generated);
  sample.answer_tokens = prompt.answer.size();
  sample.generated_tokens = score.generated.size();
  sample.live_bytes = score.live.total();
  sample.bf16_bytes = score.live.bf16;
  sample.bits_per_value_whole_cache =
      16 * static_cast<double>(sample.live_bytes) / static_cast<double>(sample.bf16_bytes);
  sample.seconds = seconds_since(started);
  return sample;
}

NeedleOutcome NeedleRun::run(NeedleStore& store,
                             const std::function<void(const NeedleEvent&)>& notify) {
  NeedleOutcome outcome;
  const std::vector<Cell> cells = all_cells();
  outcome.total = cells.size() * codecs_.size();
  for (const CacheCodecs& codecs : codecs_) {
    for (const Cell& cell : cells) {
      if (store.find(cell.key(codecs.canonical())) != nullptr) ++outcome.already;
    }
  }
  const auto tell = [&](const std::string& now) {
    const std::size_t done =
        outcome.already + outcome.finished + outcome.skipped + outcome.failed.size();
    if (notify) notify({done, outcome.total, outcome.already, now});
  };
  std::set<std::pair<std::string, int>> unsolved;
  for (const CacheCodecs& codecs : codecs_) {
    for (const Cell& cell : cells) {
      const NeedleKey key = cell.key(codecs.canonical());
      if (store.find(key) != nullptr) continue;
      if (config_.skip_unsolved && unsolved.contains({key.task, key.length})) {
        ++outcome.skipped;
        continue;
      }
      tell(describe(key));
      try {
        NeedleSample sample = measure(cell, codecs, key);
        if (!key.is_identity()) {
          const NeedleSample* reference = store.find(cell.key({"identity", "identity"}));
          sample.answer_nll_reference = reference->answer_nll;
        }
        store.append(sample);
        ++outcome.finished;
      } catch (const IoError&) {
        throw;
      } catch (const Error& error) {
        store.append_failure({key, error.what()});
        outcome.failed.push_back({key, error.what()});
        if (key.is_identity()) throw Error(describe(key) + ": " + error.what());
      }
    }
    if (!outcome.tasks.empty()) continue;
    std::vector<NeedleKey> asked;
    for (const Cell& cell : cells) asked.push_back(cell.key({"identity", "identity"}));
    outcome.tasks = solved_of(store, asked, config_.solved);
    for (const NeedleSolved& task : outcome.tasks) {
      if (!task.solved) unsolved.insert({task.task, task.length});
    }
  }
  tell("");
  return outcome;
}

}  // namespace kakeya
