// SPDX-License-Identifier: Apache-2.0
// Plans and studies of layers in reports, from made samples whose answers are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/report/layer_report.h"
#include "kakeya/report/plan_comparison.h"
#include "kakeya/report/plans_table.h"

namespace kakeya {
namespace {

constexpr int kLayers = 4, kPassages = 6;

Provenance made_by() {
  Provenance provenance;
  provenance.commit = "c";
  provenance.device = "cpu";
  provenance.command = {"kakeya-sweep"};
  return provenance;
}

/// Samples of four layers, 1000 values each.
class Made {
 public:
  Made() {
    stored_.folder = "made";
    stored_.plan.origin.model.name = "model";
    stored_.plan.shape = {.layers = kLayers, .kv_heads = 1, .head_dim = 8};
    stored_.plan.policy.layers = kLayers;
    stored_.runs.push_back(made_by());
  }

  /// `kld(passage)`, with `bits` a value of the layers.
  template <typename Kld>
  void add(const std::string& codec, double bits, const IndexSet& layers, const Kld& kld) {
    for (int passage = 0; passage < kPassages; ++passage) {
      Sample sample;
      sample.key = {codec, codec, passage, "inforward"};
      sample.values = 1000 * layers.count();
      sample.bytes_written = static_cast<std::uint64_t>(bits * 1000 / 8) * layers.count();
      sample.bits_per_value =
          8.0 * static_cast<double>(sample.bytes_written) / static_cast<double>(sample.values);
      sample.cache_values = 1000 * kLayers;
      sample.cache_bytes = sample.bytes_written + 2 * (sample.cache_values - sample.values);
      sample.kld_mean = kld(passage);
      sample.kld_max = sample.kld_mean;
      sample.delta_ppl = *sample.kld_mean;
      sample.top1 = 1;
      for (const int layer : layers.numbers()) sample.layers.push_back({layer, 0.1, 0.2, 1, 1});
      stored_.samples.push_back(sample);
    }
  }

  /// The same of a plan, whose text the folder has.
  template <typename Kld>
  void add_plan(const std::string& label, const std::string& text, double bits,
                const IndexSet& layers, const Kld& kld) {
    stored_.runs[0].plans.push_back({label, std::string(64, 'a'), text});
    add(label, bits, layers, kld);
  }

  StoredResults& stored() { return stored_; }

 private:
  StoredResults stored_;
};

const IndexSet kAll = IndexSet::below(kLayers);

std::string study_text(const IndexSet& layers, const std::string& codec = "e8:q=4") {
  return R"({"kakeya_plan": 1, "name": "layers", "layers": 4, "kv_heads": 1, "skip": ")" +
         layers.others(kLayers).text() + R"(", "sites": [{"layers": ")" + layers.text() +
         R"(", "codec": ")" + codec + R"("}]})";
}

std::string label_of(const IndexSet& layers) {
  return "plan:name=layers,digest=" + std::to_string(layers.count()) + "x" +
         std::to_string(layers.first());
}

/// Layer l alone loses (l + 1) (1 + passage); two together 1 more than their sum.
Made studied() {
  Made made;
  const auto add = [&](const IndexSet& layers, double more) {
    double sum = more;
    for (const int layer : layers.numbers()) sum += layer + 1;
    made.add_plan(label_of(layers), study_text(layers), 4, layers,
                  [=](int passage) { return sum * (1 + passage); });
  };
  for (int layer = 0; layer < kLayers; ++layer) add(IndexSet::of({&layer, 1}), 0);
  add(IndexSet::parse("0,2", "layers"), 1);
  made.add("e8:q=4", 4, kAll, [](int passage) { return 10.0 * (1 + passage); });
  return made;
}

TEST(LayerStudies, AreFoundByTheirPlans) {
  Made made = studied();
  const std::vector<LayerStudy> studies = layer_studies({&made.stored(), 1});
  ASSERT_EQ(studies.size(), 1u);
  EXPECT_EQ(studies[0].label, "e8:q=4");
  ASSERT_EQ(studies[0].singles.size(), 4u);
  EXPECT_EQ(studies[0].singles[3].layers.text(), "3");
  ASSERT_EQ(studies[0].sets.size(), 2u);
  EXPECT_EQ(studies[0].sets[0].layers.text(), "0,2");
  EXPECT_EQ(studies[0].sets[1].layers, kAll);  // the codec itself
}

