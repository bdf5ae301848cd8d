// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>

#include "kakeya/store/result_store.h"

namespace kakeya::testing {

inline SweepPlan plan() {
  SweepPlan made;
  made.origin.model.name = "small";
  made.shape.layers = made.policy.layers = 5;
  made.context = 2048;
  made.tap = TapPoint::pre_rope;
  made.seed = std::numeric_limits<std::uint64_t>::max();
  return made;
}

inline Provenance provenance() { return make_provenance({"kakeya-sweep"}, 2); }

inline double awkward(std::mt19937_64& bits) {
  for (;;) {
    const double value = std::bit_cast<double>(bits());
    if (std::isfinite(value)) return value;
  }
}

inline RateLedger ledger(std::mt19937_64& bits) {
  RateLedger made;
  made.vectors = bits();
  made.values = bits();
  made.nominal_bits = awkward(bits);
  made.codebook_bits.reset();
  made.entropy_bits = awkward(bits);
  made.payload_bits = bits();
  made.scale_bits = bits();
  made.header_bits = 0;
  made.table_bits = bits();
  made.padding_bits = bits();
  made.exact_token_bits = bits();
  return made;
}

/// A sample of full-range doubles that depends only on `number`.
inline Sample sample(int number) {
  std::mt19937_64 bits(static_cast<std::uint64_t>(number));
  Sample made;
  made.key = {"e8:q=" + std::to_string(number), "d4:q=10", number % 7, "inforward"};
  made.nll_reference = awkward(bits);
  made.nll = awkward(bits);
  made.delta_ppl = -0.0;
  made.kld_mean = awkward(bits);
  made.kld_max = std::numeric_limits<double>::denorm_min();
  made.top1 = 1.0;
  made.rel_mse_k = awkward(bits);
  made.rel_mse_v = awkward(bits);
  made.cosine_k = awkward(bits);
  made.cosine_v = 0.1;
  made.values = bits();
  made.bytes_written = bits();
  made.bits_per_value = awkward(bits);
  made.nominal_bits_per_value = awkward(bits);
  made.ledger_k = ledger(bits);
  if (number % 5 != 4) made.ledger_v = ledger(bits);
  made.cache_values = 7;
  made.cache_bytes = 9;
  made.encode_seconds = 0.25;
  made.visits = 56;
  LayerSample both{3, 0.5, 0.25, 1.0, 1.0}, keys_only;
  keys_only.layer = 4;
  keys_only.rel_mse_k = awkward(bits);
  made.layers = {both, keys_only};
  for (int i = 0; i < 64; ++i) {
    made.nll_tokens.push_back(awkward(bits));
    made.kld_tokens.push_back(awkward(bits));
    made.top1_tokens.push_back(static_cast<std::uint8_t>(bits() & 1));
  }
  return made;
}

inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

inline void expect_equal(const std::optional<RateLedger>& a, const std::optional<RateLedger>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (!a) return;
  EXPECT_EQ(a->vectors, b->vectors);
  EXPECT_EQ(a->values, b->values);
  EXPECT_EQ(a->nominal_bits, b->nominal_bits);
  EXPECT_EQ(a->codebook_bits, b->codebook_bits);
  EXPECT_EQ(a->entropy_bits, b->entropy_bits);
  EXPECT_EQ(a->payload_bits, b->payload_bits);
  EXPECT_EQ(a->scale_bits, b->scale_bits);
  EXPECT_EQ(a->header_bits, b->header_bits);
  EXPECT_EQ(a->table_bits, b->table_bits);
  EXPECT_EQ(a->padding_bits, b->padding_bits);
  EXPECT_EQ(a->exact_token_bits, b->exact_token_bits);
}

inline void expect_equal(const Sample& a, const Sample& b) {
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.nll_reference, b.nll_reference);
  EXPECT_EQ(a.nll, b.nll);
  ASSERT_EQ(a.delta_ppl.has_value(), b.delta_ppl.has_value());
  EXPECT_TRUE(same_bits(a.delta_ppl.value_or(1), b.delta_ppl.value_or(1)));
  EXPECT_EQ(a.kld_mean, b.kld_mean);
  EXPECT_EQ(a.kld_max, b.kld_max);
  EXPECT_EQ(a.top1, b.top1);
  EXPECT_EQ(a.rel_mse_k, b.rel_mse_k);
  EXPECT_EQ(a.rel_mse_v, b.rel_mse_v);
  EXPECT_EQ(a.cosine_k, b.cosine_k);
  EXPECT_EQ(a.cosine_v, b.cosine_v);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.bytes_written, b.bytes_written);
  EXPECT_EQ(a.bits_per_value, b.bits_per_value);
  EXPECT_EQ(a.nominal_bits_per_value, b.nominal_bits_per_value);
  EXPECT_EQ(a.codebook_bits_per_value, b.codebook_bits_per_value);
  expect_equal(a.ledger_k, b.ledger_k);
  expect_equal(a.ledger_v, b.ledger_v);
  EXPECT_EQ(a.cache_values, b.cache_values);
  EXPECT_EQ(a.cache_bytes, b.cache_bytes);
  EXPECT_EQ(a.encode_seconds, b.encode_seconds);
  EXPECT_EQ(a.visits, b.visits);
  ASSERT_EQ(a.layers.size(), b.layers.size());
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    EXPECT_EQ(a.layers[i].layer, b.layers[i].layer);
    EXPECT_TRUE(same_bits(a.layers[i].rel_mse_k, b.layers[i].rel_mse_k));
    EXPECT_TRUE(same_bits(a.layers[i].rel_mse_v, b.layers[i].rel_mse_v));
    EXPECT_TRUE(same_bits(a.layers[i].cosine_k, b.layers[i].cosine_k));
    EXPECT_TRUE(same_bits(a.layers[i].cosine_v, b.layers[i].cosine_v));
  }
  EXPECT_EQ(a.nll_tokens, b.nll_tokens);
  EXPECT_EQ(a.kld_tokens, b.kld_tokens);
  EXPECT_EQ(a.nll_reference_tokens, b.nll_reference_tokens);
  EXPECT_EQ(a.top1_tokens, b.top1_tokens);
}

}  // namespace kakeya::testing
