// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kakeya/store/result_store.h"

namespace kakeya::synthetic {

inline constexpr const char* kStreamReference = "fp8:scale=e8m0,tail=64";

inline void set_bits(Sample& sample, double bits) {
  sample.values = sample.cache_values = 1000;
  sample.bytes_written = sample.cache_bytes = static_cast<std::uint64_t>(bits * 1000 / 8);
  sample.bits_per_value = bits;
}

inline void add_sample(StoredResults& to, const char* codec, int passage, double rel_mse,
                       double bits) {
  Sample sample;
  sample.key = {codec, codec, passage, "distortion"};
  sample.rel_mse_k = sample.rel_mse_v = rel_mse;
  set_bits(sample, bits);
  to.samples.push_back(sample);
}

/// A sweep over one KV stream: two passages of the reference, 1e-3 at 9 bits, and of e8:q=38, `scale`
/// times that on the first passage and twice that on the second, at 6 bits.
inline StoredResults stream_results(const char* stream, double share, double scale) {
  StoredResults made;
  made.folder = stream;
  made.plan.origin.model.name = "tiny (weights random, seed 7)";
  made.plan.origin.text.name = "hidden.npy";
  made.plan.shape = {1, 1, 2, 512};
  made.plan.context = 100;
  made.plan.stream = StreamFacts{.name = stream,
                                 .layers = "2",
                                 .model_layers = 20,
                                 .ratio = 4,
                                 .source_tokens = 400,
                                 .window = 0,
                                 .byte_share = share,
                                 .weights = "random, seed 7"};
  for (int passage = 0; passage < 2; ++passage) {
    add_sample(made, "identity", passage, 0, 16);
    add_sample(made, kStreamReference, passage, 1e-3, 9);
    add_sample(made, "e8:q=38", passage, scale * 1e-3 * (passage + 1), 6);
  }
  return made;
}

}  // namespace kakeya::synthetic
