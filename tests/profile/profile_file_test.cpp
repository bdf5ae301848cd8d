// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/profile_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/core/half.h"
#include "kakeya/core/random.h"
#include "kakeya/profile/profile_shelf.h"
#include "kakeya/profile/token_windows.h"
#include "support/made_int8.h"
#include "support/made_kvtc.h"
#include "support/made_profile.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using Bytes = std::vector<std::byte>;

// As calibration leaves it: transforms are binary16 already.
Profile klt_profile(bool int8) {
  Profile profile = test::made_profile(8, 3);
  profile.digest = "00112233445566778899aabbccddeeff" + std::string(32, '7');
  profile.sensitivity_passages = 3;
  if (int8) {
    test::round_matrices(profile);
    return profile;
  }
  for (PartProfile& part : profile.parts) {
    for (auto& heads : part.heads) {
      for (SiteTransform& site : heads) {
        for (float& value : site.forward) value = half_to_float(float_to_half(value));
      }
    }
  }
  return profile;
}

void expect_same(const ProfileHead& a, const ProfileHead& b) {
  EXPECT_EQ(a.origin, b.origin);
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.tokens_sha256, b.tokens_sha256);
  EXPECT_EQ(a.tap, b.tap);
  EXPECT_EQ(a.dtype, b.dtype);
  EXPECT_EQ(a.passages, b.passages);
  EXPECT_EQ(a.context, b.context);
  EXPECT_EQ(a.sinks, b.sinks);
  EXPECT_EQ(a.token_windows, b.token_windows);
  EXPECT_EQ(a.digest, b.digest);
}

void expect_same(const Profile& a, const Profile& b) {
  expect_same(static_cast<const ProfileHead&>(a), static_cast<const ProfileHead&>(b));
  EXPECT_EQ(a.matrices, b.matrices);
  EXPECT_EQ(a.variants, b.variants);
  EXPECT_EQ(a.sensitivity_passages, b.sensitivity_passages);
  EXPECT_EQ(a.sensitivity_bits, b.sensitivity_bits);
  EXPECT_EQ(a.prefix_sensitivity_bits, b.prefix_sensitivity_bits);
  ASSERT_EQ(a.parts.size(), b.parts.size());
  for (std::size_t p = 0; p < a.parts.size(); ++p) {
    EXPECT_EQ(a.parts[p].sensitivity, b.parts[p].sensitivity);
    EXPECT_EQ(a.parts[p].prefix_sensitivity, b.parts[p].prefix_sensitivity);
    EXPECT_EQ(a.parts[p].heads, b.parts[p].heads);  // inverses too, to the bit
  }
  EXPECT_EQ(a.layer_octaves, b.layer_octaves);
  EXPECT_EQ(a.layer_group, b.layer_group);
  EXPECT_EQ(a.layer_shaping, b.layer_shaping);
  EXPECT_EQ(a.layer_steps, b.layer_steps);
  ASSERT_EQ(a.layer_transforms.size(), b.layer_transforms.size());
  for (std::size_t order = 0; order < a.layer_transforms.size(); ++order) {
    ASSERT_EQ(a.layer_transforms[order].size(), b.layer_transforms[order].size());
    for (std::size_t group = 0; group < a.layer_transforms[order].size(); ++group) {
      const LayerTransform &c = a.layer_transforms[order][group],
                           &d = b.layer_transforms[order][group];
      EXPECT_EQ(c.predictor, d.predictor);
      EXPECT_EQ(c.rotation, d.rotation);
      EXPECT_EQ(c.deviations, d.deviations);
      EXPECT_EQ(c.classes, d.classes);
      EXPECT_EQ(c.stored_predictor, d.stored_predictor);
      EXPECT_EQ(c.stored_rotation, d.stored_rotation);
    }
  }
}

Bytes kvtc_file() {
  KvtcProfile profile = test::made_kvtc_profile(8, 2, 1, 9);
  profile.digest = std::string(64, 'd');
  return flat_profile(profile);
}

// One of each kind and format.
std::vector<Bytes> files() {
  return {flat_profile(klt_profile(false)), flat_profile(klt_profile(true)), kvtc_file()};
}

