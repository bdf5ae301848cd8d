// SPDX-License-Identifier: Apache-2.0
// klt of single heads and of whole layers: products with the matrices of a profile, and what becomes of
// them (klt_tiles.cuh).
#include "kernels/klt.h"
#include "kernels/klt_paths.cuh"
#include "kernels/klt_tiles.cuh"

namespace kakeya::kernels {
namespace {

Lanes<const float> readable(const Lanes<float>& lanes) {
  return {lanes.data, lanes.stride, lanes.dim};
}
Lanes<const std::int32_t> readable(const Lanes<std::int32_t>& lanes) {
  return {lanes.data, lanes.stride, lanes.dim};
}
// The place of points, for the coordinates that paths are found of.
Lanes<float> as_floats(const Lanes<std::int32_t>& points) {
  return {reinterpret_cast<float*>(points.data), points.stride, points.dim};
}

// The products' nearest points, to `points`, whose bounds begin at `bounds`; or nearest paths.
template <template <int> typename Left, typename From>
void find_points(const Klt& codec, const Product& product, const From& from,
                 const Lanes<std::int32_t>& points, const float* slope, float* bounds,
                 Stream stream) {
  switch (codec.points) {
    case Klt::z:
      launch_product<Left, NearestPoints<Klt::z>>(product, from,
                                                  {points, slope, bounds, codec.largest}, stream);
      return;
    case Klt::e8:
      launch_product<Left, NearestPoints<Klt::e8>>(product, from,
                                                   {points, slope, bounds, codec.largest}, stream);
      return;
    case Klt::trellis:
      launch_product<Left, LaneSums>(product, from, {as_floats(points), nullptr, 0.0f}, stream);
      launch_paths({points, product.dim, slope, bounds, codec.largest, product.heads,
                    product.tokens, product.plans, product.counts},
                   stream);
  }
}

// What the kernels of a chain of layers have in common.
struct Chain {
  const KltLayers& codec;
  const KltLayersWork& work;
  std::int64_t tokens;
  Stream stream;

  int count() const { return codec.klt.dim / codec.width; }
  Product heads(const float* matrices) const {
    return {matrices, codec.head_dim, codec.width / codec.head_dim, tokens};
  }
  Product group(const float* matrix) const { return {matrix, codec.width, 1, tokens}; }

  Lanes<std::int32_t> points(int g) const {
    return {work.klt.points + std::int64_t{32} * codec.width * g, 0, codec.klt.dim};
  }
  // Of a whole group, or head by head.
  Lanes<float> floats(float* data) const { return {data, 0, codec.width}; }
  Lanes<float> of_heads(float* data) const {
    return {data, std::int64_t{32} * codec.head_dim, codec.width};
  }
  float* decoded(int g) const { return work.decoded[g % work.decoded_count]; }
  // What group g is predicted as; null: nothing.
  float* predicted(int g) const { return codec.groups[g].order == 0 ? nullptr : work.predicted; }

  // The heads of group g in a view of tokens.
  Vectors view(const Vectors& x, int g) const {
    Vectors heads = x;
    const std::int64_t bytes = x.type == Scalar::fp32 ? 4 : 2;
    heads.data = static_cast<std::uint8_t*>(x.data) + bytes * codec.width * g;
    heads.heads = codec.width / codec.head_dim;
    heads.head_stride = heads.dim = codec.head_dim;
    return heads;
  }

  void predict(int g) const {
    for (int back = 1; back <= codec.groups[g].order; ++back) {
      const float* with = back == 1 ? nullptr : work.predicted;
      launch_product<FloatRows, LaneSums>(group(codec.groups[g].predictors[back - 1]),
                                          readable(floats(decoded(g - back))),
                                          {floats(work.predicted), with, 1.0f}, stream);
    }
  }
  void decode(int g) const {
    launch_product<PointRows, LaneSums>(group(codec.groups[g].synthesis), readable(points(g)),
                                        {floats(decoded(g)), predicted(g), 1.0f}, stream);
  }
};

}  // namespace

void klt_forward(const Klt& codec, const Vectors& x, const KltWork& work, std::uint32_t* flags,
                 Stream stream) {
  if (x.tokens == 0) return;
  const Lanes<std::int32_t> points{work.points, work.stride, codec.dim};
  if (codec.whole_forward != nullptr) {
    klt_exact_forward(codec, x, work, flags, stream);
    if (codec.points != Klt::trellis) return;
    launch_paths({points, codec.dim, codec.slope, work.bounds, codec.largest, x.heads, x.tokens,
                  codec.plans, codec.counts},
                 stream);
    return;
  }
  find_points<CentredVectors>(
      codec, {codec.forward, codec.dim, x.heads, x.tokens, codec.plans, codec.counts},
      CentredFrom{x, codec.negative_mean, flags, 1}, points, codec.slope, work.bounds, stream);
}

void klt_backward(const Klt& codec, const KltWork& work, const Vectors& y, std::uint32_t* flags,
                  Stream stream) {
  if (y.tokens == 0) return;
  if (codec.whole_backward != nullptr) return klt_exact_backward(codec, work, y, flags, stream);
  launch_product<PointRows, ToVectors<true>>(
      {codec.backward, codec.dim, y.heads, y.tokens, codec.plans, codec.counts},
      Lanes<const std::int32_t>{work.points, work.stride, codec.dim},
      {y, codec.mean, work.kept, klt_groups(y.tokens), nullptr}, stream);
}

void klt_layers_forward(const KltLayers& codec, const Vectors& x, const KltLayersWork& work,
                        std::uint32_t* flags, Stream stream) {
  if (x.tokens == 0) return;
  const Chain chain{codec, work, x.tokens, stream};
  const std::int64_t room = 32 * klt_groups(x.tokens);
  const int parts = klt_parts(codec.klt.points, codec.width);
  for (int g = 0; g < chain.count(); ++g) {
    const KltGroup& group = codec.groups[g];
    chain.predict(g);
    // Nothing more is predicted from what was decoded there.
    float* const less_predicted = chain.decoded(g);
    launch_product<CentredVectors, LaneSums>(
        chain.heads(group.forward), CentredFrom{chain.view(x, g), group.negative_mean, flags, 0},
        {chain.of_heads(less_predicted), chain.predicted(g), -1.0f}, stream);
    find_points<FloatRows>(codec.klt, chain.group(group.analysis),
                           readable(chain.floats(less_predicted)), chain.points(g), group.slope,
                           work.klt.bounds + g * parts * room, stream);
    if (g + 1 < chain.count() && work.decoded_count > 1) chain.decode(g);
  }
}

void klt_layers_backward(const KltLayers& codec, const KltLayersWork& work, const Vectors& y,
                         std::uint32_t* flags, Stream stream) {
  if (y.tokens == 0) return;
  const Chain chain{codec, work, y.tokens, stream};
  for (int g = 0; g < chain.count(); ++g) {
    const KltGroup& group = codec.groups[g];
    chain.predict(g);
    chain.decode(g);
    launch_product<FloatRows, ToVectors<false>>(
        chain.heads(group.backward), readable(chain.of_heads(chain.decoded(g))),
        {chain.view(y, g), group.mean, work.klt.kept, 0, flags}, stream);
  }
}

}  // namespace kakeya::kernels
