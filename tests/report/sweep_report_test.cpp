// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/sweep_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/report/charts.h"
#include "kakeya/report/provenance_text.h"
#include "report/noiseless.h"
#include "report/synthetic.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Provenance self() {
  return {"0.1.0", "feedbeef0123", "", "", "cpu", 1, "", {"kakeya-report", "a", "--out", "r"}, {}};
}

TEST(SweepReport, HoldsEverySection) {
  const std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward")};
  const SweepReport report = make_sweep_report(stored, self());
  EXPECT_EQ(report.codecs, 25u);
  EXPECT_EQ(report.passages, 8u);
  EXPECT_FALSE(report.control_broken);
  EXPECT_TRUE(report.warnings.empty());
  for (const char* part :
       {"# KV-cache compression: synthetic-135m",
        "![",
        "kld_inforward.svg",
        "delta_ppl_inforward.svg",
        "KL divergence leads",
        "noise floor is near 1 %",
        "standard error of the mean signed",
        "**In short**, against d4, by measured bits of the coded values.",
        "### Bits at equal KL divergence, on average: BD-rate against d4",
        "### Paired comparisons with d4 at equal measured bits of the coded values",
        "## What was run",
        "## What to use at a KL divergence of at most 0.02: synthetic-135m, in-forward (hot)",
        "## What to use at a KL divergence of at most 0.005: synthetic-135m, in-forward (hot)",
        "### Every codec",
        "### Where the measured bits go",
        "### Whole-cache bits with the profile",
        "### Measured bits of the coded values at equal KL divergence",
        "### Compression within a perplexity budget",
        "### Pairs at nearly equal measured bits of the coded values",
        "## Storage at 131,072 tokens",
        "2048 + 64",
        "kakeya-sweep --model 'a model' --out out/a",
        "commit feedbeef0123"}) {
    EXPECT_TRUE(holds(report.details, part)) << part;
  }
  std::size_t at = 0, tables = 0, commands = 0;
  while ((at = report.details.find("\n|--", at + 1)) != std::string::npos) ++tables;
  at = 0;
  while ((at = report.details.find("command: `kakeya-sweep", at + 1)) != std::string::npos)
    ++commands;
  EXPECT_EQ(tables, 12u);
  EXPECT_EQ(commands, tables);  // under each table
  for (const char* name :
       {"circumstances", "choose_at_kl_0.02", "codecs", "ledger", "real_bits_at_equal_kld",
        "perplexity_budget", "pairs_at_equal_real_bits", "storage"}) {
    EXPECT_TRUE(holds(report.csv, std::string("\n") + name + ",")) << name;
  }
  EXPECT_FALSE(holds(report.csv, "nan"));
  EXPECT_FALSE(holds(report.csv, "inf,"));
}

TEST(SweepReport, ReportMdIsOneScreen) {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward")};
  stored[0].plan.policy.sinks = 4;
  const SweepReport report = make_sweep_report(stored, self());
  EXPECT_LE(std::count(report.markdown.begin(), report.markdown.end(), '\n'), 25);
  for (const char* part :
       {"# KV-cache compression: synthetic-135m", "kld_inforward.svg", "(details.md)",
        "(results.csv)", "lowest BD-rate against d4: e8, ", "8 passages of synthetic.txt",
        "the first and last 2 of 30 layers stay bf16, in whole-cache bits alone",
        "; 4 sink tokens in bf16, counted", "commit 0123456789ab", "## What to use\n",
        "[delta_ppl_inforward](delta_ppl_inforward.svg)"}) {
    EXPECT_TRUE(holds(report.markdown, part)) << part;
  }
  EXPECT_FALSE(holds(report.markdown, "profiles, once a model"));
  stored[0].runs[0].profiles = {{std::string(64, 'c'), "other.txt", "", 4, 1024, 4, 23592960}};
  const SweepReport calibrated = make_sweep_report(stored, self());
  EXPECT_TRUE(
      holds(calibrated.markdown, "8.0 bits a value of one cache of 2k tokens, 0.12 at 128k"));
  EXPECT_FALSE(holds(report.charts[0].subtitle, "profiles not counted"));
  EXPECT_TRUE(holds(calibrated.charts[0].subtitle, "profiles not counted"));
}

