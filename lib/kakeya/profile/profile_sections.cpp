// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/profile_sections.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include "kakeya/core/half.h"
#include "kakeya/profile/plain_inverse.h"

namespace kakeya {
namespace {

constexpr std::size_t kDigestBytes = 32;
constexpr char kDigits[] = "0123456789abcdef";
constexpr int kMostVariants = 4;

// What is wrong with a file or, writing, with the profile.
template <typename Io>
[[noreturn]] void refuse(const Io&, const std::string& what) {
  using Wrong = std::conditional_t<Io::kReads, CorruptStream, InputError>;
  throw Wrong(std::string(kProfileFile) + ": " + what);
}

template <typename Io>
void visit_zero(Io& io) {
  std::uint32_t zero = 0;
  io.template field<std::uint32_t>(zero, "reserved");
  if (zero != 0) refuse(io, "a reserved field is " + std::to_string(zero) + ", expected 0");
}

// A choice of two as a number, 0 or 1.
template <typename Stored, typename Io, typename Choice>
void visit_choice(Io& io, Choice& choice, const std::remove_const_t<Choice>& zero,
                  const std::remove_const_t<Choice>& one, const char* what) {
  Stored number = choice == one ? 1 : 0;
  io.template field<Stored>(number, what);
  if (number > 1)
    refuse(io, std::string(what) + " " + std::to_string(number) + ", expected 0 or 1");
  if constexpr (Io::kReads) choice = number == 1 ? one : zero;
}

void visit_digest(ProfileOut& out, const std::string& digest) {
  const auto digit = [](char letter) { return std::string_view(kDigits).find(letter); };
  const bool hexadecimal = std::all_of(digest.begin(), digest.end(), [&](char letter) {
    return digit(letter) != std::string_view::npos;
  });
  if (digest.size() != 2 * kDigestBytes || !hexadecimal) {
    throw InputError(std::string(kProfileFile) + ": digest '" + digest +
                     "': expected 64 lower-case hexadecimal digits");
  }
  for (std::size_t i = 0; i < digest.size(); i += 2) {
    out.fields().put(static_cast<std::uint8_t>(16 * digit(digest[i]) + digit(digest[i + 1])));
  }
}

void visit_digest(ProfileIn& in, std::string& digest) {
  for (const std::byte byte : in.fields().take(kDigestBytes)) {
    digest += kDigits[std::to_integer<unsigned>(byte) / 16];
    digest += kDigits[std::to_integer<unsigned>(byte) % 16];
  }
}

template <typename Io, typename Head>
void visit_origin(Io& io, Head& head) {
  using Number = std::uint32_t;
  io.template field<Number>(head.shape.layers, "layers");
  io.template field<Number>(head.shape.kv_heads, "KV heads");
  io.template field<Number>(head.shape.head_dim, "head_dim");
  io.template field<Number>(head.passages, "passages");
  io.template field<Number>(head.context, "context");
  io.template field<Number>(head.sinks, "sinks");
  visit_choice<Number>(io, head.tap, TapPoint::pre_rope, TapPoint::post_rope, "tap");
  visit_zero(io);
  visit_digest(io, head.digest);
  for (auto* text : {&head.origin.model.name, &head.origin.model.sha256, &head.origin.text.name,
                     &head.origin.text.sha256, &head.tokens_sha256, &head.dtype}) {
    io.text(*text);
  }
  if constexpr (Io::kReads) require_sane_shape(head.shape, kProfileFile);
}

template <typename Io, typename Matrix>
void visit_int8(Io& io, Matrix& matrix, std::uint64_t rows, std::uint64_t columns) {
  io.array(matrix.scale, columns);
  io.array(matrix.steps, rows * columns);
}

template <typename Io, typename Halves, typename Matrix>
void visit_matrix(Io& io, MatrixFormat format, Halves& halves, Matrix& stored, std::uint64_t rows,
                  std::uint64_t columns) {
  if (format == MatrixFormat::int8) return visit_int8(io, stored, rows, columns);
  io.array(halves, rows * columns);
}

// The inverse, as what it differs in from one that every reader can compute.
void visit_inverse(ProfileOut& out, const std::vector<float>& plain,
                   const std::vector<float>& inverse) {
  const auto differs = [&](std::size_t i) {
    return std::bit_cast<std::uint32_t>(plain[i]) != std::bit_cast<std::uint32_t>(inverse[i]);
  };
  std::uint32_t corrections = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) corrections += differs(i) ? 1 : 0;
  out.fields().put(corrections);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (!differs(i)) continue;
    out.fields().put(static_cast<std::uint32_t>(i));
    out.fields().put(inverse[i]);
  }
}

