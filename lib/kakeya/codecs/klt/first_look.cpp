// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/first_look.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "kakeya/codecs/klt/head_prior.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/entropy/point_model.h"

namespace kakeya {
namespace {

// Parts are scaled by no more than 2^100 either way, so that no scaled mean overflows.
constexpr int kLargestSize = 400, kLeastDeviation = -32, kMostDeviation = 31;
constexpr std::size_t kHead = 8;  // coordinates that count as a head: its matrices are ones
constexpr int kSpread = 1;  // among kCoordinateShapes: what is known of no coordinate is its shape

int quarters(double ratio, int least, int most) {
  if (!(ratio > 0)) return least;
  return static_cast<int>(
      std::lround(std::clamp(4 * std::log2(ratio), double(least), double(most))));
}

template <typename Number>
void append(std::vector<std::byte>& out, const std::vector<Number>& values) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(values.data());
  out.insert(out.end(), bytes, bytes + values.size() * sizeof(Number));
}

template <typename Number>
std::vector<Number> take(std::span<const std::byte>& bytes, std::size_t count) {
  std::vector<Number> values(count);
  std::memcpy(values.data(), bytes.data(), count * sizeof(Number));
  bytes = bytes.subspan(count * sizeof(Number));
  return values;
}

struct PartMoments {
  std::vector<std::uint16_t> means;
  std::vector<double> squares;  // mean, about the means
};

PartMoments moments_of(Rows<const float> x, const std::vector<bool>& counts) {
  std::vector<double> sums(x.dim);
  PartMoments moments{std::vector<std::uint16_t>(x.dim), std::vector<double>(x.dim)};
  const auto count = static_cast<double>(std::count(counts.begin(), counts.end(), true));
  for (std::size_t row = 0; row < x.count; ++row) {
    for (std::size_t i = 0; i < x.dim && counts[row]; ++i) sums[i] += double{x[row][i]};
  }
  for (std::size_t i = 0; i < x.dim; ++i) {
    moments.means[i] = float_to_finite_bfloat16(static_cast<float>(sums[i] / count));
    sums[i] = double{bfloat16_to_float(moments.means[i])};
  }
  for (std::size_t row = 0; row < x.count; ++row) {
    for (std::size_t i = 0; i < x.dim && counts[row]; ++i) {
      const double off = double{x[row][i]} - sums[i];
      moments.squares[i] += off * off / count;
    }
  }
  return moments;
}

// Of the tokens but for those that are four times as far from the mean as most: sinks, which would make
// all others small.
PartMoments moments_of(Rows<const float> x) {
  constexpr double kFar = 16;
  std::vector<bool> counts(x.count, true);
  const PartMoments all = moments_of(x, counts);
  std::vector<double> squares(x.count);
  for (std::size_t row = 0; row < x.count; ++row) {
    for (std::size_t i = 0; i < x.dim; ++i) {
      const double off = double{x[row][i]} - double{bfloat16_to_float(all.means[i])};
      squares[row] += off * off;
    }
  }
  std::vector<double> sorted = squares;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  for (std::size_t row = 0; row < x.count; ++row) counts[row] = squares[row] <= kFar * *middle;
  return moments_of(x, counts);
}

}  // namespace

FirstLook look_at(Rows<const float> tokens, std::size_t layers) {
  const std::size_t dim = tokens.dim, parts = 2 * layers, width = dim / parts;
  FirstLook look{std::vector<std::int16_t>(parts), std::vector<std::uint16_t>(dim),
                 std::vector<std::int8_t>(dim)};
  if (tokens.count == 0) return look;
  for (std::size_t p = 0; p < parts; ++p) {
    const PartMoments of =
        moments_of({tokens.data + p * width, tokens.count, width, tokens.stride});
    double square = 0;
    for (const double each : of.squares) square += each;
    const double size = std::sqrt(square / static_cast<double>(width));
    look.sizes[p] = static_cast<std::int16_t>(quarters(size, -kLargestSize, kLargestSize));
    const double unit = std::exp2(look.sizes[p] / 4.0);
    for (std::size_t i = 0; i < width; ++i) {
      look.means[p * width + i] = of.means[i];
      look.deviations[p * width + i] = static_cast<std::int8_t>(
          quarters(std::sqrt(of.squares[i]) / unit, kLeastDeviation, kMostDeviation));
    }
  }
  return look;
}

