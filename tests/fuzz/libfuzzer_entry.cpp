// SPDX-License-Identifier: Apache-2.0
// What libFuzzer calls. KAKEYA_FUZZ_TARGET names the target that this program fuzzes.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const kakeya::fuzz::Target& target = kakeya::fuzz::target_named(KAKEYA_FUZZ_TARGET);
  try {
    target.run({data, size});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kakeya finding: %s\n", error.what());
    std::abort();
  }
  return 0;
}