TEST(LayerStudies, JointLessSumIsPaired) {
  Made made = studied();
  const Document report = make_layer_report(layer_studies({&made.stored(), 1}), made_by());
  const auto line = [&](const std::string& begin) {
    const std::size_t at = report.csv.find(begin);
    return at == std::string::npos ? std::string("none")
                                   : report.csv.substr(at, report.csv.find('\n', at) - at);
  };
  // Mean of 1 ... 6 is 3.5; of all four the sum is the joint one to the last bit.
  EXPECT_NE(line("coded layers,made,inforward,\"e8:q=4 | 2 | 0,2\",joint less").find(",3.5,"),
            std::string::npos)
      << report.csv;
  EXPECT_NE(line("coded layers,made,inforward,e8:q=4 | 4 | 0-3,joint less").find(",0,0,6,"),
            std::string::npos)
      << report.csv;
  EXPECT_NE(line("single layers,made,inforward,e8:q=4 | 3,share of the sum").find(",0.4,"),
            std::string::npos);
  EXPECT_NE(line("single layers,made,inforward,e8:q=4 | 0,rank").find(",4,"), std::string::npos);
  ASSERT_EQ(report.charts.size(), 2u);
  EXPECT_EQ(report.charts[0].panels[0].series[0].points.size(), 4u);
}

// A control between what layers 0 and 1 lose alone.
TEST(LayerStudies, StandBesideWhatOtherForwardsLose) {
  Made made = studied();
  const std::string without = make_layer_report(layer_studies({&made.stored(), 1}), made_by()).csv;
  EXPECT_EQ(without.find("noise_floor"), std::string::npos);
  for (int passage = 0; passage < kPassages; ++passage) {
    ControlSample control;
    control.control = "bf16";
    control.passage = passage;
    control.kld_mean = 1.5 * (1 + passage);
    made.stored().controls.push_back(control);
  }
  const Document report = make_layer_report(layer_studies({&made.stored(), 1}), made_by());
  EXPECT_NE(report.details.find("## made: other forwards, nothing coded"), std::string::npos);
  EXPECT_NE(report.details.find("| 1 of 6: e8:q=4 in layer 0 "), std::string::npos)
      << report.details;
  EXPECT_EQ(report.csv.substr(0, without.size()), without);
  for (const Chart& chart : report.charts) {
    EXPECT_TRUE(chart.floors) << chart.name;
    const ChartLine& line = chart.panels[0].references.back();
    EXPECT_EQ(line.name, "nothing coded: bf16 arithmetic");
    EXPECT_NEAR(line.points[0].second, 1.5 * 3.5, 1e-12);
  }
}

TEST(LayerStudies, TakeThePassagesThatAllCellsHave) {
  Made made = studied();
  made.stored().samples.pop_back();  // the last passage of all layers
  EXPECT_EQ(layer_studies({&made.stored(), 1})[0].singles[0].samples.size(), kPassages - 1u);
  made.stored().runs[0].plans.pop_back();
  EXPECT_THROW(layer_studies({&made.stored(), 1}), InputError);  // a plan without its text
  Made none;
  none.add("e8:q=4", 4, kAll, [](int) { return 1.0; });
  EXPECT_THROW(layer_studies({&none.stored(), 1}), InputError);
}

// Two labels that code alike: the codec itself and a plan of all layers; two names of one plan.
TEST(LayerStudies, TakeOneSampleOfAPassageFromCellsThatCodeAlike) {
  const auto wrong = [](int) { return 1e6; };
  const int first = 0;
  const IndexSet one = IndexSet::of({&first, 1});
  Made made = studied();
  for (const char* name : {"mine", "other"}) {
    const std::string label = std::string("plan:name=") + name + ",digest=0";
    made.add_plan(label, R"({"kakeya_plan": 1, "default": "e8:q=4"})", 4, kAll, wrong);
    made.add_plan(label + "1", study_text(one), 4, one, wrong);
  }
  made.add_plan(label_of(kAll), study_text(kAll), 4, kAll, wrong);
  const std::vector<LayerStudy> studies = layer_studies({&made.stored(), 1});
  ASSERT_EQ(studies.size(), 1u);
  ASSERT_EQ(studies[0].sets.size(), 2u);
  for (const auto* cells : {&studies[0].singles, &studies[0].sets}) {
    for (const LayerStudy::Coded& cell : *cells) {
      ASSERT_EQ(cell.samples.size(), std::size_t{kPassages}) << cell.layers.text();
      for (int passage = 0; passage < kPassages; ++passage) {
        const Sample& sample = *cell.samples[static_cast<std::size_t>(passage)];
        EXPECT_EQ(sample.key.passage, passage);
        EXPECT_LT(*sample.kld_mean, 1e6) << sample.key.codec_k;
      }
    }
  }
  Made plain = studied();
  EXPECT_EQ(make_layer_report(studies, made_by()).csv,
            make_layer_report(layer_studies({&plain.stored(), 1}), made_by()).csv);
}

