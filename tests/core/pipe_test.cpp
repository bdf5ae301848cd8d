// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/pipe.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <utility>

namespace kakeya {
namespace {

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) >= 0; }

TEST(Pipe, ClosesItsEnds) {
  std::optional<Pipe> pipe(std::in_place);
  const int reader = pipe->reader(), writer = pipe->writer();
  EXPECT_EQ(::fcntl(reader, F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(::fcntl(writer, F_GETFD), FD_CLOEXEC);
  pipe->close_writer();
  EXPECT_FALSE(is_open(writer));
  EXPECT_EQ(pipe->writer(), -1);
  char nothing = 0;
  EXPECT_EQ(::read(reader, &nothing, 1), 0);
  pipe.reset();
  EXPECT_FALSE(is_open(reader));
}

}  // namespace
}  // namespace kakeya
