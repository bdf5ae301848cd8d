// SPDX-License-Identifier: Apache-2.0
// The harness tests something: its seeds reach the decoders, and what it must notice it notices.
#include "fuzz/targets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "fuzz/allocation.h"
#include "fuzz/decoding.h"
#include "fuzz/finding.h"
#include "fuzz/recipe.h"
#include "fuzz/seed_vectors.h"
#include "kakeya/core/error.h"

namespace kakeya::fuzz {
namespace {

TEST(FuzzTargets, EverySeedIsAccepted) {
  for (const Target& target : targets()) {
    const Inputs seeds = target.seeds();
    ASSERT_FALSE(seeds.empty()) << target.name;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      EXPECT_TRUE(target.run(seeds[i])) << target.name << ", seed " << i;
    }
  }
}

TEST(FuzzTargets, RecipesGiveTheFrameAgain) {
  for (const Family& family : families()) {
    for (std::size_t spec = 0; spec < family.cases.size(); ++spec) {
      for (const SeedKind kind : kSeedKinds) {
        for (std::size_t vectors = 0; vectors < std::size(kVectorCounts); ++vectors) {
          const Codec& codec = codec_of(family.cases[spec], vectors % 2);
          const auto frame =
              seed_frame(codec, kind, family.cases[spec].more + kVectorCounts[vectors]);
          const auto recipe = recipe_of(family, spec, vectors % 2, vectors, frame);
          if (recipe.empty()) continue;  // more records than a recipe can name
          const Dish dish = assemble(family, recipe);
          EXPECT_EQ(dish.codec, &codec);
          EXPECT_EQ(dish.frame, frame) << codec.spec() << ", " << kVectorCounts[vectors];
        }
      }
    }
  }
}

TEST(FuzzTargets, ChangedLengthsAreRefused) {
  for (const Family& family : families()) {
    for (std::size_t spec = 0; spec < family.cases.size(); ++spec) {
      const Codec& codec = codec_of(family.cases[spec], 1);
      const auto frame = seed_frame(codec, SeedKind::normal, family.cases[spec].more + 3);
      auto recipe = recipe_of(family, spec, 1, 3, frame);
      recipe[3] = 1;  // the first section
      for (const std::uint8_t by : {std::uint8_t{1}, std::uint8_t{255}}) {
        recipe[4] = by;
        const Dish dish = assemble(family, recipe);
        if (dish.frame == frame) continue;  // an empty section cannot lose a byte
        EXPECT_FALSE(decode_checked(codec, dish.frame)) << codec.spec() << ", " << int{by};
      }
    }
  }
}

// Memory that no compiler can do without.
std::vector<char> much;

// The codec identity, misbehaving on request.
class Misbehaving final : public AccountedCodec {
 public:
  enum class Fault { none, infinite, unwritten, greedy, logic_error };
  explicit Misbehaving(Fault fault) : fault_(fault), honest_(make_codec("identity", {4})) {}
  std::string spec() const override { return honest_->spec(); }
  std::size_t dim() const override { return 4; }
  Rates rates() const override { return {}; }
  std::size_t encoded_bound(std::size_t count) const override {
    return honest_->encoded_bound(count);
  }
  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    return honest_->encode(x, out);
  }
  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    if (fault_ == Fault::logic_error) throw std::logic_error("not a CorruptStream");
    if (fault_ == Fault::greedy) much = std::vector<char>(allocation_limit(in.size(), out.dim) + 1);
    if (fault_ == Fault::unwritten) return;
    honest_->decode(in, out);
    if (fault_ == Fault::infinite) out[0][0] = std::numeric_limits<float>::infinity();
  }

 private:
  Fault fault_;
  std::unique_ptr<Codec> honest_;
};

TEST(FuzzTargets, NoticesWhatADecoderMustNotDo) {
  using Fault = Misbehaving::Fault;
  const auto frame = seed_frame(Misbehaving(Fault::none), SeedKind::normal, 5);
  EXPECT_TRUE(decode_checked(Misbehaving(Fault::none), frame));
  for (const Fault fault : {Fault::infinite, Fault::unwritten, Fault::greedy}) {
    EXPECT_THROW(decode_checked(Misbehaving(fault), frame), Finding) << static_cast<int>(fault);
  }
  EXPECT_THROW(decode_checked(Misbehaving(Fault::logic_error), frame), std::logic_error);
}

TEST(FuzzTargets, CountsEveryFormOfNew) {
  const std::size_t before = allocated_bytes();
  much = std::vector<char>(1000);
  EXPECT_EQ(allocated_bytes() - before, 1000u);
  void* volatile aligned = ::operator new[](64, std::align_val_t{64});
  EXPECT_EQ(allocated_bytes() - before, 1064u);
  ::operator delete[](aligned, std::align_val_t{64});
  void* volatile plain = ::operator new(10, std::nothrow);
  EXPECT_EQ(allocated_bytes() - before, 1074u);
  ::operator delete(plain);
}

}  // namespace
}  // namespace kakeya::fuzz
