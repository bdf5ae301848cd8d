// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/codec_plan.h"

#include <gtest/gtest.h>

#include <string>

#include "kakeya/codec/cache_codecs.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr KvShape kShape{.layers = 6, .kv_heads = 3, .head_dim = 16};

CodecPlan parse(const std::string& json) { return CodecPlan::parse(json, "p.json"); }

// A plan with these members besides.
CodecPlan plan(const std::string& members) {
  return parse(R"({"kakeya_plan": 1, )" + members + "}");
}

template <typename Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const SpecError& error) {
    return error.what();
  }
  return "(none)";
}

std::string parse_refusal(const std::string& members) {
  return refusal([&] { plan(members); });
}

std::string layout_refusal(const std::string& members) {
  return refusal([&] { PlanLayout(plan(members), kShape); });
}

TEST(CodecPlan, GivesEachSiteItsCodec) {
  const CodecPlan read = plan(R"("name": "mine", "bits": 3.5, "skip": "0,5",
      "default": {"k": "e8:q=10", "v": "fp8"},
      "sites": [{"layers": "1-2", "part": "k", "codec": "e8:q=38"},
                {"layers": "3", "heads": "0,2", "codec": "q4_0"}])");
  EXPECT_EQ(read.name, "mine");
  EXPECT_EQ(read.bits, 3.5);
  const PlanLayout layout(read, kShape);
  EXPECT_TRUE(layout.skips(0) && layout.skips(5) && !layout.skips(1));
  EXPECT_EQ(layout.at({1, Part::key, 2}), "e8:q=38");
  EXPECT_EQ(layout.at({1, Part::value, 2}), "fp8");
  EXPECT_EQ(layout.at({3, Part::key, 0}), "q4_0");
  EXPECT_EQ(layout.at({3, Part::key, 1}), "e8:q=10");
  EXPECT_EQ(layout.at({3, Part::value, 2}), "q4_0");
  EXPECT_EQ(layout.at({4, Part::value, 0}), "fp8");
  EXPECT_EQ(layout.at({0, Part::key, 0}), "");
  EXPECT_EQ(layout.specs(), (std::vector<std::string>{"e8:q=38", "fp8", "q4_0", "e8:q=10"}));
  EXPECT_EQ(layout.of_part(3, Part::key), nullptr);
  EXPECT_EQ(*layout.of_part(4, Part::key), "e8:q=10");
  EXPECT_EQ(layout.of_layer(4), nullptr);
}

// However it is written, a plan that codes alike has one text and so one digest.
TEST(CodecPlan, HasOneTextForEachLayout) {
  const auto text_of = [](const std::string& members) {
    return PlanLayout(plan(members), kShape).plan().coding();
  };
  const std::string text = text_of(R"("default": "e8:q=10", "sites": [
      {"layers": "2-3", "part": "v", "codec": "fp8"}, {"layers": "5", "codec": "fp8"}])");
  EXPECT_EQ(text, text_of(R"("name": "other", "bits": 4, "about": "told", "sites": [
      {"layers": "2,3,5", "part": "v", "codec": "fp8"}, {"layers": "5", "part": "k", "codec": "fp8"},
      {"layers": "0,1,4", "heads": "0-2", "codec": "e8:q=10"},
      {"layers": "2-3", "heads": "1", "part": "k", "codec": "e8:q=10"},
      {"layers": "2-3", "heads": "0,2", "part": "k", "codec": "e8:q=10"}])"));
  EXPECT_EQ(
      text,
      R"({"kakeya_plan": 1, "layers": 6, "kv_heads": 3, "sites": [{"layers": "0,1,4", "codec": )"
      R"("e8:q=10"},{"layers": "2,3", "part": "k", "codec": "e8:q=10"},{"layers": "2,3", "part": )"
      R"("v", "codec": "fp8"},{"layers": "5", "codec": "fp8"}]})");
  EXPECT_NE(text, text_of(R"("default": "e8:q=10")"));
}

TEST(CodecPlan, ReadsBackWhatItWrites) {
  const CodecPlan made =
      PlanLayout(plan(R"("name": "a", "bits": 2.25, "skip": "1", "default": "fp8",
      "sites": [{"layers": "0", "part": "v", "heads": "1-2", "codec": "e8:q=4"}])"),
                 kShape)
          .plan();
  EXPECT_EQ(parse(made.text()), made);
  EXPECT_EQ(parse(made.document()), made);
  EXPECT_NE(made.document(), made.text());
  const CodecPlan told = plan(R"("name": "b", "about": "say \"hi\"", "default": {"v": "fp8"})");
  EXPECT_EQ(parse(told.document()), told);
  EXPECT_EQ(parse(told.text()).about, "");
}

