// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace kakeya::python {

/// Has a forked child know that it is one. Once, when the module is made.
void count_forks();

/// Counts the threads that use an object which locks: in a forked child those of the parent are
/// gone, and what they were in the midst of changing, and locked, stays so.
class Users {
 public:
  /// One more thread, as long as this lives. Throws InputError in a child that was forked while
  /// another thread was here: `what` names the object.
  class Here {
   public:
    Here(const Users& users, const char* what);
    ~Here() { --users_.state_; }
    Here(const Here&) = delete;
    Here& operator=(const Here&) = delete;

   private:
    const Users& users_;
  };

  /// Whether a fork left the object in the midst of a change.
  bool left_behind() const;

 private:
  mutable std::atomic<std::uint64_t> state_{0};  // forks before its first use here << 32 | threads
};

/// Destroys what it holds, but not where a fork left that in the midst of a change.
template <typename T>
class Left {
 public:
  Left(const Users& users, std::unique_ptr<T> held) : users_(users), held_(std::move(held)) {}
  ~Left() {
    if (users_.left_behind()) static_cast<void>(held_.release());
  }
  Left(const Left&) = delete;
  Left& operator=(const Left&) = delete;
  T& operator*() const { return *held_; }
  T* operator->() const { return held_.get(); }

 private:
  const Users& users_;
  std::unique_ptr<T> held_;
};

}  // namespace kakeya::python
