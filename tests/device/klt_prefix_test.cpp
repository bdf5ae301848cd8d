// SPDX-License-Identifier: Apache-2.0
// klt with pages of prefix codes on the device: frames and values are the CPU's.
#include <gtest/gtest.h>

#include "device/klt_pages.h"

namespace kakeya {
namespace {

using namespace test;

class DeviceKltPrefix : public DeviceKltPages {};

// Tables of each kind of memory.
TEST_F(DeviceKltPrefix, BytesAndValuesAreTheCpus) {
  compare_near({"z,product=float", "z,product=exact"}, "prefix", 512);
}

TEST_F(DeviceKltPrefix, OrdinaryVectorsOfEveryKind) {
  compare_every_kind({"klt:bits=2.5,lattice=z,pages=prefix,page=128",
                      "klt:bits=8,lattice=z,pages=prefix,page=128",
                      "klt:bits=1,lattice=z,pages=prefix,page=128"});
}

TEST_F(DeviceKltPrefix, ManyVectors) {
  compare_many(
      {"klt:bits=3,lattice=z,pages=prefix,page=64", "klt:bits=3,lattice=z,pages=prefix,page=1024",
       "klt:bits=3,lattice=z,pages=prefix,page=4096"},
      {128, 64, 256});
}

TEST_F(DeviceKltPrefix, NoVectors) {
  make("klt:bits=3,lattice=z,pages=prefix", 64);
  Vectors x(DeviceScalar::bf16, 0, kHeads, 64), y(DeviceScalar::bf16, 0, kHeads, 64);
  compare(*codec_, x, y, "no tokens");
}

TEST_F(DeviceKltPrefix, GraphsReplay) {
  make("klt:bits=3,lattice=z,pages=prefix,page=64", 128);
  expect_replays(500, kHeads, 128);
}

}  // namespace
}  // namespace kakeya
