// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/device_name.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

TEST(DeviceName, SaysWhichGpu) {
  EXPECT_EQ(gpu_number("cpu"), std::nullopt);
  EXPECT_EQ(gpu_number("cuda"), 0);
  EXPECT_EQ(gpu_number("cuda:0"), 0);
  EXPECT_EQ(gpu_number("cuda:12"), 12);
  for (const char* wrong : {"", "tpu", "cuda:", "cuda:-1", "cuda:1x", "cuda:99999999999", "cpu:0"})
    EXPECT_THROW(gpu_number(wrong), SpecError) << wrong;
}

}  // namespace
}  // namespace kakeya