TEST(SweepReport, OfManySamplesItSaysWhatCameOutAlone) {
  std::vector<StoredResults> stored;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    stored.push_back(synthetic::results(std::string("out/") + name, "inforward"));
  }
  const SweepReport report = make_sweep_report(stored, self());
  EXPECT_TRUE(holds(report.markdown, "6 sets of samples; [details.md](details.md#what-was-run)"));
  EXPECT_TRUE(holds(report.markdown, "(f), in-forward**: lowest BD-rate against d4: e8, "));
  EXPECT_FALSE(holds(report.markdown, "8 passages of synthetic.txt"));
  EXPECT_TRUE(holds(report.details, "## What was run"));
}

TEST(SweepReport, AnswersAtAKlAsked) {
  const std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward"),
                                             synthetic::results("out/b", "distortion")};
  SweepReportOptions asked;
  asked.at_kl = {0.01, 0.1};
  const SweepReport report = make_sweep_report(stored, self(), {}, {}, asked);
  ASSERT_EQ(report.at_kl.size(), 2u);  // none of the dump
  EXPECT_EQ(report.at_kl[1].front().kl, 0.1);
  for (const char* heading :
       {"Which codec: measured bits of the coded values at KL divergence 0.01",
        "Which codec: measured bits of the coded values at KL divergence 0.1"}) {
    EXPECT_TRUE(holds(report.markdown, heading));
    EXPECT_TRUE(holds(report.details, heading));
  }
  EXPECT_TRUE(holds(report.csv, "\nat_kl,a,inforward,e8,real bits at kl,"));
  EXPECT_TRUE(make_sweep_report(stored, self()).at_kl.empty());
}

TEST(SweepReport, IsDeterministic) {
  const std::vector<StoredResults> stored = {synthetic::results("out/a", "snapshot")};
  const SweepReport one = make_sweep_report(stored, self()),
                    two = make_sweep_report(stored, self());
  EXPECT_EQ(one.markdown, two.markdown);
  EXPECT_EQ(one.details, two.details);
}

// Steps sum in another order than the reference pass: identity may move predictions by little there.
TEST(SweepReport, SaysWhereDecodingDiffersAndWhatItsControlMayDo) {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "decode"),
                                       synthetic::results("out/b", "inforward")};
  for (Sample& s : stored[0].samples) {
    if (s.key.codec_k == "identity") s.kld_mean = s.kld_max = 0.0019;
  }
  const SweepReport report = make_sweep_report(stored, self());
  EXPECT_FALSE(report.control_broken);
  const std::size_t decode = report.details.find(", decode\n"),
                    note = report.details.find("It differs from the in-forward mode in what lies");
  EXPECT_LT(decode, note);
  EXPECT_LT(note, report.details.find(", in-forward\n", decode));
  EXPECT_EQ(report.details.find("It differs from the in-forward", note + 1), std::string::npos);
  for (Sample& s : stored[0].samples) {
    if (s.key.codec_k == "identity") s.kld_mean = 0.0021;
  }
  EXPECT_TRUE(make_sweep_report(stored, self()).control_broken);
}

TEST(SweepReport, CsvHasFullPrecision) {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward")};
  for (Sample& s : stored[0].samples) {
    if (s.key.codec_k == "fp8") s.kld_mean = 1.0 / 3;
  }
  EXPECT_TRUE(holds(make_sweep_report(stored, self()).csv,
                    "\ncodecs,a,inforward,fp8,kld_mean (nats),0.333333333333333"));
}

