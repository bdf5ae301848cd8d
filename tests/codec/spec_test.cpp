// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "codecs/vectors_for_test.h"
#include "kakeya/codec/spec_args.h"
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
            "e8: q=99999999: expected a whole number in [1, 1023]");
  EXPECT_EQ(refusal<SpecError>("e8:q=0"), "e8: q=0: expected a whole number in [1, 1023]");
  EXPECT_EQ(refusal<SpecError>("d4:q=abc"), "d4: q=abc: expected a whole number in [1, 1023]");
  EXPECT_EQ(refusal<SpecError>("d4:q=3.5"), "d4: q=3.5: expected a whole number in [1, 1023]");
  EXPECT_EQ(refusal<SpecError>("tq:b=9"), "tq: b=9: expected a whole number in [2, 8]");
  EXPECT_EQ(refusal<SpecError>("e8:qq=10"),
            "e8: unknown key 'qq': expected one of q, rule, pack, classes, scales, rotate, "
            "seed, center, outliers, page, profile");
  EXPECT_EQ(refusal<SpecError>("identity:q=1"), "identity: unknown key 'q': it takes none");
  EXPECT_EQ(refusal<SpecError>("e8:q=10,rule=free"),
            "e8: rule=free: expected one of bounded, published");
  EXPECT_NE(
      refusal<SpecError>("nosuch:q=1")
          .find("identity, e8, d4, tq, ecz, ecd4, ece8, klt, kvtc, fp8, q4_0, q5_0, q8_0, q4_1, "
                "q5_1, iq4_nl, int8, int4, nvfp4, mxfp4, turboquant, kivi"),
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
  for (const CodecDescriptor* entry : builtin_codecs()) {
    EXPECT_FALSE(entry->summary.empty());
    EXPECT_EQ(find_descriptor(entry->example), entry) << entry->example;
    EXPECT_EQ(entry->read_place != nullptr, entry->scope != VectorScope::any) << entry->name;
    EXPECT_NE(entry->error_bound.of, nullptr) << entry->name;
    for (const CodecKey& key : entry->keys) {
      EXPECT_FALSE(key.help.empty()) << key.name;
      EXPECT_TRUE(!key.rate || entry->keys.front().rate) << key.name << ": rates stand first";
      EXPECT_EQ(key.kind == KeyKind::choice, !key.options.empty()) << key.name;
    }
    if (entry->name == "kvtc" && !has_deflate()) continue;
    const auto codec = test::make(entry->example, 64);
    EXPECT_EQ(is_calibrated(entry->example), entry->calibrated());
    EXPECT_EQ(scope_of(entry->example), entry->scope);
    EXPECT_TRUE(codec->spec().starts_with(entry->name));
    EXPECT_EQ(codec->dim(), 64u);
  }
}

TEST(Spec, IsAValue) {
  const Spec spec = Spec::parse("d4:q=38,pack=joint,scales=one");
  EXPECT_EQ(spec.name(), "d4");
  EXPECT_EQ(spec.text(), "d4:q=38,pack=joint,scales=one");
  EXPECT_EQ(*spec.rate(), (SpecItem{"q", "38"}));
  EXPECT_EQ(spec.family(), "d4:pack=joint,scales=one");
  EXPECT_EQ(spec.without("pack"), Spec::parse("d4:q=38,scales=one"));
  EXPECT_EQ(spec.without("nothing"), spec);
  EXPECT_EQ(spec.without("q").led_by({"q", "{4,10}"}).text(), "d4:q={4,10},pack=joint,scales=one");
  EXPECT_EQ(Spec::parse("e8").led_by({"q", "10"}), Spec::parse("e8:q=10"));
  EXPECT_TRUE(spec.has("pack", "joint"));
  EXPECT_FALSE(spec.has("pack", "rans"));
  EXPECT_EQ(spec.find("page"), nullptr);
  EXPECT_EQ(Spec::parse("fp8:block=32").rate(), nullptr);  // no key of fp8 is a rate
  EXPECT_EQ(Spec::parse("fp8:block=32").family(), "fp8:block=32");
  EXPECT_EQ(Spec::parse("nosuch:q=3").family(), "nosuch:q=3");
  EXPECT_EQ(Spec::parse("d4:pack=joint,q=38").rate(), nullptr);  // a canonical text begins with it
  EXPECT_FALSE(Spec::try_parse("d4:q").has_value());
}

