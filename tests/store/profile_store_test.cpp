// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/profile_store.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "kakeya/store/h5.h"
#include "kakeya/store/profile_files.h"
#include "support/made_int8.h"
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
  EXPECT_EQ(read.origin.model.name, written.origin.model.name);
  EXPECT_EQ(read.origin.text.sha256, written.origin.text.sha256);
  EXPECT_EQ(read.tokens_sha256, written.tokens_sha256);
  EXPECT_EQ(read.dtype, written.dtype);
  EXPECT_EQ(read.tap, written.tap);
  EXPECT_EQ(read.sinks, written.sinks);
  EXPECT_EQ(read.variants, written.variants);
  for (std::size_t p = 0; p < 4; ++p) {
    EXPECT_EQ(read.parts[p].sensitivity, written.parts[p].sensitivity);
    EXPECT_EQ(read.parts[p].prefix_sensitivity, written.parts[p].prefix_sensitivity);
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

TEST(ProfileStore, ReadsTheTransformsOfLayersThatItWrote) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.h5").string();
  Profile written = test::made_profile(8, 3);
  for (const Tier steps : {Tier::cold, Tier::hot}) {
    written.layer_steps = steps;
    write_profile(path, written);
    EXPECT_EQ(read_profile(path).layer_steps, steps);
  }
  const Profile read = read_profile(path);
  EXPECT_EQ(read.layer_octaves, written.layer_octaves);
  ASSERT_EQ(read.layer_transforms.size(), 3u);
  for (std::size_t order = 0; order < 3; ++order) {
    ASSERT_EQ(read.layer_transforms[order].size(), 3u);
    for (std::size_t layer = 0; layer < 3; ++layer) {
      const LayerTransform &a = read.layer_transforms[order][layer],
                           &b = written.layer_transforms[order][layer];
      EXPECT_EQ(a.predictor, b.predictor);
      EXPECT_EQ(a.rotation, b.rotation);
      EXPECT_EQ(a.classes, b.classes);
      EXPECT_EQ(a.rotation.empty(), layer < order);
    }
  }
}

TEST(ProfileStore, ReadsTheTransformsOfGroupsThatItWrote) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.h5").string();
  Profile written = test::made_profile(8, 6);
  test::add_made_groups(written);
  written.layer_shaping = 0.75;
  write_profile(path, written);
  const Profile read = read_profile(path);
  EXPECT_EQ(read.layer_group, 2);
  EXPECT_EQ(read.layer_shaping, 0.75);
  ASSERT_EQ(read.layer_transforms.size(), 2u);
  for (std::size_t order = 0; order < 2; ++order) {
    ASSERT_EQ(read.layer_transforms[order].size(), 3u);
    for (std::size_t group = 0; group < 3; ++group) {
      const LayerTransform &a = read.layer_transforms[order][group],
                           &b = written.layer_transforms[order][group];
      EXPECT_EQ(a.predictor, b.predictor);
      EXPECT_EQ(a.rotation, b.rotation);
      EXPECT_EQ(a.deviations, b.deviations);
      EXPECT_EQ(a.classes, b.classes);
    }
  }
}

// What was coded with is what is read: to the bit, matrices that follow from those stored too.
TEST(ProfileStore, ReadsMatricesOfAByteAValue) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.h5").string();
  Profile written = test::made_profile(16, 3);
  test::round_matrices(written);
  write_profile(path, written);
  const Profile read = read_profile(path);
  EXPECT_EQ(read.matrices, MatrixFormat::int8);
  EXPECT_EQ(read.reader_bytes(), written.reader_bytes());
  EXPECT_EQ(read.layer_reader_bytes(2), written.layer_reader_bytes(2));
  const SiteTransform &a = read.parts[3].heads[0][1], &b = written.parts[3].heads[0][1];
  EXPECT_EQ(a.stored_forward, b.stored_forward);
  EXPECT_EQ(a.forward, b.forward);
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 16; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 16; ++k) sum += a.forward[i * 16 + k] * a.backward[k * 16 + j];
      EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-5);
    }
  }
  for (std::size_t order = 0; order < 3; ++order) {
    const LayerTransform &c = read.layer_transforms[order][2],
                         &d = written.layer_transforms[order][2];
    EXPECT_EQ(c.stored_predictor, d.stored_predictor);
    EXPECT_EQ(c.stored_rotation, d.stored_rotation);
    EXPECT_EQ(c.predictor, d.predictor);
    EXPECT_EQ(c.rotation, d.rotation);
  }
}

