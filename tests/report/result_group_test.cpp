// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/result_group.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/report/codec_tables.h"
#include "report/synthetic.h"

namespace kakeya {
namespace {

const CodecResult& codec(const ResultGroup& group, const std::string& label) {
  for (const CodecResult& each : group.codecs) {
    if (each.label == label) return each;
  }
  throw InputError("no codec " + label);
}

Sample& sample(StoredResults& results, const std::string& spec, int passage) {
  for (Sample& each : results.samples) {
    if (each.key.codec_k == spec && each.key.passage == passage) return each;
  }
  throw InputError("no sample of " + spec);
}

TEST(SplitSpec, FamilyAndRate) {
  const auto expect = [](const char* spec, const char* family, const char* key, const char* rate) {
    const SpecParts parts = split_spec(spec);
    EXPECT_EQ(parts.family, family) << spec;
    EXPECT_EQ(parts.rate_key, key) << spec;
    EXPECT_EQ(parts.rate, rate) << spec;
  };
  expect("e8:q=10", "e8", "q", "10");
  expect("d4:q=38,pack=joint", "d4:pack=joint", "q", "38");
  expect("tq:b=4", "tq", "b", "4");
  expect("kivi:b=2,group=32", "kivi:group=32", "b", "2");
  expect("ece8:bits=3.5", "ece8", "bits", "3.5");
  expect("ecz:step=0.25,per=head-page", "ecz:per=head-page", "step", "0.25");
  expect("fp8", "fp8", "", "");
  expect("fp8:scale=e8m0", "fp8:scale=e8m0", "", "");
  expect("odd:,q=3", "odd:,q=3", "", "");
}

TEST(SplitSpec, PluginsSayTheirRateThemselves) {
  const RateKeys plugins = {{"mine", "bits"}, {"flat", ""}};
  EXPECT_EQ(split_spec("mine:bits=3,group=32", plugins).family, "mine:group=32");
  EXPECT_EQ(split_spec("mine:bits=3,group=32", plugins).rate, "3");
  EXPECT_EQ(split_spec("mine:group=32", plugins).family, "mine:group=32");
  EXPECT_EQ(split_spec("mine", plugins).family, "mine");
  EXPECT_EQ(split_spec("flat:bits=3", plugins).family, "flat:bits=3");
  EXPECT_EQ(split_spec("mine:bits=3", {}).family, "mine:bits=3") << "unknown: a family of its own";
  EXPECT_EQ(split_spec("e8:q=10", plugins).family, "e8");
}

TEST(Group, TakesRateKeysOfPluginsFromTheRecords) {
  std::vector<StoredResults> stored = {synthetic::results("x/a", "snapshot")};
  for (Sample& each : stored[0].samples) {
    if (!each.key.codec_k.starts_with("e8:q=")) continue;
    each.key.codec_k = each.key.codec_v = "mine:bits=" + each.key.codec_k.substr(5);
  }
  const auto has_family = [&] {
    const auto families = group_results(stored)[0].families();
    return std::find(families.begin(), families.end(), "mine") != families.end();
  };
  EXPECT_FALSE(has_family());
  stored[0].runs.front().plugins = {{"mine.so", "", {{"mine", "bits"}}}};
  EXPECT_TRUE(has_family());
}

TEST(Group, SortsByModeFamilyAndRate) {
  const std::vector<StoredResults> stored = {synthetic::results("x/a", "snapshot"),
                                             synthetic::results("y/b", "inforward")};
  const std::vector<ResultGroup> groups = group_results(stored);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].source, "a");
  EXPECT_EQ(groups[0].mode, "snapshot");
  EXPECT_EQ(groups[0].families(), (std::vector<std::string>{"e8", "d4", "tq", "fp8"}));
  EXPECT_EQ(groups[0].codecs.front().label, "e8:q=4");
  EXPECT_EQ(groups[0].codecs.back().label, "identity");
  EXPECT_EQ(groups[0].passages.size(), 8u);
  EXPECT_TRUE(groups[0].warnings.empty());
  const CodecResult& e8 = codec(groups[0], "e8:q=10");
  EXPECT_NEAR(e8.rates.measured, 4.875, 1e-6);
  EXPECT_EQ(e8.rates.nominal, 5.0);
  EXPECT_EQ(e8.rate, "10");
}

