// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/model/kv_tap.h"

namespace kakeya {

/// Where a codec acts during an evaluation.
enum class EvalMode {
  /// The codec sits inside the forward: every coded layer attends to what was decoded, and the
  /// error of one layer reaches
  /// the K and V of the next.
  in_forward,
  /// K and V of a clean pass are coded offline; a second pass computes Q from its own running state
  /// and takes K and V of
  /// every layer from the coded clean pass. Errors of different layers do not meet in K and V.
  snapshot,
  /// The cache of the context comes from a clean pass and is coded once; the scored tokens attend
  /// to it, and to their own
  /// K and V, which stay exact (as after a prefill whose cache was then compressed).
  prefix,
};

/// "inforward", "snapshot" or "prefix": as stored in results and given on the command line.
std::string_view mode_name(EvalMode mode);

/// The modes of a list such as "inforward,snapshot", in the order given, doubles left out. Throws
/// SpecError naming the offending word and the known ones.
std::vector<EvalMode> parse_modes(const std::vector<std::string>& lists);

/// "pre-rope" or "post-rope", and back. parse_tap() throws SpecError.
std::string_view tap_name(TapPoint tap);
TapPoint parse_tap(const std::string& text);

/// Which vectors of a cache are coded; all others stay bf16.
struct CachePolicy {
  int layers = 0;    ///< of the model
  int boundary = 0;  ///< the first and the last `boundary` layers are not coded
  int sinks = 0;  ///< the first `sinks` tokens of coded layers stay bf16; their bytes are counted
  /// A query sees the last `recent` tokens of coded layers, its own included, as bf16, and those
  /// before them as coded; EvalMode::prefix and dumps: the last of the tokens that are coded stay
  /// bf16. At the end as many tokens are held in bf16; their bytes are counted.
  int recent = 0;

  /// Throws InputError when a number is negative, when no layer is left to code, or when the sinks
  /// and the recent tokens cover all `coded_tokens`.
  void check(std::size_t coded_tokens) const;

  bool codes(int layer) const { return layer >= boundary && layer < layers - boundary; }
  int coded_layers() const { return layers - 2 * boundary; }

  /// Tokens of a part that stay bf16 for good: the sinks, and those still recent at the end.
  std::size_t exact_tokens() const {
    return static_cast<std::size_t>(sinks) + static_cast<std::size_t>(recent);
  }
};

}  // namespace kakeya
