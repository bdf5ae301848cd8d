// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/report/document.h"

namespace kakeya {

/// A whole cache by one codec, as `scripts/nvcomp_cold.py` has it. GB are 10^9 bytes of bf16.
struct ColdRow {
  std::string library, codec;  ///< "kakeya" and a spec; "nvcomp", its codec, type and chunk
  std::optional<int> layers;   ///< that a launch takes; nullopt: all at once
  double bits_per_value = 0, ratio = 0;  ///< ratio: bytes of bf16 over bytes written
  std::optional<double> rel_mse;         ///< nullopt: exact, or not compared
  double encode = 0, decode = 0;         ///< GB/s
  double restore = 0;                    ///< GB/s, from host memory to bf16
  double of_link = 0;     ///< packed bytes a second of restoring over those of a plain copy
  double over_bf16 = 0;   ///< how many times as long bf16 takes over the same link
  double break_even = 0;  ///< GB/s of a link beyond which bf16 is there sooner
  /// The same against recomputing the prefill, by model: the link from which on restoring is sooner.
  /// nullopt: on none.
  std::map<std::string, std::optional<double>> prefill_links;
};

/// A prefill that makes the keys and values again.
struct ColdPrefill {
  std::string name, shape;  ///< layers x hidden x FFN x heads x KV heads x head_dim
  std::size_t tokens = 0;
  double ms = 0, kv_gb_per_second = 0;
};

/// One run of scripts/nvcomp_cold.py.
struct ColdRun {
  std::string device, made_with;  ///< made_with: versions, in words
  std::string cache;              ///< what it is, in words
  double to_device = 0, to_host = 0,
         within_device = 0;  ///< GB/s of plain copies; the last read and written
  std::vector<ColdRow> rows;
  std::vector<ColdPrefill> prefills;
};

/// Tables of rates, speeds, restoring and prefill; in front of them one of the best of each codec's launches; a
/// chart of these against the ratio, with what the host link allows. Throws InputError when there are no rows.
Document make_cold_report(const ColdRun& run);

}  // namespace kakeya
