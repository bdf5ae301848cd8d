// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Before a function of plain loops: compiled once an instruction set, the best of which the machine
/// has is chosen when the program starts. No multiplication and addition are fused (the library is
/// compiled with -ffp-contract=off), so that every variant computes the same. Nothing with other
/// compilers and processors than GCC on x86-64, and under sanitizers, whose code runs before the choice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define KAKEYA_CLONES [[gnu::target_clones("arch=x86-64-v4", "avx2", "default")]]
#else
#define KAKEYA_CLONES
#endif
