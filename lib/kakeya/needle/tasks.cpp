// SPDX-License-Identifier: Apache-2.0
#include "kakeya/needle/tasks.h"

#include <algorithm>
#include <array>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"single", "multi-key", "multi-value",
                                                    "variable-tracking"};

constexpr std::array<const char*, 48> kWords = {
    "river",   "copper",  "garden", "window",  "silver", "forest", "pencil", "castle",
    "bridge",  "lemon",   "rabbit", "button",  "candle", "falcon", "harbor", "island",
    "jacket",  "kettle",  "ladder", "marble",  "needle", "orange", "pepper", "quartz",
    "ribbon",  "saddle",  "temple", "violet",  "walnut", "yellow", "anchor", "basket",
    "cotton",  "desert",  "engine", "feather", "guitar", "hammer", "insect", "jungle",
    "kitchen", "lantern", "meadow", "napkin",  "oyster", "parrot", "rocket", "tunnel"};

/// Numbers of one draw, one after the other.
class Drawing {
 public:
  Drawing(std::uint64_t seed, const NeedleDraw& of)
      : random_(seed, static_cast<std::uint64_t>(of.kind)) {
    for (const int part : {of.length, of.depth, of.sample}) {
      next_ = random_.bits(next_ ^ static_cast<std::uint64_t>(part));
    }
  }

  double unit() { return random_.uniform(next_++); }
  int below(int count) {
    return static_cast<int>(random_.bits(next_++) % static_cast<unsigned>(count));
  }

  /// One that was not drawn before.
  template <typename Draw>
  std::string other(const Draw& draw) {
    for (;;) {
      std::string text = draw();
      if (std::find(drawn_.begin(), drawn_.end(), text) != drawn_.end()) continue;
      drawn_.push_back(text);
      return text;
    }
  }
  std::string number() {
    return other([&] { return std::to_string(10000 + below(90000)); });
  }
  std::string word() {
    return other(
        [&] { return std::string(kWords[static_cast<std::size_t>(below(kWords.size()))]); });
  }
  // Five letters, as RULER's: of three, text may have them by chance (the rule knows no case).
  std::string variable() {
    return other([&] {
      std::string name;
      for (int i = 0; i < 5; ++i) name += static_cast<char>('A' + below(26));
      return name;
    });
  }

 private:
  Random random_;
  std::uint64_t next_ = 0;
  std::vector<std::string> drawn_;
};

std::string sentence(const std::string& word, const std::string& number) {
  return "One of the special magic numbers for " + word + " is: " + number + ".";
}

void sort_by_depth(NeedleTask& task) {
  std::stable_sort(task.needles.begin(), task.needles.end(),
                   [](const auto& a, const auto& b) { return a.depth < b.depth; });
}

NeedleTask numbers_task(NeedleKind kind, double depth, Drawing& draw) {
  const bool two = kind == NeedleKind::multi_value;
  const std::string word = draw.word(), what = two ? "numbers" : "number", is = two ? "are" : "is";
  const std::string number = draw.number();
  NeedleTask task;
  task.before =
      "Some special magic numbers are hidden within the following text. Make sure to "
      "memorize them. I will quiz you about the numbers afterwards.\n";
  task.question = "\nWhat " + is + (two ? " all" : "") + " the special magic " + what + " for " +
                  word + " mentioned in the provided text?";
  task.answer_begins =
      "The special magic " + what + " for " + word + " mentioned in the provided text " + is;
  task.needles.push_back({sentence(word, number), depth});
  task.answers.push_back(number);
  if (two) {
    const double where = draw.unit();
    const std::string second = draw.number();
    task.needles.push_back({sentence(word, second), where});
    task.answers.insert(where < depth ? task.answers.begin() : task.answers.end(), second);
  }
  for (int i = 0; kind == NeedleKind::multi_key && i < 3; ++i) {
    const double where = draw.unit();
    const std::string other = draw.word();
    task.needles.push_back({sentence(other, draw.number()), where});
  }
  task.answer = " " + task.answers[0] + (two ? " and " + task.answers[1] : "");
  return task;
}

NeedleTask variables_task(double depth, Drawing& draw) {
  constexpr int kVariables = 3;
  const std::string number = draw.number();
  NeedleTask task;
  task.before =
      "Memorize and track the chain of variable assignment hidden in the following "
      "text.\n";
  task.question = "\nQuestion: Find all variables that are assigned the value " + number +
                  " in the text above.";
  task.answer_begins = "According to the chain of variable assignment in the text above, " +
                       std::to_string(kVariables) + " variables are assigned the value " + number +
                       ", they are:";
  std::string value = number;
  for (int i = 0; i < kVariables; ++i) {
    const std::string name = draw.variable();
    task.needles.push_back(
        {"VAR " + name + " = " + value + ".", depth + (1 - depth) * i / kVariables});
    task.answers.push_back(name);
    task.answer += (i == 0 ? " " : ", ") + name;
    value = "VAR " + name;
  }
  return task;
}

}  // namespace

std::string_view needle_kind_name(NeedleKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

NeedleKind parse_needle_kind(const std::string& text) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (text == kNames[i]) return static_cast<NeedleKind>(i);
  }
  throw SpecError("kind " + text +
                  ": expected single, multi-key, multi-value or variable-tracking");
}

NeedleTask make_needle_task(const NeedleDraw& of, std::uint64_t seed) {
  if (of.depth < 0 || of.depth > 100) {
    throw InputError("depth " + std::to_string(of.depth) + ": expected a percent, 0 to 100");
  }
  Drawing draw(seed, of);
  const double stretch = draw.unit(), depth = of.depth / 100.0;
  NeedleTask task = of.kind == NeedleKind::variable_tracking ? variables_task(depth, draw)
                                                             : numbers_task(of.kind, depth, draw);
  task.stretch = stretch;
  sort_by_depth(task);
  return task;
}

double substring_score(const std::vector<std::string>& answers, const std::string& text) {
  const auto lower = [](std::string s) {
    for (char& c : s) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return s;
  };
  if (answers.empty()) throw InputError("substring rule: expected at least one answer");
  const std::string where = lower(text);
  const auto found = std::count_if(answers.begin(), answers.end(), [&](const std::string& answer) {
    return where.find(lower(answer)) != std::string::npos;
  });
  return static_cast<double>(found) / static_cast<double>(answers.size());
}

}  // namespace kakeya
