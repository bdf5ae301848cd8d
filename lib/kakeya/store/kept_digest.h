// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "kakeya/profile/profile.h"
#include "kakeya/profile/profile_file.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/h5.h"

namespace kakeya {

// The digest says which profile a file holds. It is that of the first file of a profile: an HDF5
// file that was written first needs no word of it, one that was converted has the attributes
// "digest" and, so that a file that was changed since is not taken for the same, "content_sha256".

/// Whose digest a profile in an HDF5 file is to have: that of the file, or the one that it has.
enum class Digest { of_file, kept };

inline constexpr std::size_t kDigestDigits = 64;

/// Puts inverses that every reader can compute in the place of those of `profile`.
void forget_inverses(Profile& profile);
inline void forget_inverses(ProfileHead&) {}  // of kinds that have none

/// SHA-256 of a flat file up to its checksum.
std::string flat_digest(std::span<const std::byte> file);

/// SHA-256 of what a profile holds: of its flat file (profile/profile_file.h) up to the checksum,
/// the digest taken as zeros, inverses those that every reader can compute. It does not depend on
/// which file that was, nor on the processor that inverted.
template <typename Kept>
std::string content_digest(Kept profile) {
  profile.digest.assign(kDigestDigits, '0');
  forget_inverses(profile);
  return flat_digest(flat_profile(profile));
}

/// Writes the attributes of Digest::kept.
template <typename Kept>
void keep_digest(h5::File& file, const Kept& profile) {
  file.set_text("/", "digest", profile.digest);
  file.set_text("/", "content_sha256", content_digest(profile));
}

/// The attribute "digest". Throws CorruptStream where it is none, or the file says that its content
/// is another than `content`.
std::string kept_digest(const h5::File& file, const std::string& path, const std::string& content);

/// The digest of what `file`, at `path`, was read as. Throws CorruptStream where it is not what was
/// converted.
template <typename Kept>
std::string digest_of(const h5::File& file, const std::string& path, const Kept& profile) {
  if (!file.has("/", "digest")) return sha256_path(path);
  return kept_digest(file, path, content_digest(profile));
}

}  // namespace kakeya