TEST(Group, EqualFolderNamesAreShownInFull) {
  const std::vector<StoredResults> stored = {synthetic::results("x/a", "snapshot"),
                                             synthetic::results("y/a/", "snapshot")};
  const std::vector<ResultGroup> groups = group_results(stored);
  EXPECT_EQ(groups[0].source, "x/a");
  EXPECT_EQ(groups[1].source, "y/a/");
}

TEST(Group, DifferentSpecsForKAndV) {
  StoredResults results = synthetic::results("a", "inforward");
  for (Sample& each : results.samples) {
    if (each.key.codec_k == "e8:q=10") each.key.codec_v = "tq:b=4";
  }
  const std::vector<StoredResults> stored = {results};
  const std::vector<ResultGroup> groups = group_results(stored);
  const CodecResult& mixed = codec(groups[0], "K e8:q=10, V tq:b=4");
  EXPECT_EQ(mixed.family, "K e8, V tq");
  EXPECT_EQ(mixed.rate, "10/4");
  EXPECT_EQ(mixed.rate_keys, "q/b");
}

TEST(Group, UnequalPassagesAndFailuresAreSaid) {
  StoredResults results = synthetic::results("a", "inforward");
  std::erase_if(results.samples, [](const Sample& s) {
    return s.key.codec_k == "tq:b=4" && s.key.passage % 3 == 0;
  });
  results.failures.push_back({{"e8:q=4", "e8:q=4", 9, "inforward"}, "the codec never fired"});
  const std::vector<StoredResults> stored = {results};
  const std::vector<ResultGroup> groups = group_results(stored);
  ASSERT_EQ(groups[0].warnings.size(), 2u);
  EXPECT_NE(groups[0].warnings[0].find("e8:q=4 on passage 9: the codec never fired"),
            std::string::npos);
  EXPECT_NE(groups[0].warnings[1].find("tq:b=4 has 5 of 8 passages (missing: 0, 3, 6)"),
            std::string::npos);
  const CodecResult &tq = codec(groups[0], "tq:b=4"), &e8 = codec(groups[0], "e8:q=10");
  EXPECT_EQ(common_passages(tq, e8), (std::vector<int>{1, 2, 4, 5, 7}));
  EXPECT_EQ(series(e8, metric("kld_mean"), common_passages(tq, e8)).size(), 5u);
  EXPECT_THROW(series(tq, metric("kld_mean"), std::vector<int>{0}), InputError);
}

TEST(Group, RefusesUnsoundSamples) {
  const auto refuses = [](const auto& damage) {
    std::vector<StoredResults> stored = {synthetic::results("a", "inforward")};
    damage(stored);
    EXPECT_THROW(group_results(stored), InputError);
  };
  refuses([](auto& stored) { stored[0].samples.clear(); });
  refuses([](auto& stored) { stored[0].samples.push_back(stored[0].samples.back()); });
  refuses([](auto& stored) { stored[0].samples[0].kld_mean.reset(); });
  refuses([](auto& stored) { stored[0].samples[0].bits_per_value *= 0.9; });
  refuses([](auto& stored) { stored[0].samples[0].values = 0; });
  refuses([](auto& stored) { ++stored[0].samples[0].ledger_k->header_bits; });
  refuses([](auto& stored) { stored[0].samples[0].ledger_v->values -= 64; });
  refuses([](auto& stored) { stored.push_back(stored[0]); });
}

TEST(Group, AnEmptyFolderSaysWhatWasPlanned) {
  std::vector<StoredResults> stored(2);
  stored[0].folder = "out/a";
  stored[0].cells_planned = {16, std::nullopt, 48, 8};
  stored[0].failures.resize(3);
  stored[1].folder = "out/b";
  try {
    group_results(stored);
    ADD_FAILURE() << "nothing was refused";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "out/a: no finished cell of 48 planned, 3 failed; out/b: no finished cell: "
                 "expected at least one line in samples.jsonl");
  }
}

