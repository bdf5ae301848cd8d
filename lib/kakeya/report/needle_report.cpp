// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/needle_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/report/number.h"
#include "kakeya/report/provenance_text.h"
#include "kakeya/stats/interval.h"

namespace kakeya {
namespace {

std::string codec_of(const NeedleKey& key) {
  return key.codec_k == key.codec_v ? key.codec_k : "K " + key.codec_k + ", V " + key.codec_v;
}

/// Samples of one codec, or of one at a task and length; and what is told of them.
using Samples = std::vector<const NeedleSample*>;

double mean_of(const Samples& samples, double NeedleSample::*field) {
  double sum = 0;
  for (const NeedleSample* sample : samples) sum += sample->*field;
  return sum / static_cast<double>(samples.size());
}

Interval difference_of(const Samples& samples) {
  std::vector<double> differences;
  for (const NeedleSample* sample : samples) {
    differences.push_back(sample->answer_nll - sample->answer_nll_reference);
  }
  return t_interval(differences);
}

template <typename T>
void add_new(std::vector<T>& all, const T& one) {
  if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

/// "single at 512, 1024; multi-key at 512"; "nothing".
std::string tasks_text(const std::vector<NeedleSolved>& tasks, bool solved) {
  std::string text, last;
  for (const NeedleSolved& task : tasks) {
    if (task.solved != solved) continue;
    text += task.task == last ? ", " : (text.empty() ? "" : "; ") + task.task + " at ";
    text += std::to_string(task.length);
    last = task.task;
  }
  return text.empty() ? "nothing" : text + " tokens";
}

class Reporter {
 public:
  Reporter(const NeedleResults& results, double solved)
      : results_(results), tasks_(solved_tasks(results.samples, solved)), least_(solved) {
    if (tasks_.empty()) {
      throw InputError(results.folder + ": no sample over the bf16 cache: expected identity");
    }
    if (results.runs.empty()) throw InputError(results.folder + ": expected at least one run");
    std::sort(tasks_.begin(), tasks_.end(), [&](const auto& a, const auto& b) {
      return std::pair(order(a.task), a.length) < std::pair(order(b.task), b.length);
    });
    for (const NeedleSample& sample : results.samples) {
      if (!sample.key.is_identity()) add_new(codecs_, codec_of(sample.key));
      add_new(lengths_, sample.key.length);
      add_new(depths_, sample.key.depth);
      add_new(names_, sample.key.task);
    }
    std::ranges::sort(lengths_);
    std::ranges::sort(depths_);
    std::ranges::sort(names_, {}, order);
    codecs_.insert(codecs_.begin(), "identity");
    for (const NeedleSolved& task : tasks_)
      if (task.solved) solved_.insert({task.task, task.length});
    for (const std::string& codec : codecs_) {
      for (const int length : lengths_) {
        if (codec != "identity" && takes_no_less(codec, length))
          never_full_.insert({codec, length});
      }
    }
  }

  NeedleReport run() {
    for (const NeedleSolved& task : tasks_) ++(task.solved ? out_.solved : out_.unsolved);
    out_.codecs = codecs_.size();
    out_.prompts = samples_of("identity", [](const NeedleKey&) { return true; }).size();
    warn();
    begin();
    out_.table(solved_table(), "##");
    out_.table(pooled_table(), "##");
    for (const bool solved : {true, false}) out_.table(codecs_table(solved), "##");
    maps();
    out_.put_behind(front());
    return std::move(out_);
  }

 private:
  // RULER's order.
  static int order(const std::string& task) {
    constexpr const char* kOrder[] = {"single", "multi-key", "multi-value", "variable-tracking"};
    const auto at = std::find(std::begin(kOrder), std::end(kOrder), task);
    return static_cast<int>(at - std::begin(kOrder));
  }

  template <typename Wanted>
  Samples samples_of(const std::string& codec, const Wanted& wanted) const {
    Samples found;
    for (const NeedleSample& sample : results_.samples) {
      if (codec_of(sample.key) == codec && wanted(sample.key)) found.push_back(&sample);
    }
    return found;
  }
  Samples samples_of(const std::string& codec, const NeedleSolved& task) const {
    return samples_of(codec, [&](const NeedleKey& key) {
      return key.task == task.task && key.length == task.length;
    });
  }

  void warn() {
    if (!results_.failures.empty()) {
      out_.warnings.push_back(
          fmt::format("{} cells failed: failures.jsonl says why", results_.failures.size()));
    }
    for (const std::string& codec : codecs_) {
      if (codec != "identity") warn_of_open_pages(codec);
      for (const NeedleSolved& task : tasks_) {
        const std::size_t there = samples_of(codec, task).size(),
                          all = samples_of("identity", task).size();
        if (there == all || (there == 0 && !task.solved)) continue;
        out_.warnings.push_back(fmt::format("`{}`, {} at {} tokens: {} of {} prompts", codec,
                                            task.task, task.length, there, all));
      }
    }
  }

  // A page that no prompt fills is bf16 to the end, and its codec is judged by nothing.
  bool takes_no_less(const std::string& codec, int length) const {
    const auto at = [&](const NeedleKey& key) { return key.length == length; };
    const Samples coded = samples_of(codec, at), clean = samples_of("identity", at);
    constexpr auto kBits = &NeedleSample::bits_per_value_whole_cache;
    return !coded.empty() && !clean.empty() && mean_of(coded, kBits) >= mean_of(clean, kBits);
  }

  bool never_full(const std::string& codec, int length) const {
    return never_full_.contains({codec, length});
  }

  /// "512, 1024"; "": nowhere.
  std::string lengths_never_full(const std::string& codec) const {
    std::string lengths;
    for (const int length : lengths_) {
      if (never_full(codec, length))
        lengths += (lengths.empty() ? "" : ", ") + std::to_string(length);
    }
    return lengths;
  }

  void warn_of_open_pages(const std::string& codec) {
    const std::string lengths = lengths_never_full(codec);
    if (lengths.empty()) return;
    out_.warnings.push_back(fmt::format(
        "`{}` at {} tokens: takes no less than bf16, as its pages are hardly ever full: "
        "told apart as never full, expected a smaller page",
        codec, lengths));
  }

  void begin() {
    const NeedlePlan& plan = results_.plan;
    head_.push_back("# Needles: " + plan.origin.model.name);
    std::string policy;
    for (const PolicyNumber& number : policy_numbers())
      policy += fmt::format(", {} {}", number.name, plan.policy.*number.value);
    head_.push_back(fmt::format(
        "{} prompts, each over {} caches. Text: {} (sha256 {}), {}. {}, {}, keys kept {}{}, prefill in "
        "chunks of {}, seed {}.",
        out_.prompts, out_.codecs, plan.origin.text.name, short_digest(plan.origin.text.sha256),
        plan.chat == "plain" ? "without a chat template" : "in the model's chat template",
        plan.dtype, plan.device, tap_name(plan.tap), policy, plan.prefill_chunk, plan.seed));
    for (const std::string& warning : out_.warnings) head_.push_back("**Warning:** " + warning);
    for (const std::string& text : head_) out_.paragraph(text);
  }

  /// Of codecs what they do to all solved tasks; without any, what the model solves.
  FrontPage front() const {
    const Provenance& run = results_.runs.back();
    FrontPage front{head_, "", {}, codecs_.size() > 1 ? pooled_table() : solved_table(), ""};
    front.made_by = fmt::format("---\n\n<sub>kakeya {}, commit {}, {}: `{}`</sub>", run.version,
                                run.commit, run.device, shell_text(run.command));
    if (!out_.heat_maps.empty()) front.chart = out_.heat_maps.front().name;
    front.says = {"Solved over the bf16 cache: " + tasks_text(tasks_, true) + ".",
                  "Not solved: " + tasks_text(tasks_, false) + "."};
    return front;
  }

  Table solved_table() const {
    Table table = named_table("solved", "What the model solves over the bf16 cache");
    table.label_columns = 2;
    table.columns = {{"task", "task", false},
                     {"tokens", "tokens"},
                     {"prompts", "prompts"},
                     {"answers given, %", "substring (share)"},
                     {"nats a token", "answer_nll (nats)"},
                     {"", "solved", false}};
    table.note = fmt::format(
        "Answers given: the share of the right answers that stand in what the model goes on with, greedy (the "
        "published substring rule). Nats a token: of the right answer, teacher-forced. Solved: at least {:.0f} % "
        "over all depths.",
        100 * least_);
    for (const NeedleSolved& task : tasks_) {
      const Samples samples = samples_of("identity", task);
      const double nll = mean_of(samples, &NeedleSample::answer_nll);
      table.rows.push_back(
          {text_cell(task.task), text_cell(std::to_string(task.length)),
           number_cell(static_cast<double>(samples.size()), grouped(samples.size())),
           number_cell(task.substring, fmt::format("{:.0f}", 100 * task.substring)),
           number_cell(nll, significant(nll)), text_cell(task.solved ? "solved" : "not solved")});
    }
    table.columns.back().heading = "at this length";
    return table;
  }

  static std::vector<Column> measures() {
    return {{"prompts", "prompts"},
            {"bits of whole cache", "bits_per_value_whole_cache (bits)"},
            {"nats a token", "answer_nll (nats)"},
            {"difference to bf16", "answer_nll - answer_nll_reference (nats)"},
            {"answers given, %", "substring (share)"}};
  }

  // `instead`: of the difference, where it is none.
  static void add_measures(std::vector<Cell>& row, const Samples& samples,
                           const std::string& instead) {
    const double bits = mean_of(samples, &NeedleSample::bits_per_value_whole_cache),
                 nll = mean_of(samples, &NeedleSample::answer_nll),
                 given = mean_of(samples, &NeedleSample::substring);
    const Interval difference = difference_of(samples);
    row.push_back(number_cell(static_cast<double>(samples.size()), grouped(samples.size())));
    row.push_back(fixed_cell(bits, 2));
    row.push_back(number_cell(nll, significant(nll)));
    row.push_back(instead.empty() ? interval_cell(difference, with_interval(difference, true))
                                  : text_cell(instead));
    row.push_back(number_cell(given, fmt::format("{:.0f}", 100 * given)));
  }

  // All solved tasks together.
  Table pooled_table() const {
    Table table = named_table("pooled", "Codecs over all solved tasks");
    table.columns = {{"codec", "codec", false}};
    for (const Column& column : measures()) table.columns.push_back(column);
    table.note =
        "Difference: of the nats a token of the right answer, from the bf16 cache on the same prompts, with 95 % "
        "Student-t interval over prompts, which are independent draws. Bits: of all that a live cache has allocated behind "
        "the prompt, skipped layers, sinks, residual window, open pages, tables and room to grow included; profiles apart. "
        "Prompts of tasks that the model does not solve are in none of these rows, nor are those of lengths at which a "
        "codec's pages are never full: it takes no less than the bf16 cache there, and is it.";
    for (const std::string& codec : codecs_) {
      const auto solved = [&](const NeedleKey& key) {
        return solved_.contains({key.task, key.length});
      };
      const Samples samples = samples_of(codec, [&](const NeedleKey& key) {
        return solved(key) && !never_full(codec, key.length);
      });
      if (samples.empty() && samples_of(codec, solved).empty()) continue;
      std::vector<Cell> row = {text_cell(fmt::format("`{}`", codec))};
      if (samples.empty()) {
        row.push_back(number_cell(0, "0"));
        for (const char* cell : {"-", "-", "never full", "-"}) row.push_back(text_cell(cell));
      } else {
        add_measures(row, samples, codec == "identity" ? "-" : "");
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  Table codecs_table(bool solved) const {
    Table table = named_table(solved ? "solved_tasks" : "unsolved_tasks",
                              solved ? "Task by task" : "Tasks that the model does not solve");
    table.label_columns = 3;
    table.columns = {{"task", "task", false}, {"tokens", "tokens"}, {"codec", "codec", false}};
    for (const Column& column : measures()) table.columns.push_back(column);
    if (!solved) {
      table.note =
          "What a codec changes where the bf16 cache's model does not find the answer says little of "
          "retrieval: these are counted nowhere else.";
    }
    for (const NeedleSolved& task : tasks_) {
      if (task.solved != solved) continue;
      for (const std::string& codec : codecs_) {
        const Samples samples = samples_of(codec, task);
        if (samples.empty()) continue;
        std::vector<Cell> row = {text_cell(task.task), text_cell(std::to_string(task.length)),
                                 text_cell(fmt::format("`{}`", codec))};
        add_measures(row, samples,
                     codec == "identity"              ? "-"
                     : never_full(codec, task.length) ? "never full"
                                                      : "");
        table.rows.push_back(std::move(row));
      }
    }
    return table;
  }

  using Measure = std::function<double(const Samples&)>;

  // Of what is solved; blank besides, and where a codec's pages are never full.
  HeatMap map_of(const std::string& task, const std::vector<std::string>& codecs,
                 const Measure& measure) const {
    HeatMap map;
    map.x_label = "tokens of the prompt";
    map.y_label = "depth, %";
    map.columns = lengths_.size();
    for (const int depth : depths_) map.rows.push_back(std::to_string(depth));
    for (const int length : lengths_) map.column_names.push_back(std::to_string(length));
    for (const std::string& codec : codecs) {
      const std::string open = lengths_never_full(codec);
      HeatPanel panel{open.empty() ? codec : codec + ": never full at " + open, {}};
      bool any = false;
      for (const int depth : depths_) {
        for (const int length : lengths_) {
          const Samples samples = samples_of(codec, [&](const NeedleKey& key) {
            return key.task == task && key.length == length && key.depth == depth &&
                   solved_.contains({task, length});
          });
          any = any || !samples.empty();
          panel.values.push_back(samples.empty() || never_full(codec, length)
                                     ? std::numeric_limits<double>::quiet_NaN()
                                     : measure(samples));
        }
      }
      if (any) map.panels.push_back(std::move(panel));
    }
    return map;
  }

  void add_map(HeatMap map) {
    if (map.panels.empty()) return;
    if (out_.heat_maps.empty()) out_.paragraph("## Depth by length");
    out_.paragraph(fmt::format("![{}]({}.svg)", map.title, map.name));
    out_.heat_maps.push_back(std::move(map));
  }

  void maps() {
    const std::vector<std::string> coded(codecs_.begin() + 1, codecs_.end());
    for (const std::string& task : names_) {
      HeatMap nll = map_of(task, coded, [](const Samples& samples) {
        return mean_of(samples, &NeedleSample::answer_nll) -
               mean_of(samples, &NeedleSample::answer_nll_reference);
      });
      double most = 0.01;
      for (const HeatPanel& panel : nll.panels) {
        for (const double value : panel.values) {
          if (!std::isnan(value)) most = std::max(most, std::abs(value));
        }
      }
      nll.name = "nll_" + task;
      nll.title = fmt::format("{}: nats a token of the answer, less those over bf16", task);
      nll.subtitle =
          "red: the answer is less likely than over the bf16 cache; blue: likelier; grey: not solved, "
          "never full or not measured";
      nll.high = 0.05 * std::ceil(most / 0.05);  // the title has the unit
      nll.low = -nll.high;
      nll.diverging = true;
      add_map(std::move(nll));
      HeatMap given = map_of(task, codecs_, [](const Samples& samples) {
        return mean_of(samples, &NeedleSample::substring);
      });
      given.name = "substring_" + task;
      given.title = fmt::format("{}: share of answers given", task);
      given.subtitle =
          "the published substring rule; dark: all of them; grey: not solved, never full or not "
          "measured";
      add_map(std::move(given));
    }
  }

  const NeedleResults& results_;
  std::vector<NeedleSolved> tasks_;
  double least_;
  std::set<std::pair<std::string, int>> solved_,
      never_full_;  // task and length; codec and length that sealed nothing
  std::vector<std::string> codecs_, names_, head_;
  std::vector<int> lengths_, depths_;
  NeedleReport out_;
};

}  // namespace

NeedleReport make_needle_report(const NeedleResults& results, double solved) {
  if (!(solved >= 0) || solved > 1) throw SpecError("--solved: expected a share, 0 to 1");
  return Reporter(results, solved).run();
}

}  // namespace kakeya