TEST(CodecPlan, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(parse_refusal(R"("sites": [{"layers": "1", "codec": "fp8"},
                                       {"layers": "2", "part": "x", "codec": "fp8"}])"),
            "p.json: sites[1].part: \"x\": expected \"k\" or \"v\", or no such key for both");
  EXPECT_EQ(parse_refusal(R"("sites": [{"layers": 1, "codec": "fp8"}])"),
            "p.json: sites[0].layers: 1: expected numbers and runs in quotes, as \"0,5,10-20\"");
  EXPECT_EQ(parse_refusal(R"("sites": [{"codec": "fp8"}])"),
            "p.json: sites[0]: expected \"layers\"");
  EXPECT_EQ(parse_refusal(R"("sites": [{"layers": "1"}])"), "p.json: sites[0]: expected \"codec\"");
  EXPECT_NE(parse_refusal(R"("default": "fp8", "colour": 1)")
                .find("p.json: colour: 1: expected no such key"),
            std::string::npos);
  EXPECT_NE(parse_refusal(R"("default": {"q": "fp8"})").find("default.q"), std::string::npos);
  // Some known keys with a comma between them are no key.
  for (const std::string key : {"layers, kv_heads", "skip, default", ""}) {
    EXPECT_NE(parse_refusal(R"("default": "fp8", ")" + key + R"(": 1)")
                  .find("p.json: " + key + ": 1: expected no such key"),
              std::string::npos)
        << key;
  }
  EXPECT_NE(parse_refusal(R"("sites": [{"layers": "1", "codec": "fp8", "part, heads": "k"}])")
                .find("sites[0].part, heads: \"k\": expected no such key"),
            std::string::npos);
  EXPECT_NE(parse_refusal(R"("default": {"k, v": "fp8"})").find("default.k, v: \"fp8\""),
            std::string::npos);
  EXPECT_NE(parse_refusal(R"("default": "e8:")").find("p.json: default: codec 'e8:'"),
            std::string::npos);
  EXPECT_NE(
      parse_refusal(R"("skip": "3-1", "default": "fp8")").find("p.json: skip: layers \"3-1\""),
      std::string::npos);
  for (const std::string name : {"two words", "", "a,bits=3", "a:b=1", "a:", "a=b"}) {
    EXPECT_EQ(parse_refusal(R"("default": "fp8", "name": ")" + name + '"'),
              "p.json: name: \"" + name + "\": expected a word of letters, digits and ._-/");
  }
  EXPECT_EQ(parse_refusal(R"("default": "fp8", "name": "a/B-2_c.3")"), "(none)");
  EXPECT_NE(parse_refusal(R"("bits": 0, "default": "fp8")").find("p.json: bits: 0"),
            std::string::npos);
  EXPECT_NE(parse_refusal(R"("layers": 0, "default": "fp8")").find("p.json: layers"),
            std::string::npos);
  EXPECT_EQ(parse_refusal(R"("name": "x")"),
            "p.json: names no codec: expected \"default\" or \"sites\"");
  EXPECT_EQ(refusal([] { parse(R"({"default": "fp8"})"); }),
            "p.json: no plan: expected \"kakeya_plan\": 1");
  EXPECT_NE(refusal([] { parse(R"({"kakeya_plan": 2, "default": "fp8"})"); }).find("version 1"),
            std::string::npos);
  EXPECT_NE(refusal([] { parse("[]"); }).find("expected an object"), std::string::npos);
}

TEST(CodecPlan, RefusesALayoutThatDoesNotFit) {
  EXPECT_EQ(layout_refusal(R"("sites": [{"layers": "0-3", "codec": "fp8"}])"),
            "plan plan: layer 4 keys, head 0 has no codec: expected an entry of \"sites\", or "
            "\"default\"");
  EXPECT_EQ(layout_refusal(R"("name": "a", "default": "fp8", "sites": [
      {"layers": "1-2", "part": "k", "codec": "q4_0"}, {"layers": "2", "heads": "1", "codec": "q8_0"}])"),
            "plan a: sites[1]: layer 2 keys, head 1 has an entry before: q4_0");
  EXPECT_EQ(layout_refusal(
                R"("skip": "2", "default": "fp8", "sites": [{"layers": "2", "codec": "q4_0"}])"),
            "plan plan: sites[0]: layer 2 is skipped");
  EXPECT_NE(layout_refusal(R"("default": "fp8", "sites": [{"layers": "6", "codec": "q4_0"}])")
                .find("layer 6, expected 0 to 5"),
            std::string::npos);
  EXPECT_NE(layout_refusal(
                R"("default": "fp8", "sites": [{"layers": "1", "heads": "3", "codec": "q4_0"}])")
                .find("head 3, expected 0 to 2"),
            std::string::npos);
  EXPECT_NE(layout_refusal(R"("skip": "6", "default": "fp8")").find("skip: layer 6"),
            std::string::npos);
  EXPECT_NE(layout_refusal(R"("skip": "0-5", "default": "fp8")").find("leaves no layer"),
            std::string::npos);
  EXPECT_NE(layout_refusal(R"("layers": 7, "default": "fp8")")
                .find("for a model of 7 layers, this one has 6"),
            std::string::npos);
  EXPECT_NE(layout_refusal(R"("kv_heads": 1, "default": "fp8")").find("1 KV heads"),
            std::string::npos);
}

