// SPDX-License-Identifier: Apache-2.0
// Pages of exactly so many bytes: the key budget of klt, ece8, ecd4 and ecz.
#include "kakeya/codec/budget_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <thread>

#include "codecs/vectors_for_test.h"
#include "codecs/written_alike.h"
#include "kakeya/bitstream/crc32c.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/codec/page_writer.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kBudgetDim = 64, kBudgetPage = 32, kBudgetCount = 5 * kBudgetPage + 7;

struct Budgeted {
  std::string plain;
  std::size_t budget;
  std::string spec() const { return plain + ",budget=" + std::to_string(budget); }
};

const Budgeted kBudgeted[] = {
    {"klt:bits=6,page=32", 900},
    {"klt:bits=6,page=32,pages=fixed", 1000},
    {"klt:bits=6,lattice=z,page=128,product=exact,pages=tiles", 3500},
    {"klt:bits=6,lattice=z,page=32,pages=prefix", 1200},
    {"klt:bits=6,lattice=tcq,page=32,pages=fixed", 1001},
    {"ece8:bits=6,page=32", 777},
    {"ecd4:bits=6,page=32,per=head-page,scales=one", 800},
    {"ecz:bits=6,page=32,classes=channel,center=mean,outliers=2,reconstruct=wiener", 1100},
    {"ece8:step=0.05,page=32,rotate=none", 700},
    {"ece8:bits=6,page=32,center=bias@keys", 800},
};

std::string with_part(const Budgeted& of) {
  return std::string(without_part(of.plain)) + ",budget=" + std::to_string(of.budget) +
         std::string(part_of(of.plain));
}

// Pages of unlike sizes, so that their steps differ: as expected, loud, as expected, quiet, ...; of klt around the
// profile's means.
std::vector<float> unlike(const std::string& spec) {
  const bool klt = spec.starts_with("klt");
  const auto drawn = [&](std::uint64_t seed) {
    return klt ? coded_by_klt("klt:bits=3", kBudgetDim, kBudgetCount, seed)
               : normals(kBudgetDim * kBudgetCount, seed);
  };
  auto x = drawn(5);
  const auto one = drawn(6), other = drawn(7);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t page = i / (kBudgetPage * kBudgetDim);
    if (page == 1) x[i] += one[i] - other[i];
    if (page == 3) x[i] = klt ? (x[i] + one[i] + other[i]) / 3 : 0.0f;
  }
  return x;
}

Rows<const float> rows_of(const std::vector<float>& x) {
  return dense_rows<const float>(x.data(), x.size() / kBudgetDim, kBudgetDim);
}

const BudgetPages& budget_of(const Codec& codec) { return dynamic_cast<const BudgetPages&>(codec); }

class BudgetOf : public ::testing::TestWithParam<Budgeted> {};

TEST_P(BudgetOf, EveryPageTakesItsBytes) {
  const auto x = unlike(GetParam().plain);
  const auto codec = make(with_part(GetParam()), kBudgetDim);
  const std::size_t page = codec->page_vectors(), pages = (kBudgetCount + page - 1) / page;
  const auto frame = encode(*codec, rows_of(x));
  EXPECT_EQ(frame.size(), codec->encoded_bound(kBudgetCount));
  const FrameView view = parse_frame(frame);
  EXPECT_EQ(section_of(view, "pool").size(), pages * GetParam().budget);
  std::set<int> steps;
  for (std::size_t p = 0; p < pages; ++p) steps.insert(budget_of(*codec).rung_of(view, p));
  EXPECT_GT(steps.size(), 1u);
  EXPECT_GT(*steps.rbegin(), 0);
  PageWriter writer(*codec);
  for (std::size_t row = 0; row < kBudgetCount; ++row) writer.append(rows_of(x).slice(row, 1));
  EXPECT_EQ(writer.frame(), frame);
  for (std::size_t p = 0; p < writer.sealed_pages(); ++p) {
    EXPECT_EQ(writer.page(p).parts.back().bytes.size(), GetParam().budget);
  }
}

