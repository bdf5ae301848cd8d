// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kakeya {

/// Where a codec acts during an evaluation.
enum class EvalMode {
  /// The codec sits inside the forward: every coded layer attends to what was decoded, and the
  /// error of one layer reaches the K and V of the next.
  in_forward,
  /// K and V of a clean pass are coded offline; a second pass computes Q from its own running state
  /// and takes K and V of every layer from the coded clean pass. Errors of different layers do not
  /// meet in K and V.
  snapshot,
  /// The cache of the context comes from a clean pass and is coded once; the scored tokens attend
  /// to it, and to their own K and V, which stay exact (as after a prefill whose cache was then
  /// compressed).
  prefix,
  /// The passage is decoded, teacher-forced, over a cache that lives packed: the context in chunks,
  /// each scored token in a step of its own. Every layer attends to what the cache gives back:
  /// sealed pages as decoded; sinks, residual window and open page as bf16 (decode_pass.h).
  decode,
};

/// "inforward", "snapshot", "prefix" or "decode": as stored in results and given on the command line.
std::string_view mode_name(EvalMode mode);

/// The modes of a list such as "inforward,snapshot", in the order given, doubles left out. Throws
/// SpecError naming the offending word and the known ones.
std::vector<EvalMode> parse_modes(const std::vector<std::string>& lists);

}  // namespace kakeya
