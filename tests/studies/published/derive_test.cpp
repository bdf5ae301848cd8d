// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/derive.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "kakeya/studies/published/derived_csv.h"

namespace kakeya {
namespace {

constexpr char kRecord[] = R"json({"kind":"x","name":"a","v":[1,2,3]}
{"kind":"x","name":"b","v":[4,5,6]}
)json";

std::string file(const std::string& table) {
  return R"json({"lists": {"two": [{"label":"A","name":"a"},{"label":"B","name":"b"}]}, "tables": [{"id":"t", )json" +
         table + "}]}";
}

std::vector<DerivedTable> derived(const std::vector<PublishedTable>& tables) {
  static PublishedRecord record;
  if (record.size() == 0) record.add(kRecord, "record");
  return derive(tables, record);
}

std::vector<PublishedTable> tables_of(const std::string& table) {
  return parse_published_tables(file(table), "file");
}

TEST(Derive, ComputesEveryCell) {
  const auto tables = tables_of(R"json("rows": "two", "columns": [{"label":"mean","f":"mean"},
    {"label":"max","f":"max"}, {"label":"own","formula":"min(v[x name=$name])"}],
    "formula": "$f(v[x name=$name])", "published": ["2.0 | 3 | 1", "5.0 | 7 | "])json");
  const auto results = derived(tables);
  ASSERT_EQ(results.at(0).cells.size(), 5u);
  const VerdictCounts counts = count_verdicts(results);
  EXPECT_EQ(counts.tables, 1u);
  EXPECT_EQ(counts.cells, 5u);
  EXPECT_EQ(counts.reproduces, 4u);
  EXPECT_EQ(counts.differs, 1u);  // 7 is 6
  EXPECT_EQ(results[0].cells[4].ours_text(), "6");
}

TEST(Derive, DefinitionsGoOverLists) {
  const auto tables = tables_of(R"json("rows": [{"label":"all"}], "columns": [{"label":"sum"}],
    "define": [{"name":"means","formula":"mean(v[x name=$name])","over":["two"]}],
    "formula": "sum(means)", "published": ["7"])json");
  EXPECT_EQ(count_verdicts(derived(tables)).reproduces, 1u);
}

TEST(Derive, NothingIsNoData) {
  const std::string lines = R"json("rows": [{"label":"all"}], "columns": [{"label":"x"}], )json";
  const auto absent = tables_of(lines + R"json("formula": "nothing", "published": ["7"])json");
  EXPECT_EQ(count_verdicts(derived(absent)).no_data, 1u);
  const auto forgotten = tables_of(lines + R"json("published": ["7"])json");
  EXPECT_THROW(derived(forgotten), InputError);
}

/// Means of `name` over two rows.
std::string means(const std::string& rows, const std::string& column, const std::string& name) {
  return R"json("rows": )json" + rows + R"json(, "columns": [{"label":"c")json" + column +
         R"json(}], "formula": "mean(v[x name=)json" + name +
         R"json(])", "published": ["2","5"])json";
}

TEST(Derive, MistakesNameTheCell) {
  const auto wrong = tables_of(means("\"two\"", "", "$nam"));
  try {
    derived(wrong);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("table t, A, c: $nam"), std::string::npos)
        << error.what();
  }
  EXPECT_NO_THROW(derived(tables_of(means("\"two\"", "", "$name"))));
  EXPECT_THROW(derived(tables_of(means("\"two\"", ",\"spare\":\"1\"", "$name"))), InputError);
  const std::string same = R"json([{"label":"A","name":"a"},{"label":"A","name":"b"}])json";
  EXPECT_THROW(derived(tables_of(means(same, "", "$name"))), InputError);
}

TEST(Tables, RefuseWhatTheyDoNotKnow) {
  for (
      const char* wrong :
      {R"json("rows": "two", "columns": [{"label":"c"}], "published": ["1"])json",
       R"json("rows": "two", "columns": [{"label":"c"}], "published": ["1 | 2","3"])json",
       R"json("rows": "three", "columns": [{"label":"c"}], "published": ["1","2"])json",
       R"json("rows": "two", "columns": [{"label":"c"}], "published": ["1","2"], "formul": "1")json"}) {
    EXPECT_THROW(tables_of(wrong), InputError) << wrong;
  }
}

TEST(Derive, WhatNobodyPublishedIsShownAndNotJudged) {
  const std::string columns = R"json("rows": "two", "columns": [{"label":"c"},
    {"label":"range","ours":2,"formula":["min(v[x name=$name])","max(v[x name=$name])"]}],
    "formula": "mean(v[x name=$name])", "published": )json";
  const auto tables = tables_of(columns + R"json(["2 |", "|"])json");
  const auto results = derived(tables);
  EXPECT_EQ(count_verdicts(results).cells, 1u);
  EXPECT_EQ(verdicts_csv(results), "table,row,column,verdict\nt,A,c,reproduces\n");
  ASSERT_EQ(results[0].ours.size(), 2u);
  EXPECT_EQ(results_csv(results),
            "table,row,column,published,ours,value,verdict\nt,A,c,2,2,2,reproduces\n"
            "t,A,range,,1.00 to 3.00,1 3,\nt,B,range,,4.00 to 6.00,4 6,\n");
  EXPECT_EQ(in_decimals(2, results[0].ours[1].ours), "4.00 to 6.00");
  EXPECT_THROW(tables_of(columns + R"json(["2 | 1", "|"])json"), InputError);
  const auto alone = tables_of(columns + R"json(["|", "|"])json");
  EXPECT_EQ(count_verdicts(derived(alone)).tables, 0u);
}

TEST(Derive, ClaimsInWordsAreCountedApart) {
  const std::string table = R"json("rows": "two", "columns": [{"label":"c"}],
    "formula": "mean(v[x name=$name]) > 3", "published": ["1","1"])json";
  const auto tables = tables_of(R"json("claim": true, )json" + table);
  const auto results = derived(tables);
  EXPECT_EQ(count_verdicts(results).cells, 0u);
  EXPECT_EQ(count_verdicts(results).tables, 0u);
  EXPECT_EQ(count_verdicts(results, true).reproduces, 1u);
  EXPECT_EQ(count_verdicts(results, true).differs, 1u);
  EXPECT_EQ(count_verdicts(derived(tables_of(table)), true).cells, 0u);
  EXPECT_THROW(tables_of(R"json("claim": 1, )json" + table), InputError);
}

TEST(Verdicts, AChangeIsNamed) {
  const auto now = verdicts_csv(derived(tables_of(
      R"json("rows": "two", "columns": [{"label":"c, d"}], "formula": "mean(v[x name=$name])", "published": ["2","6"])json")));
  EXPECT_TRUE(changed_verdicts(now, now).empty());
  std::string recorded = now;
  recorded.replace(recorded.find("differs"), 7, "rounding");
  ASSERT_EQ(changed_verdicts(recorded, now).size(), 1u);
  EXPECT_EQ(changed_verdicts(recorded, now).front(), "t,B,\"c, d\": differs, recorded rounding");
  EXPECT_EQ(changed_verdicts("table,row,column,verdict\n", now).size(), 2u);
  EXPECT_EQ(changed_verdicts(now + "t,C,c,differs\n", now).size(), 1u);
}

}  // namespace
}  // namespace kakeya
