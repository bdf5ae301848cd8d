// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya {

/// What a host set to flush small numbers to 0 would learn is not what others learn: FTZ and DAZ are off.
class GradualUnderflow {
 public:
#if defined(__SSE2__)
  GradualUnderflow() : before_(__builtin_ia32_stmxcsr()) {
    __builtin_ia32_ldmxcsr(before_ & ~0x8040u);
  }
  ~GradualUnderflow() { __builtin_ia32_ldmxcsr(before_); }

 private:
  unsigned before_;
#elif defined(__aarch64__)
  GradualUnderflow() : before_(__builtin_aarch64_get_fpcr()) {
    __builtin_aarch64_set_fpcr(before_ & ~(1u << 24));
  }
  ~GradualUnderflow() { __builtin_aarch64_set_fpcr(before_); }

 private:
  unsigned before_;
#else
  GradualUnderflow() {}
#endif
};

}  // namespace kakeya
