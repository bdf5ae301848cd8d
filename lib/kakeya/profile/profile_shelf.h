// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kakeya/profile/profile_file.h"
#include "kakeya/profile/profile_source.h"

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

  /// A file is read when it is asked for first. Throws InputError naming the profiles there are.
  std::shared_ptr<const ProfileHead> find(std::string_view kind,
                                          std::string_view name) const override;
  using ProfileSource::find;

  /// Throws InputError, naming the file, unless every profile there is was made of this model, with
  /// keys seen at `tap`.
  void require_model(const Source& model, TapPoint tap) const;

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::string describe_entries() const;  // for messages

  Read read_;
  mutable std::vector<Entry> entries_;  // find() adds what it reads
};

}  // namespace kakeya