void mend(Bytes& file) {
  const std::size_t body = file.size() - 4;
  const std::uint32_t checksum = crc32c(std::span(file).first(body));
  std::memcpy(file.data() + body, &checksum, sizeof checksum);
}

TEST(ProfileFile, GivesBackEveryBitOfAProfileOfKlt) {
  for (const bool int8 : {false, true}) {
    Profile written = klt_profile(int8);
    const StoredProfile read = parse_profile(flat_profile(written));
    EXPECT_EQ(read.kind, Profile::kKind);
    EXPECT_EQ(read.as<KvtcProfile>(), nullptr);
    const auto profile = read.as<Profile>();
    ASSERT_NE(profile, nullptr);
    expect_same(*profile, written);
    EXPECT_EQ(flat_profile(*profile), flat_profile(written));
    written.layer_transforms.clear();
    written.layer_octaves.clear();
    expect_same(*parse_profile(flat_profile(written)).as<Profile>(), written);
  }
}

// A profile that knows its text finely differs from one that does not in its last section alone.
TEST(ProfileFile, WindowsOfTokensStandBehindEverythingElse) {
  Profile written = klt_profile(false);
  const Bytes without = flat_profile(written);
  written.context = 3 * kTokenWindow + 31;
  written.passages = 2;
  for (std::uint64_t i = 0; i < 6; ++i) written.token_windows.push_back(~i);
  Bytes file = flat_profile(written);
  EXPECT_EQ(file.size(), without.size() + 6 * 8);
  EXPECT_EQ(without[4], std::byte{1});
  EXPECT_EQ(file[4], std::byte{2});
  expect_same(*parse_profile(file).as<Profile>(), written);
  file[4] = std::byte{1};
  mend(file);
  EXPECT_NE(testing::message_of<CorruptStream>([&] {
              parse_profile(file);
            }).find("48 bytes after its end"),
            std::string::npos);
  written.token_windows.pop_back();
  EXPECT_NE(testing::message_of<InputError>([&] {
              flat_profile(written);
            }).find("5 windows of tokens, expected 6"),
            std::string::npos);
}

TEST(ProfileFile, GivesBackEveryVariantAndChoice) {
  Profile written = klt_profile(false);
  written.variants = {{true, true}, {false, true}, {true, false}};
  for (PartProfile& part : written.parts) {
    part.heads.push_back(part.heads[0]);
    part.heads.push_back(part.heads[0]);
    part.heads[2][1].mean.assign(8, 0.0f);
  }
  written.tap = TapPoint::post_rope;
  written.layer_steps = Tier::hot;
  written.layer_shaping = 0.25;
  expect_same(*parse_profile(flat_profile(written)).as<Profile>(), written);
}

TEST(ProfileFile, GivesBackEveryBitOfAProfileOfKvtc) {
  const KvtcProfile written = test::made_kvtc_profile(8, 2, 2, 20);
  const StoredProfile read = parse_profile(flat_profile(written));
  EXPECT_EQ(read.as<Profile>(), nullptr);
  const auto kvtc = read.as<KvtcProfile>();
  ASSERT_NE(kvtc, nullptr);
  expect_same(*read.profile, written);
  EXPECT_EQ(kvtc->rank, written.rank);
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_EQ(kvtc->parts[p].mean, written.parts[p].mean);
    EXPECT_EQ(kvtc->parts[p].basis, written.parts[p].basis);
    EXPECT_EQ(kvtc->parts[p].single_errors, written.parts[p].single_errors);
    EXPECT_EQ(kvtc->parts[p].group_errors, written.parts[p].group_errors);
  }
}

TEST(ProfileFile, EveryTruncationIsRefused) {
  for (const Bytes& file : files()) {
    for (std::size_t length = 0; length < file.size(); ++length) {
      const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length));
      EXPECT_THROW(parse_profile(cut), CorruptStream) << length;
    }
    Bytes longer = file;
    longer.push_back(std::byte{0});
    EXPECT_THROW(parse_profile(longer), CorruptStream);
  }
}

TEST(ProfileFile, EveryFlippedBitIsRefused) {
  for (const Bytes& file : files()) {
    for (std::size_t at = 0; at < file.size(); ++at) {
      Bytes bad = file;
      bad[at] ^= std::byte{1} << (at % 8);
      EXPECT_THROW(parse_profile(bad), CorruptStream) << at;
    }
  }
}

