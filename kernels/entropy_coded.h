// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/klt.h"
#include "kernels/pages.h"

// ece8, ecd4 and ecz between vectors and the points of pages, in plain C++17 as kernels.h. Points lie as
// pages.h says; pages and their classes are coded by pages.h and page_classes.h. Where not every vector
// has a scale of its own, one may be too large for its step: it is kept beside the code, in section
// "exact", and its point is 0.

namespace kakeya::kernels {

/// What a kernel found wrong, beside the flags of kernels.h, pages.h, klt.h and page_classes.h.
enum EntropyCodedFlag : std::uint32_t {
  kBadCentre = 2048,    ///< a mean that is not finite or out of range: it is taken for 0
  kBadOutlier = 16384,  ///< an outlier out of order or not finite: it is left out
};

/// What shares a scale: nothing, a page (shared_scale() of scale_rules.h), or all; then there is none.
enum class ScaleOf : int { vector, page, frame };

/// A step is `factor` times a scale, and what points are multiplied with `reconstruct` times that.
struct StepFactors {
  double factor = 1, reconstruct = 1;
};

/// The codec; by value.
struct EntropyCoded {
  PageLattice lattice = PageLattice::z;
  ScaleOf scales = ScaleOf::vector;
  std::int32_t dim = 0, page = 0;
  std::int32_t outliers =
      0;  ///< coordinates of a vector that are kept beside it: up to 64, dim / 2
  std::int32_t place_bits = 0;  ///< of one that says which: log2(dim)
  bool rotates = false, centres = false;
  bool halves = false;  ///< scales are binary16, else logarithms (scale_rules.h)
  float unit = 1;       ///< what sums lack: 1 / sqrt(dim) where it rotates
  StepFactors factors;
  const StepFactors* steps = nullptr;  ///< of EntropyCodedWork::steps, in device memory
  const float* signs = nullptr;        ///< [dim] in device memory; null: none
};

/// Beside the pages, of one frame a head. The frame's first page has its means.
struct EntropyCodedSections {
  Section scales, windows, centre;
  Section outliers;         ///< a bit field for each: place, then binary16
  Section outlier_windows;  ///< "owindows": a signed byte a vector
  SizedSection exact;
};

/// Memory between the launchers.
struct EntropyCodedWork {
  std::int32_t* points = nullptr;  ///< [heads][stride]: PagePoints::twice
  std::int64_t stride = 0;         ///< whole pages
  float* means = nullptr;          ///< [heads][2][dim]: means, and minus them; where it centres
  std::int32_t sharing = 1;        ///< so many heads have the means of one
  /// [heads]: which of EntropyCoded::steps a head has; null: EntropyCoded::factors.
  const std::uint32_t* steps = nullptr;
  std::uint32_t* taken = nullptr;  ///< [heads][tokens][dim / 32]: outliers, as take_outliers() says
  // Where not every vector has a scale:
  std::int32_t* sizes = nullptr;  ///< [heads][tokens]: root mean squares in sixteenths of octaves
  std::int32_t* sums = nullptr;   ///< [heads][scales][2]: of those that have a scale; how many
  std::uint32_t* kept =
      nullptr;  ///< [heads][32 tokens]: a bit for each that is kept beside the code
};

/// The means of the first page of each head, and section "centre" unless that is null; and back.
void take_means(const EntropyCoded& codec, const Vectors& x, const Section& centre,
                const EntropyCodedWork& work, Stream stream);
void read_means(const EntropyCoded& codec, std::int64_t heads, const Section& centre,
                const EntropyCodedWork& work, std::uint32_t* flags, Stream stream);

/// The largest coordinates of each vector, less its means: writes "outliers", "owindows" and work.taken,
/// in which bit 8 c + i of word l stands for coordinate c dim / 4 + 8 l + i. The launchers below take those
/// coordinates for 0.
void take_outliers(const EntropyCoded& codec, const Vectors& x, const EntropyCodedSections& out,
                   const EntropyCodedWork& work, std::uint32_t* flags, Stream stream);

/// The scales that vectors share: writes "scales" and "windows", work.sizes and work.sums. Two kernels.
void share_scales(const EntropyCoded& codec, const Vectors& x, const EntropyCodedSections& out,
                  const EntropyCodedWork& work, std::uint32_t* flags, Stream stream);

/// Writes work.points; where every vector has a scale "scales" and "windows", else work.kept, which
/// must be 0.
void find_points(const EntropyCoded& codec, const Vectors& x, const EntropyCodedSections& out,
                 const EntropyCodedWork& work, std::uint32_t* flags, Stream stream);

/// The vectors of these points.
void restore_vectors(const EntropyCoded& codec, const EntropyCodedSections& in,
                     const EntropyCodedWork& work, const Vectors& y, std::uint32_t* flags,
                     Stream stream);

/// Both, without points in memory; of sections those of share_scales() are read. `y` may be `x`. With
/// outliers a vector that is kept beside the code is a bit in work.kept, which must be 0.
void round_trip(const EntropyCoded& codec, const Vectors& x, const EntropyCodedSections& in,
                const EntropyCodedWork& work, const Vectors& y, std::uint32_t* flags,
                Stream stream);

/// Puts outliers in their places in `y`, after restore_vectors() or round_trip(), and before
/// put_exact_vectors(); with `but_kept` not of vectors in work.kept. Damage is kBadOutlier or kBadWindow.
void put_outliers(const EntropyCoded& codec, const EntropyCodedSections& in,
                  const EntropyCodedWork& work, bool but_kept, const Vectors& y,
                  std::uint32_t* flags, Stream stream);

/// Writes the section "exact" (codec/exact_vectors.h) of the vectors in work.kept; and back: into `y`,
/// after restore_vectors(). Damage is kBadExact.
void write_exact_vectors(const EntropyCoded& codec, const Vectors& x,
                         const EntropyCodedSections& out, const EntropyCodedWork& work,
                         Stream stream);
void put_exact_vectors(const EntropyCoded& codec, const EntropyCodedSections& in, const Vectors& y,
                       std::uint32_t* flags, Stream stream);

}  // namespace kakeya::kernels
