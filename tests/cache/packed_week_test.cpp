// SPDX-License-Identifier: Apache-2.0
// A week of use: random operations on live caches, against a plain model of each sequence and its bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <span>
#include <string>

#include "cache/bytes_model.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace packed_test;

// Sinks, a residual window, sliding windows, pages of a codec that has them and of one that has none.
constexpr char kWholeWeek[] = "sliding";

/// Operations of a setting: KAKEYA_WEEK_OPERATIONS, or 10,000 of one and of others their share of as many.
// With 10,000 in each, under AddressSanitizer and UBSan (preset ci-asan), a setting takes 3 to 9 minutes.
int operations(const Setting& setting) {
  if (const char* asked = std::getenv("KAKEYA_WEEK_OPERATIONS")) return std::stoi(asked);
  if (std::string(setting.name) == kWholeWeek) return 10000;
  return (10000 + static_cast<int>(std::size(kSettings)) - 1) /
         static_cast<int>(std::size(kSettings));
}

// What has to have happened in every setting, where it has this many operations at least.
constexpr const char* kKinds[] = {"append", "seal", "read",    "truncate",
                                  "branch", "save", "restore", "drop"};
constexpr int kEnough = 500;

// Where a setting's draws begin: each has a week of its own.
std::uint64_t first_chance(const Setting& setting) {
  const auto* const at =
      std::find_if(std::begin(kSettings), std::end(kSettings),
                   [&](const Setting& known) { return std::string(known.name) == setting.name; });
  return 5 + (static_cast<std::uint64_t>(at - std::begin(kSettings)) << 32);
}

constexpr std::size_t kLongestPage = 128;
// Operations between comparisons of one sequence, and of all: each codes all that was given once more.
// Of the first kOften operations bytes are compared after each, and of later ones all this more seldom.
constexpr int kCompareOne = 25, kCompareAll = 400, kOften = 1000, kMoreSeldom = 10,
              kLaterBytes = 25;
constexpr double kBf16 = 0x1p-8;  // how far rounding moves a value, at most

class WeekOfUse : public PackedCaches {
 protected:
  WeekOfUse() : cache_(make()) {}

  std::size_t draw(std::size_t below) {
    return static_cast<std::size_t>(Random(9).bits(chance_++) % below);
  }

  void add() {
    const int sequence = cache_.add_sequence();
    bytes_[sequence] = {codecs_, GetParam().policy, GetParam().windows};
    Model& model = models_[sequence];
    for (int layer = 0; layer < kLayers; ++layer) {
      model.parts[{layer, Part::key}];
      model.parts[{layer, Part::value}];
    }
  }

  std::size_t sealed(int sequence) const {
    std::size_t tokens = 0;
    for (int layer = 0; layer < kLayers; ++layer) {
      for (const Part part : {Part::key, Part::value})
        tokens += cache_.sealed_tokens(sequence, {layer, part});
    }
    return tokens;
  }

  void append_some(int sequence, Model& model, std::size_t tokens) {
    const std::size_t before = sealed(sequence);
    for (int layer = 0; layer < kLayers; ++layer) {
      append(cache_, sequence, layer, model, drawn(seed_, tokens), drawn(seed_, tokens));
      bytes_[sequence].append(layer, model);
    }
    ++done_["append"];
    if (sealed(sequence) > before) ++done_["seal"];
  }

  // Some tokens alone are those of more: of the pages before and behind them too.
  void read_some(int sequence) {
    const KvSite site{static_cast<int>(draw(kLayers)), draw(2) == 0 ? Part::key : Part::value};
    const std::size_t first = cache_.first_token(sequence, site.layer),
                      all = cache_.tokens(sequence, site.layer);
    const std::size_t from = first + draw(all - first + 1), count = draw(all - from + 1);
    const std::size_t begin = from - std::min(from - first, kLongestPage),
                      end = std::min(all, from + count + kLongestPage);
    const auto part = read(cache_, sequence, site, {from, count}),
               more = read(cache_, sequence, site, {begin, end - begin});
    ASSERT_TRUE(std::equal(part.begin(), part.end(),
                           more.begin() + static_cast<std::ptrdiff_t>((from - begin) * kWidth)));
    if (count > 0) ++done_["read"];
  }

