// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace kakeya::testing {

/// Builds a GGUF file field by field, right or wrong. Value types: 0 u8 .. 12 f64, as in the
/// format.
class GgufWriter {
 public:
  explicit GgufWriter(std::uint32_t version = 3) : version_(version) {}

  GgufWriter& text(const std::string& key, const std::string& value) {
    begin(key, 8);
    entries_ += text_bytes(value);
    return *this;
  }
  GgufWriter& truth(const std::string& key, bool value) {
    return number<std::uint8_t>(key, 7, value);
  }
  GgufWriter& integer(const std::string& key, std::uint32_t value) { return number(key, 4, value); }
  GgufWriter& real(const std::string& key, float value) { return number(key, 6, value); }
  /// A scalar of any type: `type` is the format's number for T.
  template <typename T>
  GgufWriter& number(const std::string& key, std::uint32_t type, T value) {
    begin(key, type);
    entries_ += bytes(value);
    return *this;
  }
  GgufWriter& texts(const std::string& key, const std::vector<std::string>& values) {
    begin(key, 9);
    entries_ += bytes(std::uint32_t{8}) + bytes(std::uint64_t{values.size()});
    for (const auto& value : values) entries_ += text_bytes(value);
    return *this;
  }
  /// An array of any scalar type.
  template <typename T>
  GgufWriter& numbers(const std::string& key, std::uint32_t type, const std::vector<T>& values) {
    begin(key, 9);
    entries_ += bytes(type) + bytes(std::uint64_t{values.size()});
    for (const T value : values) entries_ += bytes(value);
    return *this;
  }
  /// A row of the tensor table; `offset` counts from the start of the tensor data.
  GgufWriter& tensor(const std::string& name, const std::vector<std::uint64_t>& dims,
                     std::uint32_t type, std::uint64_t offset) {
    table_ += text_bytes(name) + bytes(static_cast<std::uint32_t>(dims.size()));
    for (const auto dim : dims) table_ += bytes(dim);
    table_ += bytes(type) + bytes(offset);
    ++tensor_count_;
    return *this;
  }

  /// The file, `data` behind the table at the next multiple of `alignment`.
  std::string file(const std::string& data = "", std::size_t alignment = 32) const {
    std::string all = "GGUF" + bytes(version_) + bytes(tensor_count_) + bytes(entry_count_);
    all += entries_ + table_;
    if (tensor_count_ > 0) all.resize((all.size() + alignment - 1) / alignment * alignment);
    return all + data;
  }

  template <typename T>
  static std::string bytes(T value) {
    std::string raw(sizeof(T), '\0');
    std::memcpy(raw.data(), &value, sizeof(T));
    return raw;
  }

 private:
  static std::string text_bytes(const std::string& value) {
    return bytes(std::uint64_t{value.size()}) + value;
  }
  void begin(const std::string& key, std::uint32_t type) {
    entries_ += text_bytes(key) + bytes(type);
    ++entry_count_;
  }

  std::uint32_t version_;
  std::uint64_t tensor_count_ = 0, entry_count_ = 0;
  std::string entries_, table_;
};

}  // namespace kakeya::testing
