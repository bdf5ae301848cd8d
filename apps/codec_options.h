// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/core/layer_choice.h"

namespace kakeya {

/// What kakeya-codec is asked for, whichever subcommand.
struct CodecOptions {
  bool json = false;
  std::string codec, codec_k, codec_v, in, out, dump, lattice, site;
  std::string codec_device = "cpu";
  std::vector<std::string> profiles, plugins;
  std::vector<std::string> names;  ///< of the codecs to list; none: all
  std::size_t dim = 0;
  int passage = 0, sinks = 0, residual_window = 0, threads = 0;
  std::optional<int> skipped_layers;   ///< at either end [2]
  LayerChoice layers;                  ///< in place of those
  std::optional<std::string> plan;     ///< a file, in place of codecs and skipped layers
  std::vector<std::string> arguments;  ///< the whole command line
};

}  // namespace kakeya
