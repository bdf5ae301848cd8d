// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/kvtc_profile_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/store/profile_files.h"
#include "kakeya/store/profile_store.h"
#include "support/made_kvtc.h"
#include "support/made_profile.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

TEST(KvtcProfileStore, ReadsWhatItWrote) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.h5").string();
  for (const std::size_t rank : {1u, 20u, 32u}) {
    const KvtcProfile written = test::made_kvtc_profile(8, 2, 2, rank);
    write_kvtc_profile(path, written);
    EXPECT_FALSE(fs::exists(path + ".part"));
    const KvtcProfile read = read_kvtc_profile(path);
    EXPECT_EQ(read.digest.size(), 64u);
    EXPECT_EQ(read.origin.model.name, written.origin.model.name);
    EXPECT_EQ(read.origin.model.sha256, written.origin.model.sha256);
    EXPECT_EQ(read.origin.text.sha256, written.origin.text.sha256);
    EXPECT_EQ(read.tokens_sha256, written.tokens_sha256);
    EXPECT_EQ(read.dtype, written.dtype);
    EXPECT_EQ(read.tap, written.tap);
    EXPECT_EQ(read.passages, written.passages);
    EXPECT_EQ(read.context, written.context);
    EXPECT_EQ(read.sinks, written.sinks);
    EXPECT_EQ(read.rank, rank);
    for (std::size_t p = 0; p < 2; ++p) {
      EXPECT_EQ(read.parts[p].mean, written.parts[p].mean);
      EXPECT_EQ(read.parts[p].basis, written.parts[p].basis);
      EXPECT_EQ(read.parts[p].single_errors, written.parts[p].single_errors);
      EXPECT_EQ(read.parts[p].group_errors, written.parts[p].group_errors);
    }
  }
}

TEST(KvtcProfileStore, DamageIsFound) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.h5").string();
  const KvtcProfile good = test::made_kvtc_profile(8, 2, 2);
  write_kvtc_profile(path, good);
  std::ifstream in(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  std::size_t refused = 0, tried = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 97) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    std::ofstream(path, std::ios::binary) << bad;
    ++tried;
    try {
      const KvtcProfile read = read_kvtc_profile(path);
      EXPECT_EQ(read.parts[0].basis, good.parts[0].basis);
      EXPECT_EQ(read.parts[1].group_errors, good.parts[1].group_errors);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, tried / 3);
  fs::resize_file(path, fs::file_size(path) / 2);
  EXPECT_THROW(read_kvtc_profile(path), Error);
  EXPECT_THROW(read_kvtc_profile(path + "x"), IoError);
}

TEST(KvtcProfileStore, WhatDoesNotFitIsRefused) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.h5").string();
  const KvtcProfile good = test::made_kvtc_profile(8, 2, 2);
  const auto refused = [&](const auto& change) {
    KvtcProfile bad = good;
    change(bad);
    EXPECT_THROW(write_kvtc_profile(path, bad), InputError);
    EXPECT_FALSE(fs::exists(path));
  };
  refused([](KvtcProfile& bad) { bad.rank = 0; });
  refused([](KvtcProfile& bad) { bad.rank = 33; });
  refused([](KvtcProfile& bad) { bad.rank = 31; });
  refused([](KvtcProfile& bad) { bad.shape.head_dim = 12; });
  refused([](KvtcProfile& bad) { bad.parts[1].mean[3] = 0x1p40f; });
  refused([](KvtcProfile& bad) { bad.parts[0].mean[3] = std::numeric_limits<float>::quiet_NaN(); });
  refused([](KvtcProfile& bad) { bad.parts[0].basis[7] = 0x7c00; });
  refused([](KvtcProfile& bad) { bad.parts[0].single_errors[1] = -1; });
  refused([](KvtcProfile& bad) {
    bad.parts[1].group_errors.back() = std::numeric_limits<double>::infinity();
  });
  refused([](KvtcProfile& bad) { bad.parts[1].group_errors.pop_back(); });
  // Files of the other kind.
  write_profile(path, test::made_profile(8));
  EXPECT_THROW(read_kvtc_profile(path), CorruptStream);
  write_kvtc_profile(path, good);
  EXPECT_THROW(read_profile(path), CorruptStream);
}

TEST(ProfileShelf, HoldsBothKinds) {
  const testing::ScratchFolder folder;
  const std::string klt = (folder.path() / "klt.h5").string(),
                    kvtc = (folder.path() / "kvtc.h5").string(),
                    later = (folder.path() / "later.h5").string();
  write_profile(klt, test::made_profile(16));
  write_kvtc_profile(kvtc, test::made_kvtc_profile(8, 2, 2));
  write_kvtc_profile(later, test::made_kvtc_profile(8, 2, 2, 16));
  ProfileShelf shelf(read_profile_file);
  EXPECT_THROW(shelf.find<KvtcProfile>(""), InputError);
  shelf.add(klt);
  EXPECT_THROW(shelf.find<KvtcProfile>(""), InputError);
  EXPECT_THROW(shelf.find<KvtcProfile>(klt), InputError);  // of the other codec
  shelf.add(kvtc);
  EXPECT_EQ(shelf.find<Profile>("")->shape.head_dim, 16);
  EXPECT_EQ(shelf.find<KvtcProfile>("")->rank, 32u);
  EXPECT_THROW(shelf.find<Profile>(kvtc), InputError);
  EXPECT_EQ(shelf.find<KvtcProfile>(later)->rank, 16u);
  ASSERT_EQ(shelf.entries().size(), 3u);
  EXPECT_EQ(shelf.entries()[0].profile->digest, shelf.find<Profile>(klt)->digest);
  EXPECT_EQ(shelf.find<KvtcProfile>(shelf.entries()[2].profile->short_digest())->rank, 16u);
  EXPECT_EQ(shelf.entries()[0].kind, Profile::kKind);
  EXPECT_EQ(shelf.entries()[2].kind, KvtcProfile::kKind);
}

}  // namespace
}  // namespace kakeya