// At p times the budget, and alone: pages that change places decode to what they held.
TEST_P(BudgetOf, APageMayLieAnywhere) {
  const auto codec = make(with_part(GetParam()), kBudgetDim);
  const std::size_t page = codec->page_vectors(), count = 3 * page, values = page * kBudgetDim;
  auto x = unlike(GetParam().plain);
  while (x.size() < count * kBudgetDim) x.push_back(x[x.size() - kBudgetPage * kBudgetDim]);
  x.resize(count * kBudgetDim);
  auto frame = encode(*codec, rows_of(x));
  const auto y = decode(*codec, frame, count);
  const auto at = [&](std::size_t p) {
    const auto pool = section_of(parse_frame(frame), "pool");
    return frame.begin() + (pool.data() - frame.data()) +
           static_cast<std::ptrdiff_t>(p * GetParam().budget);
  };
  std::swap_ranges(at(0), at(1), at(2));
  seal(frame);
  const auto swapped = decode(*codec, frame, count);
  const auto one = static_cast<std::ptrdiff_t>(values);
  EXPECT_TRUE(std::equal(y.begin(), y.begin() + one, swapped.begin() + 2 * one));
  EXPECT_TRUE(std::equal(y.begin() + 2 * one, y.end(), swapped.begin()));
  EXPECT_TRUE(std::equal(y.begin() + one, y.begin() + 2 * one, swapped.begin() + one));
}

TEST_P(BudgetOf, WithRoomForAllAreWhatTheyAreWithout) {
  if (GetParam().plain.find("center=mean") != std::string::npos) GTEST_SKIP() << "means of a page";
  if (GetParam().plain.find("head-page") != std::string::npos) GTEST_SKIP() << "steps of a page";
  const auto x = unlike(GetParam().plain);
  const Budgeted roomy{GetParam().plain, 1 << 16};
  EXPECT_EQ(roundtrip(*make(with_part(roomy), kBudgetDim), x),
            roundtrip(*make(GetParam().plain, kBudgetDim), x));
}

TEST_P(BudgetOf, WritesTheSameEverywhere) {
  const auto x = unlike(GetParam().plain);
  const auto make_it = [](const std::string& spec) { return make(spec, kBudgetDim); };
  if (!part_of(GetParam().plain).empty()) return;  // canonical specs do not say it
  expect_alike_on_every_instruction_set(make_it, with_part(GetParam()), rows_of(x));
  expect_alike_with_any_threads(make_it, with_part(GetParam()), rows_of(x));
}

TEST_P(BudgetOf, LedgersBookWhatPagesHold) {
  const auto x = unlike(GetParam().plain);
  const auto codec = make(with_part(GetParam()), kBudgetDim);
  const auto frame = encode(*codec, rows_of(x));
  const RateLedger ledger = ledger_of(*codec, rows_of(x), frame);
  EXPECT_EQ(ledger.written_bits(), 8 * frame.size());
  EXPECT_GT(ledger.padding_bits, 0u);
  EXPECT_GT(ledger.payload_bits, 8 * GetParam().budget);
  ASSERT_TRUE(ledger.entropy_bits);
  EXPECT_GT(*ledger.entropy_bits, 0);
}

TEST_P(BudgetOf, ForgedPagesAreRefusedOrDecode) {
  const auto x = unlike(GetParam().plain);
  const auto codec = make(with_part(GetParam()), kBudgetDim);
  const auto frame = encode(*codec, rows_of(x));
  const Random random(77);
  const std::size_t pool =
      static_cast<std::size_t>(section_of(parse_frame(frame), "pool").data() - frame.data());
  std::size_t refused = 0;
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    auto bad = frame;
    // The last bytes of a page say what is where.
    const std::size_t end = pool + (1 + random.bits(3 * trial) % 2) * GetParam().budget;
    bad[end - 1 - random.bits(3 * trial + 1) % 12] =
        static_cast<std::byte>(random.bits(3 * trial + 2));
    seal(bad);
    try {
      for (const float value : decode(*codec, bad, kBudgetCount)) ASSERT_TRUE(std::isfinite(value));
    } catch (const CorruptStream&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100u);
}

