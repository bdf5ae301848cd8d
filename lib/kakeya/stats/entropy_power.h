// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya {

// The entropy power of a source of independent values over its variance: P = 2^(2h) / (2 pi e
// variance), h the differential entropy in bits. 1 for the Gaussian, less for every other source.
// Shannon's lower bound of the distortion that any code of R bits a value reaches is P 2^(-2R), in
// units of the variance; it is tight at high rate (Shannon 1959; Cover and Thomas, problem 10.8).

/// h = log2(2 e b) for the scale b, whose variance is 2 b^2 (Cover and Thomas, table 17.1): e / pi.
double laplace_entropy_power();

/// h = log2(width), whose variance is width^2 / 12: 6 / (pi e).
double uniform_entropy_power();

/// Student's t with `degrees` of freedom n: h = (n+1)/2 (psi((n+1)/2) - psi(n/2)) + ln(sqrt(n)
/// B(n/2, 1/2)) nats (Lazo and Rathie 1978), variance n / (n-2). Throws InputError unless degrees >
/// 2 (below, there is no variance) and finite.
double student_t_entropy_power(double degrees);

}  // namespace kakeya
