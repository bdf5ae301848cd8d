// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/profile_shelf.h"

#include <filesystem>

#include "kakeya/core/error.h"

namespace kakeya {
std::string ProfileShelf::describe_entries() const {
  std::string list;
  for (const Entry& entry : entries_) {
    list += (list.empty() ? "given: " : ", ") + entry.path + " (of " + std::string(entry.kind) +
            ", " + entry.profile->short_digest() + ")";
  }
  return list.empty() ? "no profile given" : list;
}

void ProfileShelf::add(const std::string& path) { entries_.push_back(read_(path)); }

std::shared_ptr<const ProfileHead> ProfileShelf::find(std::string_view kind,
                                                      std::string_view name) const {
  const std::string wanted(kind);
  for (const Entry& entry : entries_) {
    const bool named =
        name.empty()
            ? entry.kind == kind
            : entry.path == name || (name.size() >= 8 && entry.profile->digest.starts_with(name));
    if (!named) continue;
    if (entry.kind != kind) {
      throw InputError("profile=" + std::string(name) + ": " + entry.path +
                       " is for another codec, expected a profile of " + wanted);
    }
    return entry.profile;
  }
  if (name.empty()) {
    throw InputError(describe_entries() + ": expected a profile of " + wanted +
                     ", by --profile or profile=FILE");
  }
  const std::string path(name);
  if (!std::filesystem::exists(path)) {
    throw InputError("profile=" + path + ": neither a file nor the digest of a profile given (" +
                     describe_entries() + "): expected the profile of " + wanted +
                     " that it names, by --profile");
  }
  entries_.push_back(read_(path));
  return find(kind, name);
}

void ProfileShelf::require_model(const Source& model, TapPoint tap) const {
  for (const Entry& entry : entries_) {
    const Source& of = entry.profile->origin.model;
    if (of.sha256 != model.sha256) {
      throw InputError(entry.path + ": a profile of " + of.name + " (sha256 " +
                       of.sha256.substr(0, 12) + "), expected one of " + model.name + " (sha256 " +
                       model.sha256.substr(0, 12) + ")");
    }
    if (entry.profile->tap != tap) {
      throw InputError(entry.path + ": calibrated " + std::string(tap_name(entry.profile->tap)) +
                       ", expected one of " + std::string(tap_name(tap)) + " keys");
    }
  }
}

}  // namespace kakeya
