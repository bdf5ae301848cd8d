// SPDX-License-Identifier: Apache-2.0
#include "kakeya/host/host.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/host/host_process.h"

namespace kakeya {
namespace {

using Json = nlohmann::json;

constexpr int kProtocol = 1;
constexpr const char* kCalls[] = {"visit", "visit_pair", "append", "rows"};
constexpr const char* kArrays[] = {"at", "exact", "keys", "values", "exact_keys", "exact_values"};

bool is_call(const Json& message) {
  return std::any_of(std::begin(kCalls), std::end(kCalls),
                     [&](const char* key) { return message.contains(key); });
}

[[noreturn]] void throw_reply(const std::string& kind, const std::string& text) {
  if (kind == "SpecError") throw SpecError(text);
  if (kind == "InputError") throw InputError(text);
  if (kind == "CorruptStream") throw CorruptStream(text);
  if (kind == "IoError") throw IoError(text);
  throw Error(text);
}

std::string text_of(const Json& message, const char* key) {
  const auto found = message.find(key);
  return found != message.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::span<float> HostAnswer::floats(const char* key, std::size_t count) {
  const SharedPlace place = host_.take_room(count * sizeof(float));
  message_[key] = {place.offset, place.bytes};
  const std::span<std::byte> room = host_.channel_->memory().at(place);
  return {reinterpret_cast<float*>(room.data()), count};
}

Host::Host(std::string name, std::unique_ptr<Channel> channel, std::unique_ptr<HostProcess> process)
    : name_(std::move(name)), process_(std::move(process)), channel_(std::move(channel)) {
  ask({{"do", "hello"}, {"protocol", kProtocol}}, {}, [this](const HostMessage& reply) {
    reply.number("protocol", kProtocol, kProtocol);
    description_ = reply.text("host");
  });
}

Host::~Host() = default;

void Host::require_alive() const {
  if (!dead_.empty()) throw IoError(dead_);
}

// Why it has ended, as far as can be seen.
std::string Host::ending() {
  std::string text = name_ + ": the host has ended";
  if (process_) {
    const std::string how = process_->end();
    if (!how.empty()) text += " " + how;
  }
  if (description_.empty()) {
    text +=
        " before it said what it is: expected a Python with the packages kakeya and numpy, for a "
        "model also transformers and torch (KAKEYA_PYTHON names another)";
  }
  return text;
}

// Work on the line. Where it fails, nobody knows what the host would say next.
template <typename Work>
auto Host::talk(const Work& work) {
  require_alive();
  try {
    return work();
  } catch (const IoError&) {
    channel_->close();
    dead_ = ending();
    throw IoError(dead_);
  } catch (const CorruptStream& error) {
    channel_->close();
    dead_ = name_ + ": " + error.what();
    throw CorruptStream(dead_);
  }
}

void Host::send(Json message, std::span<const HostArray> arrays) {
  if (used_ > 0) message["free"] = used_;
  std::size_t offset = used_;
  for (const HostArray& array : arrays) {
    const SharedPlace place{offset, array.bytes.size()};
    const std::span<std::byte> room = channel_->memory().room(place);
    if (!room.empty()) std::memcpy(room.data(), array.bytes.data(), room.size());
    message[array.key] = {place.offset, place.bytes};
    offset = place.end();
  }
  talk([&] { channel_->send(message); });
}

Json Host::receive() {
  return talk([this] { return channel_->receive(); });
}

void Host::read_reply(const Json& reply, const Read& read) const {
  if (reply.contains("error")) throw_reply(text_of(reply, "error"), text_of(reply, "text"));
  if (read) read(HostMessage(reply, channel_->memory(), name_));
}

void Host::ask(const Json& request, std::span<const HostArray> arrays, const Read& read) {
  const std::lock_guard lock(line_);
  require_alive();
  send(request, arrays);
  const Json reply = talk([this] {
    Json message = channel_->receive();
    if (is_call(message)) throw CorruptStream("a call outside a forward, expected a reply");
    return message;
  });
  read_reply(reply, read);
}

SharedPlace Host::take_room(std::size_t bytes) {
  const std::lock_guard lock(line_);
  const SharedPlace place{used_, bytes};
  channel_->memory().room(place);
  used_ = place.end();
  return place;
}

// Answers one call. `line` is held, but free while the answer is made.
void Host::answer_call(const Json& call, const Answer& answer, std::unique_lock<std::mutex>& line) {
  const HostMessage message(call, channel_->memory(), name_);
  Json reply = Json::object();
  std::exception_ptr thrown;
  try {
    for (const char* key : kArrays) {
      if (message.has(key)) used_ = std::max(used_, message.place(key).end());
    }
    line.unlock();
    HostAnswer made(*this, reply);
    answer(message, made);
  } catch (...) {
    thrown = std::current_exception();
    reply = {{"stop", true}};
  }
  if (!line.owns_lock()) line.lock();
  used_ = 0;
  if (!thrown) return send(std::move(reply), {});
  try {  // let the host unwind; what was thrown first matters more
    send(std::move(reply), {});
    talk([this] {
      if (is_call(channel_->receive())) throw CorruptStream("a call after stop, expected a reply");
    });
  } catch (const Error&) {
  }
  std::rethrow_exception(thrown);
}

void Host::forward(const Json& request, std::span<const HostArray> arrays, const Answer& answer,
                   const Read& read) {
  const std::thread::id self = std::this_thread::get_id();
  if (forwarding_ == self) throw Error(name_ + ": a forward within a forward");
  const std::lock_guard one(forward_);
  forwarding_ = self;
  struct Done {
    std::atomic<std::thread::id>& of;
    ~Done() { of = std::thread::id(); }
  } const done{forwarding_};
  std::unique_lock line(line_);
  require_alive();
  send(request, arrays);
  for (;;) {
    const Json message = receive();
    if (!is_call(message)) return read_reply(message, read);
    answer_call(message, answer, line);
  }
}

}  // namespace kakeya
