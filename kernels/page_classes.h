// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pages.h"

// Classes of pages that the device chooses, or reads from a section: cheapest_classes() of
// lib/kakeya/entropy/class_choice.cpp, and the HeadPlan that follows from a class. So the launchers of
// pages.h code pages whose classes the host never knows. Plain C++17 as kernels.h; what is here is
// made by lib/kakeya/device/device_classes.h.

namespace kakeya::kernels {

/// What a kernel found wrong, beside the flags of kernels.h, pages.h and klt.h.
enum ClassFlag : std::uint32_t {
  kBadClass = 1024,  ///< a class that the model does not have
};

/// A class's contexts: those of coordinates whose parity is free, then those of the last of a block.
constexpr int free_contexts(PageLattice lattice) { return lattice == PageLattice::e8 ? 2 : 1; }
constexpr int class_contexts(PageLattice lattice) {
  return lattice == PageLattice::e8 ? 6 : (lattice == PageLattice::d4 ? 3 : 1);
}

inline constexpr int kMostClasses = 256;
inline constexpr int kNearCounts = 512;

/// All classes of a model of Z, D4 or E8 in device memory; by value.
struct PageClasses {
  PageLattice lattice = PageLattice::z;
  std::int32_t count = 0;
  const std::uint8_t* tables = nullptr;   ///< PageCoding::tables
  const PageContext* contexts = nullptr;  ///< [count][class_contexts()]: PageCoding::contexts
  /// What a symbol of context c costs, raw bits and escaped numbers included (ValueModel::bits()), in
  /// bits: bits[bits_at[c] + symbol].
  const std::uint32_t* bits_at = nullptr;
  const double* bits = nullptr;
  const double* variances = nullptr;       ///< [count], with that of the lattice's cell
  const std::uint32_t* falling = nullptr;  ///< [count]: classes by falling variance
  const double* coset_bits = nullptr;      ///< E8: [count][2], of a block of this class
  const double* weights = nullptr;         ///< E8: [count][3] (ClassModels)
  const double* gains = nullptr;           ///< E8: [4096] (bitstream/frequency_gain.h)
  std::uint32_t slots_behind = 0;          ///< PageCoding::slots_behind
  /// The most that one class takes (PageCoding).
  std::uint32_t take_shared_bytes = 0, put_shared_bytes = 0;
};

/// A choice for `heads` heads of `dim` coordinates, from their first pages.
struct ClassChoice {
  std::int32_t heads = 0, dim = 0;
  bool each = false;  ///< a class a coordinate; else one a head
  /// Where one class serves a head: no |coordinate| is as large; at least kNearCounts. Where
  /// coordinates have no bound: kNearCounts, and how many values a page has, for those beyond.
  std::int32_t reach = kNearCounts, far_values = 0;
  /// [heads], where not null: vectors of each head's one page, in the place of any other number. Of none
  /// nothing is chosen or planned.
  const std::uint32_t* counts = nullptr;
};

/// Bytes of device memory that choose_classes() borrows, a multiple of 256.
std::size_t class_workspace(const PageClasses& classes, const ClassChoice& choice);

/// Writes the section "classes" of each head, from the first `vectors` vectors, at least one and at most
/// a page. Two kernels at most, and memory is set.
void choose_classes(const PageClasses& classes, const ClassChoice& choice, const PagePoints& points,
                    std::int32_t vectors, const Section& section, void* workspace, Stream stream);

/// Bytes of device memory for the plans of all heads, a multiple of 256.
std::size_t class_plan_bytes(const PageClasses& classes, const ClassChoice& choice);

/// Makes the plans of all heads from their sections "classes", and sets how many of `tokens` vectors
/// each page has: vectors[h * points.pages + p]. One kernel. A class that the model does not have is
/// kBadClass, and taken for class 0.
void plan_classes(const PageClasses& classes, const ClassChoice& choice, const Section& section,
                  const PagePoints& points, std::int64_t tokens, std::uint32_t* vectors,
                  void* plans, std::uint32_t* flags, Stream stream);

/// What the launchers of pages.h need, but cost_pages(), when plan_classes() has made the plans.
PageCoding class_coding(const PageClasses& classes, const ClassChoice& choice, const void* plans);

}  // namespace kakeya::kernels