TEST(SweepReport, SettingsThatLackPassagesAreOneWarning) {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward")};
  const std::string kept = "identity", apart = "fp8";
  std::set<std::string> others;
  std::erase_if(stored[0].samples, [&](const Sample& s) {
    const bool other = s.key.codec_k != kept && s.key.codec_k != apart;
    if (other) others.insert(s.key.codec_k);
    return (other && s.key.passage >= 6) || (s.key.codec_k == apart && s.key.passage == 5);
  });
  ASSERT_GT(others.size(), 1u);
  const SweepReport report = make_sweep_report(stored, self());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(holds(report.markdown, "UNEQUAL PASSAGES: fp8 has 7 of 8 passages (missing: 5), "));
  EXPECT_TRUE(holds(report.markdown, " and " + std::to_string(others.size() - 1) +
                                         " more have 6 of 8 passages (missing: 6, 7)"));
}

TEST(SweepReport, SaysWhatIsWrongAtTheTop) {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward")};
  for (Sample& s : stored[0].samples) {
    if (s.key.codec_k == "identity" && s.key.passage == 2) s.kld_mean = 1e-7;
  }
  std::erase_if(stored[0].samples,
                [](const Sample& s) { return s.key.codec_k == "fp8" && s.key.passage == 5; });
  const SweepReport report = make_sweep_report(stored, self());
  EXPECT_TRUE(report.control_broken);
  ASSERT_EQ(report.warnings.size(), 2u);
  EXPECT_LT(report.details.find("BROKEN CONTROL"), report.details.find("## What was run"));
  EXPECT_LT(report.details.find("UNEQUAL PASSAGES: fp8 has 7 of 8"),
            report.details.find("## What was run"));
  EXPECT_LT(report.markdown.find("BROKEN CONTROL"), report.markdown.find("!["));
  EXPECT_LT(report.markdown.find("UNEQUAL PASSAGES: fp8 has 7 of 8"), report.markdown.find("!["));
  EXPECT_TRUE(holds(report.charts[0].subtitle, "CONTROL BROKEN"));
}

TEST(SweepReport, SaysAtTheTopThatASweepIsNotFinished) {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward")};
  const std::size_t whole = stored[0].samples.size();
  const auto warnings = [&] { return make_sweep_report(stored, self()).warnings; };
  stored[0].cells_planned = {std::nullopt, whole, whole - 3};
  EXPECT_TRUE(warnings().empty());
  stored[0].cells_planned = {std::nullopt};  // made by a version that recorded no plan
  EXPECT_TRUE(warnings().empty());
  stored[0].cells_planned = {whole + 10, std::nullopt, whole - 3};
  const std::string text = "a: INCOMPLETE: " + std::to_string(whole) + " of " +
                           std::to_string(whole + 10) + " cells finished";
  EXPECT_EQ(warnings(), std::vector<std::string>{text});
  const SweepReport report = make_sweep_report(stored, self());
  EXPECT_FALSE(report.control_broken);
  for (const std::string& page : {report.markdown, report.details}) {
    const std::size_t attention = page.find("> **ATTENTION");
    EXPECT_LT(attention, page.find("> - " + text));
    EXPECT_LT(page.find("> - " + text), page.find("!["));
  }
  for (const int passage : {0, 1}) {
    stored[0].failures.push_back({{"e8:q=7", "e8:q=7", passage, "inforward"}, "refused"});
  }
  EXPECT_EQ(warnings().at(0), text + ", 2 failed");
}

TEST(SweepReport, SaysThatThereIsNoControl) {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward")};
  std::erase_if(stored[0].samples, [](const Sample& s) { return s.key.codec_k == "identity"; });
  EXPECT_TRUE(holds(make_sweep_report(stored, self()).details, "No control"));
}

TEST(SweepReport, OnePassageHasNoIntervals) {
  const std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward", 1)};
  const SweepReport report = make_sweep_report(stored, self());
  EXPECT_TRUE(holds(report.details, "(n=1)"));
  EXPECT_TRUE(holds(report.charts[0].subtitle, "no intervals"));
  EXPECT_FALSE(holds(report.csv, "inf,"));
}