TEST(ProfileStore, RefusesFilesOfOtherSchemas) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.h5").string();
  for (const std::int64_t schema : {4, 5, 7}) {
    h5::File file = h5::File::create(path);
    file.set_text("/", "format", kProfileFormat);
    file.set_integer("/", "schema", schema);
    file.close();
    try {
      read_profile(path);
      FAIL() << schema;
    } catch (const CorruptStream& error) {
      EXPECT_NE(std::string(error.what()).find("schema " + std::to_string(schema) + ", expected 6"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(ProfileStore, TransformsOfLayersAreLeftOutWhereThereAreNone) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.h5").string();
  Profile written = test::made_profile(16);
  write_profile(path, written);
  const auto whole = fs::file_size(path);
  written.layer_octaves.clear();
  written.layer_transforms.clear();
  write_profile(path, written);
  EXPECT_LT(fs::file_size(path), whole);
  const Profile read = read_profile(path);
  EXPECT_TRUE(read.layer_octaves.empty());
  EXPECT_TRUE(read.layer_transforms.empty());
  written.layer_transforms.resize(1);
  EXPECT_THROW(write_profile(path, written), InputError);  // transforms of no layer
}

// A byte changed anywhere: refused, or in a place that HDF5 does not use.
TEST(ProfileStore, FlippedBytesAreFound) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "p.h5").string();
  write_profile(path, test::made_profile(8, 3));
  std::ifstream in(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const Profile good = read_profile(path);
  std::size_t refused = 0, tried = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 97) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    std::ofstream(path, std::ios::binary) << bad;
    ++tried;
    try {
      const Profile read = read_profile(path);
      EXPECT_EQ(read.layer_octaves, good.layer_octaves);
      for (std::size_t layer = 1; layer < 3; ++layer) {
        EXPECT_EQ(read.layer_transforms[1][layer].predictor,
                  good.layer_transforms[1][layer].predictor);
        EXPECT_EQ(read.layer_transforms[0][layer].classes, good.layer_transforms[0][layer].classes);
      }
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, tried / 3);
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
  ProfileShelf shelf(read_profile_file);
  EXPECT_THROW(shelf.find<Profile>(""), InputError);
  EXPECT_THROW(shelf.find<Profile>("nothing.h5"), InputError);
  shelf.add(a);
  const auto second = shelf.find<Profile>(b);
  EXPECT_EQ(second->parts[0].sensitivity, 7);
  EXPECT_EQ(shelf.entries().size(), 2u);
  EXPECT_EQ(shelf.find<Profile>("")->parts[0].sensitivity, 1);
  EXPECT_EQ(shelf.find<Profile>(second->short_digest()), second);
  EXPECT_THROW(shelf.find<Profile>(second->digest.substr(0, 4)), InputError);
}

TEST(ProfileShelf, OfAnotherModelOrTapIsNamed) {
  const testing::ScratchFolder folder;
  const std::string path = (folder.path() / "a.h5").string();
  write_profile(path, test::made_profile(16));
  ProfileShelf shelf(read_profile_file);
  EXPECT_NO_THROW(shelf.require_model({"other", "0"}, TapPoint::post_rope));  // there is none
  shelf.add(path);
  const std::string digest(64, 'a');
  EXPECT_NO_THROW(shelf.require_model({"made", digest}, TapPoint::pre_rope));
  const auto refusal = [&](const std::string& sha256, TapPoint tap) -> std::string {
    try {
      shelf.require_model({"some", sha256}, tap);
    } catch (const InputError& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(refusal(std::string(64, 'b'), TapPoint::pre_rope),
            path +
                ": a profile of made (sha256 aaaaaaaaaaaa), expected one of some (sha256 "
                "bbbbbbbbbbbb)");
  EXPECT_EQ(refusal(digest, TapPoint::post_rope),
            path + ": calibrated pre-rope, expected one of post-rope keys");
}

}  // namespace
}  // namespace kakeya
