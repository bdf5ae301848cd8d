// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kakeya/profile/kvtc_profile.h"
#include "kakeya/store/kept_digest.h"

namespace kakeya {

/// What the attribute "format" says.
inline constexpr char kKvtcProfileFormat[] = "kakeya-kvtc-profile";

/// Writes a profile of the codec kvtc as an HDF5 file, which appears when it is whole:
///
///   /                             attributes: format, schema, model_name, ..., sinks, rank
///   /keys/mean                    [n] float32, n = layers * KV heads * dim
///   /keys/basis                   [rank, n] binary16
///   /keys/single_errors           [rank, types] float64
///   /keys/group_errors            [starts, larger sizes, types but none] float64
///   /values/...                   the same
///
/// With Digest::kept, what kept_digest.h adds besides. Throws InputError (check_kvtc_profile), IoError.
void write_kvtc_profile(const std::string& path, const KvtcProfile& profile,
                        Digest digest = Digest::of_file);

/// Reads one, its digest set. Throws IoError, CorruptStream, or InputError from
/// check_kvtc_profile().
KvtcProfile read_kvtc_profile(const std::string& path);

}  // namespace kakeya
