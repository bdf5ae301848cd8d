// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/kept_digest.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "kakeya/core/error.h"
#include "kakeya/profile/plain_inverse.h"
#include "kakeya/profile/profile_file.h"
#include "kakeya/store/digest.h"

namespace kakeya {
namespace {

constexpr std::size_t kDigits = 64, kChecksumBytes = 4;

void forget_inverses(Profile& profile) {
  for (PartProfile& part : profile.parts) {
    for (auto& heads : part.heads) {
      for (SiteTransform& site : heads) {
        site.backward = plain_inverse(site.forward, site.mean.size());
      }
    }
  }
}
void forget_inverses(KvtcProfile&) {}  // it has none

template <typename Kept>
std::string digest_of_content(Kept profile) {
  profile.digest.assign(kDigits, '0');
  forget_inverses(profile);
  const auto bytes = flat_profile(profile);
  return sha256(std::span(bytes).first(bytes.size() - kChecksumBytes));
}

bool is_digest(const std::string& text) {
  return text.size() == kDigits && std::all_of(text.begin(), text.end(), [](char digit) {
           return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
         });
}

}  // namespace

std::string content_digest(const Profile& profile) { return digest_of_content(profile); }
std::string content_digest(const KvtcProfile& profile) { return digest_of_content(profile); }

template <typename Kept>
std::string digest_of(const h5::File& file, const std::string& path, const Kept& profile) {
  if (!file.has("/", "digest")) return sha256_path(path);
  std::string digest = file.text("/", "digest");
  if (!is_digest(digest)) {
    throw CorruptStream(path + ": attribute digest: '" + digest +
                        "', expected 64 lower-case hexadecimal digits");
  }
  if (file.text("/", "content_sha256") != content_digest(profile)) {
    throw CorruptStream(path + ": not what was converted from profile " + digest.substr(0, 16) +
                        ": changed since");
  }
  return digest;
}

template std::string digest_of(const h5::File&, const std::string&, const Profile&);
template std::string digest_of(const h5::File&, const std::string&, const KvtcProfile&);

}  // namespace kakeya
