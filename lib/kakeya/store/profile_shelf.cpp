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
  ProfileShelf::Entry entry;
  entry.path = path;
  if (h5::File::open(path).text("/", "format") == kKvtcProfileFormat) {
    entry.kvtc = std::make_shared<const KvtcProfile>(read_kvtc_profile(path));
    entry.head = entry.kvtc;
  } else {
    entry.profile = std::make_shared<const Profile>(read_profile(path));
    entry.head = entry.profile;
  }
  return entry;
}

}  // namespace

void ProfileShelf::add(const std::string& path) { entries_.push_back(read_entry(path)); }

template <typename Kind>
std::shared_ptr<const Kind> ProfileShelf::find_kind(std::string_view name,
                                                    std::shared_ptr<const Kind> Entry::*member,
                                                    const char* kind) const {
  for (const Entry& entry : entries_) {
    const bool named = name.empty() ? entry.*member != nullptr
                                    : entry.path == name || (name.size() >= 8 &&
                                                             entry.head->digest.starts_with(name));
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
      known += (known.empty() ? "" : ", ") + entry.path + " (" + entry.head->short_digest() + ")";
    }
    throw InputError("profile=" + path + ": no such file" +
                     (known.empty() ? "" : ", nor one of " + known));
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

void ProfileShelf::require_model(const Source& model, TapPoint tap) const {
  for (const Entry& entry : entries_) {
    const Source& of = entry.head->origin.model;
    if (of.sha256 != model.sha256) {
      throw InputError(entry.path + ": a profile of " + of.name + " (sha256 " +
                       of.sha256.substr(0, 12) + "), expected one of " + model.name + " (sha256 " +
                       model.sha256.substr(0, 12) + ")");
    }
    if (entry.head->tap != tap) {
      throw InputError(entry.path + ": calibrated " + std::string(tap_name(entry.head->tap)) +
                       ", expected one of " + std::string(tap_name(tap)) + " keys");
    }
  }
}

}  // namespace kakeya
