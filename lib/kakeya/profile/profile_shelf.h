// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kakeya/profile/profile.h"
#include "kakeya/profile/profile_file.h"

namespace kakeya {

/// The profiles that a program has been given, of either kind.
class ProfileShelf final : public ProfileSource {
 public:
  using Entry = StoredProfile;
  using Read = Entry (*)(const std::string& path);

  /// `read` reads the file of a profile: by itself, flat ones; read_profile_file() of room store
  /// reads HDF5 files too.
  explicit ProfileShelf(Read read = load_profile) : read_(read) {}

  /// Reads the file `path`; the first one of a kind is what an empty name means. Throws as `read`.
  void add(const std::string& path);

  /// Puts a profile there that has been read.
  void add(Entry entry) { entries_.push_back(std::move(entry)); }

  /// A file is read when it is asked for first. Throw InputError naming the profiles there are.
  std::shared_ptr<const Profile> find(std::string_view name) const override;
  std::shared_ptr<const KvtcProfile> find_kvtc(std::string_view name) const override;

  /// Throws InputError, naming the file, unless every profile there is was made of this model, with
  /// keys seen at `tap`.
  void require_model(const std::string& name, const std::string& sha256,
                     const std::string& tap) const;

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  template <typename Kind>
  std::shared_ptr<const Kind> find_kind(std::string_view name,
                                        std::shared_ptr<const Kind> Entry::*member,
                                        const char* kind) const;

  Read read_;
  mutable std::vector<Entry> entries_;  // find() adds what it reads
};

}  // namespace kakeya
