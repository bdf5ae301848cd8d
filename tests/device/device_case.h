// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "kakeya/device/device_memory.h"

namespace kakeya::test {

/// A test that needs a device: a GPU, or the emulated one. It is skipped, and says so, where there is none.
template <typename Base = testing::Test>
class DeviceCase : public Base {
 protected:
  void SetUp() override {
    if (device_count() == 0) GTEST_SKIP() << "no GPU here, or a build without CUDA";
  }
  static bool emulated() { return device_info().name == "emulated"; }
};

}  // namespace kakeya::test
