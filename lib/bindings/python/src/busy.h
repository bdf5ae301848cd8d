// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya::python {

/// Says whether this thread is in the library without the GIL: threads that are when the interpreter
/// ends are waited for, since the process then destroys what they read. Returns what held before.
bool set_busy(bool busy);

/// Has the interpreter wait for them, a few seconds at most, at its very end, when no thread gets
/// the GIL any more. Once, when the module is made.
void wait_for_busy_threads_at_exit();

}  // namespace kakeya::python
