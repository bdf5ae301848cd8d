// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "kakeya/profile/profile_origin.h"

namespace kakeya {

/// Where codecs find profiles. A kind of profile is a struct that derives from ProfileHead and
/// has a name, kKind: the one that descriptors of codecs give (CodecDescriptor::profile).
class ProfileSource {
 public:
  virtual ~ProfileSource() = default;

  /// The profile of this kind called `name`: a file, or the first digits of a digest; empty: the one
  /// that is used when none is named. What is returned is the struct whose kKind is `kind`. Throws
  /// InputError or IoError when there is none.
  virtual std::shared_ptr<const ProfileHead> find(std::string_view kind,
                                                  std::string_view name) const = 0;

  /// As above, as what it is.
  template <typename Kind>
  std::shared_ptr<const Kind> find(std::string_view name) const {
    return std::static_pointer_cast<const Kind>(find(Kind::kKind, name));
  }
};

}  // namespace kakeya
