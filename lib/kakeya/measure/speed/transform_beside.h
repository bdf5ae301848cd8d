// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kakeya/measure/speed/operation.h"
#include "kakeya/profile/profile.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

/// What the codec klt is measured by: a codec with the same lattice and entropy coder but without a
/// transform, on its own vectors of as many coordinates, and the two products of a vector with a
/// [dim, dim] matrix that the transform is, there and back; all in as many threads.
class TransformBeside {
 public:
  TransformBeside(const SiteTransform& transform, std::size_t vectors, std::size_t threads);

  void sample();
  BesideSpeeds speeds() const;

 private:
  struct Tiles {
    explicit Tiles(std::size_t dim) : given(dim), there(dim), back(dim) {}
    TileBuffer given, there, back;
    std::size_t count = 0;
  };

  void multiply();
  static void multiply(const SiteTransform& transform, const Tiles& tiles);

  const SiteTransform& transform_;
  std::size_t vectors_;
  std::unique_ptr<Codec> codec_;
  BenchVectors input_, decoded_, fused_;
  Parts parts_;
  WorkerPool pool_;
  std::vector<Tiles> tiles_;
  std::unique_ptr<Operation> encode_, decode_, products_;
};

}  // namespace kakeya
