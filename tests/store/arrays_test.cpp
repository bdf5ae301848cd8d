// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/arrays.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>

#include "kakeya/core/error.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::read_text;
using testing::ScratchFolder;
using testing::write_text;

std::string npy(const std::string& dict, const std::string& data, int major = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(major);
  file += '\0';
  file += static_cast<char>(dict.size() & 255);
  file += static_cast<char>(dict.size() >> 8);
  if (major > 1) file += std::string(2, '\0');
  return file + dict + data;
}

std::string floats(std::initializer_list<float> values) {
  std::string bytes(values.size() * 4, '\0');
  std::memcpy(bytes.data(), std::data(values), bytes.size());
  return bytes;
}

constexpr char kTwoByThree[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";

TEST(Arrays, NpyRoundTrip) {
  const ScratchFolder folder;
  const float strided[] = {1, 2, 3, 99, -4, 5e-40F, 3e38F, 99};
  write_array(folder / "a.npy", {strided, 2, 3, 4});
  const Array array = read_array(folder / "a.npy", 3);
  EXPECT_EQ(array.count, 2U);
  EXPECT_EQ(array.dim, 3U);
  EXPECT_EQ(array.values, (std::vector<float>{1, 2, 3, -4, 5e-40F, 3e38F}));
  const std::string file = read_text(folder / "a.npy");
  EXPECT_EQ(file.size() % 64, 24U);  // the data begin at a multiple of 64
  EXPECT_EQ(file.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(file.substr(10, 58), std::string(kTwoByThree).substr(0, 58));
}

TEST(Arrays, RawRoundTrip) {
  const ScratchFolder folder;
  const float values[] = {1, -0.0F, 3, 4, 5, 6};
  write_array(folder / "a.f32", dense_rows(values, 2, 3));
  EXPECT_EQ(std::filesystem::file_size(folder / "a.f32"), 24U);
  const Array array = read_array(folder / "a.f32", 2);
  EXPECT_EQ(array.count, 3U);
  EXPECT_EQ(std::memcmp(array.values.data(), values, 24), 0);
}

TEST(Arrays, DoublesAreRounded) {
  const ScratchFolder folder;
  const double values[] = {1.0, 1.0 + 1e-12, -2.5};
  write_text(folder / "a.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3), }",
                                   {reinterpret_cast<const char*>(values), sizeof values}));
  EXPECT_EQ(read_array(folder / "a.npy", 3).values, (std::vector<float>{1.0f, 1.0f, -2.5f}));
}

TEST(Arrays, NpyVersionsKeyOrderAndShapes) {
  const ScratchFolder folder;
  const std::string data = floats({1, 2, 3, 4, 5, 6});
  for (const int major : {1, 2, 3}) {
    write_text(folder / "a.npy", npy(kTwoByThree, data, major));
    EXPECT_EQ(read_array(folder / "a.npy", 0).count, 2U) << major;
  }
  write_text(folder / "a.npy", npy("{'shape':(6,),\"descr\":'<f4','fortran_order':False}", data));
  EXPECT_EQ(read_array(folder / "a.npy", 0).dim, 6U);
  EXPECT_EQ(read_array(folder / "a.npy", 0).count, 1U);
  write_text(folder / "a.npy",
             npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 2), }", data));
  EXPECT_EQ(read_array(folder / "a.npy", 2).count, 3U);
  write_text(folder / "a.npy",
             npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4), }", ""));
  EXPECT_EQ(read_array(folder / "a.npy", 4).count, 0U);
  write_text(folder / "a.npy", npy("{'descr': '<f2', 'fortran_order': False, 'shape': (2, 2), }",
                                   std::string("\x00\x3c\x00\xc0\x01\x00\xff\x7b", 8)));
  EXPECT_EQ(read_array(folder / "a.npy", 2).values, (std::vector<float>{1, -2, 0x1p-24F, 65504}));
}

TEST(Arrays, HostileHeadersAreRefused) {
  const ScratchFolder folder;
  const std::string data = floats({1, 2, 3, 4, 5, 6});
  const char* dicts[] = {
      "",
      "{",
      "{}",
      "{'descr': '<f4', 'fortran_order': False}",
      "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
      "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }",
      "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3), }",
      "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (6), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 0), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999, 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1152921504606846975, 16), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } x",
  };
  for (const char* dict : dicts) {
    write_text(folder / "bad.npy", npy(dict, data));
    const std::string why = message_of<InputError>([&] { read_array(folder / "bad.npy", 0); });
    EXPECT_NE(why.find("bad.npy"), std::string::npos) << dict;
    EXPECT_EQ(why.find('\n'), std::string::npos) << why;
  }
  write_text(folder / "bad.npy", npy(kTwoByThree, data, 4));
  EXPECT_THROW(read_array(folder / "bad.npy", 0), InputError);
  write_text(folder / "good.npy", npy(kTwoByThree, data));
  EXPECT_THROW(read_array(folder / "good.npy", 4), InputError);  // another dim than asked for
}

