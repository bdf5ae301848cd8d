// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Python.h>

#include <chrono>
#include <thread>

#include "busy.h"

namespace kakeya::python {

/// The GIL released, as long as this lives. Where the interpreter ends meanwhile, Python before 3.14
/// unwinds the thread that wants it back, which would end the process within a destructor: such a
/// thread stays here until the process has ended, as from 3.14 on.
class Unlocked {
 public:
  Unlocked() {
    set_busy(true);  // while the GIL keeps the interpreter from ending
    state_ = PyEval_SaveThread();
  }
  ~Unlocked() {
    set_busy(false);
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      while (true) std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

}  // namespace kakeya::python
