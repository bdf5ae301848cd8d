// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kakeya/model/weights/model_config.h"

namespace at {
class Tensor;
}
namespace c10 {
struct Device;
}

namespace kakeya {

/// x weight^T: [rows, outputs] in the type of x. The product itself is taken in the type of
/// `weight`, float32 or x's own.
at::Tensor project_rows(const at::Tensor& x, const at::Tensor& weight);

/// sum += x weight^T, as project_rows(). sum: [rows, outputs] in the type of x, a view.
void add_product(const at::Tensor& sum, const at::Tensor& x, const at::Tensor& weight);

/// x / rms(x) * weight over the last dim, in float32 whatever x is. x: [..., width], weight:
/// [width] float32.
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

/// x = activation(x), in place.
void activate(const at::Tensor& x, Activation activation);

/// Rotates x in place, rotate-half layout, in float32: (a, b) -> (a cos - b sin, b cos + a sin) for
/// each pair of a value in the first half of the head and one in the second. x: [tokens, heads,
/// dim], a view; cos and sin: [tokens, 1, dim / 2].
void rotate_half(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin);

/// Keys and values of tokens in a row, each (keys, kv_heads, dim), a view.
struct KeysValues {
  const at::Tensor &k, &v;
};

/// Attention of a block of queries: softmax(scale q k^T + mask) v. The last query stands at the
/// last key. Keys and values come in two versions, `coded` of the first keys and `exact` of the
/// last; either may be empty. Of the `overlap` keys in both, the last query sees all as coded, and
/// each query before it one less than the one after it. Of four queries that see their last five
/// keys exact (c: coded, e: exact):
///
///   coded   |-----------------|
///   exact               |---------------|
///            c c c c c c e e e e e
///            c c c c c c c e e e e e
///            c c c c c c c c e e e e e
///            c c c c c c c c c e e e e e
///
///   q     (tokens, kv_heads, group, dim), a view: `group` query heads share a key-value head
///   out   (tokens, kv_heads, group, dim), a view, overwritten
///   mask  (tokens, at least tokens), a view in the type of `scratch`: of the last keys, the
///         others being seen by all queries
/// The scores are held in `scratch`, a vector that grows as needed; everything is computed in its
/// type. On the CPU one kv head is done at a time, elsewhere all at once.
void attend(const at::Tensor& q, KeysValues coded, KeysValues exact, std::int64_t overlap,
            const at::Tensor& mask, double scale, at::Tensor& scratch, const at::Tensor& out);

/// attend() of one version of keys and values, in the order of sums of a fused kernel: LibTorch's
/// scaled_dot_product_attention from 2.1 on; before, attend_tile() over tiles of 64 keys. mask: in the type of
/// products.
void attend_fused(const at::Tensor& q, KeysValues all, const at::Tensor& mask, double scale,
                  const at::Tensor& out);

/// Attention that goes over its keys a tile at a time, with a softmax whose sums are scaled when a
/// larger score comes. Its state, [heads, queries, dim + 2] float32: the weighted sum of values, the
/// sum of weights, the largest score. This is that of no keys.
at::Tensor start_attention(std::int64_t heads, std::int64_t queries, std::int64_t dim,
                           const c10::Device& device);

/// Goes over one more tile, which is read once for all queries of a head. q: [heads, queries, dim];
/// keys and values: (heads, keys, dim) each, views in the type of q. Float32 queries come multiplied
/// by `scale` already. mask: [tokens, keys] float32, for queries of `queries / tokens` heads each; or
/// undefined.
void attend_tile(const at::Tensor& q, KeysValues tile, const at::Tensor& mask, double scale,
                 const at::Tensor& state);

/// What the queries gathered, [heads, queries, dim] float32.
at::Tensor attended(const at::Tensor& state);

}  // namespace kakeya