  bool sums_somewhere() const {
    for (int layer = 0; layer < kLayers; ++layer) {
      for (const Part part : {Part::key, Part::value})
        if (cache_.sums_packed({layer, part})) return true;
    }
    return false;
  }

  // What is added up as it is packed is the whole pages that tokens begin with, as they are read.
  void sum_some(int sequence) {
    const auto drawn_of = [&](std::size_t below) {  // its own, so that the week stays what it was
      return static_cast<std::size_t>(Random(13).bits(sums_++) % below);
    };
    const KvSite site{static_cast<int>(drawn_of(kLayers)),
                      drawn_of(2) == 0 ? Part::key : Part::value,
                      static_cast<int>(drawn_of(kHeads))};
    if (!cache_.sums_packed(site)) return;
    const std::size_t first = cache_.first_token(sequence, site.layer),
                      all = cache_.tokens(sequence, site.layer), page = cache_.page_tokens(site),
                      sinks = static_cast<std::size_t>(cache_.policy().sinks),
                      open = sinks + cache_.sealed_tokens(sequence, site);
    std::size_t from = drawn_of(all + 1);
    if (drawn_of(4) != 0 && from >= sinks) from -= (from - sinks) % page;
    const std::size_t count = all - from;
    const bool packed = from >= std::max(first, sinks) && from < open && (from - sinks) % page == 0;
    const std::size_t taken = packed ? open - from : 0;
    std::vector<float> of(count + kDim), sums(kDim), scores(count);
    for (float& number : of) number = static_cast<float>(Random(17).uniform(sums_++));
    const std::span<float> query = std::span(of).last(kDim);
    ASSERT_EQ(cache_.add_packed(sequence, site, {from, count}, {of.data(), 1, count, count},
                                dense_rows(sums.data(), 1, kDim)),
              taken);
    ASSERT_EQ(cache_.score_packed(sequence, site, {from, count},
                                  dense_rows<const float>(query.data(), 1, kDim),
                                  {scores.data(), 1, count, count}),
              taken);
    if (taken == 0) return;
    const auto x = read(cache_, sequence, {site.layer, site.part}, {from, taken});
    std::vector<double> sum(kDim), most(kDim);
    for (std::size_t t = 0; t < taken; ++t) {
      double score = 0, magnitudes = 0;
      for (std::size_t i = 0; i < kDim; ++i) {
        const double value = x[t * kWidth + static_cast<std::size_t>(site.head) * kDim + i];
        sum[i] += of[t] * value, most[i] += of[t] * std::fabs(value);
        score += query[i] * value, magnitudes += query[i] * std::fabs(value);
      }
      ASSERT_NEAR(scores[t], score, kBf16 * magnitudes) << site_name(site) << ", token " << t;
    }
    for (std::size_t i = 0; i < kDim; ++i)
      ASSERT_NEAR(sums[i], sum[i], kBf16 * most[i]) << site_name(site) << ", coordinate " << i;
    ++done_["sum"];
  }

  // Anywhere, or the last few, as after a draft that was not taken. Of a cut page the cache has what
  // was decoded, which is from now on what it was given.
  void truncate(int sequence, Model& model) {
    const std::size_t all = cache_.tokens(sequence, 0);
    const std::size_t tokens =
        draw(2) == 0 ? draw(all + 1) : all - draw(std::min<std::size_t>(all, 12) + 1);
    std::map<std::pair<int, Part>, std::pair<std::size_t, std::vector<float>>> before;
    for (const auto& [place, held] : model.parts) {
      const KvSite site{place.first, place.second};
      const std::size_t first = cache_.first_token(sequence, site.layer);
      before[place] = {cache_.sealed_tokens(sequence, site),
                       read(cache_, sequence, site, {first, all - first})};
    }
    std::vector<std::size_t> firsts;
    for (int layer = 0; layer < kLayers; ++layer) {
      firsts.push_back(cache_.first_token(sequence, layer));
    }
    try {
      cache_.truncate(sequence, tokens);
    } catch (const InputError&) {  // a window has dropped what it would need again
      ASSERT_FALSE(GetParam().windows.empty());
      ASSERT_EQ(cache_.tokens(sequence, 0), all);
      return;
    }
    bytes_[sequence].truncate(tokens);
    if (tokens < all) ++done_["truncate"];
    for (auto& [place, held] : model.parts) {
      const KvSite site{place.first, place.second};
      held.resize(tokens);
      const auto& [sealed, values] = before[place];
      const std::size_t first = firsts[static_cast<std::size_t>(site.layer)],
                        sinks = static_cast<std::size_t>(cache_.policy().sinks),
                        still = cache_.sealed_tokens(sequence, site);
      if (still == sealed) continue;
      for (std::size_t t = std::max(first, sinks + still); t < std::min(tokens, sinks + sealed);
           ++t) {
        held[t].assign(&values[(t - first) * kWidth], &values[(t - first) * kWidth] + kWidth);
      }
    }
  }

