// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/digest.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "kakeya/core/error.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::ScratchFolder;
using testing::write_text;

// FIPS 180-4 examples.
constexpr char kEmpty[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr char kAbc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr char kMillionA[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

std::string of(const std::string& text) {
  return sha256({reinterpret_cast<const std::byte*>(text.data()), text.size()});
}

TEST(Digest, KnownAnswers) {
  EXPECT_EQ(of(""), kEmpty);
  EXPECT_EQ(of("abc"), kAbc);
  EXPECT_EQ(of(std::string(1000000, 'a')), kMillionA);
}

TEST(Digest, FilesLongerThanOneBlock) {
  const ScratchFolder folder;
  write_text(folder / "a", std::string(1000000, 'a'));
  EXPECT_EQ(sha256_path(folder / "a"), kMillionA);
  const std::string long_text(5000001, 'b');
  write_text(folder / "b", long_text);
  EXPECT_EQ(sha256_path(folder / "b"), of(long_text));
}

TEST(Digest, FolderIsTheDigestOfItsList) {
  const ScratchFolder folder;
  write_text(folder / "z", "abc");
  write_text(folder / "a", "");
  std::filesystem::create_directory(folder / "sub");
  write_text(folder / "sub/ignored", "x");
  EXPECT_EQ(sha256_path(folder.path().string()),
            of(std::string("a ") + kEmpty + "\nz " + kAbc + "\n"));
}

TEST(Digest, APathIsCalledByItsLastPart) {
  for (const char* path : {"data/text", "data/text/", "/data/text", "data/./text/", "a/../text"}) {
    EXPECT_EQ(last_part(path), "text") << path;
  }
  EXPECT_EQ(last_part("."), std::filesystem::current_path().filename().string());
  const ScratchFolder folder;
  write_text(folder / "a", "abc");
  EXPECT_EQ(source_of(folder / "a"), (Source{"a", kAbc}));
}

TEST(Digest, MissingPathIsNamed) {
  const ScratchFolder folder;
  EXPECT_NE(testing::message_of<IoError>([&] { sha256_path(folder / "none"); }).find("none"),
            std::string::npos);
}

}  // namespace
}  // namespace kakeya
