// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace kakeya {
namespace {

namespace fs = std::filesystem;

TEST(Files, RemovesFoldersWithAllThatIsInThem) {
  const fs::path root =
      fs::path(::testing::TempDir()) / ("kakeya-files-" + std::to_string(::getpid()));
  const fs::path folder = root / "folder", kept = root / "kept";
  fs::create_directories(folder / "inner" / "deep");
  fs::create_directories(kept);
  write_file((folder / "a").string(), "a");
  write_file((folder / "inner" / "deep" / "b").string(), "b");
  write_file((kept / "c").string(), "c");
  fs::create_directory_symlink(kept, folder / "link");
  remove_folder(folder.string());
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_EQ(read_text_file((kept / "c").string()), "c") << "what a link points to stays";
  remove_folder(folder.string());  // is not there
  remove_folder((kept / "c").string());
  EXPECT_FALSE(fs::exists(kept / "c"));
  remove_folder(root.string());
  EXPECT_FALSE(fs::exists(root));
}

// What processes of this number left when they were killed is in no one's way.
TEST(Files, AreWrittenBesideWhatAKilledProcessLeft) {
  const fs::path folder =
      fs::path(::testing::TempDir()) / ("kakeya-left-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string path = (folder / "a").string();
  constexpr int kLeft = 64;  // of these numbers the next ones are
  for (int i = 0; i < kLeft; ++i) {
    std::ofstream(path + "." + std::to_string(::getpid()) + "." + std::to_string(i) + ".part")
        << "half of";
  }
  for (const std::string text : {"one", "another"}) {
    write_file(path, text);
    EXPECT_EQ(read_text_file(path), text);
  }
  const auto files = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  EXPECT_EQ(files, kLeft + 1);
  remove_folder(folder.string());
}

}  // namespace
}  // namespace kakeya