TEST(Arrays, EveryTruncationIsRefused) {
  const ScratchFolder folder;
  for (const int major : {1, 2}) {
    const std::string whole = npy(kTwoByThree, floats({1, 2, 3, 4, 5, 6}), major);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      write_text(folder / "cut.npy", whole.substr(0, length));
      EXPECT_THROW(read_array(folder / "cut.npy", 0), InputError) << length;
    }
    write_text(folder / "cut.npy", whole + "x");
    EXPECT_THROW(read_array(folder / "cut.npy", 0), InputError);
  }
}

TEST(Arrays, RawNeedsADimThatFits) {
  const ScratchFolder folder;
  write_text(folder / "a.f32", std::string(24, '\0'));
  EXPECT_THROW(read_array(folder / "a.f32", 0), InputError);
  EXPECT_THROW(read_array(folder / "a.f32", 4), InputError);
  EXPECT_THROW(read_array(folder / "a.f32", std::size_t{1} << 62), InputError);
  EXPECT_EQ(read_array(folder / "a.f32", 6).count, 1U);
  write_text(folder / "a.bin", std::string(24, '\0'));
  EXPECT_THROW(read_array(folder / "a.bin", 6), InputError);
  EXPECT_THROW(read_array(folder / "none.f32", 6), IoError);
  EXPECT_THROW(read_file(folder.path().string()), IoError);
}

TEST(Files, WriteReplacesInOneStepAndLeavesNothingBeside) {
  const ScratchFolder folder;
  write_file(folder / "a", "first");
  write_file(folder / "a", "second, longer");
  EXPECT_EQ(read_text(folder / "a"), "second, longer");
  std::filesystem::create_symlink(folder / "a", folder / "link");
  write_file(folder / "link", "through the link");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_text(folder / "a"), "through the link");
  EXPECT_THROW(write_file(folder / "no/such/a", "x"), IoError);
  std::filesystem::create_directory(folder / "d");
  EXPECT_THROW(write_file(folder / "d", "x"), IoError);
  write_file("/dev/null", "x");
  struct stat status {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));  // written to, not replaced
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    ++entries;
  }
  EXPECT_EQ(entries, 3U);
}

TEST(Files, ReadsWhatHasNoLength) {
  const std::vector<std::byte> bytes = read_file("/proc/self/status");  // stat says 0
  EXPECT_GT(bytes.size(), 100U);
}

TEST(Tokens, ArrayAndObject) {
  const ScratchFolder folder;
  write_text(folder / "t.json", "[0, 5, 2147483647]");
  EXPECT_EQ(read_token_file(folder / "t.json"), (std::vector<std::int32_t>{0, 5, 2147483647}));
  write_text(folder / "t.json", R"({"text": "x", "tokens": [3, 4]})");
  EXPECT_EQ(read_token_file(folder / "t.json"), (std::vector<std::int32_t>{3, 4}));
  write_text(folder / "t.json", "[]");
  EXPECT_TRUE(read_token_file(folder / "t.json").empty());
  for (const char* bad : {"", "[1", "{}", "7", "[1.5]", "[-1]", "[2147483648]", "[\"a\"]", "[[1]]",
                          "{\"tokens\": 3}", "[1] 2", "[\"\xff\"]"}) {
    write_text(folder / "t.json", bad);
    EXPECT_NE(message_of<Error>([&] { read_token_file(folder / "t.json"); }).find("t.json"),
              std::string::npos)
        << bad;
  }
}

TEST(Tokens, RefusesDeepNesting) {
  const ScratchFolder folder;
  const std::string deep(100'000, '['), closed = deep + std::string(100'000, ']');
  for (const std::string& text : {deep, closed, "{\"tokens\":" + closed + "}"}) {
    write_text(folder / "t.json", text);
    EXPECT_NE(message_of<CorruptStream>([&] {
                read_token_file(folder / "t.json");
              }).find("t.json: not JSON at byte "),
              std::string::npos);
  }
}

}  // namespace
}  // namespace kakeya
