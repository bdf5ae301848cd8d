// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/kept_digest.h"

#include <algorithm>

#include "kakeya/core/error.h"
#include "kakeya/profile/plain_inverse.h"
#include "kakeya/profile/token_windows.h"

namespace kakeya {
namespace {

constexpr std::size_t kChecksumBytes = 4;
constexpr char kWindow[] = "token_window", kWindows[] = "/token_windows";

bool is_digest(const std::string& text) {
  return text.size() == kDigestDigits && std::all_of(text.begin(), text.end(), [](char digit) {
           return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
         });
}

}  // namespace

void forget_inverses(Profile& profile) {
  for (PartProfile& part : profile.parts) {
    for (auto& heads : part.heads) {
      for (SiteTransform& site : heads) {
        site.backward = plain_inverse(site.forward, site.mean.size());
      }
    }
  }
}

std::string flat_digest(std::span<const std::byte> file) {
  return sha256(file.first(file.size() - kChecksumBytes));
}

void write_windows(h5::File& file, const ProfileHead& profile) {
  if (profile.token_windows.empty()) return;
  const std::uint64_t count = profile.token_windows.size();
  file.set_integer("/", kWindow, kTokenWindow);
  file.write(kWindows, h5::Scalar::uint64, {&count, 1}, profile.token_windows.data());
}

void read_windows(const h5::File& file, const std::string& path, ProfileHead& profile) {
  if (!file.has("/", kWindow)) return;
  if (const std::int64_t tokens = file.integer("/", kWindow); tokens != kTokenWindow) {
    throw CorruptStream(path + ": token_window " + std::to_string(tokens) + ", expected " +
                        std::to_string(kTokenWindow));
  }
  const std::uint64_t count = profile.window_count();
  file.check(kWindows, h5::Scalar::uint64, {&count, 1});  // before memory is asked for
  profile.token_windows.resize(count);
  file.read(kWindows, h5::Scalar::uint64, {&count, 1}, profile.token_windows.data());
}

std::string kept_digest(const h5::File& file, const std::string& path, const std::string& content) {
  std::string digest = file.text("/", "digest");
  if (!is_digest(digest)) {
    throw CorruptStream(path + ": attribute digest: '" + digest +
                        "', expected 64 lower-case hexadecimal digits");
  }
  if (file.text("/", "content_sha256") != content) {
    throw CorruptStream(path + ": not what was converted from profile " + digest.substr(0, 16) +
                        ": changed since");
  }
  return digest;
}

}  // namespace kakeya
