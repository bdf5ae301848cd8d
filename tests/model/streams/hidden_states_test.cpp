// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/streams/hidden_states.h"

#include <gtest/gtest.h>

#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "oracle.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::Oracle;
using testing::ScratchFolder;

class Hidden : public ::testing::Test {
 protected:
  /// Values 0, 1, 2, ... of `shape`, which make_npy_header() knows no more than two axes of.
  std::string write(const std::string& shape, std::size_t values, float last = 0) {
    std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
    while ((dict.size() + 11) % 64 != 0) dict += ' ';
    dict += '\n';
    std::string file("\x93NUMPY\x01\x00", 8);
    file += {static_cast<char>(dict.size() & 255), static_cast<char>(dict.size() >> 8)};
    file += dict;
    for (std::size_t i = 0; i < values; ++i) {
      const float value = i + 1 == values && last != 0 ? last : static_cast<float>(i);
      file.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    write_file(scratch_ / "h.npy", file);
    return scratch_ / "h.npy";
  }
  ScratchFolder scratch_;
};

TEST_F(Hidden, AxesArePassagesLayersTokens) {
  const HiddenStates four(write("2, 3, 4, 5", 120));
  EXPECT_EQ(four.passages(), 2);
  EXPECT_EQ(four.layers(), 3);
  EXPECT_EQ(four.tokens(), 4);
  EXPECT_EQ(four.width(), 5);
  EXPECT_EQ(four.read(1, 2).front(), 100);
  EXPECT_EQ(four.read(1, 2).back(), 119);
  const HiddenStates three(write("2, 4, 5", 40));
  EXPECT_EQ(three.layers(), 0);
  EXPECT_EQ(three.read(1, 7).front(), 20);  // the same for every layer
  const HiddenStates two(write("4, 5", 20));
  EXPECT_EQ(two.passages(), 1);
  EXPECT_EQ(two.read(0, 0).size(), 20u);
}

TEST_F(Hidden, OfTheOracleAreWhatTheArrayReaderReads) {
  const Oracle oracle;
  const HiddenStates hidden(oracle.folder + "/hidden.npy");
  ASSERT_EQ(hidden.layers(), 3);
  const Rows<const float> second = oracle.input(1);
  EXPECT_EQ(hidden.read(0, 1), std::vector<float>(second.data, second.data + second.values()));
}

TEST_F(Hidden, RefusesOtherShapesAndNumbers) {
  EXPECT_NE(message_of<InputError>([&] {
              HiddenStates(write("20,", 20));
            }).find("shape (20,), expected (tokens, hidden)"),
            std::string::npos);
  EXPECT_THROW(HiddenStates(write("0, 5", 0)), InputError);
  EXPECT_NE(
      message_of<InputError>([&] { HiddenStates(write("4, 5", 19)); }).find("76 bytes of data"),
      std::string::npos);
  const HiddenStates infinite(write("2, 4, 5", 40, std::numeric_limits<float>::infinity()));
  EXPECT_NO_THROW(infinite.read(0, 0));
  EXPECT_NE(message_of<InputError>([&] {
              infinite.read(1, 0);
            }).find("passage 1, token 3: a value is not finite"),
            std::string::npos);
  EXPECT_THROW(infinite.read(2, 0), InputError);
}

}  // namespace
}  // namespace kakeya
