// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kakeya/core/rows.h"

namespace kakeya {

/// Tokens that are coded: normal values of a deviation, [tokens, heads * dim] of the keys and as many
/// of the values.
struct StreamInput {
  std::size_t tokens = 2048, heads = 8, dim = 128;
  std::uint64_t seed = 0;
  double deviation = 0.3;
};

/// What came out when tokens arrived `chunk` at a time, against all at once.
struct StreamedWay {
  std::size_t chunk = 0;
  bool same_bytes = false;          ///< of the saved cache: pages, sinks, open end, tables
  std::uint64_t values_differ = 0;  ///< of those that attention reads, keys and values
  double largest_difference = 0;    ///< of these
};

/// A codec in a cache that grows.
struct StreamedCodec {
  std::string codec;    ///< as it was given
  std::string refused;  ///< why it cannot live in one, in the library's words; then nothing below
  std::size_t page_tokens = 0;
  std::uint64_t bytes = 0;   ///< of the saved cache
  std::uint64_t values = 0;  ///< that attention reads
  std::vector<StreamedWay> ways;
};

/// Appends the tokens to a PackedCache of one layer `chunk` at a time, for each of `chunks`, and
/// compares the file that save_sequence() makes, and every value that is read, with those of one
/// append of all. `klt` gets a profile that is drawn; a codec that needs another is refused. Throws
/// InputError where a number is 0, and on a chunk of more than all tokens; SpecError on a spec that
/// names no codec.
StreamedCodec stream_codec(const std::string& spec, const StreamInput& input,
                           std::span<const std::size_t> chunks);

/// A round trip of tokens `batch` at a time, against one of all at once.
struct BatchedRoundTrip {
  std::string codec;
  bool published = false;  ///< as its authors composed it of tensor operations; else ours, by bytes
  std::size_t batch = 0;   ///< tokens
  double values_differ = 0;  ///< share of the values
  double vectors_moved =
      0;  ///< share of vectors in which a value differs by over a thousandth of the deviation: by a lattice step
  double largest_difference = 0;
  double rel_mse = 0, rel_mse_at_once = 0;
};

/// Keys alone, as published (a proof of theirs compares so). Ours where `published` is false: frames
/// of `batch` tokens, written and read. Throws InputError in a build without LibTorch where it is
/// true, and where nothing was published at that rate.
std::vector<BatchedRoundTrip> batched_round_trips(const std::string& spec, bool published,
                                                  const StreamInput& input,
                                                  std::span<const std::size_t> batches);

}  // namespace kakeya
