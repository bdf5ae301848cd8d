// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_attention.h"
#include "kernels/prefix.h"

// Decode attention over pages of prefix codes (lib/kakeya/entropy/prefix_coder.h) in slots of field_attention.h: the
// launcher of prefix_attention.cu.

namespace kakeya::kernels {

/// What a pool's pages are coded with, a head each.
struct PrefixSides {
  PrefixPages keys, values;
};

/// As attend_splits().
int attend_prefix_splits(int batch, int heads, int group, int dim, std::int64_t tokens);
/// As attend_workspace_bytes(), of sequences of up to `tokens` tokens in pages.
std::int64_t attend_prefix_workspace_bytes(int batch, int heads, int group, int dim, int splits,
                                           std::int64_t tokens);

/// As attend_fields(). A sequence with more than `most_tokens` tokens in pages, those of the workspace, sets
/// kBadLength, and the others of it do not count. Two kernels. Throws Error on GPUs with too little shared memory.
void attend_prefix(const AttendCall& call, const FieldRoom& room, const FieldTransforms& transforms,
                   const PrefixSides& sides, std::int64_t most_tokens, Stream stream);

}  // namespace kakeya::kernels
