// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <cfloat>
#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/model/torch/torch_functions.h"

namespace kakeya {
namespace {

using at::Tensor;

// Sylvester's construction; the division by sqrt(dim) is in float32, as published.
Tensor dense_hadamard(std::size_t dim) {
  Tensor matrix = at::ones({1, 1});
  while (matrix.size(0) < static_cast<std::int64_t>(dim)) {
    matrix = at::cat({at::cat({matrix, matrix}, 1), at::cat({matrix, -matrix}, 1)}, 0);
  }
  return at::div(matrix, std::sqrt(static_cast<double>(dim))).contiguous();
}

Tensor through_half(const Tensor& x) { return x.to(at::kHalf).to(at::kFloat); }

// Nearest points of D_n, n the last axis: round, and where the sum is odd move the coordinate that
// rounding moved most (Conway and Sloane 1982, algorithm 2). Only where no sum is odd the second
// half is skipped.
Tensor nearest_even_sum(const Tensor& y) {
  Tensor rounded = at::round(y);
  const Tensor even = at::remainder(rounded.sum(-1).to(at::kLong), 2).eq(0);
  if (even.all().item<bool>()) return rounded;
  const Tensor rest = y - rounded;
  const Tensor worst = rest.abs().argmax(-1, true);
  const Tensor one = at::ones_like(rest.slice(-1, 0, 1));
  const Tensor step = at::where(rest.gather(-1, worst).ge(0), one, -one);
  const Tensor moved = rounded + at::zeros_like(rounded).scatter_(-1, worst, step);
  return at::where(even.unsqueeze(-1), rounded, moved);
}

// E8 is D8 and D8 shifted by a half: the nearer of both candidates, the integers where equally
// near.
Tensor nearest_e8_blocks(const Tensor& y) {
  const Tensor half = at::full_like(y.slice(-1, 0, 1), 0.5);
  const Tensor whole = nearest_even_sum(y);
  const Tensor shifted = nearest_even_sum(y - half) + half;
  const Tensor to_whole = (y - whole).pow(2).sum(-1, true);
  const Tensor to_shifted = (y - shifted).pow(2).sum(-1, true);
  return at::where(to_whole.le(to_shifted), whole, shifted);
}

class TorchReference : public ReferenceCodec {
 public:
  TorchReference(std::string_view name, std::size_t dim, int levels)
      : dim_(static_cast<std::int64_t>(dim)),
        block_(name == "e8"   ? 8
               : name == "d4" ? 4
                              : 1),
        levels_(levels) {
    const std::string what = "published round trip of " + std::string(name);
    if (name != "e8" && name != "d4" && name != "tq") {
      throw SpecError(what + ": expected one of e8, d4, tq");
    }
    const bool power_of_two = dim != 0 && (dim & (dim - 1)) == 0;
    if (!power_of_two || dim_ % block_ != 0) {
      throw InputError(what + ": dim " + std::to_string(dim) + ": expected a power of two from " +
                       std::to_string(block_) + " on");
    }
    if (levels < 1) {
      throw SpecError(what + ": levels " + std::to_string(levels) + ": expected at least 1");
    }
    const c10::InferenceMode inference;
    hadamard_ = dense_hadamard(dim);
  }

  void roundtrip(const float* in, std::size_t vectors, float* out) const override {
    if (vectors == 0) return;
    const c10::InferenceMode inference;
    const std::int64_t shape[] = {static_cast<std::int64_t>(vectors), dim_};
    const Tensor x = at::from_blob(const_cast<float*>(in), shape);  // only read
    const Tensor norm = x.norm(2, {1}, true).clamp_min(FLT_EPSILON);
    const Tensor stored_norm = through_half(norm);
    const Tensor rotated = at::matmul(x / norm, hadamard_);
    const Tensor largest = std::get<0>(rotated.abs().max(1, true)).clamp_min(FLT_EPSILON);
    const Tensor step = through_half(largest) / levels_;
    const Tensor points = nearest(rotated / step).clamp(-levels_, levels_) * step;
    Tensor result = at::from_blob(out, shape);
    at::mul_out(result, at::matmul(points, hadamard_), stored_norm);
  }

 private:
  Tensor nearest(const Tensor& y) const {
    if (block_ == 1) return at::round(y);
    const Tensor blocks = y.reshape({-1, dim_ / block_, block_});
    return (block_ == 4 ? nearest_even_sum(blocks) : nearest_e8_blocks(blocks)).reshape({-1, dim_});
  }

  std::int64_t dim_, block_;  // block_: 1 is rounding, 4 is D4, 8 is E8
  double levels_;
  Tensor hadamard_;
};

}  // namespace

std::unique_ptr<ReferenceCodec> torch_reference_codec(std::string_view name, std::size_t dim,
                                                      int levels) {
  return std::make_unique<TorchReference>(name, dim, levels);
}

void set_torch_threads(int threads) {
  if (threads < 1) {
    throw InputError("threads " + std::to_string(threads) + ": expected at least 1");
  }
  at::set_num_threads(threads);  // and OpenMP's and MKL's, whichever LibTorch was built with
  // An OpenBLAS with threads of its own listens to nothing else.
  using SetThreads = void (*)(int);
  if (const auto set =
          reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads")))
    set(threads);
}

std::string torch_name() {
  std::string name = "LibTorch " TORCH_VERSION;
  using Config = char* (*)();
  if (const auto config = reinterpret_cast<Config>(dlsym(RTLD_DEFAULT, "openblas_get_config"))) {
    name += std::string(", ") + config();
  } else {
    name += at::hasMKL() ? ", MKL" : ", a BLAS that does not say its name";
  }
  return name;
}

}  // namespace kakeya
