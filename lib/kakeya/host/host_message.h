// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/host/shared_memory.h"

namespace kakeya {

/// A message of the host, of which nothing is taken unchecked: every function throws CorruptStream,
/// naming the host, the key, what it holds and what was expected. Its arrays are read in place, and are there
/// until the next message is sent.
class HostMessage {
 public:
  HostMessage(const nlohmann::json& object, const SharedMemory& memory, const std::string& host)
      : object_(object), memory_(memory), host_(host) {}

  const nlohmann::json& json() const { return object_; }

  bool has(const char* key) const;  ///< and it is not null

  /// A whole number in [lowest, highest].
  std::int64_t whole(const char* key, std::int64_t lowest, std::int64_t highest) const;
  int number(const char* key, int lowest, int highest) const {
    return static_cast<int>(whole(key, lowest, highest));
  }
  /// A finite number of at least `lowest`.
  double real(const char* key, double lowest) const;
  /// At most 4096 bytes of text.
  std::string text(const char* key) const;
  /// A SHA-256: 64 lower-case hex digits.
  std::string digest(const char* key) const;
  /// `count` whole numbers, or where it is empty any number of them.
  std::vector<std::int64_t> wholes(const char* key, std::optional<std::size_t> count,
                                   std::int64_t lowest, std::int64_t highest) const;
  /// `count` finite numbers.
  std::vector<double> reals(const char* key, std::size_t count) const;

  bool truth(const char* key) const;
  /// Each object of a list of at most 1000.
  void each(const char* key, const std::function<void(const HostMessage& item)>& read) const;

  /// Where the array of a key lies.
  SharedPlace place(const char* key) const;
  std::span<std::byte> bytes(const char* key) const;
  /// Exactly `count` float32.
  std::span<float> floats(const char* key, std::size_t count) const;
  /// Any number of int32.
  std::span<const std::int32_t> ids(const char* key) const;

  /// Throws CorruptStream, of this key, and of the message.
  [[noreturn]] void refuse(const char* key, const std::string& expected) const;
  [[noreturn]] void refuse(const std::string& reason) const;

 private:
  const nlohmann::json& value(const char* key, const char* expected) const;

  const nlohmann::json& object_;
  const SharedMemory& memory_;
  const std::string& host_;
};

}  // namespace kakeya
