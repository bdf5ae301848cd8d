// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <unistd.h>

#include <cstdio>

namespace kakeya {

Progress::Progress(std::string label, std::size_t total)
    : label_(std::move(label)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) != 0),
      started_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::skip(std::size_t already_done) { skipped_ = already_done; }

void Progress::update(std::size_t done, const std::string& detail) {
  using namespace std::chrono;
  if (!terminal_) return;
  const auto now = steady_clock::now();
  if (drawn_ && now - last_drawn_ < milliseconds(100) && done != total_) return;
  last_drawn_ = now;
  drawn_ = true;
  std::string left;
  if (done > skipped_ && done <= total_) {
    const double elapsed = duration<double>(now - started_).count();
    const auto seconds = static_cast<long>(elapsed / static_cast<double>(done - skipped_) *
                                           static_cast<double>(total_ - done));
    char text[48];
    if (seconds >= 3600) {
      std::snprintf(text, sizeof text, "  %ld:%02ld:%02ld left", seconds / 3600, seconds / 60 % 60,
                    seconds % 60);
    } else {
      std::snprintf(text, sizeof text, "  %ld:%02ld left", seconds / 60, seconds % 60);
    }
    left = text;
  }
  std::fprintf(stderr, "\r\033[K%s  %zu/%zu  %s%s", label_.c_str(), done, total_, detail.c_str(),
               left.c_str());
  std::fflush(stderr);
}

}  // namespace kakeya