INSTANTIATE_TEST_SUITE_P(Codecs, BudgetOf, ::testing::ValuesIn(kBudgeted), [](const auto& test) {
  std::string name = test.param.spec();
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

// ecz with the step 0.01 2^((first + rung) / 16).
std::unique_ptr<Codec> steps_from(int first, std::size_t budget) {
  return with_budget("made", kBudgetDim, budget, [first](int rung) {
    const double step = 0.01 * std::exp2((first + rung) / double{kRungsAnOctave});
    auto codec = make_codec("ecz:page=32,rotate=none,step=" + std::to_string(step), {kBudgetDim});
    return std::unique_ptr<AccountedCodec>(dynamic_cast<AccountedCodec*>(codec.release()));
  });
}

int step_of_first_page(const Codec& codec, Rows<const float> x) {
  const auto frame = encode(codec, x);
  return budget_of(codec).rung_of(parse_frame(frame), 0);
}

TEST(BudgetPagesTest, TakeTheFinestStepThatFits) {
  const auto x = normals(kBudgetDim * kBudgetPage, 9);
  for (const std::size_t budget : {300u, 700u, 1500u, 2000u}) {
    const int found = step_of_first_page(*steps_from(0, budget), rows_of(x));
    ASSERT_GT(found, 4);
    for (const int finer : {1, 2, 3, 4}) {  // each of these alone is too fine
      EXPECT_EQ(step_of_first_page(*steps_from(found - finer, budget), rows_of(x)), finer)
          << budget;
    }
    EXPECT_EQ(step_of_first_page(*steps_from(found, budget), rows_of(x)), 0);
  }
}

// Vectors that are kept with fine steps cost more as points of coarse ones: some budgets suffice for a few of the finer
// steps, but not for the coarsest.
TEST(BudgetPagesTest, TryEveryStepBeforeTheyRefuse) {
  constexpr int kPoints = 5;  // the step from which on the first 24 vectors have points
  auto x = normals(kBudgetDim * kBudgetPage, 5);
  for (std::size_t row = 0; row < 24; ++row) {
    const auto vector = std::span(x).subspan(row * kBudgetDim, kBudgetDim);
    const double size = 0.01 * 0x1p20 * std::exp2((kPoints - 0.5) / kRungsAnOctave),
                 most = finite_maximum(vector, row);
    for (float& value : vector) value = static_cast<float>(value * size / most);
  }
  const auto fits = [&](int first, std::size_t budget) {
    try {
      return step_of_first_page(*steps_from(first, budget), rows_of(x)) >= 0;
    } catch (const InputError&) {
      return false;
    }
  };
  const auto roomy = steps_from(kPoints - 1, 1 << 14);
  const auto frame = encode(*roomy, rows_of(x));
  const std::size_t least =
      (1 << 14) - section_bytes(roomy->account().contents(parse_frame(frame)), "padding");
  EXPECT_TRUE(fits(kPoints - 1, least));
  EXPECT_FALSE(fits(kPoints - 1, least - 1));
  EXPECT_FALSE(fits(kPoints, least));
  EXPECT_TRUE(fits(0, least));
}

TEST(BudgetPagesTest, RefuseWhatDoesNotFitWithAnyStep) {
  const auto codec = make("klt:bits=3,page=32,pages=fixed,budget=500", kBudgetDim);
  auto x = coded_by_klt("klt:bits=3", kBudgetDim, 70, 3);
  for (std::size_t i = 40 * kBudgetDim; i < 50 * kBudgetDim; ++i) x[i] = 1e30f;
  try {
    encode(*codec, rows_of(x));
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("the page of vectors 32 to 63 takes "), std::string::npos) << text;
    EXPECT_NE(text.find("bytes or more with each of 128 steps, expected at most budget=500"),
              std::string::npos)
        << text;
  }
  PageWriter writer(*codec);
  writer.append(rows_of(x).slice(0, 34));
  EXPECT_THROW(writer.append(rows_of(x).slice(34, 36)), InputError);
  EXPECT_EQ(writer.sealed_pages(), 1u);
}

// Steps of vectors follow their sizes: half a bit a value holds any, windows of their scales and all.
TEST(BudgetPagesTest, OfStepsOfVectorsHoldAnything) {
  std::vector<float> x(2 * kBudgetPage * kBudgetDim);
  const auto drawn = normals(x.size(), 21);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int size = static_cast<int>(i / kBudgetDim * 37 % 230) - 115;
    x[i] = std::ldexp(drawn[i], size) + (i % 61 == 0 ? std::ldexp(50.0f, size) : 0.0f);
  }
  for (const std::string codec :
       {"ece8:bits=7.5", "ecd4:bits=7.5", "ecz:bits=7.5", "ecd4:bits=3"}) {
    const auto made = make(codec + ",page=64,budget=256", kBudgetDim);
    EXPECT_NO_THROW(roundtrip(*made, x)) << codec;
  }
}

