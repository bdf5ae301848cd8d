// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Python.h>

#include <chrono>
#include <thread>

#include "busy.h"

namespace kakeya::python {

/// The GIL held, as long as this lives, whether the thread had it or not. Where the interpreter ends
/// meanwhile, a thread that wants it stays here until the process has ended, as in Unlocked.
class Locked {
 public:
  Locked() : busy_(set_busy(false)) {
    try {
      state_ = PyGILState_Ensure();
    } catch (...) {
      while (true) std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }
  ~Locked() {
    set_busy(busy_);
    PyGILState_Release(state_);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  bool busy_;
  PyGILState_STATE state_;
};

}  // namespace kakeya::python
