// SPDX-License-Identifier: Apache-2.0
#include "fuzz/profile_target.h"

#include <cstring>
#include <vector>

#include "fuzz/accepting.h"
#include "kakeya/bitstream/crc32c.h"
#include "kakeya/profile/profile_file.h"
#include "support/made_int8.h"
#include "support/made_kvtc.h"
#include "support/made_profile.h"

namespace kakeya::fuzz {
namespace {

void mend_profile(std::vector<std::byte>& file) {
  constexpr char kMagic[] = {'K', 'K', 'V', 'P'};
  constexpr std::size_t kLengthAt = 8, kPrefix = 16, kChecksum = 4;
  if (file.size() < kPrefix + kChecksum || file.front() != std::byte{'K'}) return;
  std::uint16_t version = 0;
  std::memcpy(&version, file.data() + sizeof kMagic, sizeof version);
  if (version != kProfileFileVersion) version = 1;
  const std::uint64_t length = file.size();
  std::memcpy(file.data(), kMagic, sizeof kMagic);
  std::memcpy(file.data() + sizeof kMagic, &version, sizeof version);
  std::memcpy(file.data() + kLengthAt, &length, sizeof length);
  const std::uint32_t checksum = crc32c(std::span(file).first(file.size() - kChecksum));
  std::memcpy(file.data() + file.size() - kChecksum, &checksum, sizeof checksum);
}

std::vector<std::byte> written(const StoredProfile& stored) {
  const auto klt = stored.as<Profile>();
  if (klt) return flat_profile(*klt);
  const auto biases = stored.as<KeyBias>();
  return biases ? flat_profile(*biases) : flat_profile(*stored.as<KvtcProfile>());
}

}  // namespace

// A profile that was read can be written, and what was written is read as the same.
bool run_profile(Input input) {
  const auto bytes = std::as_bytes(input);
  std::vector<std::byte> file(bytes.begin(), bytes.end());
  mend_profile(file);
  StoredProfile stored;
  if (!accepts([&] { stored = parse_profile(file); }, profile_memory_limit(file.size()))) {
    return false;
  }
  const auto once = written(stored);
  require(written(parse_profile(once)) == once, "a profile that was read does not survive writing");
  return true;
}

Inputs profile_seeds() {
  Inputs seeds;
  const auto add = [&](const auto& profile) {
    const auto file = flat_profile(profile);
    const auto* first = reinterpret_cast<const std::uint8_t*>(file.data());
    seeds.emplace_back(first, first + file.size());
  };
  for (const int layers : {1, 2}) {
    Profile profile = test::made_profile(8, layers, 1);
    add(profile);
    test::round_matrices(profile);
    add(profile);
    profile.layer_transforms.clear();
    profile.layer_octaves.clear();
    add(profile);
    profile.token_windows.assign(profile.window_count(), 7);
    add(profile);
    add(test::made_kvtc_profile(8, layers, 1));
  }
  add(test::made_key_bias(8, 2, 1));
  return seeds;
}

}  // namespace kakeya::fuzz
