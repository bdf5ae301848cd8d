// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kakeya/host/channel.h"

namespace kakeya {

/// A child of this program that serves as its host: its stderr is the program's, its stdin is empty,
/// and Ctrl-C is left to the program. It is waited for at the end, ten seconds long; then killed.
class HostProcess {
 public:
  /// Starts `command`, looked up in PATH, with two more arguments: the descriptors of its socket and
  /// of the shared memory. Throws IoError where it cannot be started.
  explicit HostProcess(std::vector<std::string> command);
  ~HostProcess();
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;

  /// This program's end of the line; once.
  std::unique_ptr<Channel> take_channel() { return std::move(channel_); }

  /// How it ended, of one that has closed its end of the line: "with exit status 1", "by signal 9",
  /// or empty where it is still there after a second.
  std::string end();

 private:
  bool wait(int milliseconds);

  std::unique_ptr<Channel> channel_;
  int pid_ = -1;
  int status_ = 0;
};

}  // namespace kakeya
