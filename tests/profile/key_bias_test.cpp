// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/key_bias.h"

#include <gtest/gtest.h>

#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/profile/profile_file.h"
#include "kakeya/profile/profile_shelf.h"
#include "support/made_key_bias.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

TEST(KeyBiasProfile, SurvivesItsFileToTheBit) {
  const KeyBias made = test::made_key_bias(16, 3, 2);
  const StoredProfile stored = parse_profile(flat_profile(made));
  ASSERT_EQ(stored.kind, KeyBias::kKind);
  const auto read = stored.as<KeyBias>();
  EXPECT_EQ(read->biases, made.biases);
  EXPECT_EQ(read->shape, made.shape);
  EXPECT_EQ(read->digest, made.digest);
  EXPECT_EQ(read->origin.model, made.origin.model);
  EXPECT_EQ(stored.as<Profile>(), nullptr);
}

TEST(KeyBiasProfile, KnowsItsSites) {
  const KeyBias made = test::made_key_bias(8, 2, 2);
  const auto last = made.at({1, Part::key, 1});
  EXPECT_EQ(last, std::vector<float>(made.biases.end() - 8, made.biases.end()));
  EXPECT_NE(last, made.at({0, Part::key, 1}));
  EXPECT_EQ(made.at({1, Part::value, 1}), std::vector<float>(8, 0.0f));
  for (const KvSite site :
       {KvSite{2, Part::key, 0}, KvSite{0, Part::key, 2}, KvSite{-1, Part::key, 0},
        KvSite{0, Part::key, KvSite::kAllHeads}, KvSite{0, Part::query, 0}}) {
    EXPECT_THROW(made.at(site), InputError) << site_name(site);
  }
}

TEST(KeyBiasProfile, RefusesWhatIsNone) {
  const auto refused = [](const auto& change) {
    KeyBias profile = test::made_key_bias(8);
    change(profile);
    EXPECT_THROW(flat_profile(profile), InputError);
  };
  refused([](KeyBias& profile) { profile.biases.pop_back(); });
  refused([](KeyBias& profile) { profile.biases[3] = std::numeric_limits<float>::infinity(); });
  refused([](KeyBias& profile) { profile.biases[3] = 0x1p96f; });
  refused([](KeyBias& profile) { profile.tap = TapPoint::post_rope; });
  auto file = flat_profile(test::made_key_bias(8));
  file.resize(file.size() - 4);
  EXPECT_THROW(parse_profile(file), CorruptStream);
}

TEST(KeyBiasProfile, IsNotAnothersProfile) {
  ProfileShelf shelf;
  const auto made = std::make_shared<const KeyBias>(test::made_key_bias(8));
  shelf.add({"biases.kkp", KeyBias::kKind, made});
  EXPECT_EQ(shelf.find<KeyBias>(""), made);
  EXPECT_EQ(shelf.find<KeyBias>("eeeeeeeeeeeeeeee"), made);
  EXPECT_THROW(shelf.find<Profile>(""), InputError);
  EXPECT_THROW(shelf.find<Profile>("biases.kkp"), InputError);
  EXPECT_THROW(shelf.require_model(made->origin.model, TapPoint::post_rope), InputError);
  EXPECT_NO_THROW(shelf.require_model(made->origin.model, TapPoint::pre_rope));
}

}  // namespace
}  // namespace kakeya
