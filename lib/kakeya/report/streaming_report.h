// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/measure/streaming/streaming.h"
#include "kakeya/report/document.h"
#include "kakeya/store/provenance.h"

namespace kakeya {

/// What was measured of how tokens arrive.
struct Streaming {
  StreamInput input;
  std::vector<StreamedCodec> codecs;
  std::vector<BatchedRoundTrip> round_trips;  ///< those of a codec together, ours and published
  std::string library;                        ///< of the published ones; "": they were not measured
};

/// Whether a cache depended on how its tokens came, in bytes or values.
bool depends(const StreamedCodec& codec);

/// A table of caches, one of round trips by batch, and what cannot live in a growing cache, each
/// with the reason. Throws InputError where there are no codecs.
Document make_streaming_report(const Streaming& measured, const Provenance& provenance);

}  // namespace kakeya
