// SPDX-License-Identifier: Apache-2.0
#include "busy.h"

#include <Python.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace kakeya::python {
namespace {

thread_local bool busy_here = false;
std::atomic<int> busy_threads{0};

void wait_for_them() {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::seconds(5);  // a plugin may hang
  while (busy_threads.load() > 0 && Clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

bool set_busy(bool busy) {
  const bool before = busy_here;
  if (busy != before) busy_threads += busy ? 1 : -1;
  busy_here = busy;
  return before;
}

void wait_for_busy_threads_at_exit() {
  Py_AtExit(wait_for_them);  // where there is no room for one more they are not waited for
  pthread_atfork(nullptr, nullptr, [] { busy_threads = busy_here ? 1 : 0; });
}

}  // namespace kakeya::python