std::size_t look_bytes(std::size_t dim, std::size_t layers) { return 3 * dim + 4 * layers; }

std::vector<std::byte> to_bytes(const FirstLook& look) {
  std::vector<std::byte> bytes;
  append(bytes, look.sizes);
  append(bytes, look.means);
  append(bytes, look.deviations);
  return bytes;
}

FirstLook look_from(std::span<const std::byte> bytes, std::size_t dim, std::size_t layers,
                    const std::string& spec) {
  if (bytes.size() != look_bytes(dim, layers)) {
    throw CorruptStream(spec + ": section look: " + std::to_string(bytes.size()) +
                        " bytes, expected " + std::to_string(look_bytes(dim, layers)));
  }
  FirstLook look;
  look.sizes = take<std::int16_t>(bytes, 2 * layers);
  look.means = take<std::uint16_t>(bytes, dim);
  look.deviations = take<std::int8_t>(bytes, dim);
  const bool sizes = std::ranges::all_of(
      look.sizes, [](int size) { return size >= -kLargestSize && size <= kLargestSize; });
  const bool means = std::ranges::all_of(
      look.means, [](std::uint16_t mean) { return std::isfinite(bfloat16_to_float(mean)); });
  const bool deviations = std::ranges::all_of(look.deviations, [](int deviation) {
    return deviation >= kLeastDeviation && deviation <= kMostDeviation;
  });
  if (!sizes || !means || !deviations) {
    throw CorruptStream(spec + ": section look: " +
                        (!sizes   ? "a size"
                         : !means ? "a mean"
                                  : "a deviation") +
                        " out of range");
  }
  return look;
}

std::shared_ptr<const Profile> profile_of(const FirstLook& look, int order, int group) {
  const std::size_t parts = look.sizes.size(), part = look.means.size() / parts,
                    together = 2 * static_cast<std::size_t>(group);
  auto made = std::make_shared<Profile>();
  made->origin.model.name = "none";
  made->shape.layers = static_cast<int>(parts / 2);
  made->shape.kv_heads = static_cast<int>(part / kHead);
  made->shape.head_dim = kHead;
  made->layer_group = group;
  made->layer_shaping = kLayerShaping;
  made->variants = {{}};
  made->parts.resize(parts);
  made->layer_transforms.assign(2, std::vector<LayerTransform>(parts / together));
  SiteTransform head;
  head.forward.assign(kHead * kHead, 0.0f);
  for (std::size_t i = 0; i < kHead; ++i) head.forward[i * (kHead + 1)] = 1.0f;
  head.backward = head.forward;
  std::vector<std::uint8_t> classes;
  for (std::size_t p = 0; p < parts; ++p) {
    made->layer_octaves.push_back(-look.sizes[p] / 4.0);  // u of a part has the size 1
    auto& heads = made->parts[p].heads.emplace_back();
    for (std::size_t i = p * part; i < (p + 1) * part; ++i) {
      if (i % kHead == 0) heads.push_back(head);
      heads.back().mean.push_back(bfloat16_to_float(look.means[i]));
      const int place = std::clamp(kProfileUnitPlace + look.deviations[i], 0, kDeviations - 1);
      classes.push_back(static_cast<std::uint8_t>(kSpread * kDeviations + place));
    }
    if ((p + 1) % together != 0) continue;
    const std::size_t at = p / together, after = at == 0 || order == 0 ? 0 : 1;
    made->layer_transforms[after][at] = sorted_coordinates(classes, after, true);
    classes.clear();
  }
  return made;
}

}  // namespace kakeya
