// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace kakeya {

/// A metadata value of a GGUF file: scalars widened, arrays by element kind.
using GgufValue =
    std::variant<bool, std::int64_t, std::uint64_t, double, std::string, std::vector<bool>,
                 std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;

/// One tensor of the table: dims as stored in the file (innermost first).
struct GgufTensor {
  std::string name;
  std::vector<std::uint64_t> dims;
  std::uint32_t type = 0;  ///< ggml type number
  std::span<const std::byte> bytes;
};

/// A GGUF container (versions 2 and 3, little-endian), memory-mapped. Every length in the file is
/// checked against the file before it is used.
/// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
class GgufFile {
 public:
  /// Throws IoError (cannot be read) or CorruptStream (truncated, or not GGUF; the message names
  /// the offset and field; so are tensors outside the file, overlapping, or of a ggml type number
  /// that is not known here). A file without tensors (vocabulary only) is fine.
  explicit GgufFile(const std::string& path);
  ~GgufFile();
  GgufFile(GgufFile&&) noexcept;
  GgufFile& operator=(GgufFile&&) noexcept;

  const std::string& path() const;
  const std::map<std::string, GgufValue>& metadata() const;
  const std::vector<GgufTensor>& tensors() const;

  /// Null where the key is absent.
  const GgufValue* find(const std::string& key) const;

  /// The value of `key`; throws InputError naming the key and the type expected when absent or of
  /// another kind. An integer key may be stored in any integer type; a float key may be stored as
  /// an integer.
  std::int64_t integer(const std::string& key) const;
  double real(const std::string& key) const;
  const std::string& text(const std::string& key) const;
  const std::vector<std::string>& texts(const std::string& key) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kakeya
