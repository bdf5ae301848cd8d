// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/profile/profile.h"

namespace kakeya {

/// The profiles that a program has been given, of either kind.
class ProfileShelf final : public ProfileSource {
 public:
  /// Reads the file `path`, whose attribute "format" says which kind it is; the first one of a kind
  /// is what an empty name means. Throws as read_profile() and read_kvtc_profile().
  void add(const std::string& path);

  /// A file is read when it is asked for first. Throw InputError naming the profiles there are.
  std::shared_ptr<const Profile> find(std::string_view name) const override;
  std::shared_ptr<const KvtcProfile> find_kvtc(std::string_view name) const override;

  /// Throws InputError, naming the file, unless every profile there is was made of this model, with
  /// keys seen at `tap`.
  void require_model(const Source& model, TapPoint tap) const;

  /// One of the two is not null, and `head` is its.
  struct Entry {
    std::string path;
    std::shared_ptr<const ProfileHead> head;
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const KvtcProfile> kvtc;
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  template <typename Kind>
  std::shared_ptr<const Kind> find_kind(std::string_view name,
                                        std::shared_ptr<const Kind> Entry::*member,
                                        const char* kind) const;

  mutable std::vector<Entry> entries_;  // find() adds what it reads
};

}  // namespace kakeya