TEST(PlanCodecs, AreThoseThatThePlanNames) {
  const std::string text = plan(R"("skip": "0", "default": "e8:q=10,rule=bounded",
      "sites": [{"layers": "2", "part": "v", "heads": "1", "codec": "kivi:b=4"}])")
                               .text();
  const CacheCodecs codecs = make_cache_codecs({text, text}, CacheInput(kShape, 2));
  EXPECT_EQ(codecs.keys->at(1, 0).spec(), "e8:q=10");
  EXPECT_EQ(codecs.values->at(2, 1).spec(), "kivi:b=4");
  EXPECT_EQ(codecs.values->at(2, 2).spec(), "e8:q=10");
  EXPECT_EQ(&codecs.keys->at(1, 0), &codecs.keys->at(5, 2));  // one for all sites that it fits
  EXPECT_THROW(codecs.keys->at(0, 0), InputError);            // of a skipped layer
  const CachePolicy policy = codecs.policy_of({.layers = 6, .skipped_layers = 2, .sinks = 4});
  EXPECT_EQ(policy.all_skipped().text(), "0");
  EXPECT_EQ(policy.sinks, 4);
  EXPECT_NO_THROW(codecs.require_policy(policy));
  EXPECT_THROW(codecs.require_policy({.layers = 6, .skipped_layers = 2}), InputError);
  // Canonical: the codecs' own specs, and it makes the same again.
  const CodecPair named = codecs.canonical();
  EXPECT_NE(named.keys.find("\"e8:q=10\""), std::string::npos);
  EXPECT_EQ(make_cache_codecs(named, CacheInput(kShape)).canonical(), named);
}

TEST(PlanCodecs, SayWhichSiteACodecDoesNotFit) {
  const auto refused = [](const std::string& members) {
    const std::string text = plan(members).text();
    return refusal([&] { make_cache_codecs({text, text}, CacheInput(kShape)); });
  };
  EXPECT_NE(
      refused(R"("name": "a", "default": "fp8", "sites": [{"layers": "3", "codec": "nosuch"}])")
          .find("plan a: layer 3 keys, head 0: codec 'nosuch'"),
      std::string::npos);
  EXPECT_NE(
      refused(R"("default": "fp8", "sites": [{"layers": "3", "codec": "klt:bits=3,scope=layer"}])")
          .find("codes whole tokens"),
      std::string::npos);
  EXPECT_NE(refused(R"("default": "klt:bits=3,scope=layer,restart=1",
                       "sites": [{"layers": "0", "heads": "1", "codec": "klt:bits=2,scope=layer,restart=1"}])")
                .find("layer 0: codecs of whole tokens take both parts and all heads"),
            std::string::npos);
  EXPECT_NE(refused(R"("default": "klt:bits=3,scope=layer")").find("expected restart=1"),
            std::string::npos);
  EXPECT_THROW(make_cache_codecs({plan(R"("default": "fp8")").text(), "fp8"}, CacheInput(kShape)),
               SpecError);
}

TEST(PlanCodecs, OtherSkippedLayersMakeAPlan) {
  const CodecPair pair = with_skipped({"e8:q=10", "fp8"}, IndexSet::parse("1,3", "layers"));
  const CacheCodecs codecs = make_cache_codecs(pair, CacheInput(kShape));
  EXPECT_EQ(codecs.plan->skip.text(), "1,3");
  EXPECT_EQ(codecs.keys->at(2, 0).spec(), "e8:q=10");
  EXPECT_EQ(codecs.values->at(2, 0).spec(), "fp8");
  EXPECT_THROW(with_skipped(pair, {}), SpecError);
  EXPECT_EQ(specs_in(pair), (std::vector<std::string>{"e8:q=10", "fp8"}));
  EXPECT_FALSE(is_calibrated(pair));
  EXPECT_FALSE(codes_tokens(pair));
}

}  // namespace
}  // namespace kakeya