TEST(SweepReport, SaysHowATextWasCutWhereThatWasWrittenDown) {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward"),
                                       synthetic::results("out/b", "inforward")};
  const SweepReport same = make_sweep_report(stored, self());
  EXPECT_FALSE(holds(same.details, "text cut by"));
  stored[1].plan.cut = "published";  // what those without the word were cut by
  const SweepReport published = make_sweep_report(stored, self());
  EXPECT_TRUE(holds(published.details, "text cut by"));
  EXPECT_EQ(published.passages, same.passages);
  stored[1].plan.cut = "tokens";
  EXPECT_EQ(make_sweep_report(stored, self()).passages, 2 * same.passages);
}

TEST(SweepReport, NamesAResidualWindowWhereThereIsOne) {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward"),
                                       synthetic::results("out/b", "inforward")};
  const std::string without = make_sweep_report(stored, self()).details;
  EXPECT_FALSE(holds(without, "residual window of"));
  EXPECT_FALSE(holds(without, "residual window seen bf16"));
  EXPECT_TRUE(holds(without, "4 skipped layers stay bf16"));
  stored[1].plan.policy.residual_window = 64;
  const std::string with = make_sweep_report(stored, self()).details;
  const Table facts = circumstances_table(group_results(stored));
  const auto row = std::find_if(facts.rows.begin(), facts.rows.end(), [](const auto& cells) {
    return cells[0].text == "residual window seen bf16";
  });
  ASSERT_NE(row, facts.rows.end());
  EXPECT_EQ((*row)[1].text, "0");
  EXPECT_EQ((*row)[2].text, "64");
  EXPECT_TRUE(holds(with, "4 skipped layers and a residual window of 64 stay bf16"));
}

TEST(SweepReport, DistortionOnly) {
  const std::vector<StoredResults> stored = {synthetic::results("out/a", "distortion")};
  const SweepReport report = make_sweep_report(stored, self());
  ASSERT_EQ(report.charts.size(), 1u);
  EXPECT_EQ(report.charts[0].name, "rel_mse_distortion");
  EXPECT_EQ(report.charts[0].panels.size(), 2u);
  EXPECT_FALSE(holds(report.details, "perplexity budget"));
  EXPECT_TRUE(report.choices.empty());
  EXPECT_TRUE(holds(report.markdown, "| rel-MSE K at most |"));
  EXPECT_TRUE(holds(report.markdown, "| whole-cache bits | bits of coded values |"));
  EXPECT_TRUE(holds(report.details, "gap K, dB"));
  // 10 log10(3) of the made-up K distortion, at every rate
  EXPECT_TRUE(holds(report.csv, "distortion,a,distortion,e8:q=10,shannon_gap_k (dB),4.77"));
}

TEST(SweepReport, TwoFoldersAreTwoPanelsWithOneColourAFamily) {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward"),
                                       synthetic::results("out/b", "inforward", 8, 200, 5)};
  const SweepReport report = make_sweep_report(stored, self());
  EXPECT_EQ(report.passages, 8u);  // the same text
  ASSERT_EQ(report.charts.size(), 2u);
  ASSERT_EQ(report.charts[0].panels.size(), 2u);
  EXPECT_EQ(report.charts[0].panels[0].title, "synthetic-135m (a)");
  EXPECT_EQ(report.charts[0].panels[1].title, "synthetic-135m (b)");
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(report.charts[0].panels[0].series[i].colour,
              report.charts[0].panels[1].series[i].colour);
  }
  const ChartPanel& panel = report.charts[0].panels[0];
  for (std::size_t i = 1; i < panel.front.size(); ++i)
    EXPECT_LT(panel.front[i].second, panel.front[i - 1].second);
}

