// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/core/layer_choice.h"
#include "program.h"

namespace kakeya {

/// What kakeya-capture is asked for where the model is a DeepSeek-V4.
struct StreamOptions {
  std::string hidden;                        ///< empty: not given
  std::optional<std::uint64_t> random_seed;  ///< of weights; none: those of the model's files

  bool given() const { return !hidden.empty() || random_seed; }
};

/// Declares --hidden and --random-weights.
void add_stream_options(CLI::App& app, StreamOptions& options);

/// What it shares with the capture of keys and values.
struct StreamOutput {
  std::string model, out;  ///< the model's folder or config.json, and the folder of the dumps
  std::string storage;
  LayerChoice layers;
  std::optional<int> passages;
  int threads = 0;
  bool json = false;
};

/// Writes one dump a stream into the folder `out.out`, and says what they are. Throws SpecError without
/// --hidden; InputError and others as capture_streams().
void capture_v4(const StreamOptions& options, const StreamOutput& out,
                const std::vector<std::string>& arguments);

}  // namespace kakeya
