// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace kakeya {

/// A pipe between processes. Both ends are closed at the latest with it, and in programs that are started.
class Pipe {
 public:
  /// Throws IoError.
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reader() const { return ends_[0]; }  ///< -1 once it is closed
  int writer() const { return ends_[1]; }
  void close_reader() { close_end(0); }
  void close_writer() { close_end(1); }

 private:
  void close_end(std::size_t end);

  std::array<int, 2> ends_{-1, -1};
};

}  // namespace kakeya
