// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/codec/codec.h"
#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/error_bounds.h"
#include "kakeya/codec/key_bias.h"
#include "kakeya/codecs/kvtc/deflate.h"
#include "kakeya/core/random.h"
#include "support/made_kvtc.h"
#include "support/made_profile.h"

namespace kakeya::test {

/// Specs that between them reach every codec, rule, scale and index width. At the end of one, where
/// the codec tells them apart and its vectors are keys, not values: kKeys.
inline constexpr std::string_view kKeys = "@keys";
inline const std::vector<std::string> kSpecs = {
    "identity",
    "e8:q=10",
    "e8:q=38",
    "e8:q=1023",
    "e8:q=10,rule=published",
    "e8:q=4,rule=published",
    "d4:q=38",
    "d4:q=1",
    "d4:q=4,rule=published",
    "d4:q=1023,rule=published",
    "d4:q=38,rule=published,ablate=no-unit-norm",
    "d4:q=10,rule=published,ablate=no-hadamard",
    "d4:q=38,rule=published,ablate=no-per-vec-qmax,max=0.4",
    "d4:q=4,rule=published,ablate=per-block-qmax",
    "d4:q=38,rule=published,ablate=scalar-quantise",
    "tq:b=2",
    "tq:b=4",
    "tq:b=8",
    "e8:q=38,pack=joint,scales=one",
    "e8:q=152,pack=joint",
    "e8:q=10,pack=rans,scales=log8",
    "d4:q=38,pack=joint",
    "d4:q=10,pack=rans,classes=channel",
    "tq:b=4,pack=joint,scales=log8",
    "tq:b=3,pack=rans,page=64",
    "tq:b=4,rotate=none",
    "e8:q=10,rotate=signed,seed=7,center=mean,outliers=2",
    "ecz:bits=3",
    "ecz:bits=4,per=head-page,scales=one",
    "ecd4:bits=2.5",
    "ece8:bits=4",
    "ece8:bits=4,per=head-page",
    "ece8:bits=3,scales=one,reconstruct=wiener",
    "ece8:step=0.25,classes=channel,rotate=none",
    "ece8:bits=4,classes=channel,center=mean,outliers=1",
    "ece8:bits=8,page=32,budget=1056",
    "ecd4:bits=8,scales=one,page=32,budget=1120",
    "klt:bits=3.5",
    "klt:bits=2,lattice=z,alloc=none,page=64",
    "klt:bits=3,scope=layer,predict=1",
    "klt:bits=2,lattice=z,scope=layer,page=32",
    "klt:bits=2,scope=layer,predict=1,shaping=0",
    "klt:bits=2.5,lattice=tcq",
    "klt:bits=2,lattice=tcq,scope=layer,predict=1,page=32",
    "klt:bits=3,scope=layer,predict=1,adapt=100,page=32",
    "klt:bits=3,pages=fixed",
    "klt:bits=2.5,lattice=z,page=32,pages=fixed",
    "klt:bits=2.5,lattice=tcq,product=exact,pages=fixed",
    "klt:bits=3,lattice=z,page=128,pages=tiles",
    "klt:bits=3,lattice=z,pages=prefix",
    "klt:bits=8,page=32,pages=fixed,budget=4300",
    "klt:bits=8,lattice=z,page=32,pages=prefix,budget=4700",
    "klt:bits=3,adapt=100,page=32",
    "klt:bits=3,lattice=z,adapt=100,page=128,pages=tiles",
    "klt:bits=3,scope=layer,predict=1,adapt=100,prior=heads,group=2,page=32",
    "klt:bits=3,scope=layer,predict=1,adapt=100,send=8,page=32",
    "klt:bits=3,profile=none,send=auto",
    "fp8",
    "fp8:scale=fp16",
    "fp8:block=8",
    "fp8:block=32,scale=e8m0",
    "fp8:block=16,scale=e8m0,tail=16",
    "fp8:block=8,scale=fp16,tail=8",
    "q4_0",
    "q5_0",
    "q8_0",
    "q4_1",
    "q5_1",
    "iq4_nl",
    "q4_0:rotate=64",
    "q5_0:rotate=32",
    "q8_0:rotate=64",
    "q4_1:rotate=64",
    "q5_1:rotate=32",
    "iq4_nl:rotate=64",
    "int8",
    "int4",
    "int4:seed=5",
    "nvfp4",
    "nvfp4:scale=4over6",
    "mxfp4",
    "mxfp4:block=16",
    "turboquant:b=1",
    "turboquant:b=4",
    "turboquant:b=8,seed=3",
    "turboquant:b=1,mode=prod",
    "turboquant:b=3,mode=prod",
    "kivi:b=4",
    "kivi:b=8,group=16",
    "kivi:b=2,group=8@keys",
    "kivi:b=4@keys",
    "kivi:b=4,group=8,center=bias@keys",
    "kivi:b=4,center=bias",
    "e8:q=38,center=bias@keys",
    "d4:q=38,pack=joint,scales=one,center=bias@keys",
    "tq:b=4,pack=rans,outliers=2,page=64,center=bias@keys",
    "ecz:bits=4,center=bias",
    "ecd4:bits=3,per=head-page,center=bias@keys",
    "ece8:bits=4,outliers=1,center=bias@keys"};

/// Specs of codecs that a build may lack.
inline const std::vector<std::string> kDeflateSpecs = {"kvtc:bits=2", "kvtc:bits=0.5,page=16"};

/// All that this build has, and the example of every codec that they do not name: no codec can be
/// added without the battery.
inline std::vector<std::string> specs_of_build() {
  std::vector<std::string> specs = kSpecs;
  if (has_deflate()) specs.insert(specs.end(), kDeflateSpecs.begin(), kDeflateSpecs.end());
  for (const CodecDescriptor* codec : builtin_codecs()) {
    if (codec->profile == KvtcProfile::kKind && !has_deflate()) continue;
    const bool reached = std::any_of(specs.begin(), specs.end(), [&](const std::string& spec) {
      return find_descriptor(spec.substr(0, spec.find('@'))) == codec;
    });
    if (!reached) specs.emplace_back(codec->example);
  }
  return specs;
}

/// The least dim, of powers of two from 32 on, that a spec takes.
inline std::size_t least_dim(std::string_view spec) {
  return spec.find("rotate=64") != std::string_view::npos ? 64 : 32;
}

inline std::string_view part_of(std::string_view spec) {
  return spec.ends_with(kKeys) ? kKeys : std::string_view();
}

inline std::string_view without_part(std::string_view spec) {
  return spec.substr(0, spec.size() - part_of(spec).size());
}

/// The made profile for vectors of `dim` of the codec that `spec` names; null where it needs none.
/// A vector of whole tokens is of two layers of two heads or, where it is short, of one.
inline const ProfileSource* profiles(std::string_view spec, std::size_t dim) {
  static std::map<std::pair<bool, std::size_t>, OneProfile> made;
  spec = without_part(spec);
  if (!is_calibrated(spec)) return nullptr;
  const bool tokens = scope_of(spec) == VectorScope::token;
  const auto found = made.find({tokens, dim});
  if (found != made.end()) return &found->second;
  const int heads = tokens && dim < 64 ? 1 : 2;
  const std::size_t head_dim = tokens ? dim / 4 / static_cast<std::size_t>(heads) : dim;
  Profile profile = made_profile(head_dim, 2, heads);
  return tokens ? &made.try_emplace({tokens, dim}, std::move(profile),
                                    made_kvtc_profile(head_dim, 2, heads))
                       .first->second
                : &made.try_emplace({tokens, dim}, std::move(profile)).first->second;
}

/// One site of the made profile, or all its layers, where the codec that `spec` names needs such.
inline CodecInput input_for(std::string_view spec, std::size_t dim) {
  const std::string_view plain = without_part(spec);
  CodecInput input{dim, profiles(plain, dim)};
  if (scope_of(plain) == VectorScope::head) {
    input.site = KvSite{1, part_of(spec).empty() ? Part::value : Part::key, 1};
  }
  if (scope_of(plain) == VectorScope::token) input.layers = LayerRange{0, 2};
  return input;
}

inline std::unique_ptr<Codec> make(std::string_view spec, std::size_t dim) {
  return make_codec(without_part(spec), input_for(spec, dim));
}

/// `count` vectors, or as many more as fill a group of keys where the spec has groups of 8.
inline std::size_t with_a_group(std::string_view spec, std::size_t count) {
  return part_of(spec).empty() ? count : count + 8;
}

/// Whether what is decoded of a vector depends on the others of the frame: on means, or on the
/// sizes of those before it, in its group or in the frame, or on what there is room for.
inline bool depends_on_neighbours(const std::string& spec) {
  return spec.find("center=mean") != std::string::npos ||
         (spec.starts_with("kivi") && !part_of(spec).empty()) ||
         spec.find("per=head-page") != std::string::npos || spec.starts_with("nvfp4") ||
         spec.find("profile=none") != std::string::npos ||
         spec.find("budget=") != std::string::npos;
}

/// The norm of what center=bias subtracts of the vectors of make(); 0 of other codecs.
inline double bias_norm(std::string_view spec, std::size_t dim) {
  if (!centres_on_bias(without_part(spec))) return 0;
  const auto biases = profiles(spec, dim)->find<KeyBias>("");
  return norm_of(biases->at(*input_for(spec, dim).site));
}

inline std::vector<float> normals(std::size_t values, std::uint64_t seed, double sigma = 1.0) {
  const Random random(seed);
  std::vector<float> x(values);
  for (std::size_t i = 0; i < values; ++i) x[i] = static_cast<float>(sigma * random.normal(i));
  return x;
}

/// Vectors that klt codes rather than keeps beside the code: such as the made profile expects of
/// what make() makes. Off the profile, as most data of tests are, it codes next to none. Any, where it has
/// no profile.
inline std::vector<float> coded_by_klt(std::string_view spec, std::size_t dim, std::size_t count,
                                       std::uint64_t seed) {
  if (!is_calibrated(spec)) return normals(dim * count, seed);
  const bool tokens = scope_of(spec) == VectorScope::token;
  return vectors_near(*profiles(spec, dim)->find<Profile>(""),
                      tokens ? std::nullopt : std::optional(KvSite{1, Part::value, 1}), count,
                      seed);
}

inline std::vector<std::byte> encode(const Codec& codec, Rows<const float> x) {
  std::vector<std::byte> frame(codec.encoded_bound(x.count));
  frame.resize(codec.encode(x, frame));
  return frame;
}

inline std::vector<float> decode(const Codec& codec, std::span<const std::byte> frame,
                                 std::size_t count) {
  std::vector<float> y(count * codec.dim());
  codec.decode(frame, dense_rows(y.data(), count, codec.dim()));
  return y;
}

/// Makes the checksum of a changed frame fit.
inline void seal(std::vector<std::byte>& frame) {
  const std::uint32_t crc = crc32c(std::span(frame).first(frame.size() - 4));
  std::memcpy(frame.data() + frame.size() - 4, &crc, 4);
}

inline std::vector<float> roundtrip(const Codec& codec, const std::vector<float>& x) {
  const std::size_t count = x.size() / codec.dim();
  return decode(codec, encode(codec, dense_rows(x.data(), count, codec.dim())), count);
}

/// What the codec's shortcut without bytes gives, where it has one.
inline std::optional<std::vector<float>> reconstruct(const Codec& codec, Rows<const float> x) {
  std::vector<float> y(x.values());
  if (!codec.reconstruct(x, dense_rows(y.data(), x.count, x.dim))) return std::nullopt;
  return y;
}

inline double rel_mse(std::span<const float> x, std::span<const float> y) {
  double error = 0.0, energy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error += (double{x[i]} - y[i]) * (double{x[i]} - y[i]);
    energy += double{x[i]} * x[i];
  }
  return energy == 0.0 ? error : error / energy;
}

}  // namespace kakeya::test
