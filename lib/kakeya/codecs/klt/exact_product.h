// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/codec/transform_codec.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// The transform of a site in whole numbers, for a step in units: product=exact of klt.
///
///     u_i = nearest whole number to (x_i - mean_i) / g_i          g_i a power of two: 32 deviations of
///                                                                 x_i have 15 bits
///     y_j = (sum over i of u_i q_ij) s_j / step                   q_ij = g_i forward_ij / s_j in 8 bits
///     x_i = (sum over j of 2 z_j w_ji) h_i step / 2 + mean_i      w / h in 16 bits: of the inverse of q
///
/// Every sum is exact and rounded once, so that its order does not matter: tensor cores and vector
/// units give the same bits. The rounding of the forward matrix costs nothing but its direction, as the way
/// back is the inverse of what was rounded.
///
/// Throws InputError where that has no inverse.
ExactProduct exact_product(const SiteTransform& transform, float step);

}  // namespace kakeya
