// SPDX-License-Identifier: Apache-2.0
#include "kakeya/io/profile_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/made_profile.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

TEST(ProfileStore, ReadsWhatItWrote) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.h5").string();
  const Profile written = test::made_profile(16);
  write_profile(path, written);
  EXPECT_FALSE(fs::exists(path + ".part"));
  const Profile read = read_profile(path);
  EXPECT_EQ(read.digest.size(), 64u);
  EXPECT_EQ(read.model_name, written.model_name);
  EXPECT_EQ(read.text_sha256, written.text_sha256);
  EXPECT_EQ(read.tap, written.tap);
  EXPECT_EQ(read.sinks, written.sinks);
  EXPECT_EQ(read.variants, written.variants);
  for (std::size_t p = 0; p < 4; ++p) {
    EXPECT_EQ(read.parts[p].sensitivity, written.parts[p].sensitivity);
    for (std::size_t h = 0; h < 2; ++h) {
      const SiteTransform &a = read.parts[p].heads[0][h], &b = written.parts[p].heads[0][h];
      EXPECT_EQ(a.mean, b.mean);
      EXPECT_EQ(a.classes, b.classes);
      for (std::size_t i = 0; i < a.forward.size(); ++i) {
        EXPECT_EQ(a.forward[i], half_to_float(float_to_half(b.forward[i])));
        EXPECT_NEAR(a.backward[i], b.backward[i], 1e-3);
      }
    }
  }
}

TEST(ProfileStore, DamageIsFound) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.h5").string();
  write_profile(path, test::made_profile(16));
  fs::resize_file(path, fs::file_size(path) / 2);
  EXPECT_THROW(read_profile(path), Error);
  std::ofstream(path) << "no profile";
  EXPECT_THROW(read_profile(path), Error);
  EXPECT_THROW(read_profile(path + "x"), IoError);
}

TEST(ProfileShelf, FindsByFileAndByDigest) {
  const testing::ScratchFolder folder;
  const std::string a = (folder.path() / "a.h5").string(), b = (folder.path() / "b.h5").string();
  Profile profile = test::made_profile(16);
  write_profile(a, profile);
  profile.parts[0].sensitivity = 7;
  write_profile(b, profile);
  ProfileShelf shelf;
  EXPECT_THROW(shelf.find(""), InputError);
  EXPECT_THROW(shelf.find("nothing.h5"), InputError);
  shelf.add(a);
  const auto second = shelf.find(b);
  EXPECT_EQ(second->parts[0].sensitivity, 7);
  EXPECT_EQ(shelf.entries().size(), 2u);
  EXPECT_EQ(shelf.find("")->parts[0].sensitivity, 1);
  EXPECT_EQ(shelf.find(second->short_digest()), second);
  EXPECT_THROW(shelf.find(second->digest.substr(0, 4)), InputError);
}

}  // namespace
}  // namespace kakeya
