// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "kakeya/codec/descriptor.h"

namespace kakeya {

// center=bias: what is subtracted from keys is the bias of the model's key projection, as the
// profile of kind "key-bias" has it (profile/key_bias.h). With it, a codec that takes vectors from
// wherever they come is of VectorScope::head and calibrated: scope_of(), is_calibrated(). Its frames
// say the profile's digest in their spec and the site in their section "site".

inline constexpr std::string_view kBias = "bias";

inline constexpr CodecKey kBiasProfileKey = text_key(
    "profile",
    "of center=bias: the biases, a file of kakeya-calibrate --codec bias or the first digits "
    "of the digest of one that is loaded; the one of --profile, in kakeya-sweep the model's "
    "own, where it is not given");

/// What is subtracted of the vectors of a site.
struct KnownCentre {
  KvSite site;
  std::vector<float> mean;  ///< [dim]; zeros of values
};

/// Whether `item` is center=bias; and whether a codec that takes it is asked for it.
bool centres_on_bias(const SpecItem& item);
bool centres_on_bias(std::string_view spec);

/// That of input.site, by the key profile. Throws InputError where site or profile are not to be had,
/// or do not fit one another or input.dim.
KnownCentre known_centre(SpecArgs& args, const CodecInput& input);

}  // namespace kakeya
