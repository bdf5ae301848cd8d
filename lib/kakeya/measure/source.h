// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/core/rows.h"

namespace kakeya {

/// A part of a source: vectors of one or more heads, as [vectors, heads, dim]. The vectors of a
/// head are coded as one frame.
struct Slab {
  std::vector<float> values;
  std::size_t vectors = 0, heads = 1, dim = 0;
  std::size_t first_place = 0;  ///< of head 0; see SourceFacts::places
  std::size_t batch = 0;        ///< the first of the batches that the vectors belong to
  std::size_t batches = 1;      ///< how many; vectors are divided among them evenly, in order

  Rows<const float> frame(std::size_t head) const {
    return {values.data() + head * dim, vectors, dim, heads * dim};
  }
  std::size_t batch_of(std::size_t vector) const { return batch + vector * batches / vectors; }
};

/// What is known of a source before it is measured.
struct SourceFacts {
  std::string name;         ///< "gaussian", "nano/k": in the CSV and the JSON
  std::string title;        ///< "Gaussian", "K of nano"
  std::string description;  ///< what was drawn or taken: a sentence
  std::size_t dim = 0;
  std::size_t slabs = 0;
  std::size_t batches = 1;  ///< parts that stand for repetitions: error bars are over them
  std::size_t places = 1;   ///< (layer, head) pairs, each with a spectrum of its own
  Part part = Part::value;  ///< of drawn vectors too: for codecs that code keys otherwise

  /// Of a KV stream, its share of the values of all the model's caches (StreamFacts::byte_share).
  std::optional<double> byte_share = {};

  /// Entropy power over variance (stats/entropy_power.h) of independent values; empty where the
  /// values are not known to be independent, and the spectrum is measured.
  std::optional<double> entropy_power;
};

/// Vectors that codecs are measured on, a slab at a time, so that not all need to be in memory.
class VectorSource {
 public:
  virtual ~VectorSource() = default;
  virtual const SourceFacts& facts() const = 0;

  /// Slab `index` of facts().slabs; the same whenever it is asked for.
  virtual Slab slab(std::size_t index) const = 0;
};

}  // namespace kakeya
