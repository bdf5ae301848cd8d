// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "kakeya/profile/key_bias.h"
#include "kakeya/profile/profile.h"
#include "kakeya/profile/profile_file.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/h5.h"

namespace kakeya {

// The digest says which profile a file holds. It is that of the first file of a profile, windows of
// tokens left out: an HDF5 file without them that was written first needs no word of it, another
// one has the attributes "digest" and, so that a file that was changed since is not taken for the
// same, "content_sha256".

/// Whose digest a profile in an HDF5 file is to have: that of the file, or the one that it has.
enum class Digest { of_file, kept };

inline constexpr std::size_t kDigestDigits = 64;

/// Puts inverses that every reader can compute in the place of those of `profile`.
void forget_inverses(Profile& profile);
inline void forget_inverses(ProfileHead&) {}  // of kinds that have none

/// Takes out what a copy of the model under another name would change, of kinds that whoever has the
/// model makes again.
inline void forget_name(KeyBias& biases) { biases.origin.model.name.clear(); }
inline void forget_name(ProfileHead&) {}

/// SHA-256 of a flat file up to its checksum.
std::string flat_digest(std::span<const std::byte> file);

/// SHA-256 of what a profile holds: of its flat file (profile/profile_file.h) up to the checksum,
/// the digest taken as zeros, inverses those that every reader can compute, windows of tokens none;
/// of biases of keys without the model's name.
/// It does not depend on which file that was, nor on the processor that inverted.
template <typename Kept>
std::string content_digest(Kept profile) {
  profile.digest.assign(kDigestDigits, '0');
  profile.token_windows.clear();
  forget_inverses(profile);
  forget_name(profile);
  return flat_digest(flat_profile(profile));
}

/// Writes what Digest::kept adds: the attributes, and windows of tokens.
template <typename Kept>
void keep_digest(h5::File& file, const Kept& profile) {
  file.set_text("/", "digest", profile.digest);
  file.set_text("/", "content_sha256", content_digest(profile));
  write_windows(file, profile);
}

/// Where there are windows of tokens: the attribute "token_window", tokens of one, and the dataset
/// "token_windows", uint64. Reading throws CorruptStream unless it has those of all passages.
void write_windows(h5::File& file, const ProfileHead& profile);
void read_windows(const h5::File& file, const std::string& path, ProfileHead& profile);

/// The attribute "digest". Throws CorruptStream where it is none, or the file says that its content
/// is another than `content`.
std::string kept_digest(const h5::File& file, const std::string& path, const std::string& content);

/// Completes what `file`, at `path`, was read as by its digest and windows of tokens. Throws
/// CorruptStream where it is not what was converted.
template <typename Kept>
void read_digest(const h5::File& file, const std::string& path, Kept& profile) {
  const bool kept = file.has("/", "digest");
  profile.digest = kept ? kept_digest(file, path, content_digest(profile)) : sha256_path(path);
  if (kept) read_windows(file, path, profile);
}

}  // namespace kakeya
