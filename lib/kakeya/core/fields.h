// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {

static_assert(std::endian::native == std::endian::little);

/// Appends the fields of a file, one after another, little-endian. Messages call the file `what`.
class FieldWriter {
 public:
  explicit FieldWriter(std::string what) : what_(std::move(what)) {}

  template <typename T>
  void put(T value) {
    append(std::as_bytes(std::span(&value, 1)));
  }

  /// A u32. Throws InputError, calling it `name`, when the number is none.
  void put_count(std::int64_t value, const char* name) {
    if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) {
      throw InputError(what_ + ": " + name + " " + std::to_string(value) +
                       ": expected a number from 0 to 4294967295");
    }
    put(static_cast<std::uint32_t>(value));
  }

  /// Bytes u16, then these. Throws InputError on more than 65535.
  void put_text(const std::string& text) {
    if (text.size() > std::numeric_limits<std::uint16_t>::max()) {
      throw InputError(what_ + ": a text of " + std::to_string(text.size()) +
                       " bytes, expected at most 65535");
    }
    put(static_cast<std::uint16_t>(text.size()));
    append(std::as_bytes(std::span(text.data(), text.size())));
  }

  std::size_t size() const { return out_.size(); }
  std::span<const std::byte> bytes() const { return out_; }
  std::vector<std::byte> take() { return std::move(out_); }

  /// Writes a field again that begins at byte `at`.
  template <typename T>
  void put_at(std::size_t at, T value) {
    std::memcpy(out_.data() + at, &value, sizeof value);
  }

  /// Any bytes.
  void append(std::span<const std::byte> bytes) {
    const std::size_t at = out_.size();
    out_.resize(at + bytes.size());
    if (!bytes.empty()) std::memcpy(out_.data() + at, bytes.data(), bytes.size());
  }

 private:
  std::string what_;
  std::vector<std::byte> out_;
};

/// Takes fields from bytes that may end anywhere: throws CorruptStream where they do, calling them
/// `what`.
class FieldReader {
 public:
  FieldReader(std::span<const std::byte> in, const char* what) : in_(in), what_(what) {}

  template <typename T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  std::string get_text() {
    const auto bytes = take(get<std::uint16_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::span<const std::byte> take(std::size_t bytes) {
    if (bytes > in_.size()) throw CorruptStream(std::string(what_) + ": ends within a field");
    const auto part = in_.first(bytes);
    in_ = in_.subspan(bytes);
    return part;
  }

  /// Bytes not taken yet.
  std::size_t left() const { return in_.size(); }

 private:
  std::span<const std::byte> in_;
  const char* what_;
};

}  // namespace kakeya
