// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/profile_files.h"

#include <filesystem>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/profile/key_bias.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/h5.h"
#include "kakeya/store/kept_digest.h"
#include "kakeya/store/kvtc_profile_store.h"
#include "kakeya/store/profile_store.h"

namespace kakeya {
namespace {

// One name for the writers of all kinds.
void write_h5(const std::string& path, const Profile& profile, Digest digest) {
  write_profile(path, profile, digest);
}
void write_h5(const std::string& path, const KvtcProfile& profile, Digest digest) {
  write_kvtc_profile(path, profile, digest);
}
void write_h5(const std::string& path, const KeyBias&, Digest) {
  throw InputError(path +
                   ": biases of keys are kept in a flat file alone: expected a name in .kkp");
}

struct ScratchFile {
  std::string path;
  ~ScratchFile() { remove_folder(path); }
};

// As a profile that says its digest: that of the file that it would have been without, which never has
// its name: who read it would find no windows of tokens in it.
template <typename Kept>
void write_named(const std::string& path, Kept profile) {
  const ScratchFile plain{path + ".plain"};
  write_h5(plain.path, profile, Digest::of_file);
  profile.digest = sha256_path(plain.path);
  write_h5(path, profile, Digest::kept);
}

template <typename Kept>
void write_same(const std::string& path, const Kept& profile) {
  if (names_flat_profile(path)) return save_profile(path, profile);
  if (profile.token_windows.empty()) {
    write_h5(path, profile, Digest::of_file);
    if (sha256_path(path) == profile.digest) return;
  }
  write_h5(path, profile, Digest::kept);
}

}  // namespace

StoredProfile read_profile_file(const std::string& path) {
  if (is_flat_profile(path)) return load_profile(path);
  if (h5::File::open(path).text("/", "format") == kKvtcProfileFormat) {
    return {path, KvtcProfile::kKind, std::make_shared<const KvtcProfile>(read_kvtc_profile(path))};
  }
  return {path, Profile::kKind, std::make_shared<const Profile>(read_profile(path))};
}

ProfileShelf shelf_of(const std::vector<std::string>& files) {
  ProfileShelf shelf(read_profile_file);
  for (const std::string& file : files) shelf.add(file);
  return shelf;
}

bool names_flat_profile(const std::string& path) { return path.ends_with(".kkp"); }

template <typename Kind>
void write_profile_file(const std::string& path, const Kind& profile, ProfileFormat format) {
  if (format == ProfileFormat::hdf5) {
    if (!profile.token_windows.empty()) return write_named(path, profile);
    return write_h5(path, profile, Digest::of_file);
  }
  Kind named = profile;
  named.digest = content_digest(profile);
  save_profile(path, named);
}

template void write_profile_file(const std::string&, const Profile&, ProfileFormat);
template void write_profile_file(const std::string&, const KvtcProfile&, ProfileFormat);
template void write_profile_file(const std::string&, const KeyBias&, ProfileFormat);

void convert_profile(const std::string& from, const std::string& to) {
  const StoredProfile stored = read_profile_file(from);
  if (const auto klt = stored.as<Profile>()) return write_same(to, *klt);
  if (const auto biases = stored.as<KeyBias>()) return write_same(to, *biases);
  write_same(to, *stored.as<KvtcProfile>());
}

std::string flat_name_beside(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".kkp").string();
}

void write_beside(const std::string& path) {
  if (!names_flat_profile(path)) convert_profile(path, flat_name_beside(path));
}

}  // namespace kakeya
