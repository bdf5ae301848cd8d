// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/added_tokens.h"
#include "kakeya/model/tokenizer/normalizer.h"
#include "kakeya/model/tokenizer/pre_tokenizer.h"
#include "kakeya/model/tokenizer/token_decoder.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using Words = std::vector<std::string>;

Words cut(const PreTokenizer& step, const std::string& text, bool at_start = true) {
  WordList list{text, {{0, text.size()}}, at_start};
  step.apply(list);
  Words words;
  for (const Span& span : list.words) words.emplace_back(list.word(span));
  return words;
}

TEST(Split, FollowsEveryBehaviorForPatternAndText) {
  const auto both = [](SplitBehavior behavior, bool invert, const Words& expected) {
    const std::string text = "-a--bc-";
    EXPECT_EQ(cut(*make_regex_split("-", behavior, invert), text), expected);
    EXPECT_EQ(cut(*make_literal_split("-", behavior, invert), text), expected);
  };
  both(SplitBehavior::isolated, false, {"-", "a", "-", "-", "bc", "-"});
  both(SplitBehavior::isolated, true, {"-", "a", "-", "-", "bc", "-"});
  both(SplitBehavior::removed, false, {"a", "bc"});
  both(SplitBehavior::removed, true, {"-", "-", "-", "-"});
  both(SplitBehavior::merged_with_previous, false, {"-", "a-", "-", "bc-"});
  both(SplitBehavior::merged_with_next, false, {"-a", "-", "-bc", "-"});
  both(SplitBehavior::contiguous, false, {"-", "a", "--", "bc", "-"});
}

TEST(Split, CutsWordsAsGpt2Does) {
  const auto gpt2 = make_regex_split(kGpt2Pattern, SplitBehavior::isolated);
  EXPECT_EQ(cut(*gpt2, "I'll go   to\u00e9 42nd st!? \n\n x"),
            (Words{"I", "'ll", " go", "  ", " to\u00e9", " 42", "nd", " st", "!?", " \n\n", " x"}));
  EXPECT_EQ(cut(*gpt2, "a\u0085b\u00a0c"), (Words{"a", "\u0085", "b", "\u00a0", "c"}));
  EXPECT_EQ(cut(*gpt2, ""), (Words{}));
}

TEST(Split, EachWordStandsAloneAndInvalidBytesStay) {
  const auto gpt2 = make_regex_split(kGpt2Pattern, SplitBehavior::isolated);
  WordList list{"a  b", {{0, 2}, {2, 4}}, true};
  gpt2->apply(list);
  ASSERT_EQ(list.words.size(), 3u);  // the look ahead does not see past "a "
  EXPECT_EQ(list.word(list.words[1]), " ");
  EXPECT_EQ(list.word(list.words[2]), " b");
  EXPECT_EQ(cut(*gpt2, "ab\xFF\xC3 \U0001F600z"), (Words{"ab", "\xFF\xC3", " \U0001F600", "z"}));
}

TEST(Split, NamesAPatternThatCannotBe) {
  const auto refusal =
      testing::message_of<InputError>([] { make_regex_split("(oops", SplitBehavior::isolated); });
  EXPECT_NE(refusal.find("(oops"), std::string::npos);
  EXPECT_THROW(make_literal_split("", SplitBehavior::isolated), InputError);
}

TEST(Split, AMegabyteOfSpacesFits) {
  const auto gpt2 = make_regex_split(kGpt2Pattern, SplitBehavior::isolated);
  const std::string spaces(2000000, ' ');
  const Words words = cut(*gpt2, spaces + "x");
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(words[0].size(), spaces.size() - 1);
  EXPECT_EQ(words[1], " x");
}

TEST(Digits, AreCutOneByOneOrTogether) {
  EXPECT_EQ(cut(*make_digit_split(true), "a12\u0663b\u00bd"),
            (Words{"a", "1", "2", "\u0663", "b", "\u00bd"}));
  EXPECT_EQ(cut(*make_digit_split(false), "a12\u0663b\u00bd"),
            (Words{"a", "12\u0663", "b", "\u00bd"}));
}

TEST(Metaspace, MarksSpacesAndPrependsByScheme) {
  const auto with = [](PrependScheme scheme, bool split) {
    return make_metaspace("_", scheme, split);
  };
  EXPECT_EQ(cut(*with(PrependScheme::always, true), "a b  c"), (Words{"_a", "_b", "_", "_c"}));
  EXPECT_EQ(cut(*with(PrependScheme::always, true), " a"), (Words{"_a"}));
  EXPECT_EQ(cut(*with(PrependScheme::always, false), "a b"), (Words{"_a_b"}));
  EXPECT_EQ(cut(*with(PrependScheme::never, true), "a b"), (Words{"a", "_b"}));
  EXPECT_EQ(cut(*with(PrependScheme::first, true), "a b"), (Words{"_a", "_b"}));
  EXPECT_EQ(cut(*with(PrependScheme::first, true), "a b", false), (Words{"a", "_b"}));
}

