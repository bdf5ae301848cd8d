// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <thread>

#include "kakeya/host/channel.h"
#include "kakeya/host/host_message.h"

namespace kakeya {

class HostProcess;

/// An array of a request: what is copied into the shared memory, and the key that says where.
struct HostArray {
  const char* key;
  std::span<const std::byte> bytes;
};

class Host;

/// The answer to a call of the host.
class HostAnswer {
 public:
  HostAnswer(Host& host, nlohmann::json& message) : host_(host), message_(message) {}
  nlohmann::json& json() { return message_; }
  /// Room for an array of the answer, in the shared memory.
  std::span<float> floats(const char* key, std::size_t count);

 private:
  Host& host_;
  nlohmann::json& message_;
};

/// A host: another process that runs models, tokenizers and codecs for this one (README.md).
/// Thread-safe. An error that the host replies with is thrown as what it names. A host that ends is
/// IoError, and one that breaks the protocol CorruptStream; from then on every request is IoError.
class Host {
 public:
  using Read = std::function<void(const HostMessage& reply)>;
  using Answer = std::function<void(const HostMessage& call, HostAnswer& answer)>;

  /// `name` begins what is said of it: "python3 -m kakeya.host". `process` may be null. Says hello;
  /// throws where that fails.
  Host(std::string name, std::unique_ptr<Channel> channel, std::unique_ptr<HostProcess> process);
  ~Host();

  const std::string& name() const { return name_; }
  /// What it says it is: "kakeya.host 0.1.0, transformers 5.24.0, torch 2.15.0".
  const std::string& description() const { return description_; }

  /// A request that the host replies to at once, which may be made while a call of a forward is
  /// answered. `read` sees the reply while its arrays are there; it makes no request.
  void ask(const nlohmann::json& request, std::span<const HostArray> arrays, const Read& read);

  /// A request during which the host calls: `answer` is told of each call, on this thread. What it
  /// throws is thrown here once the host has unwound. One at a time: others wait; throws Error
  /// within a call.
  void forward(const nlohmann::json& request, std::span<const HostArray> arrays,
               const Answer& answer, const Read& read);

 private:
  friend class HostAnswer;

  void send(nlohmann::json message, std::span<const HostArray> arrays);
  nlohmann::json receive();
  void read_reply(const nlohmann::json& reply, const Read& read) const;
  void answer_call(const nlohmann::json& call, const Answer& answer,
                   std::unique_lock<std::mutex>& line);
  SharedPlace take_room(std::size_t bytes);
  void require_alive() const;
  template <typename Work>
  auto talk(const Work& work);
  std::string ending();

  std::string name_, description_;
  std::unique_ptr<HostProcess> process_;  // outlives the channel, whose end it waits for
  std::unique_ptr<Channel> channel_;
  std::string dead_;           // why nothing more can be asked
  std::mutex forward_, line_;  // a forward's; an exchange's
  std::size_t used_ = 0;       // of the memory, by a call that is being answered
  std::atomic<std::thread::id> forwarding_ = std::thread::id();
};

}  // namespace kakeya