void visit_inverse(ProfileIn& in, std::vector<float> plain, std::vector<float>& inverse) {
  std::uint64_t next = 0;
  for (auto left = in.fields().get<std::uint32_t>(); left > 0; --left) {
    const auto place = in.fields().get<std::uint32_t>();
    const auto value = in.fields().get<float>();
    if (place < next || place >= plain.size() ||
        std::bit_cast<std::uint32_t>(plain[place]) == std::bit_cast<std::uint32_t>(value)) {
      refuse(in, "correction of value " + std::to_string(place) +
                     " of an inverse: expected one that " + "corrects, in rising order");
    }
    plain[place] = value;
    next = std::uint64_t{place} + 1;
  }
  inverse = std::move(plain);
}

template <typename Io, typename Site>
void visit_site(Io& io, Site& site, MatrixFormat format, std::size_t dim) {
  io.array(site.mean, dim);
  std::vector<float> forward = site.forward;
  if (format == MatrixFormat::int8) {
    visit_int8(io, site.stored_forward, dim, dim);
    if constexpr (Io::kReads) forward = values_of(site.stored_forward);
  } else {
    std::vector<std::uint16_t> halves = to_halves(forward);
    io.array(halves, dim * dim);
    forward.resize(halves.size());
    std::transform(halves.begin(), halves.end(), forward.begin(), half_to_float);
  }
  io.array(site.classes, dim);
  visit_inverse(io, plain_inverse(forward, dim), site.backward);
  if constexpr (Io::kReads) site.forward = std::move(forward);
}

// `count` elements of a list: those that are there or, reading, new ones, each made when the one
// before it was found in the file.
template <typename Io, typename List, typename Visit>
void visit_each(Io&, List& list, std::size_t count, const Visit& visit) {
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (Io::kReads) list.emplace_back();
    visit(list[i]);
  }
}

template <typename Io, typename Kept>
void visit_variants(Io& io, Kept& profile, std::size_t variants) {
  for (std::size_t v = 0; v < variants; ++v) {
    if constexpr (Io::kReads) profile.variants.emplace_back();
    auto& variant = profile.variants[v];
    visit_choice<std::uint16_t>(io, variant.weighted, false, true, "weighted");
    visit_choice<std::uint16_t>(io, variant.centred, false, true, "centred");
    for (auto& part : profile.parts) {
      if constexpr (Io::kReads) part.heads.emplace_back();
      visit_each(io, part.heads[v], static_cast<std::size_t>(profile.shape.kv_heads),
                 [&](auto& site) {
                   visit_site(io, site, profile.matrices,
                              static_cast<std::size_t>(profile.shape.head_dim));
                 });
    }
  }
}

