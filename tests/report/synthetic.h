// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kakeya/store/result_store.h"

namespace kakeya::synthetic {

/// One codec of the made-up grid: measured bits per value at head_dim 64, published charge, and how
/// far it is above the best at its rate, as a factor on the KL divergence.
struct Setting {
  std::string spec;
  double bits, charged, factor;
};

/// e8 and d4 over Q, tq over b, fp8, identity, as the product's grid; bits by the formulas at D =
/// 64, real ones a little below.
inline std::vector<Setting> grid() {
  std::vector<Setting> settings;
  for (int q : {4, 6, 10, 15, 22, 38, 76, 152}) {
    const double levels = std::log2(2.0 * q + 1);
    const double e8 = std::ceil(8 * levels) / 8 + 0.5, d4 = std::ceil(4 * levels - 1) / 4 + 0.5;
    settings.push_back({"e8:q=" + std::to_string(q), e8 - 0.125, e8, 1.0});
    settings.push_back({"d4:q=" + std::to_string(q), d4 - 0.02, d4, 1.07});
  }
  for (int b = 2; b <= 8; ++b)
    settings.push_back({"tq:b=" + std::to_string(b), b + 0.51, b + 0.5, 1.45});
  settings.push_back({"fp8", 8.51, 8.25, 60});
  settings.push_back({"identity", 16, 16, 0});
  return settings;
}

/// Half of what a sample wrote: scales of half a bit, some header, the rest payload; an entropy 0.7
/// bit below the measured rate, of lattices and levels only.
inline RateLedger ledger_of(const Sample& sample) {
  const bool indexed = sample.key.codec_k.find('=') != std::string::npos;
  RateLedger half;
  half.nominal_bits = half.codebook_bits = half.entropy_bits = std::nullopt;
  half.values = sample.values / 2;
  half.vectors = half.values / 64;
  const auto values = static_cast<double>(half.values);
  if (sample.nominal_bits_per_value) half.nominal_bits = *sample.nominal_bits_per_value * values;
  if (indexed) half.entropy_bits = (sample.bits_per_value - 0.7) * values;
  half.scale_bits = half.values / 2;
  half.header_bits = 312 * 67 * 8;
  half.padding_bits = 96;
  half.payload_bits =
      4 * sample.bytes_written - half.scale_bits - half.header_bits - half.padding_bits;
  return half;
}

/// Results as a sweep stores them: KL divergence factor x `scale` x 4^-bits with log-normal noise
/// shared by a passage and of the cell's own, delta-ppl of mean near 0 whose spread follows the KL
/// divergence. The same arguments give the same numbers.
inline StoredResults results(const std::string& folder, const std::string& mode, int passages = 8,
                             double scale = 60, unsigned seed = 1) {
  StoredResults stored;
  stored.folder = folder;
  stored.plan = {.origin = {.model = {"synthetic-135m", std::string(64, 'a')},
                            .text = {"synthetic.txt", std::string(64, 'b')},
                            .tokenizer = {"none", ""},
                            .architecture = "llama"},
                 .dtype = "float32",
                 .device = "cpu",
                 .shape = {.layers = 30, .kv_heads = 3, .head_dim = 64},
                 .tap = TapPoint::pre_rope,
                 .context = 2048,
                 .scored = 64,
                 .policy = {.layers = 30, .skipped_layers = 2},
                 .seed = seed};
  stored.runs.push_back({"0.1.0",
                         "0123456789ab",
                         "GNU 12.2.0 Release",
                         "test",
                         "cpu",
                         2,
                         "2026-01-01T00:00:00Z",
                         {"kakeya-sweep", "--model", "a model", "--out", folder},
                         {}});
  stored.first_samples = {0};
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> hardness(static_cast<std::size_t>(passages));
  for (double& h : hardness) h = 0.3 * normal(random);
  for (const Setting& setting : grid()) {
    for (int passage = 0; passage < passages; ++passage) {
      Sample s;
      s.key = {setting.spec, setting.spec, passage, mode};
      s.values = 26ull * 2 * 3 * 64 * 2112;
      s.bytes_written =
          static_cast<std::uint64_t>(std::lround(setting.bits * static_cast<double>(s.values) / 8));
      s.bits_per_value = 8.0 * static_cast<double>(s.bytes_written) / static_cast<double>(s.values);
      s.cache_values = 30ull * 2 * 3 * 64 * 2112;
      s.cache_bytes = s.bytes_written + (s.cache_values - s.values) * 2;
      if (setting.spec != "identity") s.nominal_bits_per_value = setting.charged;
      s.ledger_k = s.ledger_v = ledger_of(s);
      const double own = 0.08 * normal(random), sign = normal(random);
      const double lossless = setting.factor == 0 ? 0 : 1;
      s.rel_mse_k = lossless * setting.factor * 3 * std::exp2(-2 * setting.bits);
      s.rel_mse_v = lossless * setting.factor * 2.5 * std::exp2(-2 * setting.bits);
      s.cosine_k = 1 - s.rel_mse_k / 2;
      s.cosine_v = 1 - s.rel_mse_v / 2;
      if (mode != "distortion") {
        const double kld = scale * setting.factor * std::exp2(-2 * setting.bits) *
                           std::exp(hardness[static_cast<std::size_t>(passage)] + own);
        const double ppl = std::exp(kld) * std::exp(lossless * std::sqrt(2 * kld / 64) * sign) - 1;
        s.kld_mean = kld;
        s.kld_max = 20 * kld;
        s.kld_tokens.assign(64, kld * 44 / 63);
        s.kld_tokens[static_cast<std::size_t>(passage) % 64] = 20 * kld;
        s.delta_ppl = ppl;
        s.nll_reference = 2.5;
        s.nll = 2.5 + std::log1p(ppl);
        s.top1 = lossless == 0 ? 1 : 1 - std::round(64 * std::min(0.9, 0.35 * std::sqrt(kld))) / 64;
      }
      stored.samples.push_back(s);
    }
  }
  return stored;
}

}  // namespace kakeya::synthetic
