// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Python.h>

#include <chrono>
#include <thread>

namespace kakeya::python {

/// The GIL held, as long as this lives, whether the thread had it or not. Where the interpreter ends
/// meanwhile, a thread that wants it stays here until the process has ended, as in Unlocked.
class Locked {
 public:
  Locked() {
    try {
      state_ = PyGILState_Ensure();
    } catch (...) {
      while (true) std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }
  ~Locked() { PyGILState_Release(state_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace kakeya::python
