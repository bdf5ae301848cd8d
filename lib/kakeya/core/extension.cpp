// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/extension.h"

#include <algorithm>
#include <atomic>

namespace kakeya {
namespace {

std::atomic<Extension> allowed = kLastExtension;

Extension of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx2") != 0) {
    return Extension::avx512;
  }
  if (__builtin_cpu_supports("avx2") != 0) return Extension::avx2;
  if (__builtin_cpu_supports("sse4.2") != 0) return Extension::sse42;
#endif
  return Extension::none;
}

}  // namespace

Extension extension_in_use() {
  static const Extension processor = of_processor();
  return std::min(processor, allowed.load(std::memory_order_relaxed));
}

void limit_extensions(Extension last) { allowed = last; }

}  // namespace kakeya
