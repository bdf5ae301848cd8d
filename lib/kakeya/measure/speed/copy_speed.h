// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya {

/// 10^9 bytes a second, read and written, of a copy within the host's memory by `threads` threads, a part each
/// (0: as many as the machine has): the median of five samples of about 15 ms, from 64 MiB to 64 MiB that lie beside.
double memory_copy_gb_per_second(int threads);

/// The same within the memory of this thread's GPU: the median of 20 copies of four times the L2 cache, at least
/// 256 MiB. Throws Error where there is no GPU, or no CUDA in this build.
double device_copy_gb_per_second();

}  // namespace kakeya
