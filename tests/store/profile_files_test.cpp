// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/profile_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/stats/inverse.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/kept_digest.h"
#include "kakeya/store/kvtc_profile_store.h"
#include "kakeya/store/profile_store.h"
#include "support/made_int8.h"
#include "support/made_kvtc.h"
#include "support/made_profile.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

// As calibration makes them: inverses are those of what is stored.
Profile int8_profile() {
  Profile profile = test::made_profile(16, 3);
  test::round_matrices(profile);
  for (PartProfile& part : profile.parts) {
    for (SiteTransform& site : part.heads[0]) site.backward = inverse(site.forward, 16);
  }
  return profile;
}

TEST(ProfileFiles, BiasesOfKeysAreFlatAlone) {
  const testing::ScratchFolder folder;
  const std::string flat = folder / "b.kkp", again = folder / "again.kkp", h5 = folder / "b.h5";
  write_profile_file(flat, test::made_key_bias(16), ProfileFormat::flat);
  const StoredProfile stored = read_profile_file(flat);
  EXPECT_EQ(stored.profile->digest, content_digest(test::made_key_bias(16)));
  EXPECT_EQ(stored.as<KeyBias>()->biases, test::made_key_bias(16).biases);
  convert_profile(flat, again);
  EXPECT_EQ(read_file(again), read_file(flat));
  EXPECT_THROW(convert_profile(flat, h5), InputError);
  EXPECT_FALSE(std::filesystem::exists(h5));
}

TEST(ProfileFiles, AnHdf5FileComesBackByteForByte) {
  const testing::ScratchFolder folder;
  const std::string h5 = folder / "p.h5", flat = folder / "p.kkp", back = folder / "back.h5",
                    again = folder / "again.kkp";
  const auto check = [&] {
    convert_profile(h5, flat);
    const StoredProfile a = read_profile_file(h5), b = read_profile_file(flat);
    EXPECT_EQ(a.profile->digest, sha256_path(h5));
    EXPECT_EQ(b.profile->digest, a.profile->digest);
    EXPECT_EQ(b.path, flat);
    if (const auto klt = a.as<Profile>()) {
      for (std::size_t p = 0; p < klt->parts.size(); ++p) {
        EXPECT_EQ(klt->parts[p].heads, b.as<Profile>()->parts[p].heads);  // inverses too
      }
    }
    convert_profile(flat, back);
    EXPECT_EQ(read_file(back), read_file(h5));
    convert_profile(back, again);
    EXPECT_EQ(read_file(again), read_file(flat));
  };
  write_profile(h5, test::made_profile(16, 3));
  check();
  write_profile(h5, int8_profile());
  check();
  write_kvtc_profile(h5, test::made_kvtc_profile(8, 2, 2, 20));
  check();
}

// Under its name a profile always has its windows of tokens: without them nobody would be told what it has seen.
TEST(ProfileFiles, AppearWithTheirWindowsOfTokens) {
  const testing::ScratchFolder folder;
  Profile profile = int8_profile();
  profile.token_windows.assign(profile.window_count(), 7);
  std::atomic<bool> over = false;
  int read = 0, without = 0;
  std::thread reader([&] {
    while (!over) {
      for (int i = 0; i < 40; ++i) {
        const std::string path = folder / (std::to_string(i) + ".h5");
        if (!std::filesystem::exists(path)) continue;
        ++read;
        // As text: HDF5 may be built for one thread.
        if (read_text_file(path).find("token_windows") == std::string::npos) ++without;
      }
    }
  });
  for (int i = 0; i < 40; ++i) {
    const std::string path = folder / (std::to_string(i) + ".h5");
    write_profile_file(path, profile, ProfileFormat::hdf5);
    EXPECT_FALSE(std::filesystem::exists(path + ".plain"));
  }
  over = true;
  reader.join();
  EXPECT_GT(read, 0);
  EXPECT_EQ(without, 0);
}