// Under a checksum that fits: a profile that is written as it was read, or CorruptStream.
TEST(ProfileFile, MeaninglessFieldsAreRefused) {
  const Random random(5);
  std::size_t number = 0, accepted = 0, refused = 0;
  for (const Bytes& file : files()) {
    for (std::size_t at = 0; at < file.size() - 4; at += at < 600 ? 1 : 7) {
      Bytes bad = file;
      bad[at] = static_cast<std::byte>(random.bits(number++));
      mend(bad);
      try {
        const StoredProfile read = parse_profile(bad);
        const Bytes again = read.as<Profile>() ? flat_profile(*read.as<Profile>())
                                               : flat_profile(*read.as<KvtcProfile>());
        EXPECT_EQ(again, bad) << at;
        ++accepted;
      } catch (const CorruptStream&) {
        ++refused;
      }
    }
    // Cut anywhere, its length and checksum made to fit.
    for (std::size_t length = 20; length < file.size(); length += length < 600 ? 1 : 13) {
      Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length));
      const std::uint64_t said = length;
      std::memcpy(cut.data() + 8, &said, sizeof said);
      mend(cut);
      EXPECT_THROW(parse_profile(cut), CorruptStream) << length;
    }
  }
  EXPECT_GT(accepted, 100u);
  EXPECT_GT(refused, 300u);
}

TEST(ProfileFile, HugeShapesAreRefusedBeforeMemoryIsTaken) {
  for (const Bytes& file : files()) {
    for (const std::size_t field : {16u, 20u, 24u}) {  // layers, KV heads, head_dim
      Bytes bad = file;
      const std::uint32_t most = 1024;
      std::memcpy(bad.data() + field, &most, sizeof most);
      mend(bad);
      EXPECT_THROW(parse_profile(bad), CorruptStream) << field;
    }
  }
}

TEST(ProfileFile, RefusesToWriteWhatDoesNotFit) {
  Profile profile = klt_profile(false);
  profile.digest = "";
  EXPECT_THROW(flat_profile(profile), InputError);
  profile.digest = std::string(64, 'G');
  EXPECT_THROW(flat_profile(profile), InputError);
  profile = klt_profile(false);
  profile.parts.pop_back();
  EXPECT_THROW(flat_profile(profile), InputError);
  profile = klt_profile(false);
  profile.passages = -1;
  EXPECT_THROW(flat_profile(profile), InputError);
  KvtcProfile kvtc = test::made_kvtc_profile(8, 2, 1);
  kvtc.rank = 0;
  EXPECT_THROW(flat_profile(kvtc), InputError);
}

TEST(ProfileFile, LoadsWhatItSaved) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.kkp").string();
  const Profile written = klt_profile(true);
  save_profile(path, written);
  EXPECT_TRUE(is_flat_profile(path));
  const StoredProfile read = load_profile(path);
  EXPECT_EQ(read.path, path);
  expect_same(*read.as<Profile>(), written);
  const std::string other = (folder.path() / "other").string();
  write_file(other, "\x89HDF");
  EXPECT_FALSE(is_flat_profile(other));
  EXPECT_THROW(load_profile(other), CorruptStream);
  EXPECT_THROW(load_profile("/dev/zero"), CorruptStream);  // without reading it to its end
  EXPECT_THROW(load_profile(path + "x"), IoError);
  EXPECT_THROW(load_profile(folder.path().string()), IoError);
}

TEST(ProfileShelf, ReadsFlatFilesByItself) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.kkp").string();
  save_profile(path, klt_profile(false));
  ProfileShelf shelf;
  shelf.add(path);
  EXPECT_EQ(shelf.find<Profile>("")->digest, shelf.find<Profile>("00112233445566778899")->digest);
  EXPECT_EQ(shelf.find<Profile>(path), shelf.find<Profile>(""));
  EXPECT_THROW(shelf.find<KvtcProfile>(""), InputError);
  const auto held = std::make_shared<const KvtcProfile>(test::made_kvtc_profile(8, 2, 1));
  shelf.add({"", KvtcProfile::kKind, held});
  EXPECT_EQ(shelf.find<KvtcProfile>(std::string(16, 'd')), held);
}

}  // namespace
}  // namespace kakeya
