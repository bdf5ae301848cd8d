// SPDX-License-Identifier: Apache-2.0
#include "kakeya/host/start_host.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/host/host_process.h"

namespace kakeya {
namespace {

std::optional<std::pair<int, int>> descriptors_of(const std::string& text) {
  char* rest = nullptr;
  const long first = std::strtol(text.c_str(), &rest, 10);
  if (rest == text.c_str() || *rest != ',') return std::nullopt;
  const char* const begin = rest + 1;
  const long second = std::strtol(begin, &rest, 10);
  if (rest == begin || *rest != '\0') return std::nullopt;
  constexpr long kLargest = 1 << 20;
  if (first < 3 || second < 3 || first == second || first > kLargest || second > kLargest)
    return std::nullopt;
  return std::pair(static_cast<int>(first), static_cast<int>(second));
}

std::unique_ptr<Host> inherited(const std::string& text) {
  const auto both = descriptors_of(text);
  if (!both) {
    throw SpecError("KAKEYA_HOST " + text +
                    ": expected SOCKET,MEMORY, two descriptors of 3 or more");
  }
  for (const int descriptor : {both->first, both->second}) {
    if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0) continue;
    throw IoError("KAKEYA_HOST " + text + ": descriptor " + std::to_string(descriptor) +
                  " is not open");
  }
  return std::make_unique<Host>("host of KAKEYA_HOST",
                                std::make_unique<Channel>(both->first, both->second), nullptr);
}

std::unique_ptr<Host> started() {
  const char* const given = std::getenv("KAKEYA_PYTHON");
  const std::string python = given != nullptr && *given != '\0' ? given : "python3";
  auto process =
      std::make_unique<HostProcess>(std::vector<std::string>{python, "-m", "kakeya.host"});
  std::unique_ptr<Channel> channel = process->take_channel();
  return std::make_unique<Host>(python + " -m kakeya.host", std::move(channel), std::move(process));
}

}  // namespace

Host& host() {
  static std::mutex mutex;
  static std::unique_ptr<Host> one;
  const std::lock_guard lock(mutex);
  if (!one) {
    const char* const given = std::getenv("KAKEYA_HOST");
    one = given != nullptr ? inherited(given) : started();
  }
  return *one;
}

std::string hosted_name(std::string_view model) {
  std::string name(model.substr(std::min(model.size(), kHostedPrefix.size())));
  if (!name.empty()) return name;
  throw SpecError(std::string(model) + ": expected transformers:FOLDER or transformers:NAME");
}

}  // namespace kakeya
