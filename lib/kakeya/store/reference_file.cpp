// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/reference_file.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/digest.h"

namespace kakeya {
namespace {

// Magic, number of logits, number of cached values, these, SHA-256 of all before it as 64 digits.
constexpr std::string_view kMagic = "KKREF 1\n";
constexpr std::size_t kHead = kMagic.size() + 2 * sizeof(std::uint64_t), kDigest = 64;

}  // namespace

void write_reference(const std::string& path, const StoredReference& reference) {
  const std::array<std::uint64_t, 2> counts = {reference.logits.size(), reference.cache.size()};
  const std::size_t logits = sizeof(float) * reference.logits.size(),
                    cache = sizeof(std::uint16_t) * reference.cache.size();
  std::vector<std::byte> bytes(kHead + logits + cache + kDigest);
  std::byte* at = bytes.data();
  const auto put = [&](const void* data, std::size_t length) {
    if (length > 0) std::memcpy(at, data, length);
    at += length;
  };
  put(kMagic.data(), kMagic.size());
  put(counts.data(), sizeof counts);
  put(reference.logits.data(), logits);
  put(reference.cache.data(), cache);
  const std::string digest = sha256(std::span(bytes).first(bytes.size() - kDigest));
  put(digest.data(), kDigest);
  write_file(path, bytes.data(), bytes.size());
}

StoredReference read_reference(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  const auto damaged = [&](const std::string& why) {
    return CorruptStream(path + ": " + why + ": expected the reference pass of a passage");
  };
  if (bytes.size() < kHead + kDigest ||
      std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
    throw damaged("no such file, or of another version");
  std::array<std::uint64_t, 2> counts{};
  std::memcpy(counts.data(), bytes.data() + kMagic.size(), sizeof counts);
  const std::size_t body = bytes.size() - kHead - kDigest;
  if (counts[0] > body / sizeof(float) ||
      counts[1] != (body - sizeof(float) * counts[0]) / sizeof(std::uint16_t) ||
      body != sizeof(float) * counts[0] + sizeof(std::uint16_t) * counts[1]) {
    throw damaged(std::to_string(bytes.size()) + " bytes, but it counts " +
                  std::to_string(counts[0]) + " logits and " + std::to_string(counts[1]) +
                  " values");
  }
  const std::string digest = sha256(std::span(bytes).first(bytes.size() - kDigest));
  if (std::memcmp(digest.data(), bytes.data() + bytes.size() - kDigest, kDigest) != 0)
    throw damaged("its bytes are not those of its digest");
  StoredReference reference;
  reference.logits.resize(counts[0]);
  reference.cache.resize(counts[1]);
  const std::byte* const from = bytes.data() + kHead;
  if (counts[0] > 0) std::memcpy(reference.logits.data(), from, sizeof(float) * counts[0]);
  if (counts[1] > 0) {
    std::memcpy(reference.cache.data(), from + sizeof(float) * counts[0],
                sizeof(std::uint16_t) * counts[1]);
  }
  return reference;
}

}  // namespace kakeya
