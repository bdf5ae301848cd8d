// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/report/document.h"
#include "kakeya/store/provenance.h"

namespace kakeya {

/// Decoding over one cache, as `kakeya-bench generate --json` has it.
struct GenerationSpeed {
  std::string codec;  ///< canonical, "K e8:q=10, V fp8" where they differ
  std::size_t context = 0, batch = 0;
  double first_token_seconds = 0, tokens_per_second = 0, tokens_per_cpu_second = 0;
  double live_bytes = 0, bf16_bytes = 0, peak_live_bytes = 0, peak_process_bytes = 0;
  /// 10^9 bytes a second of a copy where the cache lives, read and written; older runs have none.
  std::optional<double> copy_gb_per_second = {};
};

/// The sequences that fit: `kakeya-bench generate --fit`.
struct GenerationFit {
  std::string codec;
  std::size_t context = 0, batch = 0;
  double live_bytes = 0, limit_bytes = 0;
};

/// A run of the benchmark.
struct GenerationSpeeds {
  std::string model, device, dtype;
  int threads = 1;
  bool caches_on_gpu = false, packed_sums = false;
  std::vector<GenerationSpeed> rows;
  std::vector<GenerationFit> fits;
};

/// A line a codec, context and batch; beside each its speed and bytes as shares of those of `identity`,
/// bf16, of the same context and batch, where it was measured.
Table generation_table(const GenerationSpeeds& speeds);
/// A line a codec and context.
Table fitting_table(const GenerationSpeeds& speeds);

/// The tables, and charts of tokens a second and live bytes a token against the context, a panel a batch. Of
/// many rows report.md has one table of all, codec by codec, and details.md the others.
/// Throws InputError when there are no rows.
Document make_generation_report(const GenerationSpeeds& speeds, const Provenance& measured);

}  // namespace kakeya
