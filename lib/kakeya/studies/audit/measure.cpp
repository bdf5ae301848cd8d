// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/audit/measure.h"

namespace kakeya {
namespace {

// "Study": the published study of Qwen3-4B keys (v1.3). "Stage": non_gaussian_audit of stages 0.5
// and 0.75 on DeepSeek-V4 streams (v1.5). Both pool the heads: a coordinate's samples are all
// tokens of all heads.
constexpr MeasureFacts kFacts[] = {
    {Measure::study_kurtosis, "study_kurtosis", "study kurtosis",
     "|mean over coordinates of m4 / m2^2 - 3|, moments about the mean, of vectors of norm 1 after "
     "the Hadamard transform, heads pooled (published Qwen3 study)",
     0.5},
    {Measure::study_w2, "study_w2", "study W2/σ",
     "mean over coordinates of the root mean square of x_(k) - σ Φ⁻¹((k + 1/2) / N), over σ = "
     "1/√D, of the same vectors (published Qwen3 study)",
     0.05},
    {Measure::study_variance_ratio, "study_variance_ratio", "study variance ratio",
     "largest over smallest variance of a coordinate, of the same vectors (published Qwen3 study, "
     "whose text calls it the ratio before the transform)",
     1.5},
    {Measure::stage_kurtosis, "stage_kurtosis", "stage kurtosis",
     "mean over channels of |m4 / m2^2 - 3|, of the vectors as they are, heads pooled (published "
     "stages 0.5 and 0.75)",
     0.5},
    {Measure::stage_isotropic_ratio, "stage_isotropic_ratio", "stage isotropic ratio",
     "largest over smallest variance of a channel, of the vectors as they are (published stages "
     "0.5 and 0.75)",
     1.5},
    {Measure::stage_hadamard_ratio, "stage_hadamard_ratio", "stage Hadamard ratio",
     "the same after the Hadamard transform (published stages 0.5 and 0.75)", 1.5},
    {Measure::stage_w2, "stage_w2", "stage W2/σ",
     "√(mean over coordinates of (p99(|z|) / 2.326 - 1)²), z = x over its standard deviation (n - "
     "1), after the transform, not centred (published stages 0.5 and 0.75). 2.326 is the one-sided "
     "99 % point; of |z| it is 2.576, so that an exact Gaussian scores 0.107",
     0.05},
    {Measure::excess_kurtosis, "excess_kurtosis", "excess kurtosis",
     "mean over heads and coordinates of m4 / m2^2 - 3, signed, of vectors of norm 1 after the "
     "Hadamard transform, each head by itself",
     std::nullopt, true},
    {Measure::w2, "w2", "W2/σ",
     "root mean square over heads and coordinates of the exact W2 between the samples and N(0, "
     "1/D), over σ = 1/√D, of the same vectors: location, scale and shape together, the distance "
     "to what a fixed codebook assumes"},
    {Measure::w2_shape, "w2_shape", "W2/σ, shape",
     "the same to the normal distribution of the coordinate's own mean and variance: √(2 (1 - ∫F⁻¹ "
     "Φ⁻¹ / σ)) (del Barrio et al. 1999)"},
    {Measure::direct_current, "direct_current", "direct current",
     "share of the energy along (1, ..., 1) before the transform, sum of (Σx)² / D over sum of "
     "|x|²: what an unsigned Hadamard transform puts into its first coordinate; 1/D on average of "
     "white vectors",
     std::nullopt, true},
    {Measure::channel_mean, "channel_mean", "channel mean",
     "share of the energy in the mean of each channel of each head: what centring takes away"},
    {Measure::outlier_channels, "outlier_channels", "outlier channels",
     "channels of all heads whose root mean square is at least three times the median of their "
     "head's"},
    {Measure::outlier_ratio, "outlier_ratio", "outlier ratio",
     "the largest root mean square of a channel over the median of its head's channels"},
};
static_assert(std::size(kFacts) == kMeasures);

}  // namespace

std::span<const MeasureFacts> measures() { return kFacts; }

}  // namespace kakeya
