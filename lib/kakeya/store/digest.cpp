// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    require(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }

  void add(const void* data, std::size_t length) {
    require(EVP_DigestUpdate(context_.get(), data, length) == 1);
  }

  std::string hex() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    require(EVP_DigestFinal_ex(context_.get(), digest, &length) == 1);
    std::string text;
    for (unsigned int i = 0; i < length; ++i) {
      text += "0123456789abcdef"[digest[i] >> 4];
      text += "0123456789abcdef"[digest[i] & 15];
    }
    return text;
  }

 private:
  static void require(bool worked) {
    if (!worked) throw IoError("SHA-256: libcrypto refused the operation");
  }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

std::string sha256_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (!file) throw IoError(path + ": " + std::strerror(errno));
  Sha256 digest;
  std::vector<unsigned char> block(std::size_t{1} << 20);
  while (const std::size_t length = std::fread(block.data(), 1, block.size(), file.get())) {
    digest.add(block.data(), length);
  }
  if (std::ferror(file.get())) throw IoError(path + ": " + std::strerror(errno));
  return digest.hex();
}

}  // namespace

std::string sha256(std::span<const std::byte> bytes) {
  Sha256 digest;
  digest.add(bytes.data(), bytes.size());
  return digest.hex();
}

std::string sha256_path(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) return sha256_file(path);
  std::vector<std::string> names;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_regular_file(error)) names.push_back(entry->path().filename().string());
  }
  if (error) throw IoError(path + ": " + error.message());
  std::sort(names.begin(), names.end());
  Sha256 digest;
  for (const std::string& name : names) {
    const std::string line = name + " " + sha256_file((fs::path(path) / name).string()) + "\n";
    digest.add(line.data(), line.size());
  }
  return digest.hex();
}

std::string last_part(const std::string& path) {
  const auto whole = std::filesystem::absolute(path).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

Source source_of(const std::string& path) { return {last_part(path), sha256_path(path)}; }

}  // namespace kakeya
