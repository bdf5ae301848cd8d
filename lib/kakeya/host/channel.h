// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "kakeya/host/shared_memory.h"

namespace kakeya {

/// One end of the line between a program and its host: messages over a socket, and the memory in
/// which their arrays lie. A message is a uint32 length, little-endian, and so many bytes of JSON,
/// an object. Not thread-safe.
class Channel {
 public:
  static constexpr std::size_t kLongestMessage = std::size_t{1} << 20;  ///< bytes of JSON

  /// Takes over a connected stream socket and a memfd. Throws as SharedMemory().
  Channel(int socket, int memory);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  SharedMemory& memory() { return memory_; }

  /// Throws IoError where nobody reads, InputError on a message that is too long.
  void send(const nlohmann::json& message);

  /// The next message. Throws IoError at the end of the stream, CorruptStream on what is none.
  nlohmann::json receive();

  /// Tells the other side that this one has ended. No send() or receive() after it.
  void close();

 private:
  void receive_bytes(void* to, std::size_t count);

  int socket_;
  SharedMemory memory_;
};

}  // namespace kakeya