// Windows of tokens are outside of what the digest says, in either file.
TEST(ProfileFiles, WindowsOfTokensLeaveTheDigest) {
  const testing::ScratchFolder folder;
  const std::string h5 = folder / "p.h5", plain = folder / "plain.h5", flat = folder / "p.kkp",
                    back = folder / "back.h5";
  const auto check = [&](auto profile) {
    profile.token_windows.clear();
    write_profile_file(plain, profile, ProfileFormat::hdf5);
    write_profile_file(flat, profile, ProfileFormat::flat);
    const std::string digest = sha256_path(plain),
                      of_flat = read_profile_file(flat).profile->digest;
    for (std::size_t i = 0; i < profile.window_count(); ++i) {
      profile.token_windows.push_back(0x0123456789abcdef * (i + 1));
    }
    ASSERT_FALSE(profile.token_windows.empty());
    write_profile_file(flat, profile, ProfileFormat::flat);
    EXPECT_EQ(read_profile_file(flat).profile->digest, of_flat);
    write_profile_file(h5, profile, ProfileFormat::hdf5);
    convert_profile(h5, flat);
    convert_profile(flat, back);
    EXPECT_EQ(read_file(back), read_file(h5));
    for (const std::string& path : {h5, flat}) {
      const auto read = read_profile_file(path).profile;
      EXPECT_EQ(read->digest, digest);
      EXPECT_EQ(read->token_windows, profile.token_windows);
    }
  };
  check(int8_profile());
  check(test::made_kvtc_profile(8, 2, 2, 20));
}

TEST(ProfileFiles, AProfileThatWasFlatFirstKeepsItsDigest) {
  const testing::ScratchFolder folder;
  const std::string flat = folder / "p.kkp", h5 = folder / "p.h5", back = folder / "back.kkp";
  const auto check = [&] {
    const std::string digest = read_profile_file(flat).profile->digest;
    EXPECT_EQ(digest.size(), 64u);
    EXPECT_NE(digest, std::string(64, 'c'));  // not what the profile said before it was new
    convert_profile(flat, h5);
    EXPECT_NE(sha256_path(h5), digest);
    EXPECT_EQ(read_profile_file(h5).profile->digest, digest);
    convert_profile(h5, back);
    EXPECT_EQ(read_file(back), read_file(flat));
    return digest;
  };
  write_profile_file(flat, int8_profile(), ProfileFormat::flat);
  const std::string digest = check();
  Profile other = int8_profile();
  other.digest = std::string(64, 'e');
  write_profile_file(flat, other, ProfileFormat::flat);
  EXPECT_EQ(check(), digest);  // of what it holds
  other.context = 101;
  write_profile_file(flat, other, ProfileFormat::flat);
  EXPECT_NE(check(), digest);
  write_profile_file(flat, test::made_kvtc_profile(8, 2, 2), ProfileFormat::flat);
  check();
}

// As by a program that edits HDF5 files and leaves the attributes as they are.
TEST(ProfileFiles, AFileThatWasChangedIsNotTakenForTheSame) {
  const testing::ScratchFolder folder;
  const std::string flat = folder / "p.kkp", path = folder / "p.h5";
  write_profile_file(flat, test::made_kvtc_profile(8, 2, 2), ProfileFormat::flat);
  const KvtcProfile good = *read_profile_file(flat).as<KvtcProfile>();
  write_kvtc_profile(path, good, Digest::kept);
  EXPECT_EQ(read_kvtc_profile(path).digest, good.digest);
  auto bytes = read_file(path);
  const auto first = [&](const std::string& text) {
    const auto found = std::search(bytes.begin(), bytes.end(), text.begin(), text.end(),
                                   [](std::byte a, char b) { return a == std::byte(b); });
    EXPECT_NE(found, bytes.end()) << text;
    return found;
  };
  *first(content_digest(good)) ^= std::byte{1};
  write_file(path, bytes.data(), bytes.size());
  EXPECT_THROW(read_kvtc_profile(path), CorruptStream);
  KvtcProfile changed = good;
  changed.parts[0].mean[3] += 1;
  EXPECT_NE(content_digest(changed), content_digest(good));
  changed = good;
  changed.digest = std::string(64, 'e');
  EXPECT_EQ(content_digest(changed), content_digest(good));  // whatever it is called
}

TEST(ProfileFiles, TheNameSaysWhichFormat) {
  EXPECT_TRUE(names_flat_profile("a/b.kkp"));
  EXPECT_FALSE(names_flat_profile("a/b.h5"));
  EXPECT_FALSE(names_flat_profile("kkp"));
}

}  // namespace
}  // namespace kakeya
