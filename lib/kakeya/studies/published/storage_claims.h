// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kakeya/capacity/decoder.h"
#include "kakeya/report/table.h"
#include "kakeya/studies/published/tables.h"

namespace kakeya {

/// Of every decoder that KakeyaLattice published the storage of (Qwen3-4B, GLM-4-9B, Gemma-4-E4B,
/// DeepSeek-R1-Distill-Qwen-1.5B): each published figure at 131,072 tokens beside what its config
/// says, with a verdict. Ours is of the layers that have keys and values of their own, the first and
/// last two skipped as there, and counts frames' headers. Where a sliding window is why a figure
/// differs, a further row counts as published: every layer growing with the context, one head dim.
/// No rows without such a decoder. Throws InputError where `tables` lack a published figure.
Table storage_claims_table(std::span<const PublishedTable> tables,
                           std::span<const Decoder> decoders);

}  // namespace kakeya
