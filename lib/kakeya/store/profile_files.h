// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/profile/profile_shelf.h"

namespace kakeya {

// Profiles in either of their files: HDF5 (profile_store.h, kvtc_profile_store.h) and flat, .kkp
// (profile/profile_file.h).

/// Reads the file of a profile of either kind; its first bytes say which file it is. Throws as
/// load_profile(), read_profile() and read_kvtc_profile().
StoredProfile read_profile_file(const std::string& path);

/// The profiles of some files, in order. Throws as read_profile_file() and ProfileShelf::add().
ProfileShelf shelf_of(const std::vector<std::string>& files);

/// Whether a profile of this name is to be a flat file: the name ends in ".kkp".
bool names_flat_profile(const std::string& path);

enum class ProfileFormat { hdf5, flat };

/// Writes a profile that is new, whatever its digest says. Throws as write_profile(),
/// write_kvtc_profile() and save_profile().
template <typename Kind>
void write_profile_file(const std::string& path, const Kind& profile, ProfileFormat format);

/// Writes the profile of the file `from`, in the format that the name `to` asks for. It stays the
/// same profile: its digest is kept, and frames made with one are read with the other. An HDF5 file
/// that was made flat comes back byte for byte where the same release of HDF5 writes it; else, and
/// of a profile that was flat first, the HDF5 file says its digest in an attribute. Throws as
/// reading and writing do.
void convert_profile(const std::string& from, const std::string& to);

/// The name of the flat file that stands beside an HDF5 one: "a.h5" has "a.kkp".
std::string flat_name_beside(const std::string& path);

/// Converts the HDF5 file `path` to the flat file beside it; does nothing where `path` is flat.
void write_beside(const std::string& path);

}  // namespace kakeya
