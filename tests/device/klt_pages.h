// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "device/compare.h"
#include "device/klt_heads.h"

// klt of heads with pages of other kinds than rANS: the same vectors for each kind.

namespace kakeya::test {

class DeviceKltPages : public DeviceKlt {
 protected:
  // Tiles are of 128 vectors.
  static std::vector<std::size_t> pages_of(const std::string& pages) {
    if (pages == "tiles") return {1024, 128, 256};
    return {1024, 32, 160};
  }

  // Pages of one block and of several; vectors near the profile and far from it. `lattices` with the keys
  // that follow; under emulation up to `most_dim`.
  void compare_near(const std::vector<std::string>& lattices, const std::string& pages,
                    std::size_t most_dim) {
    std::size_t round = 0, kept = 0, all = 0;
    for (const std::string& lattice : lattices) {
      for (const std::size_t dim : {64, 128, 8, 80, 256, 512}) {
        for (const std::size_t page : pages_of(pages)) {
          const std::size_t tokens = std::size_t{1} + 111 * (round % 4);
          const std::string spec = std::string("klt:bits=") + (round % 2 == 0 ? "3" : "1.5") +
                                   ",lattice=" + lattice + ",pages=" + pages +
                                   ",page=" + std::to_string(page);
          const DeviceScalar type = kTypes[round % 3], out = kTypes[(round / 3) % 3];
          if (dim == 512 && spec.find("exact") != std::string::npos) continue;
          if (emulated() && (round++ % 5 != 0 || dim > most_dim)) continue;
          make(spec, dim, round % 2 == 0 ? Part::key : Part::value);
          Vectors x(type, tokens, kHeads, dim), y(out, tokens, kHeads, dim);
          draw_near(x, round++);
          compare(*codec_, x, y,
                  spec + " dim " + std::to_string(dim) + ", " + std::to_string(tokens));
          if (HasFailure()) return;
          kept += kept_of(x);
          all += tokens * kHeads;
        }
      }
    }
    EXPECT_GT(kept, all / 20);  // both ways have been gone
    EXPECT_LT(kept, all / 2);
  }

  void compare_every_kind(const std::vector<std::string>& specs) {
    for (const std::string& spec : specs) {
      make(spec, 64);
      for (const Data data : kAllData) {
        Vectors x(DeviceScalar::bf16, emulated() ? 40 : 3000, kHeads, 64),
            y(DeviceScalar::bf16, x.view().tokens, kHeads, 64);
        x.draw_all(data, 5);
        compare(*codec_, x, y, spec + std::to_string(static_cast<int>(data)));
      }
    }
  }

  void compare_many(const std::vector<std::string>& specs, const std::vector<std::size_t>& dims) {
    if (emulated()) GTEST_SKIP() << "too many for the emulation";
    for (const std::string& spec : specs) {
      for (const std::size_t dim : dims) {
        make(spec, dim);
        Vectors x(DeviceScalar::bf16, 20001, kHeads, dim),
            y(DeviceScalar::bf16, 20001, kHeads, dim);
        draw_near(x, dim);
        compare(*codec_, x, y, spec);
      }
    }
  }
};

}  // namespace kakeya::test