TEST(SweepReport, LegendsNameProfilesOnlyWhereNothingElseDiffers) {
  // "a" has one profile of d4 and two of tq, "b" another of d4.
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward"),
                                       synthetic::results("out/b", "inforward", 8, 200, 5)};
  for (StoredResults& results : stored) {
    const std::string digest = results.folder == "out/a" ? "aaaa" : "bbbb";
    for (Sample& sample : results.samples) {
      std::string& spec = sample.key.codec_k;
      if (spec.starts_with("d4:")) spec += ",profile=" + digest;
      if (spec.starts_with("tq:")) spec += spec.back() < '5' ? ",profile=cccc" : ",profile=dddd";
      sample.key.codec_v = spec;
    }
  }
  const SweepReport report = make_sweep_report(stored, self());
  const auto& panels = report.charts[0].panels;
  const auto series = [&](std::size_t panel, const std::string& name) {
    const auto& all = panels[panel].series;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const ChartSeries& each) { return each.name == name; });
    EXPECT_NE(found, all.end()) << name;
    return found;
  };
  EXPECT_EQ(series(0, "d4 (q)")->colour, series(1, "d4 (q)")->colour);
  EXPECT_EQ(series(0, "tq:profile=cccc (b)")->points.size(), 3u);
  EXPECT_EQ(series(0, "tq:profile=dddd (b)")->points.size(), 4u);
}

TEST(SweepReport, LegendsOfPairsNameNoProfilesEither) {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward")};
  for (Sample& sample : stored[0].samples) {
    std::string &k = sample.key.codec_k, &v = sample.key.codec_v;
    // The first key of a spec, and the last of others; of tq two that differ in the values' alone.
    if (k.starts_with("e8:")) {
      v = "fp8:profile=bbbb";
      k += ",profile=aaaa";
    } else if (k.starts_with("tq:")) {
      v = k.back() < '5' ? "fp8:profile=cccc" : "fp8:profile=dddd";
      k += ",rotate=none,profile=aaaa";
    }
  }
  const SweepReport report = make_sweep_report(stored, self());
  std::vector<std::string> names;
  for (const ChartSeries& each : report.charts[0].panels[0].series) names.push_back(each.name);
  for (const char* name :
       {"K e8, V fp8 (q)", "K tq:rotate=none,profile=aaaa, V fp8:profile=cccc (b)",
        "K tq:rotate=none,profile=aaaa, V fp8:profile=dddd (b)"}) {
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  }
}

TEST(SweepReport, OfSomeFamilies) {
  const std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward")};
  const SweepReport report = make_sweep_report(stored, self(), {}, {"e*", "tq"});
  EXPECT_EQ(report.codecs, 8u + 7 + 1);  // and the control
  EXPECT_FALSE(holds(report.details, "d4:q="));
  EXPECT_TRUE(holds(report.details, "tq:b=4"));
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_THROW(make_sweep_report(stored, self(), {}, {"e8", "d5*"}), SpecError);
}

TEST(SweepReport, WritesTablesFirstAndThenDraws) {
  if (std::system("command -v gnuplot > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "gnuplot is not installed";
  const fs::path folder = fs::path(::testing::TempDir()) / "kakeya_report_whole" / "deep";
  fs::remove_all(folder);
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward"),
                                       synthetic::results("out/b", "inforward", 8, 200, 5)};
  const std::vector<std::string> files =
      write_document(make_sweep_report(stored, self()), folder.string(), true);
  for (const char* name : {"report.md", "details.md", "results.csv", "kld_inforward.svg",
                           "kld_inforward.png", "kld_inforward.gp", "kld_inforward.dat",
                           "delta_ppl_inforward.svg", "delta_ppl_inforward.png"}) {
    EXPECT_NE(std::find(files.begin(), files.end(), name), files.end()) << name;
    EXPECT_GT(fs::file_size(folder / name), 200u) << name;
  }
  // Bars of no length, and a grid of panels.
  stored = {synthetic::results("out/a", "distortion"), synthetic::results("out/b", "distortion", 1),
            synthetic::results("out/c", "inforward", 1)};
  stored[1].plan.origin.model.name = "other_1b";
  const fs::path more = folder.parent_path() / "more";
  EXPECT_EQ(write_document(make_sweep_report(stored, self()), more.string(), true).size(), 15u);
  EXPECT_GT(fs::file_size(more / "rel_mse_distortion.png"), 10000u);
  const fs::path bare = folder.parent_path() / "bare";
  EXPECT_EQ(write_document(make_sweep_report(stored, self()), bare.string(), false).size(), 9u);
  EXPECT_FALSE(fs::exists(bare / "kld_inforward.svg"));
}

}  // namespace
}  // namespace kakeya
