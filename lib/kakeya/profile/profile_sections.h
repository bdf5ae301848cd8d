// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/fields.h"
#include "kakeya/profile/kvtc_profile.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

// What a flat profile (profile_file.h) holds between its prefix and its checksum. One list of
// fields serves both ways: visit_sections() goes through it with a ProfileOut or a ProfileIn.

inline constexpr char kProfileFile[] = "profile file";

/// Writes what it is shown.
class ProfileOut {
 public:
  static constexpr bool kReads = false;
  FieldWriter& fields() { return fields_; }

  template <typename Stored, typename Value>
  void field(const Value& value, const char* what) {
    if (!std::in_range<Stored>(value)) {
      throw InputError(std::string(kProfileFile) + ": " + what + " " + std::to_string(value) +
                       ": expected 0 to " + std::to_string(std::numeric_limits<Stored>::max()));
    }
    fields_.put(static_cast<Stored>(value));
  }
  void real(double value) { fields_.put(value); }
  void text(const std::string& value) { fields_.put_text(value); }
  void bytes(const void* data, std::size_t count) {
    fields_.append({static_cast<const std::byte*>(data), count});
  }
  template <typename Value>
  void array(const std::vector<Value>& values, std::uint64_t count) {
    if (values.size() != count) {
      throw InputError(std::string(kProfileFile) + ": an array of " +
                       std::to_string(values.size()) + " values, expected " +
                       std::to_string(count));
    }
    bytes(values.data(), values.size() * sizeof(Value));
  }

 private:
  FieldWriter fields_{kProfileFile};
};

/// Reads into what it is shown. Throws CorruptStream where the bytes end; takes memory for an array
/// after it has seen that they do not.
class ProfileIn {
 public:
  static constexpr bool kReads = true;
  explicit ProfileIn(std::span<const std::byte> bytes) : fields_(bytes, kProfileFile) {}
  FieldReader& fields() { return fields_; }

  template <typename Stored, typename Value>
  void field(Value& value, const char* what) {
    const auto stored = fields_.get<Stored>();
    if (!std::in_range<Value>(stored)) {
      throw CorruptStream(std::string(kProfileFile) + ": " + what + " " + std::to_string(stored));
    }
    value = static_cast<Value>(stored);
  }
  /// Throws CorruptStream where fewer than `count` values of `bytes` each are left.
  void require(std::uint64_t count, std::size_t bytes) const {
    if (count <= fields_.left() / bytes) return;
    throw CorruptStream(std::string(kProfileFile) + ": ends within an array");
  }
  void real(double& value) { value = fields_.get<double>(); }
  void text(std::string& value) { value = fields_.get_text(); }
  void bytes(void* data, std::size_t count) {
    const auto taken = fields_.take(count);
    if (count > 0) std::memcpy(data, taken.data(), count);
  }
  template <typename Value>
  void array(std::vector<Value>& values, std::uint64_t count) {
    require(count, sizeof(Value));
    values.resize(count);
    bytes(values.data(), count * sizeof(Value));
  }

 private:
  FieldReader fields_;
};

/// What every kind begins with.
void visit_head(ProfileOut& out, const ProfileHead& head);
void visit_head(ProfileIn& in, ProfileHead& head);

/// Of each kind, those of later ones declared in their headers. Writing throws InputError on a profile whose parts do not fit one another or do not fit their
/// fields. Reading throws CorruptStream, and InputError on parts that do not fit one another.
void visit_sections(ProfileOut& out, const Profile& profile);
void visit_sections(ProfileIn& in, Profile& profile);
void visit_sections(ProfileOut& out, const KvtcProfile& profile);
void visit_sections(ProfileIn& in, KvtcProfile& profile);

}  // namespace kakeya
