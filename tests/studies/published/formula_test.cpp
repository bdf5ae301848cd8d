// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/formula.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/studies/published/functions.h"

namespace kakeya {
namespace {

class Formula : public testing::Test {
 protected:
  Formula() {
    record_.add(R"({"kind":"run","run":"r","layers":4,"head_dim":128,"kv_heads":2,"boundary":[0,3]}
{"kind":"ppl","run":"r","codec":"d4:q=10","part":"kv","delta_ppl":[0.01,-0.03,0.02],"bits_k":576}
{"kind":"ppl","run":"r","codec":"d4:q=38","part":"kv","delta_ppl":[0.001,-0.003,0.002]}
{"kind":"ppl","run":"r","codec":"tq:b=4","part":"kv","delta_ppl":[0.1,0.3,-0.2]}
)",
                "lines");
    scope_.record = &record_;
  }
  double number(const std::string& formula) { return to_number(evaluate(formula, scope_)); }
  PublishedRecord record_;
  FormulaScope scope_;
};

TEST_F(Formula, OperatorsBindAsUsual) {
  EXPECT_EQ(number("1+2*3"), 7);
  EXPECT_EQ(number("(1+2)*3"), 9);
  EXPECT_EQ(number("2^3^2"), 512);
  EXPECT_EQ(number("7-2-1"), 4);
  EXPECT_EQ(number("-2*3"), -6);
  EXPECT_EQ(number("-2^2"), -4);
  EXPECT_EQ(number("8/2/2"), 2);
  EXPECT_EQ(number("1+1 < 3"), 1);
  EXPECT_EQ(number("2 >= 3"), 0);
  EXPECT_EQ(number("1.5e1"), 15);
}

TEST_F(Formula, ListsGoEntryByEntry) {
  EXPECT_EQ(number("sum({1,2,3}*2)"), 12);
  EXPECT_EQ(number("sum({1,2,3}*{3,2,1})"), 10);
  EXPECT_EQ(number("sum({1,2,3} > 1)"), 2);
  EXPECT_EQ(number("count({{1,2},3})"), 3);
  EXPECT_THROW(number("sum({1,2}*{1,2,3})"), InputError);
}

TEST_F(Formula, LooksUpARow) {
  EXPECT_EQ(number("bits_k[ppl run=r codec=d4:q=10 part=kv]"), 576);
  EXPECT_DOUBLE_EQ(number("mean(abs(delta_ppl[ppl run=r codec=d4:q=10 part=kv]))"), 0.02);
  EXPECT_EQ(number("bits_k?[ppl run=r codec=d4:q=10 part=kv]"), 576);
  EXPECT_THROW(number("bits_k[ppl run=r]"), InputError);  // more than one row fits
}

// What is not there is an error, unless the formula says that it may be absent; a word that no row
// of the kind has is always one.
TEST_F(Formula, AbsenceIsSaid) {
  for (const char* lacking :
       {"bits_k%[ppl run=r codec=d4:q=11 part=kv]", "1 + mean(bits_k%[ppl run=none])",
        "bits_k%[ppl run=r codec=d4:q=38 part=kv]"}) {
    std::string strict = lacking, lenient = lacking;
    strict.erase(strict.find('%'), 1);
    lenient[lenient.find('%')] = '?';
    EXPECT_THROW(evaluate(strict, scope_), InputError) << strict;
    EXPECT_FALSE(has_value(evaluate(lenient, scope_))) << lenient;
  }
  EXPECT_FALSE(has_value(evaluate("1 + nothing", scope_)));
  for (const char* mistyped :
       {"bit_k?[ppl run=r codec=d4:q=10 part=kv]", "bits_k?[pl run=r]", "bits_k?[ppl rn=r]",
        "ratio('none','d4:q=10')", "abs_delta('r','d4:q=11','kv')", "best('r','d5',1,'mean')",
        "winner_advantage('r','d4','tc',1)", "winner_advantage('none','d4','tq',1)"}) {
    EXPECT_THROW(evaluate(mistyped, scope_), InputError) << mistyped;
  }
}

TEST_F(Formula, QuantilesAndSignedRanks) {
  EXPECT_EQ(number("quantile({5,1,3},0.5)"), 3);
  EXPECT_DOUBLE_EQ(number("quantile({0,10},0.9)"), 9);
  EXPECT_DOUBLE_EQ(number("wilcoxon_p({0,2,3,4,5},{1,0,0,0,0})"), 4.0 / 32);
  EXPECT_THROW(number("quantile({1,2},1.5)"), InputError);
  EXPECT_THROW(number("wilcoxon_p({1,2},{1})"), InputError);
}

TEST_F(Formula, KnowsRuns) {
  EXPECT_EQ(number("nominal_bits('d4:q=38',128)"), 832);
  EXPECT_EQ(number("nominal_bits('e8:q=4',256)"), 864);
  EXPECT_EQ(number("nominal_bits('tq:b=4',128)"), 544);
  EXPECT_EQ(number("nominal_bits('fp8',512)"), 4224);
  // Two of four layers are exact: (2 x 256 + 2 x 72) / (4 x 256).
  EXPECT_DOUBLE_EQ(number("ratio('r','d4:q=10')"), 4 * 256.0 / (2 * 256 + 2 * 72));
  EXPECT_EQ(to_word(evaluate("best('r','d4',5,'mean')", scope_)), "d4:q=10");
  EXPECT_EQ(to_word(evaluate("best('r','d4',1,'mean')", scope_)), "d4:q=38");
  EXPECT_EQ(to_word(evaluate("best('r','d4',2.5,'upper')", scope_)), "d4:q=38");
  // What is out of reach has no ratio, and no gain.
  EXPECT_EQ(to_word(evaluate("100*ratio('r',best('r','tq',1,'mean'))-1", scope_)), "oor");
  EXPECT_EQ(number("number_or(ratio('r',best('r','tq',1,'mean')),0)"), 0);
}

TEST_F(Formula, Statistics) {
  EXPECT_DOUBLE_EQ(number("half_width({1,2,3,4},2)"), 2 * std::sqrt(5.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(number("spearman({1,2,3},{10,1000,20})"), 0.5);
  EXPECT_DOUBLE_EQ(number("pearson({1,2,3},{3,2,1})"), -1);
  // t = 0.5 / (sd 0.5774 / 2) = 1.732 with 3 degrees of freedom: p = 0.1817 (t table).
  EXPECT_NEAR(number("paired_p({1,2,3,4},{0,2,2,4})"), 0.1817, 1e-4);
  EXPECT_NEAR(number("at(holm({0.03,0.01,0.02}),0)"), 0.04, 1e-12);
  EXPECT_NEAR(number("at(holm({0.03,0.01,0.02}),1)"), 0.03, 1e-12);
}

TEST_F(Formula, MistakesAreNamed) {
  for (const char* wrong :
       {"1+", "(1", "unknown", "nosuch(1)", "mean(1,2)", "1 2", "'open", "x[ppl",
        "best('r','d4',1,'median')", "nominal_bits('d4:q=38',-128)", "at({1},0/0)"}) {
    EXPECT_THROW(evaluate(wrong, scope_), InputError) << wrong;
  }
  EXPECT_THROW(evaluate(std::string(100000, '('), scope_), InputError);
  EXPECT_THROW(evaluate(std::string(100000, '-') + "1", scope_), InputError);
}

}  // namespace
}  // namespace kakeya
