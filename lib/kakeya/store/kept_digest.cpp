// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/kept_digest.h"

#include <algorithm>

#include "kakeya/core/error.h"
#include "kakeya/profile/plain_inverse.h"

namespace kakeya {
namespace {

constexpr std::size_t kChecksumBytes = 4;

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