TEST(SpecPair, NamesKeysAndValues) {
  const auto both = SpecPair::try_parse("klt:bits=2,profile=ab");
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->label(), "klt:bits=2,profile=ab");
  EXPECT_EQ(both->without("profile").label(), "klt:bits=2");
  const auto apart = SpecPair::try_parse("K klt:profile=ab,bits=2, V tq:b=4");
  ASSERT_TRUE(apart.has_value());
  EXPECT_EQ(apart->label(), "K klt:profile=ab,bits=2, V tq:b=4");
  EXPECT_EQ(apart->without("profile").label(), "K klt:bits=2, V tq:b=4");
  EXPECT_EQ(apart->names(), "K klt, V tq");
  EXPECT_EQ(SpecPair::try_parse("K d4:q=4, V d4:q=38")->names(), "d4");
  for (const char* wrong : {"", "K d4", "K d4, V ", "d4, V tq", "K , V tq"}) {
    EXPECT_FALSE(SpecPair::try_parse(wrong).has_value()) << wrong;
  }
}

TEST(Spec, OneNameTwoDescriptors) {
  const CodecDescriptor* heads = find_descriptor("klt:bits=2");
  const CodecDescriptor* layers = find_descriptor("klt:bits=2,scope=layer");
  ASSERT_NE(heads, nullptr);
  ASSERT_NE(layers, nullptr);
  EXPECT_NE(heads, layers);
  EXPECT_EQ(heads->name, layers->name);
  EXPECT_EQ(find_descriptor("klt:bits=2,scope=head"), heads);
  EXPECT_EQ(heads->scope, VectorScope::head);
  EXPECT_EQ(layers->scope, VectorScope::token);
  EXPECT_EQ(find_descriptor("nosuch"), nullptr);
  EXPECT_EQ(find_descriptor("klt:bits"), nullptr);
}

constexpr CodecKey kMadeKeys[] = {whole_key("a", 0, 9, "", "must be given"),
                                  whole_key("b", 0, 9, "2", "has a default"),
                                  text_key("c", "kept by hand")};
constexpr CodecDescriptor kMade = {.name = "made", .keys = kMadeKeys};

TEST(SpecArgs, AKeyThatIsNeverAskedForIsAnError) {
  SpecArgs args(Spec::parse("made:b=2,a=1"), kMade);
  EXPECT_EQ(args.whole("b"), 2);
  EXPECT_THROW(args.require_used(), SpecError);
  EXPECT_EQ(args.whole("a"), 1);
  EXPECT_NO_THROW(args.require_used());
  EXPECT_EQ(args.canonical(), "made:a=1");
}

TEST(SpecArgs, CanonicalTextHasTheDescriptorsOrder) {
  SpecArgs args(Spec::parse("made:b=3,a=1"), kMade);
  args.keep("c", "kept");
  args.whole("b");
  args.whole("a");
  EXPECT_EQ(args.canonical(), "made:a=1,b=3,c=kept");
}

TEST(SpecArgs, ACodecMayOnlyAskForWhatItsDescriptorHas) {
  SpecArgs args(Spec::parse("made:a=1"), kMade);
  EXPECT_THROW(args.whole("d"), Error);
  EXPECT_EQ(whole_of("klt:bits=2,scope=layer,restart=3", "restart"), 3);
  EXPECT_EQ(whole_of("klt:bits=2,scope=layer", "page"), 64);
  EXPECT_EQ(whole_of("klt:bits=2", "page"), 1024);
  EXPECT_EQ(whole_of("kvtc:bits=2", "restart"), 0);
}

}  // namespace
}  // namespace kakeya
