// SPDX-License-Identifier: Apache-2.0
// What a hostile template may take: its steps bound the time, its bytes the memory.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <utility>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/model/chat/chat_template.h"

namespace kakeya {
namespace {

using Case = std::pair<std::string, const char*>;

constexpr const char* kSteps = "does not end: expected at most 5000000 steps";
constexpr const char* kBytes = "makes more text than a chat can have";

std::string outcome(const std::string& source) {
  try {
    return "text: " + render_chat(ChatTemplate(source), {}, true);
  } catch (const InputError& error) {
    return error.what();
  }
}

void check(const std::vector<Case>& cases) {
  for (const auto& [source, expected] : cases) {
    const std::string what = outcome(source);
    EXPECT_NE(what.find(expected), std::string::npos) << source.substr(0, 200) << "\n"
                                                      << what.substr(0, 200);
  }
}

std::string many(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// The most that the process has held, in MiB.
long peak() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

TEST(ChatLimits, MemoryIsTakenBeforeItIsUsed) {
  const long before = peak();
  const std::string letters = "{% set t = 'a' * 20000000 %}",
                    pairs = "{% set t = 'a ' * 10000000 %}";
  check({
      {"{{ ('a' * 60000000) | length }}", "text: 60000000"},
      {letters + "{{ t | first }}{{ t | last }}{{ t[7] }}", "text: aaa"},
      {letters + "{{ t | list | length }}", kBytes},
      {letters + "{% for c in t %}{% endfor %}", kBytes},
      {letters + "{{ t[::-1] }}", kBytes},
      {letters + "{{ t | reverse }}{{ t }}{{ [t] }}", kBytes},
      {"{{ ('\\x01' * 15000000) | tojson }}", kBytes},
      {pairs + "{{ t.split() | length }}", kBytes},
      {pairs + "{{ t.split(' ') | length }}", kBytes},
      {"{{ ('a' * 4000000).replace('a', 'abcdefghijklmnopqrstuvwxyz') }}", kBytes},
      {"{{ (range(100000) | list) * 13 }}", kBytes},
  });
  EXPECT_LT(peak() - before, 1024);
}

// 2^28 elements, of 28 lists.
TEST(ChatLimits, SharedListsAreGoneThroughWithinTheSteps) {
  const std::string shared = "{% set ns = namespace(a=['x']) %}{% for i in range(28) %}" +
                             std::string("{% set ns.a = [ns.a, ns.a] %}{% endfor %}");
  const std::string empty = "{% set ns = namespace(a=[]) %}{% for i in range(28) %}" +
                            std::string("{% set ns.a = {'': ns.a, 'b': ns.a} %}{% endfor %}");
  check({{shared + "{{ ns.a }}", kSteps},
         {empty + "{{ 'a' ~ ns.a }}", kSteps},
         {empty + "{{ [ns.a] | join }}", kSteps},
         {shared + "{{ ns.a | tojson }}", kSteps},
         {empty + "{{ [ns.a] == [ns.a] }}", kSteps},
         {shared + "{{ ns.a in [ns.a] }}", kSteps}});
}

TEST(ChatLimits, StepsAreInProportionToWhatIsGoneThrough) {
  const auto often = [](const std::string& set, const std::string& expression) {
    return "{% set t = " + set + " %}{% for i in range(5000) %}{% set x = " + expression +
           " %}{% endfor %}";
  };
  const std::string text = "'a' * 300000", blanks = "' ' * 300000";
  check({{often("range(100000)", "-1 in t"), kSteps},
         {often(text, "'b' in t"), kSteps},
         {often(text, "t.count('b')"), kSteps},
         {often(text, "t | replace('b', 'c') | length"), kBytes},
         {often(text, "t.split('b')"), kBytes},
         {often(text, "t[7]"), kSteps},
         {often(text, "t | length"), kSteps},
         {often(text, "t == t"), kSteps},
         {often(text, "t.startswith(t)"), kSteps},
         {often(text, "t is upper"), kBytes},
         {often(blanks, "t | trim"), kSteps},
         {often(blanks, "t.split()"), kSteps},
         {often(blanks, "t | int"), kSteps},
         // Nearly found at every place.
         {"{% set t = 'a' * 1000000 %}{{ ('a' * 10000 ~ 'b') in t }}", kSteps},
         {"{% set t = 'a' * 1000000 %}{{ t | trim('b' * 10000) }}", kSteps}});
}

TEST(ChatLimits, ArgumentsAreBounded) {
  const auto arguments = [](int count) { return many("'map',", count); };
  check({{"{{ 'a' | map(" + arguments(20000) + ") | list }}", "more than 100 arguments"},
         {"{{ dict(" + many("a=1,", 101) + ") }}", "more than 100 arguments"},
         {"{{ dict(" + many("a=1,", 100) + ") }}", "text: {'a': 1}"},
         {"{{ 'a' | map(" + arguments(90) + ") | list }}", "filter map of the filter map"},
         {"{{ [] | map('map', 'upper') | list }}", "filter map of the filter map"},
         {"{{ 'ab' | map('upper') | join }}", "text: AB"}});
}

TEST(ChatLimits, WhatMacrosAndLoopsDoNotHaveIsNamed) {
  const std::string loop = "{% for x in [1] %}";
  check({{"\n" + loop + "{% macro f() %}{{ x }}{% endmacro %}{{ f() }}{% endfor %}",
          "line 2: the macro f within a loop"},
         {"{% macro f(x) %}{% macro g() %}{{ x }}{% endmacro %}{{ g() }}{% endmacro %}",
          "the macro g within a loop, a macro or a set"},
         {"{% set a %}{% macro g() %}{% endmacro %}{% endset %}", "the macro g within"},
         {"{% if 1 %}{% macro f() %}yes{% endmacro %}{% endif %}{{ f() }}", "text: yes"},
         {"{% macro f() %}{{ varargs }}{% endmacro %}{{ f() }}", "varargs of a macro"},
         {"{% macro f() %}{{ kwargs }}{% endmacro %}{{ f() }}", "kwargs of a macro"},
         {"{% macro f() %}{{ caller() }}{% endmacro %}{{ f() }}", "caller of a macro"},
         {"{% macro f(caller) %}{{ caller }}{% endmacro %}{{ f(1) }}{{ caller }}", "text: 1"},
         {loop + "{{ loop.changed }}{% endfor %}", "loop.changed, which is not known here"},
         {loop + "{{ loop.cycle('a') }}{% endfor %}", "loop.cycle, which is not known here"},
         {loop + "{{ loop.previtem }}{{ loop.nextitem }}{% endfor %}", "text: "},
         {"{% set loop = {'a': 1} %}{{ loop.a }}{{ loop.b }}", "text: 1"}});
}

}  // namespace
}  // namespace kakeya
