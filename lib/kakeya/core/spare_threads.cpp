// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/spare_threads.h"

#include <algorithm>

namespace kakeya {
namespace {

thread_local int spare = 1;

}  // namespace

int spare_threads() { return spare; }

SpareThreads::SpareThreads(int threads) : before_(spare) { spare = std::max(threads, 1); }

SpareThreads::~SpareThreads() { spare = before_; }

}  // namespace kakeya
