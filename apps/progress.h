// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace kakeya {

/// A bar on stderr with time left: "sweep  37/400  e8:q=10 passage 3  12:41 left". Writes only to a
/// terminal, at most ten times a second, and clears itself at the end, so that pipes and logs stay
/// clean.
class Progress {
 public:
  Progress(std::string label, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of `total`; `detail` is what is being done now.
  void update(std::size_t done, const std::string& detail = {});

  /// Work found already done (a resumed run): left out of the estimate.
  void skip(std::size_t already_done);

 private:
  std::string label_;
  std::size_t total_, skipped_ = 0;
  bool terminal_, drawn_ = false;
  std::chrono::steady_clock::time_point started_, last_drawn_{};
};

}  // namespace kakeya
