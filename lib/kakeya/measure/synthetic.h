// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "kakeya/measure/source.h"

namespace kakeya {

/// A distribution of independent values of mean 0 and variance 1.
struct Distribution {
  std::string_view name, title, summary;
  /// Value `index` of a seed; `stream` tells distributions apart.
  double (*sample)(std::uint64_t seed, std::uint64_t index);
  double (*entropy_power)();  ///< over the variance, see stats/entropy_power.h
};

/// gaussian, laplace, student-t (5 degrees of freedom), uniform, in display order. All are drawn
/// from counters (Philox), so that value i does not depend on how many are drawn.
std::span<const Distribution> distributions();

/// `vectors` vectors of `dim` values as one slab, hence one frame, in 16 batches. Throws SpecError
/// on a name that is none of distributions(), InputError when vectors or dim is 0.
std::unique_ptr<VectorSource> make_synthetic(std::string_view name, std::size_t dim,
                                             std::size_t vectors, std::uint64_t seed);

}  // namespace kakeya
