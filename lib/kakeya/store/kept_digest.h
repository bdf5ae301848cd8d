// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kakeya/profile/kvtc_profile.h"
#include "kakeya/profile/profile.h"
#include "kakeya/store/h5.h"

namespace kakeya {

// The digest says which profile a file holds. It is that of the first file of a profile: an HDF5
// file that was written first needs no word of it, one that was converted has the attributes
// "digest" and, so that a file that was changed since is not taken for the same, "content_sha256".

/// Whose digest a profile in an HDF5 file is to have: that of the file, or the one that it has.
enum class Digest { of_file, kept };

/// SHA-256 of what a profile holds: of its flat file (profile/profile_file.h) up to the checksum,
/// the digest taken as zeros, inverses those that every reader can compute. It does not depend on
/// which file that was, nor on the processor that inverted.
std::string content_digest(const Profile& profile);
std::string content_digest(const KvtcProfile& profile);

/// Writes the attributes of Digest::kept.
template <typename Kept>
void keep_digest(h5::File& file, const Kept& profile) {
  file.set_text("/", "digest", profile.digest);
  file.set_text("/", "content_sha256", content_digest(profile));
}

/// The digest of what `file`, at `path`, was read as. Throws CorruptStream where it is not what was
/// converted.
template <typename Kept>
std::string digest_of(const h5::File& file, const std::string& path, const Kept& profile);

extern template std::string digest_of(const h5::File&, const std::string&, const Profile&);
extern template std::string digest_of(const h5::File&, const std::string&, const KvtcProfile&);

}  // namespace kakeya