TEST(MarkCut, CutsBeforeRunsOfMarks) {
  EXPECT_EQ(cut(*make_mark_cut("_"), "__a_b__c_"), (Words{"__a", "_b", "__c", "_"}));
  EXPECT_EQ(cut(*make_mark_cut("_"), "abc"), (Words{"abc"}));
}

TEST(PrefixSpace, IsPutWhereThereIsNone) {
  std::vector<std::unique_ptr<PreTokenizer>> steps;
  steps.push_back(make_literal_split("|", SplitBehavior::removed));
  steps.push_back(make_prefix_space());
  EXPECT_EQ(cut(*make_pre_tokenizer_sequence(std::move(steps)), "a| b|c"),
            (Words{" a", " b", " c"}));
}

TEST(Normalizer, ComposesAndLeavesInvalidBytes) {
  const auto nfc = make_unicode_normalizer("NFC");
  EXPECT_EQ(nfc->apply("e\u0301"), "\u00e9");
  EXPECT_EQ(nfc->apply("\xFF"
                       "e\u0301\xC3"),
            "\xFF\u00e9\xC3");
  EXPECT_EQ(make_unicode_normalizer("NFD")->apply("\u00e9"), "e\u0301");
  EXPECT_EQ(make_unicode_normalizer("NFKC")->apply("\ufb01\u2460"), "fi1");
  EXPECT_EQ(make_unicode_normalizer("NFKD")->apply("\ufb01\u00e9"), "fie\u0301");
  EXPECT_THROW(make_unicode_normalizer("NFX"), InputError);
}

TEST(Normalizer, PrependsAndReplacesInOrder) {
  std::vector<std::unique_ptr<Normalizer>> steps;
  steps.push_back(make_prepend_normalizer("_"));
  steps.push_back(make_replace_normalizer(" ", "_"));
  const auto both = make_normalizer_sequence(std::move(steps));
  EXPECT_EQ(both->apply("a b "), "_a_b_");
  EXPECT_EQ(both->apply(""), "");
  EXPECT_THROW(make_replace_normalizer("", "x"), InputError);
}

AddedToken added(const std::string& content, std::int32_t id) {
  AddedToken token;
  token.content = content;
  token.id = id;
  return token;
}

std::vector<std::string> found(const AddedTokenFinder& finder, const std::string& text) {
  std::vector<std::string> hits;
  for (const auto& hit : finder.find(text)) {
    hits.push_back(std::to_string(hit.id) + ":" + std::to_string(hit.span.begin) + "-" +
                   std::to_string(hit.span.end));
  }
  return hits;
}

TEST(AddedTokens, TheLeftmostThenTheLongest) {
  const AddedTokenFinder finder({added("<a", 1), added("<ab>", 2), added("b><", 3), added("", 4)});
  EXPECT_EQ(found(finder, "x<ab><a<ab"), (Words{"2:1-5", "1:5-7", "1:7-9"}));
  EXPECT_EQ(found(finder, "<"), (Words{}));
}

TEST(AddedTokens, StripSpacesAndStandAlone) {
  AddedToken left = added("L", 1), right = added("R", 2), word = added("W", 3);
  left.strip_left = right.strip_right = word.single_word = true;
  const AddedTokenFinder finder({left, right, word});
  EXPECT_EQ(found(finder, "a \u2003L b"), (Words{"1:1-6"}));
  EXPECT_EQ(found(finder, "R \tL"), (Words{"2:0-3", "1:3-4"}));
  EXPECT_EQ(found(finder, "W xW W. \u00e9W W_ W"), (Words{"3:0-1", "3:5-6", "3:15-16"}));
}

std::string decoded(const TokenDecoder& decoder, Words tokens) {
  decoder.apply(tokens);
  std::string text;
  for (const auto& token : tokens) text += token;
  return text;
}

TEST(Decoder, EachStepDoesWhatItsNameSays) {
  EXPECT_EQ(decoded(*make_byte_level_decoder(), {"\u0120a", "\u00c3", "\u00a9"}), " a\u00e9");
  EXPECT_EQ(decoded(*make_byte_fallback_decoder(), {"<0x41>", "<0xff>", "<0x4>", "<0xZZ>"}),
            "A\xff<0x4><0xZZ>");
  EXPECT_EQ(decoded(*make_replace_decoder("_", " "), {"_a", "_b"}), " a b");
  EXPECT_EQ(decoded(*make_strip_decoder(" ", 1, 0), {"  a "}), " a ");
  EXPECT_EQ(decoded(*make_strip_decoder(" ", 0, 2), {" a  "}), " a");
  EXPECT_EQ(decoded(*make_metaspace_decoder("_", true), {"_a", "_b"}), "a b");
  EXPECT_EQ(decoded(*make_metaspace_decoder("_", false), {"_a", "_b"}), " a b");
  EXPECT_EQ(decoded(*make_spacing_decoder(), {"a", "b"}), "a b");
  std::vector<std::unique_ptr<TokenDecoder>> steps;
  steps.push_back(make_fuse_decoder());
  steps.push_back(make_strip_decoder(" ", 1, 0));
  EXPECT_EQ(decoded(*make_decoder_sequence(std::move(steps)), {" a", " b"}), "a b");
}

}  // namespace
}  // namespace kakeya
