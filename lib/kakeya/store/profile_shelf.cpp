// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/profile_shelf.h"

#include <filesystem>

#include "kakeya/core/error.h"
#include "kakeya/store/h5.h"
#include "kakeya/store/kvtc_profile_store.h"
#include "kakeya/store/profile_store.h"

namespace kakeya {
namespace {

ProfileShelf::Entry read_entry(const std::string& path) {
  if (h5::File::open(path).text("/", "format") == kKvtcProfileFormat) {
    return {path, KvtcProfile::kKind, std::make_shared<const KvtcProfile>(read_kvtc_profile(path))};
  }
  return {path, Profile::kKind, std::make_shared<const Profile>(read_profile(path))};
}

}  // namespace

std::string ProfileShelf::describe_entries() const {
  std::string list;
  for (const Entry& entry : entries_) {
    list += (list.empty() ? "given: " : ", ") + entry.path + " (of " + std::string(entry.kind) +
            ", " + entry.profile->short_digest() + ")";
  }
  return list.empty() ? "no profile given" : list;
}

void ProfileShelf::add(const std::string& path) { entries_.push_back(read_entry(path)); }

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
  entries_.push_back(read_entry(path));
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
