// SPDX-License-Identifier: Apache-2.0
#include "forked.h"

#include <pthread.h>

#include <string>

#include "kakeya/core/error.h"

namespace kakeya::python {
namespace {

std::atomic<std::uint64_t> forks{0};  // that led to this process since the module was made

constexpr std::uint64_t kThreads = 0xffffffff;

std::uint64_t forks_of(std::uint64_t state) { return state >> 32; }

}  // namespace

void count_forks() {
  pthread_atfork(nullptr, nullptr, [] { ++forks; });
}

bool Users::left_behind() const {
  const std::uint64_t state = state_;
  return forks_of(state) != forks && (state & kThreads) != 0;
}

Users::Here::Here(const Users& users, const char* what) : users_(users) {
  std::uint64_t state = users.state_;
  std::uint64_t next = 0;
  do {
    const bool first_here = forks_of(state) != forks;
    if (first_here && (state & kThreads) != 0) {
      throw InputError(std::string(what) +
                       ": another thread of the parent used it when this process was forked; "
                       "expected a fork while no thread does, or one made in the child");
    }
    next = first_here ? (forks << 32) + 1 : state + 1;
  } while (!users.state_.compare_exchange_weak(state, next));
}

}  // namespace kakeya::python