TEST(BudgetPagesTest, KeysThatDoNotGoTogether) {
  const auto message = [](const std::string& spec) -> std::string {
    try {
      make(spec, kBudgetDim);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("ece8:bits=4,budget=100").find("expected at least 2048 for pages of 1024"),
            std::string::npos);
  EXPECT_NE(message("ece8:bits=4,page=32,budget=63").find("expected at least 64"),
            std::string::npos);
  EXPECT_NE(message("klt:bits=3,adapt=100,budget=4096").find("budget given with adapt"),
            std::string::npos);
  EXPECT_NE(message("klt:bits=3,scope=layer,budget=4096").find("budget"), std::string::npos);
  EXPECT_EQ(make("ece8:bits=4,budget=0", kBudgetDim)->spec(), "ece8:bits=4");
}

TEST(BudgetPagesTest, CountVectorsBeyondTheProfile) {
  auto x = coded_by_klt("klt:bits=3", kBudgetDim, 70, 3);
  for (const std::size_t row : {5u, 40u, 69u}) {
    for (std::size_t i = 0; i < kBudgetDim; ++i) x[row * kBudgetDim + i] = 1e12f;
  }
  const auto codec = make("klt:bits=4,page=32,budget=1200", kBudgetDim);
  const auto frame = encode(*codec, rows_of(x));
  const FrameInfo info = codec->account().contents(parse_frame(frame));
  EXPECT_EQ(codec->account().beyond_profile(info), 3u);
  std::size_t bytes = 0;
  for (const auto& [name, size] : info.sections) bytes += size;
  EXPECT_EQ(bytes, frame.size());
}

// One codec, many threads: those that it made last are shared.
TEST(BudgetPagesTest, AreReadBySeveralThreads) {
  const Budgeted& of = kBudgeted[1];
  const auto x = unlike(of.plain);
  const auto codec = make(with_part(of), kBudgetDim);
  const auto frame = encode(*codec, rows_of(x));
  const auto y = decode(*codec, frame, kBudgetCount);
  std::vector<int> same(4);
  std::vector<std::thread> threads;
  for (int& result : same) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) result += decode(*codec, frame, kBudgetCount) == y;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int result : same) EXPECT_EQ(result, 5);
}

// Kept bytes of pages with coarser steps: golden frames (golden_test.cpp) have room for the step asked for.
TEST(BudgetPagesTest, BytesOfThisFormatVersion) {
  constexpr std::uint32_t kKept[] = {3724522806u, 2698693269u};
  const char* const specs[] = {"klt:bits=6,page=32,pages=fixed,budget=1000",
                               "ece8:bits=6,page=32,budget=777"};
  for (std::size_t i = 0; i < std::size(specs); ++i) {
    const auto frame = encode(*make(specs[i], kBudgetDim), rows_of(unlike(specs[i])));
    EXPECT_EQ(crc32c(section_of(parse_frame(frame), "pool")), kKept[i]) << specs[i];
  }
}

}  // namespace
}  // namespace kakeya