  void save(int sequence, const Model& model) {
    saves_.push_back({saved(cache_, sequence), model, bytes_[sequence]});
    ++done_["save"];
    if (saves_.size() > 4) saves_.erase(saves_.begin());
  }

  void restore() {
    if (saves_.empty()) return;
    const auto& [file, model, bytes] = saves_[draw(saves_.size())];
    const int sequence = restore_sequence(cache_, file, made_facts());
    models_[sequence] = model;
    bytes_[sequence] = bytes.restored();
    ASSERT_EQ(saved(cache_, sequence), file);
    ++done_["restore"];
  }

  void branch(int sequence) {
    const int number = cache_.branch(sequence);
    models_[number] = models_[sequence];
    bytes_[number] = bytes_[sequence].branched();
    ++done_["branch"];
  }

  void drop(int sequence) {
    cache_.drop(sequence);
    models_.erase(sequence);
    bytes_.erase(sequence);
  }

  PackedCache cache_;
  std::map<int, Model> models_;
  std::map<int, PlainBytes> bytes_;
  struct Save {
    std::vector<std::byte> file;
    Model model;
    PlainBytes bytes;
  };
  std::vector<Save> saves_;
  std::map<std::string, int> done_;  // of each kind, those that changed or showed something
  std::uint64_t seed_ = 11, chance_ = first_chance(GetParam()), sums_ = chance_;
};

TEST_P(WeekOfUse, HoldsWhatAPlainModelHolds) {
  add();
  const int count = operations(GetParam());
  for (int step = 0; step < count; ++step) {
    const int seldom = step < kOften ? 1 : kMoreSeldom;
    auto at = models_.begin();
    std::advance(at, draw(models_.size()));
    const int sequence = at->first;
    Model& model = at->second;
    const std::size_t what = draw(100);
    if (what < 63) {  // a token, a few, or a prompt
      append_some(sequence, model, what < 40 ? 1 : what < 61 ? 1 + draw(40) : 1 + draw(400));
    } else if (what < 81) {
      read_some(sequence);
      sum_some(sequence);
    } else if (what < 84) {
      branch(sequence);
    } else if (what < 87) {
      truncate(sequence, model);
    } else if (what < 90) {
      save(sequence, model);
    } else if (what < 93) {
      restore();
    } else if (what < 99 && models_.size() > 1) {
      drop(sequence);
      ++done_["drop"];
    } else {
      add();
    }
    if (step < kOften || step % kLaterBytes == 0) {
      compare_bytes(cache_, bytes_, bytes_.contains(sequence) ? sequence : bytes_.begin()->first);
    }
    if (step % (seldom * kCompareAll) == 0) {
      compare_all(cache_, codecs_, models_);
    } else if (step % (seldom * kCompareOne) == 0) {
      at = models_.begin();
      std::advance(at, draw(models_.size()));
      compare_all(cache_, codecs_, {*at});
    }
    ASSERT_FALSE(HasFatalFailure()) << "step " << step;
  }
  compare_all(cache_, codecs_, models_);
  while (!models_.empty()) drop(models_.begin()->first);
  EXPECT_EQ(cache_.live_bytes().total(), 0u);
  for (const char* kind : kKinds) {
    RecordProperty(kind, done_[kind]);
    if (count >= kEnough) {
      EXPECT_GT(done_[kind], 0) << kind << " never happened in " << count << " operations";
    }
  }
  if (count >= kEnough) {
    EXPECT_EQ(done_["sum"] > 0, sums_somewhere());
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, WeekOfUse, ::testing::ValuesIn(kSettings),
                         [](const auto& setting) { return std::string(setting.param.name); });

}  // namespace
}  // namespace kakeya
