// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/spec.h"

#include <gtest/gtest.h>

#include <string>

#include "codecs/vectors_for_test.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

std::string canonical(std::string_view spec, std::size_t dim = 64) {
  return make_codec(spec, {dim, nullptr, KvSite{0, Part::key, 0}})->spec();
}

template <typename Kind>
std::string refusal(std::string_view spec, std::size_t dim = 64) {
  try {
    make_codec(spec, {dim, nullptr, KvSite{0, Part::key, 0}});
  } catch (const Kind& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Spec, CanonicalText) {
  EXPECT_EQ(canonical("identity"), "identity");
  EXPECT_EQ(canonical("e8:q=10"), "e8:q=10");
  EXPECT_EQ(canonical("e8:rule=bounded,q=010"), "e8:q=10");
  EXPECT_EQ(canonical("d4:rule=published,q=38"), "d4:q=38,rule=published");
  EXPECT_EQ(canonical("tq:b=4"), "tq:b=4");
  EXPECT_EQ(canonical("fp8:block=64,scale=fp32"), "fp8");
  EXPECT_EQ(canonical("fp8:scale=e8m0,block=32"), "fp8:block=32,scale=e8m0");
  EXPECT_EQ(canonical("kivi:group=32,b=04"), "kivi:b=4");
  EXPECT_EQ(canonical("kivi:group=64,b=2"), "kivi:b=2,group=64");
}

TEST(Spec, ErrorsNameWhatWasGivenAndExpected) {
  EXPECT_EQ(refusal<SpecError>("e8:q=99999999"),
            "q=99999999: expected a whole number in [1, 1023]");
  EXPECT_EQ(refusal<SpecError>("e8:q=0"), "q=0: expected a whole number in [1, 1023]");
  EXPECT_EQ(refusal<SpecError>("d4:q=abc"), "q=abc: expected a whole number in [1, 1023]");
  EXPECT_EQ(refusal<SpecError>("d4:q=3.5"), "q=3.5: expected a whole number in [1, 1023]");
  EXPECT_EQ(refusal<SpecError>("tq:b=9"), "b=9: expected a whole number in [2, 8]");
  EXPECT_EQ(refusal<SpecError>("e8:qq=10"),
            "e8: unknown key 'qq': expected one of q, rule, pack, classes, scales, rotate, "
            "seed, center, outliers, page");
  EXPECT_EQ(refusal<SpecError>("identity:q=1"), "identity: unknown key 'q': it takes none");
  EXPECT_EQ(refusal<SpecError>("e8:q=10,rule=free"),
            "rule=free: expected one of bounded, published");
  EXPECT_NE(
      refusal<SpecError>("nosuch:q=1")
          .find("identity, e8, d4, tq, ecz, ecd4, ece8, klt, kvtc, fp8, q4_0, q5_0, q8_0, kivi"),
      std::string::npos);
  EXPECT_NE(refusal<SpecError>("e8").find("no q given"), std::string::npos);
  EXPECT_NE(refusal<SpecError>("e8:q=10,q=11").find("given twice"), std::string::npos);
  EXPECT_NE(refusal<SpecError>("fp8:block=24").find("power of two"), std::string::npos);
}

TEST(Spec, MalformedText) {
  for (const char* spec :
       {"", ":", "e8:", "e8:q", "e8:q=", "e8:=10", "e8:q=10,", "e8:,q=10", "e8: q=10", "e8:q=10 ",
        " e8:q=10", "e8:q==10", "e8:q=+10", "e8:q=-1", "e8;q=10", "E8:q=10"}) {
    EXPECT_NE(refusal<SpecError>(spec), "accepted") << spec;
  }
}

TEST(Spec, DimsThatACodecCannotTake) {
  for (const std::size_t dim : {0, 1, 4, 7, 48, 80, 96, 2048}) {
    for (const char* spec : {"e8:q=10", "d4:q=10", "tq:b=4", "fp8"}) {
      EXPECT_NE(refusal<InputError>(spec, dim).find("dim " + std::to_string(dim)),
                std::string::npos)
          << spec;
    }
  }
  EXPECT_EQ(refusal<InputError>("fp8:block=64", 32), "fp8: block=64 does not divide dim 32");
  EXPECT_EQ(canonical("fp8", 8), "fp8");
  EXPECT_EQ(canonical("fp8:block=32", 32), "fp8");
  EXPECT_EQ(canonical("identity", 80), "identity");
  EXPECT_NE(refusal<InputError>("identity", 0), "accepted");
}

TEST(Spec, TableOfCodecs) {
  for (const CodecEntry& entry : builtin_codecs()) {
    EXPECT_FALSE(entry.summary.empty());
    if (entry.name == "kvtc" && !has_deflate()) continue;
    const auto codec = test::make(entry.example, 64);
    EXPECT_EQ(is_calibrated(entry.example), entry.calibrated);
    EXPECT_EQ(scope_of(entry.example), entry.scope);
    const bool placed = entry.scope != VectorScope::any || !entry.token_key.empty();
    EXPECT_EQ(entry.read_place != nullptr, placed) << entry.name;
    EXPECT_TRUE(codec->spec().starts_with(entry.name));
    EXPECT_EQ(codec->dim(), 64u);
    for (const KeyHelp& key : entry.keys) EXPECT_FALSE(key.help.empty()) << key.name;
  }
}

TEST(Spec, AKeyThatIsNeverAskedForIsAnError) {
  SpecArgs args = SpecArgs::parse("name:a=1,b=2");
  EXPECT_EQ(args.required_whole("a", 0, 9), 1);
  EXPECT_THROW(args.require_used(), SpecError);
  EXPECT_EQ(args.whole("b", 2, 0, 9), 2);
  EXPECT_NO_THROW(args.require_used());
  EXPECT_EQ(args.canonical(), "name:a=1");
}

}  // namespace
}  // namespace kakeya
