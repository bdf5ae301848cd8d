// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/handles.h"

namespace kakeya::c {

std::shared_ptr<const ProfileHead> SharedShelf::find(std::string_view kind,
                                                     std::string_view name) const {
  const std::lock_guard lock(mutex_);
  return shelf_.find(kind, name);
}

void SharedShelf::add(StoredProfile profile) {
  const std::lock_guard lock(mutex_);
  shelf_.add(std::move(profile));
}

std::size_t SharedShelf::size() const {
  const std::lock_guard lock(mutex_);
  return shelf_.entries().size();
}

StoredProfile SharedShelf::at(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  if (index >= shelf_.entries().size()) {
    throw InputError("profile " + std::to_string(index) + " asked for, there are " +
                     std::to_string(shelf_.entries().size()));
  }
  return shelf_.entries()[index];
}

std::shared_ptr<const SharedShelf> shelf_of(const kakeya_profiles* profiles) {
  return profiles == nullptr ? nullptr : profiles->shelf;
}

}  // namespace kakeya::c

using namespace kakeya;
using c::guarded;

kakeya_status kakeya_profiles_create(kakeya_profiles** out) {
  return guarded([&] {
    c::require(out, "out");
    *out = new kakeya_profiles{std::make_shared<c::SharedShelf>()};
  });
}

void kakeya_profiles_free(kakeya_profiles* profiles) { delete profiles; }

kakeya_status kakeya_profiles_add_file(kakeya_profiles* profiles, const char* path) {
  return guarded([&] {
    c::require(profiles, "profiles");
    c::require(path, "path");
    profiles->shelf->add(load_profile(path));
  });
}

kakeya_status kakeya_profiles_add_memory(kakeya_profiles* profiles, const void* bytes,
                                         size_t size) {
  return guarded([&] {
    c::require(profiles, "profiles");
    profiles->shelf->add(parse_profile(c::bytes_of(bytes, size, "bytes")));
  });
}

size_t kakeya_profiles_count(const kakeya_profiles* profiles) {
  return profiles == nullptr ? 0 : profiles->shelf->size();
}

kakeya_status kakeya_profiles_get(const kakeya_profiles* profiles, size_t index,
                                  kakeya_profile_info* info) {
  return guarded([&] {
    c::require(profiles, "profiles");
    const StoredProfile stored = profiles->shelf->at(index);
    const ProfileHead& head = *stored.profile;  // the shelf keeps it
    kakeya_profile_info told = {};
    told.kind = stored.kind.data();  // a literal, which ends in a zero
    told.digest = head.digest.c_str();
    told.model = head.origin.model.name.c_str();
    told.layers = head.shape.layers;
    told.kv_heads = head.shape.kv_heads;
    told.head_dim = head.shape.head_dim;
    told.tap = head.tap == TapPoint::pre_rope ? KAKEYA_PRE_ROPE : KAKEYA_POST_ROPE;
    c::give_struct(told, info, "info");
  });
}
