// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/profile/profile.h"

namespace kakeya {

/// Writes a profile as an HDF5 file, which appears when it is whole:
///
///   /                     attributes: format, schema, model_name, model_sha256, text_name, ...
///   /sensitivity          [parts] float64
///   /variant<i>           attributes weight, center
///   /variant<i>/mean      [parts, KV heads, dim] float32
///   /variant<i>/forward   [parts, KV heads, dim, dim] binary16
///   /variant<i>/classes   [parts, KV heads, dim] uint8
///   /layers/octaves                    [parts] float64
///   /layers/order<o>/<l>/predictor     [o * n, n] binary16, from o = 1 on; n = 2 KV heads * dim
///   /layers/order<o>/<l>/rotation      [n, n] binary16
///   /layers/order<o>/<l>/classes       [rates, n] uint8
///
/// parts are keys, values of layer 0, keys, values of layer 1, ... Inverses are not stored; /layers
/// only where they were made. Throws InputError (check_profile), IoError.
void write_profile(const std::string& path, const Profile& profile);

/// Reads one, its digest set. Throws IoError, CorruptStream, or InputError from check_profile().
Profile read_profile(const std::string& path);

/// The profiles that a program has been given.
class ProfileShelf final : public ProfileSource {
 public:
  /// Reads the file `path`; the first one is what an empty name means. Throws as read_profile().
  void add(const std::string& path);

  /// A file is read when it is asked for first. Throws InputError naming the profiles there are.
  std::shared_ptr<const Profile> find(std::string_view name) const override;

  /// Throws InputError, naming the file, unless every profile there is was made of this model, with
  /// keys seen at `tap`.
  void require_model(const std::string& name, const std::string& sha256,
                     const std::string& tap) const;

  struct Entry {
    std::string path;
    std::shared_ptr<const Profile> profile;
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  mutable std::vector<Entry> entries_;  // find() adds what it reads
};

}  // namespace kakeya
