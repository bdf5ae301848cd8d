// SPDX-License-Identifier: Apache-2.0
// klt of single heads with product=exact: products of whole numbers on tensor cores, as digits of
// base 256. Sums are exact, so that their order is free; each is rounded to float once.
#include <algorithm>
#include <type_traits>

#include "kernels/klt_exact_backward.cuh"
#include "kernels/klt_exact_forward.cuh"
#include "kernels/pages_launch.cuh"

namespace kakeya::kernels {
namespace {

/// Launches blocks of up to `most` warps, as many as have shared memory, bytes(warps). A warp takes every so manieth of
/// `vectors` vectors of its head. There are as many blocks as run at once; where that is few a head, four times as many,
/// so that all end at about the same time. False where not even a warp has memory.
template <typename Memory, typename Kernel, typename... Arguments>
bool launch_warps(Kernel kernel, int most, int vectors, const Vectors& x, Stream stream,
                  const Arguments&... arguments) {
  const auto bytes = [](int warps) { return static_cast<std::size_t>(Memory::bytes(warps)); };
  int warps = most, at_once = blocks_at_once(kernel, 32 * warps, bytes(warps));
  while (at_once == 0 && warps > 1) {
    --warps;
    at_once = blocks_at_once(kernel, 32 * warps, bytes(warps));
  }
  if (at_once == 0) return false;
  const std::int64_t all = at_once < 8 * x.heads ? std::int64_t{4} * at_once : at_once;
  const std::int64_t a_head =
      std::min(std::max<std::int64_t>(all / x.heads, 1), (x.tokens + vectors - 1) / vectors);
  launch_blocks(kernel, a_head * x.heads, 32 * warps, bytes(warps), stream, arguments...,
                static_cast<int>(a_head));
  return true;
}

void require(bool launched) {
  if (!launched) throw Error("CUDA: product=exact: a block of a warp does not fit this GPU");
}

/// Calls action(constant number of steps of 32 coordinates).
template <typename Action>
void with_steps(int dim, const Action& action) {
  switch (klt_whole_steps(dim)) {
    case 2:
      return action(std::integral_constant<int, 2>());
    case 4:
      return action(std::integral_constant<int, 4>());
    default:
      return action(std::integral_constant<int, 8>());
  }
}

}  // namespace

void klt_exact_forward(const Klt& codec, const Vectors& x, const KltWork& work,
                       std::uint32_t* flags, Stream stream) {
  if (x.tokens == 0 || x.heads == 0) return;
  with_steps(codec.dim, [&](auto steps) {
    const auto launch = [&](auto kernel) {
      require(launch_warps<ForwardMemory<steps()>>(kernel, 8, kForwardVectors, x, stream, codec, x,
                                                   work, flags));
    };
    const bool fast = work.near && x.type == Scalar::bf16;
    switch (codec.points) {
      case Klt::z:
        if (!fast) return launch(exact_forward<steps(), Klt::z, false>);
        return launch(exact_forward<steps(), Klt::z, true>);
      case Klt::e8:
        if (!fast) return launch(exact_forward<steps(), Klt::e8, false>);
        return launch(exact_forward<steps(), Klt::e8, true>);
      case Klt::trellis:
        return launch(exact_forward<steps(), Klt::trellis, false>);
    }
  });
}

void klt_exact_backward(const Klt& codec, const KltWork& work, const Vectors& y,
                        std::uint32_t* flags, Stream stream) {
  if (y.tokens == 0 || y.heads == 0) return;
  with_steps(codec.dim, [&](auto steps) {
    const bool fast = work.near && y.type == Scalar::bf16 && work.only.pages == nullptr;
    const auto kernel = fast ? exact_backward<steps(), true> : exact_backward<steps(), false>;
    if (launch_warps<BackwardMemory<steps(), true>>(kernel, 6, 32, y, stream, codec, work, y,
                                                    flags)) {
      return;
    }
    // A matrix of 256 columns does not fit many a GPU.
    require(launch_warps<BackwardMemory<steps(), false>>(exact_backward<steps(), false, false>, 6,
                                                         32, y, stream, codec, work, y, flags));
  });
}

}  // namespace kakeya::kernels
