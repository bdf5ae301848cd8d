// SPDX-License-Identifier: Apache-2.0
#include "kakeya/io/profile_shelf.h"

#include <filesystem>

#include "kakeya/core/error.h"
#include "kakeya/io/h5.h"
#include "kakeya/io/kvtc_profile_store.h"
#include "kakeya/io/profile_store.h"

namespace kakeya {
namespace {

ProfileShelf::Entry read_entry(const std::string& path) {
  ProfileShelf::Entry entry;
  entry.path = path;
  if (h5::File::open(path).text("/", "format") == kKvtcProfileFormat) {
    entry.kvtc = std::make_shared<const KvtcProfile>(read_kvtc_profile(path));
    entry.origin = entry.kvtc;
  } else {
    entry.profile = std::make_shared<const Profile>(read_profile(path));
    entry.origin = entry.profile;
  }
  return entry;
}

}  // namespace

std::string ProfileShelf::describe_entries() const {
  std::string list;
  for (const Entry& entry : entries_) {
    list += (list.empty() ? "given: " : ", ") + entry.path + " (of " +
            (entry.kvtc ? "kvtc" : "klt") + ", " + entry.origin->short_digest() + ")";
  }
  return list.empty() ? "no profile given" : list;
}

void ProfileShelf::add(const std::string& path) { entries_.push_back(read_entry(path)); }

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
    throw InputError(describe_entries() + ": expected a profile of " + kind +
                     ", by --profile or profile=FILE");
  }
  const std::string path(name);
  if (!std::filesystem::exists(path)) {
    throw InputError("profile=" + path + ": neither a file nor the digest of a profile given (" +
                     describe_entries() + "): expected the profile of " + kind +
                     " that it names, by --profile");
  }
  entries_.push_back(read_entry(path));
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