// A cell that lacks a passage is not made up for by a plan that codes as another cell does.
TEST(LayerStudies, ADuplicateStandsInForNoCell) {
  Made made = studied();
  made.stored().samples.erase(made.stored().samples.begin());  // layer 0 on passage 0
  made.add_plan("plan:name=layers,digest=all", study_text(kAll), 4, kAll, [](int) { return 1e6; });
  const std::vector<LayerStudy> studies = layer_studies({&made.stored(), 1});
  for (const auto* cells : {&studies[0].singles, &studies[0].sets}) {
    for (const LayerStudy::Coded& cell : *cells) {
      ASSERT_EQ(cell.samples.size(), kPassages - 1u);
      EXPECT_EQ(cell.samples.front()->key.passage, 1);
    }
  }
  EXPECT_FALSE(make_layer_report(studies, made_by()).csv.empty());
}

// Sums are of the same passages whatever order they stand in, and none where one is missing.
TEST(LayerStudies, SumsAreMatchedByThePassagesNumber) {
  Made made = studied();
  std::vector<LayerStudy> studies = layer_studies({&made.stored(), 1});
  const std::string report = make_layer_report(studies, made_by()).csv;
  std::reverse(studies[0].singles[2].samples.begin(), studies[0].singles[2].samples.end());
  EXPECT_EQ(make_layer_report(studies, made_by()).csv, report);
  studies[0].singles[2].samples.pop_back();
  EXPECT_NE(make_layer_report(studies, made_by()).csv, report);
}

TEST(LayerStudies, AreNoPartOfOtherTables) {
  Made made = studied();
  const std::vector<ResultGroup> groups = group_results({&made.stored(), 1});
  ASSERT_EQ(groups.size(), 1u);
  ASSERT_EQ(groups[0].codecs.size(), 1u);
  EXPECT_EQ(groups[0].codecs[0].label, "e8:q=4");
}

/// e8 whose loss falls as 4^-bits, and a plan with `factor` times what e8 loses at as many bits.
Made planned(double factor, const IndexSet& layers = kAll) {
  Made made;
  const auto loss = [](double bits) {
    return [=](int passage) { return (1 + 0.1 * passage) * std::exp2(-2 * bits); };
  };
  for (const int bits : {2, 4, 6}) {
    made.add("e8:q=" + std::to_string(bits), bits, kAll, loss(bits));
  }
  const std::string text = R"({"kakeya_plan": 1, "name": "p", "bits": 3, "skip": ")" +
                           layers.others(kLayers).text() + R"(", "sites": [{"layers": ")" +
                           layers.text() + R"(", "part": "k", "codec": "e8:q=9"},{"layers": ")" +
                           layers.text() + R"(", "part": "v", "codec": "e8:q=5"}]})";
  made.add_plan("plan:bits=3,name=p,digest=0", text, 3, layers, [=](int passage) {
    return factor * (1 + 0.001 * (passage % 2)) * loss(3)(passage);
  });
  return made;
}

TEST(PlanComparison, IsAtEqualBitsOfItsOwnCodec) {
  for (const double factor : {0.5, 1.0, 2.0}) {
    Made made = planned(factor);
    const std::vector<ResultGroup> groups = group_results({&made.stored(), 1});
    const Table table = plan_comparison_table(groups[0], {});
    ASSERT_EQ(table.rows.size(), 1u);
    EXPECT_EQ(table.rows[0][1].text, "e8");
    EXPECT_NEAR(*table.rows[0][7].value, std::log2(factor), 0.01);
    EXPECT_NE(table.rows[0][5].text.find(" to "), std::string::npos);
    const std::string verdict = table.rows[0].back().text;
    EXPECT_EQ(verdict.starts_with("better"), factor < 1) << verdict;
    EXPECT_EQ(verdict.starts_with("worse"), factor > 1) << verdict;
    const Table plans = plans_table(groups);
    ASSERT_EQ(plans.rows.size(), 1u);
    EXPECT_NE(plans.rows[0][2].text.find("e8:q=9"), std::string::npos);
    EXPECT_EQ(groups[0].codecs.back().family, "plan:name=p");
    EXPECT_EQ(groups[0].codecs.back().rate, "3");
  }
}

// Coded bits of other layers are other bits; those of the whole cache can be compared.
TEST(PlanComparison, OfOtherLayersIsByWholeCacheBitsAlone) {
  Made made = planned(0.5, IndexSet::parse("1,2", "layers"));
  EXPECT_TRUE(plan_comparison_table(group_results({&made.stored(), 1})[0], {}).rows.empty());
  const auto whole = group_results({&made.stored(), 1}, BitsOf::whole_cache);
  EXPECT_EQ(plan_comparison_table(whole[0], {}).rows.size(), 1u);
  for (const CodecResult& codec : whole[0].codecs) {
    const CachePolicy policy = plan_for(made.stored().plan, codec).policy;
    EXPECT_EQ(policy.coded_layers(), is_plan_label(codec.codec_k) ? 2 : 4);
  }
}

}  // namespace
}  // namespace kakeya
