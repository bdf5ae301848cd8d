// SPDX-License-Identifier: Apache-2.0
// Benchmarks of kernels, over the emulation: their checks pass and their rows say what was coded.
#include <gtest/gtest.h>

#include "kakeya/measure/speed/time_device.h"
#include "kakeya/measure/speed/time_pages.h"

namespace kakeya {
namespace {

TEST(DeviceBench, PagesAreTheCpusAndComeBack) {
  PageBenchPlan plan;
  plan.lattices = {Lattice::z};
  plan.prefix = true;
  plan.heads = 2;
  plan.pages = 4;
  plan.dim = 64;
  plan.rounds = 1;
  const std::vector<PageBenchRow> rows = time_pages(plan);
  ASSERT_EQ(rows.size(), 6u);
  const char* operations[] = {"encode", "decode", "sum"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].lattice, "z");
    EXPECT_EQ(rows[i].pages, i < 3 ? "rans" : "prefix");
    EXPECT_EQ(rows[i].operation, operations[i % 3]);
    EXPECT_EQ(rows[i].values, 4u * 64 * 64);
    EXPECT_EQ(rows[i].bytes, rows[i].page_bytes + 4 * (i % 3 == 2 ? 4 * 64 : rows[i].values));
  }
  EXPECT_GT(rows[3].bits_per_value(), rows[0].bits_per_value() + 0.02);
  EXPECT_LT(rows[3].bits_per_value(), rows[0].bits_per_value() + 0.3);
}

TEST(DeviceBench, PrefixCodesAreTimedAsOtherPages) {
  DeviceBenchPlan plan;
  plan.codecs = {"klt:bits=3,lattice=z,pages=prefix,page=32", "klt:bits=3,lattice=z,page=32"};
  plan.dims = {64};
  plan.vectors = {64};
  plan.types = {"bf16"};
  plan.heads = 1;
  plan.rounds = 1;
  const std::vector<DeviceBenchRow> rows = time_device(plan);
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[0].operation, "encode");
  EXPECT_GT(rows[0].bits_per_value, rows[3].bits_per_value);
  EXPECT_LT(rows[0].bits_per_value, rows[3].bits_per_value + 1);
}

}  // namespace
}  // namespace kakeya
