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

  /// A file is read when it is asked for first. Throws InputError naming the profiles there are.
  std::shared_ptr<const ProfileHead> find(std::string_view kind,
                                          std::string_view name) const override;
  using ProfileSource::find;

  /// Throws InputError, naming the file, unless every profile there is was made of this model, with
  /// keys seen at `tap`.
  void require_model(const Source& model, TapPoint tap) const;

  struct Entry {
    std::string path;
    std::string_view kind;  ///< kKind of what `profile` points to
    std::shared_ptr<const ProfileHead> profile;

    /// As what it is; null where it is of another kind.
    template <typename Kind>
    std::shared_ptr<const Kind> as() const {
      return kind == Kind::kKind ? std::static_pointer_cast<const Kind>(profile) : nullptr;
    }
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::string describe_entries() const;  // for messages

  mutable std::vector<Entry> entries_;  // find() adds what it reads
};

}  // namespace kakeya