TEST(Control, IdentityMustBeExactlyZero) {
  const auto broken = [](const std::string& mode, const auto& damage) {
    std::vector<StoredResults> stored = {synthetic::results("a", mode)};
    damage(sample(stored[0], "identity", 3));
    const std::vector<ResultGroup> groups = group_results(stored);
    return groups[0].control_broken;
  };
  EXPECT_FALSE(broken("inforward", [](Sample&) {}));
  EXPECT_TRUE(broken("inforward", [](Sample& s) { s.kld_mean = 1e-300; }));
  EXPECT_TRUE(broken("inforward", [](Sample& s) { s.kld_max = 1e-9; }));
  EXPECT_TRUE(broken("inforward", [](Sample& s) { s.delta_ppl = -1e-12; }));
  EXPECT_TRUE(broken("inforward", [](Sample& s) { s.top1 = 0.99; }));
  EXPECT_TRUE(broken("inforward", [](Sample& s) { s.nll = *s.nll + 1e-15; }));
  EXPECT_TRUE(broken("inforward", [](Sample& s) { s.rel_mse_v = 1e-12; }));
  EXPECT_FALSE(
      broken("distortion", [](Sample& s) { s.rel_mse_v = 3e-6; }));  // rounding fp32 to bf16
  EXPECT_TRUE(broken("distortion", [](Sample& s) { s.rel_mse_v = 4e-6; }));
}

// Samples that were written before a metric was measured are reported without it.
TEST(Metrics, ATableHasThoseThatEverySampleHas) {
  std::vector<StoredResults> stored = {synthetic::results("a", "inforward")};
  const std::size_t columns = codec_table(group_results(stored)[0]).columns.size();
  sample(stored[0], "e8:q=10", 3).top1.reset();
  const Table table = codec_table(group_results(stored)[0]);
  EXPECT_EQ(table.columns.size(), columns - 1);
  for (const Column& column : table.columns) EXPECT_NE(column.heading, metric("top1").heading);
  sample(stored[0], "e8:q=10", 3).kld_mean.reset();
  EXPECT_THROW(group_results(stored), InputError);
}

// The note above a table explains no column that is not there.
TEST(Metrics, ATableExplainsWhatItShows) {
  std::vector<StoredResults> stored = {synthetic::results("a", "inforward")};
  const std::string_view note = metric("delta_p_max").note;
  const auto table = [&] { return codec_table(group_results(stored)[0]); };
  const Table without = table();
  EXPECT_EQ(without.note.find(note), std::string::npos);
  EXPECT_NE(without.note.find("no more; KL max: none does. Pareto"), std::string::npos);
  for (Sample& each : stored[0].samples) each.delta_p_max = each.key.passage / 100.0;
  const Table with = table();
  EXPECT_NE(with.note.find("none does; " + std::string(note) + ". Pareto"), std::string::npos);
  ASSERT_EQ(with.columns.size(), without.columns.size() + 1);
  const auto shown = std::find_if(with.columns.begin(), with.columns.end(), [](const Column& c) {
    return c.heading == metric("delta_p_max").heading;
  });
  ASSERT_NE(shown, with.columns.end());
  const auto at = static_cast<std::size_t>(shown - with.columns.begin());
  EXPECT_EQ(with.rows[0][at].text, "7.00");  // the last of 8 passages, percent
}

TEST(Metrics, SummaryIsAMeanOrAMaximum) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward")};
  const std::vector<ResultGroup> groups = group_results(stored);
  const CodecResult& e8 = codec(groups[0], "e8:q=10");
  double sum = 0, largest = 0;
  for (const Sample* each : e8.samples)
    sum += *each->kld_mean, largest = std::max(largest, *each->kld_max);
  EXPECT_DOUBLE_EQ(summary(e8, metric("kld_mean")).mean, sum / 8);
  EXPECT_EQ(summary(e8, metric("kld_max")).mean, largest);
  // One token in 64 of each passage is twenty times the mean: most of them are among the last 1 %.
  std::vector<double> tokens;
  for (const Sample* each : e8.samples) {
    tokens.insert(tokens.end(), each->kld_tokens.begin(), each->kld_tokens.end());
  }
  std::sort(tokens.begin(), tokens.end());
  const double place = 0.99 * static_cast<double>(tokens.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  EXPECT_NEAR(summary(e8, metric("kld_p99")).mean,
              std::lerp(tokens[low], tokens[low + 1], place - std::floor(place)), 1e-15);
  EXPECT_GE(summary(e8, metric("abs_delta_ppl")).mean,
            std::fabs(summary(e8, metric("delta_ppl")).mean));
  EXPECT_THROW(metric("no_such"), SpecError);
  std::set<std::string_view> names;
  for (const Metric& each : metrics()) EXPECT_TRUE(names.insert(each.name).second) << each.name;
}

}  // namespace
}  // namespace kakeya
