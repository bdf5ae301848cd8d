// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/profile_shelf.h"

#include <filesystem>

#include "kakeya/core/error.h"

namespace kakeya {

void ProfileShelf::add(const std::string& path) { entries_.push_back(read_(path)); }

template <typename Kind>
std::shared_ptr<const Kind> ProfileShelf::find_kind(std::string_view name,
                                                    std::shared_ptr<const Kind> Entry::*member,
                                                    const char* kind) const {
  for (const Entry& entry : entries_) {
    const bool named =
        name.empty()
            ? entry.*member != nullptr
            : entry.path == name || (name.size() >= 8 && entry.origin->digest.starts_with(name));
    if (!named) continue;
    if (!(entry.*member)) {
      throw InputError("profile=" + std::string(name) + ": " + entry.path +
                       " is for another codec, expected a profile of " + kind);
    }
    return entry.*member;
  }
  if (name.empty()) {
    throw InputError(std::string("no profile of ") + kind +
                     " given: expected --profile or profile=FILE");
  }
  const std::string path(name);
  if (!std::filesystem::exists(path)) {
    std::string known;
    for (const Entry& entry : entries_) {
      known += (known.empty() ? "" : ", ") + entry.path + " (" + entry.origin->short_digest() + ")";
    }
    throw InputError("profile=" + path + ": no such file" +
                     (known.empty() ? "" : ", nor one of " + known));
  }
  entries_.push_back(read_(path));
  return find_kind(name, member, kind);
}

std::shared_ptr<const Profile> ProfileShelf::find(std::string_view name) const {
  return find_kind(name, &Entry::profile, "klt");
}

std::shared_ptr<const KvtcProfile> ProfileShelf::find_kvtc(std::string_view name) const {
  return find_kind(name, &Entry::kvtc, "kvtc");
}

void ProfileShelf::require_model(const std::string& name, const std::string& sha256,
                                 const std::string& tap) const {
  for (const Entry& entry : entries_) {
    const ProfileOrigin& profile = *entry.origin;
    if (profile.model_sha256 != sha256) {
      throw InputError(entry.path + ": a profile of " + profile.model_name + " (sha256 " +
                       profile.model_sha256.substr(0, 12) + "), expected one of " + name +
                       " (sha256 " + sha256.substr(0, 12) + ")");
    }
    if (profile.tap != tap) {
      throw InputError(entry.path + ": calibrated " + profile.tap + ", expected one of " + tap +
                       " keys");
    }
  }
}

}  // namespace kakeya
