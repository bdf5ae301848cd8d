// SPDX-License-Identifier: Apache-2.0
#include "kakeya/host/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {

static_assert(std::endian::native == std::endian::little);

Channel::Channel(int socket, int memory) try : socket_(socket), memory_(memory) {
} catch (...) {
  ::close(socket);
}

Channel::~Channel() { close(); }

void Channel::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

void Channel::send(const nlohmann::json& message) {
  const std::string text = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > kLongestMessage) {
    throw InputError("a message of " + std::to_string(text.size()) + " bytes, expected at most " +
                     std::to_string(kLongestMessage));
  }
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string all(sizeof length, '\0');
  std::memcpy(all.data(), &length, sizeof length);
  all += text;
  for (std::size_t sent = 0; sent < all.size();) {
    const auto some = ::send(socket_, all.data() + sent, all.size() - sent, MSG_NOSIGNAL);
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) throw IoError(std::string("has ended: ") + std::strerror(errno));
    sent += static_cast<std::size_t>(some);
  }
}

void Channel::receive_bytes(void* to, std::size_t count) {
  for (std::size_t got = 0; got < count;) {
    const auto some = ::recv(socket_, static_cast<char*>(to) + got, count - got, 0);
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) throw IoError(std::string("cannot be read: ") + std::strerror(errno));
    if (some == 0) throw IoError("has ended");
    got += static_cast<std::size_t>(some);
  }
}

nlohmann::json Channel::receive() {
  std::uint32_t length = 0;
  receive_bytes(&length, sizeof length);
  if (length > kLongestMessage) {
    throw CorruptStream("a message of " + std::to_string(length) + " bytes, expected at most " +
                        std::to_string(kLongestMessage));
  }
  std::string text(length, '\0');
  receive_bytes(text.data(), text.size());
  nlohmann::json message = parse_json(text, "a message");
  if (!message.is_object()) throw CorruptStream("a message that is no JSON object");
  return message;
}

}  // namespace kakeya