template <typename Io, typename Kept>
void visit_layers(Io& io, Kept& profile) {
  auto orders = static_cast<std::uint32_t>(profile.layer_transforms.size());
  io.template field<std::uint32_t>(orders, "orders");
  if (orders > kMostOrder + 1) refuse(io, "transforms of " + std::to_string(orders) + " orders");
  if (orders == 0) return;
  io.template field<std::uint32_t>(profile.layer_group, "layer group");
  if (profile.layer_group < 1 || profile.shape.layers % profile.layer_group != 0) {
    refuse(io, "layer group " + std::to_string(profile.layer_group) + ", expected a divisor of " +
                   std::to_string(profile.shape.layers));
  }
  visit_choice<std::uint32_t>(io, profile.layer_steps, Tier::cold, Tier::hot, "steps");
  io.real(profile.layer_shaping);
  io.array(profile.layer_octaves, profile.parts.size());
  const std::uint64_t n = profile.group_width();
  const auto groups = static_cast<std::size_t>(profile.layer_groups());
  for (std::size_t order = 0; order < orders; ++order) {
    if constexpr (Io::kReads) profile.layer_transforms.emplace_back(groups);
    for (std::size_t group = order; group < groups; ++group) {
      auto& made = profile.layer_transforms[order][group];
      if (order > 0) {
        visit_matrix(io, profile.matrices, made.predictor, made.stored_predictor, order * n, n);
      }
      visit_matrix(io, profile.matrices, made.rotation, made.stored_rotation, n, n);
      io.array(made.deviations, n);
      io.array(made.classes, std::size(kLayerRates) * n);
      if constexpr (Io::kReads) {
        if (profile.matrices == MatrixFormat::int8) made.unpack();
      }
    }
  }
}

template <typename Io, typename Kept>
void visit_klt(Io& io, Kept& profile) {
  visit_head(io, profile);
  visit_choice<std::uint16_t>(io, profile.matrices, MatrixFormat::fp16, MatrixFormat::int8,
                              "matrices");
  auto variants = static_cast<std::uint16_t>(profile.variants.size());
  io.template field<std::uint16_t>(variants, "variants");
  if (variants < 1 || variants > kMostVariants) refuse(io, "variants " + std::to_string(variants));
  io.template field<std::uint32_t>(profile.sensitivity_passages, "sensitivity passages");
  io.real(profile.sensitivity_bits);
  io.real(profile.prefix_sensitivity_bits);
  if constexpr (Io::kReads) {
    const std::size_t parts = 2 * static_cast<std::size_t>(profile.shape.layers);
    io.require(parts, 2 * sizeof(double));
    profile.parts.resize(parts);
  }
  for (auto& part : profile.parts) io.real(part.sensitivity);
  for (auto& part : profile.parts) io.real(part.prefix_sensitivity);
  visit_variants(io, profile, variants);
  visit_layers(io, profile);
}

template <typename Io, typename Kept>
void visit_kvtc(Io& io, Kept& profile) {
  visit_head(io, profile);
  io.template field<std::uint32_t>(profile.rank, "rank");
  visit_zero(io);
  const std::uint64_t n = profile.width(), rank = profile.rank;
  if (rank < 1 || rank > n) {
    refuse(io, "rank " + std::to_string(rank) + ", expected 1 to " + std::to_string(n));
  }
  for (auto& part : profile.parts) {
    io.array(part.mean, n);
    io.array(part.basis, rank * n);
    io.array(part.single_errors, rank * kKvtcTypes);
    io.array(part.group_errors, profile.group_starts() * kKvtcLargerSizes * kKvtcStoredTypes);
  }
}

}  // namespace

void visit_head(ProfileOut& out, const ProfileHead& head) { visit_origin(out, head); }
void visit_head(ProfileIn& in, ProfileHead& head) { visit_origin(in, head); }

void visit_sections(ProfileOut& out, const Profile& profile) {
  check_profile(profile, kProfileFile);
  visit_klt(out, profile);
}

void visit_sections(ProfileIn& in, Profile& profile) {
  visit_klt(in, profile);
  check_profile(profile, kProfileFile);
}

void visit_sections(ProfileOut& out, const KvtcProfile& profile) {
  check_kvtc_profile(profile, kProfileFile);
  visit_kvtc(out, profile);
}

void visit_sections(ProfileIn& in, KvtcProfile& profile) {
  visit_kvtc(in, profile);
  check_kvtc_profile(profile, kProfileFile);
}

}  // namespace kakeya
