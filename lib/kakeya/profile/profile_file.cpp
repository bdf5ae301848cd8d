// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/profile_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/profile/key_bias.h"
#include "kakeya/profile/profile_sections.h"

namespace kakeya {
namespace {

constexpr char kMagic[4] = {'K', 'K', 'V', 'P'};
constexpr std::size_t kFileBytesAt = 8, kPrefixBytes = 16, kChecksumBytes = 4;

std::string number(std::uint64_t value) { return std::to_string(value); }

// Calls visit(number in files, null of the kind) for every kind of profile.
template <typename Visit>
void for_each_kind(const Visit& visit) {
  visit(std::uint16_t{0}, static_cast<const Profile*>(nullptr));
  visit(std::uint16_t{1}, static_cast<const KvtcProfile*>(nullptr));
  visit(std::uint16_t{2}, static_cast<const KeyBias*>(nullptr));
}

template <typename Kept>
std::vector<std::byte> to_bytes(const Kept& profile) {
  ProfileOut out;
  std::uint16_t kind = 0;
  for_each_kind([&](std::uint16_t each, const auto* of) {
    if (std::is_same_v<decltype(of), const Kept*>) kind = each;
  });
  for (const char letter : kMagic) out.fields().put(letter);
  out.fields().put(profile.token_windows.empty() ? std::uint16_t{1} : kProfileFileVersion);
  out.fields().put(kind);
  out.fields().put(std::uint64_t{0});  // bytes of the file: below
  visit_sections(out, profile);
  out.array(profile.token_windows, profile.token_windows.size());
  out.fields().put_at(kFileBytesAt, std::uint64_t{out.fields().size() + kChecksumBytes});
  out.fields().put(crc32c(out.fields().bytes()));
  return out.fields().take();
}

// Everything between the prefix and the checksum, which fits. Throws CorruptStream.
std::span<const std::byte> checked_sections(std::span<const std::byte> file, std::uint16_t& version,
                                            std::uint16_t& kind) {
  const auto refuse = [](const std::string& what) {
    throw CorruptStream(std::string(kProfileFile) + ": " + what);
  };
  if (file.size() < sizeof kMagic || std::memcmp(file.data(), kMagic, sizeof kMagic) != 0) {
    refuse("does not begin with \"KKVP\": not a flat profile");
  }
  if (file.size() < kPrefixBytes + kChecksumBytes) {
    refuse(number(file.size()) + " bytes are too few for one");
  }
  FieldReader reader(file.subspan(sizeof kMagic), kProfileFile);
  version = reader.get<std::uint16_t>();
  kind = reader.get<std::uint16_t>();
  const auto bytes = reader.get<std::uint64_t>();
  if (version < 1 || version > kProfileFileVersion) {
    refuse("format version " + number(version) + ": this build reads 1 to " +
           number(kProfileFileVersion));
  }
  if (bytes != file.size()) {
    refuse("says it has " + number(bytes) + " bytes, but there are " + number(file.size()));
  }
  const auto body = file.first(file.size() - kChecksumBytes);
  if (FieldReader(file.subspan(body.size()), kProfileFile).get<std::uint32_t>() != crc32c(body)) {
    refuse("its checksum does not match: damaged");
  }
  return body.subspan(kPrefixBytes);
}

template <typename Kept>
std::shared_ptr<const Kept> read_sections(std::span<const std::byte> sections, bool windows) {
  ProfileIn in(sections);
  auto profile = std::make_shared<Kept>();
  try {
    visit_sections(in, *profile);
    if (windows) in.array(profile->token_windows, profile->window_count());
  } catch (const InputError& error) {  // parts that do not fit one another
    throw CorruptStream(error.what());
  }
  if (in.fields().left() != 0) {
    throw CorruptStream(std::string(kProfileFile) + ": " + number(in.fields().left()) +
                        " bytes after its end");
  }
  return profile;
}

}  // namespace

template <typename Kind>
std::vector<std::byte> flat_profile(const Kind& profile) {
  return to_bytes(profile);
}

template <typename Kind>
void save_profile(const std::string& path, const Kind& profile) {
  const std::vector<std::byte> bytes = to_bytes(profile);
  write_file(path, bytes.data(), bytes.size());
}

template std::vector<std::byte> flat_profile(const Profile&);
template std::vector<std::byte> flat_profile(const KvtcProfile&);
template std::vector<std::byte> flat_profile(const KeyBias&);
template void save_profile(const std::string&, const Profile&);
template void save_profile(const std::string&, const KvtcProfile&);
template void save_profile(const std::string&, const KeyBias&);

StoredProfile parse_profile(std::span<const std::byte> file) {
  std::uint16_t version = 0, kind = 0;
  const auto sections = checked_sections(file, version, kind);
  StoredProfile stored;
  for_each_kind([&](std::uint16_t each, const auto* of) {
    using Kept = std::remove_cvref_t<decltype(*of)>;
    if (each == kind) stored = {"", Kept::kKind, read_sections<Kept>(sections, version > 1)};
  });
  if (!stored.profile) {
    throw CorruptStream(std::string(kProfileFile) + ": kind " + number(kind) +
                        ": not one that this build reads");
  }
  return stored;
}

StoredProfile load_profile(const std::string& path) {
  if (!is_flat_profile(path)) {  // before the rest of it is read, which may have no end
    throw CorruptStream(path +
                        ": does not begin with \"KKVP\": not a flat profile (.kkp), which "
                        "kakeya-calibrate convert makes of an HDF5 file");
  }
  try {
    StoredProfile stored = parse_profile(read_file(path));
    stored.path = path;
    return stored;
  } catch (const CorruptStream& error) {
    throw CorruptStream(path + ": " + error.what());
  }
}

bool is_flat_profile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  char letters[sizeof kMagic];
  if (!file) throw IoError(path + ": " + std::strerror(errno));
  const std::size_t got = std::fread(letters, 1, sizeof letters, file.get());
  if (std::ferror(file.get()) != 0) throw IoError(path + ": " + std::strerror(errno));
  return got == sizeof letters && std::equal(std::begin(kMagic), std::end(kMagic), letters);
}

}  // namespace kakeya
