// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "kakeya/codec/codec.h"

namespace kakeya {

/// One row of a benchmark.
struct BenchCase {
  std::string spec;
  std::size_t dim = 0, vectors = 0, threads = 1;
  const ProfileSource* profiles = nullptr;
};

/// The codec of a row; of klt that of the keys of head 0 of layer 0, of kivi of values, of kvtc
/// that of whole tokens.
std::unique_ptr<Codec> make_bench_codec(const std::string& spec, std::size_t dim,
                                        const ProfileSource* profiles);

/// How long to measure: at least `rounds` rounds and at least `seconds` seconds.
struct BenchEffort {
  std::size_t rounds = 0;
  double seconds = 0;
};

/// Vectors per second over the rounds of a row.
struct Speed {
  double min = 0, median = 0, max = 0;
};

/// What stands beside the codec klt: the same coder without its transform, and the products that
/// the transform is.
struct BesideSpeeds {
  std::string codec;
  Speed encode, decode, products;  ///< a vector goes through both products
};

struct BenchResult {
  std::string codec;  ///< canonical
  std::size_t dim = 0, vectors = 0, threads = 0;
  std::size_t bytes_written = 0;       ///< all frames and what a reader needs besides
  std::size_t symbols_per_vector = 0;  ///< of an entropy coder; 0: none
  std::size_t rounds = 0;
  double rel_mse = 0;
  Speed encode, decode, memory_copy;
  std::optional<BesideSpeeds> beside;  ///< of klt
  std::optional<Speed> roundtrip;      ///< empty where the codec writes bytes in any case
  std::string reference_codec;         ///< empty: not asked for, or none was published
  std::optional<Speed> reference;
  std::optional<double> reference_rel_mse;
};

/// Times a codec: fused round trip, encode, decode, and beside them memcpy of the same vectors and,
/// with `reference`, the published round trip, and of klt what BesideSpeeds says, all in turn in
/// every round, since machines get faster and slower while one looks. Vectors are cut into equal
/// parts, one frame and one thread each. `told` hears the number of rounds done. Throws InputError
/// when the codec cannot take such vectors, Error when the fused round trip is not what decoding
/// gives.
BenchResult time_codec(const BenchCase& wanted, const BenchEffort& effort, bool reference,
                       const std::function<void(std::size_t rounds)>& told);

}  // namespace kakeya
