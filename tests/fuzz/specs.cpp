// SPDX-License-Identifier: Apache-2.0
#include "fuzz/specs.h"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "kakeya/codecs/kvtc/deflate.h"
#include "support/made_kvtc.h"
#include "support/made_profile.h"

namespace kakeya::fuzz {
namespace {

constexpr SpecCase kIdentity[] = {{"identity", {3, 32}}};

constexpr SpecCase kFp8[] = {
    {"fp8", {8, 32}},
    {"fp8:block=8", {8, 32}},
    {"fp8:block=32,scale=fp16", {32, 64}},
    {"fp8:scale=e8m0", {16, 32}},
};

constexpr SpecCase kFixed[] = {
    {"e8:q=1", {8, 32}},
    {"e8:q=10", {8, 32}},
    {"e8:q=1023", {8, 32}},
    {"d4:q=1", {8, 32}},
    {"d4:q=152", {8, 32}},
    {"d4:q=1023", {8, 32}},
    {"tq:b=2", {8, 32}},
    {"tq:b=4", {8, 32}},
    {"tq:b=8", {8, 32}},
    {"e8:q=38,pack=joint", {8, 32}},
    {"e8:q=1023,pack=joint,scales=one", {8, 32}},
    {"d4:q=38,pack=joint,scales=log8", {8, 32}},
    {"d4:q=1023,pack=joint", {8, 32}},
    {"tq:b=2,pack=joint,scales=one", {8, 32}},
    {"tq:b=8,pack=joint", {8, 32}},
    {"e8:q=10,scales=one", {8, 32}},
    {"d4:q=10,scales=log8", {8, 32}},
    {"tq:b=4,scales=log8,rotate=none", {24, 40}},
    {"e8:q=10,rotate=none,outliers=2", {24, 40}},
    {"d4:q=10,rotate=signed,seed=7", {8, 32}},
    {"e8:q=10,center=mean,page=32", {8, 32}},
    {"tq:b=4,center=mean", {8, 32}},
    {"d4:q=38,outliers=4", {8, 32}},
    {"e8:q=38,pack=joint,scales=log8,rotate=signed,center=mean,outliers=3,page=64", {8, 32}},
};

constexpr SpecCase kPublished[] = {
    {"e8:q=4,rule=published", {8, 32}},    {"e8:q=10,rule=published", {8, 32}},
    {"e8:q=1023,rule=published", {8, 32}}, {"d4:q=1,rule=published", {8, 32}},
    {"d4:q=4,rule=published", {8, 32}},    {"d4:q=1023,rule=published", {8, 32}},
};

constexpr SpecCase kEntropy[] = {
    {"ecz:bits=4", {8, 32}},
    {"ecd4:bits=4", {8, 32}},
    {"ece8:bits=4", {8, 32}},
    {"ecz:bits=12,page=32", {8, 32}},
    {"ecd4:bits=0.25,page=32", {8, 32}},
    {"ece8:bits=12,page=32", {8, 32}},
    {"ecz:bits=3,per=head-page,page=32", {8, 32}},
    {"ecd4:bits=3,per=head-page,scales=one,page=64", {8, 32}},
    {"ece8:bits=3,per=head-page,page=32,center=mean", {8, 32}},
    {"ece8:step=0.25,page=32", {8, 32}},
    {"ecd4:step=1000000", {8, 32}},
    {"ecz:step=0.00001,page=64", {8, 32}},
    {"ece8:bits=2.5,scales=one,reconstruct=wiener", {8, 32}},
    {"ece8:bits=4,classes=channel,page=32", {8, 32}},
    {"ecd4:bits=2,classes=channel,rotate=none,page=32", {24, 40}},
    {"ecz:bits=2,classes=channel,outliers=3,page=32", {8, 32}},
    {"ece8:bits=3,per=head-page,classes=channel,rotate=hadamard,center=mean,outliers=2,page=32",
     {8, 32}},
    {"e8:q=38,pack=rans", {8, 32}},
    {"d4:q=152,pack=rans,classes=channel,scales=one,page=32", {8, 32}},
    {"tq:b=4,pack=rans,scales=log8,page=32", {8, 32}},
    {"e8:q=1023,pack=rans,scales=log8,rotate=signed,center=mean,outliers=2,page=32", {8, 32}},
    {"tq:b=8,pack=rans,classes=channel,rotate=none,page=32", {24, 40}},
};

constexpr SpecCase kBlocks[] = {
    {"q4_0", {32, 64}},
    {"q5_0", {32, 64}},
    {"q8_0", {32, 64}},
    {"kivi:b=4", {8, 40}, true},
    {"kivi:b=4", {8, 40}},
    {"kivi:b=2,group=8", {3, 24}, true},
    {"kivi:b=3,group=8", {3, 24}},
    {"kivi:b=8,group=16", {5, 32}, true},
    {"kivi:b=1,group=16", {1, 33}},
};

constexpr SpecCase kKlt[] = {
    {"klt:bits=3", {8, 32}},
    {"klt:bits=0.5,lattice=z,page=32", {8, 32}},
    {"klt:bits=8,alloc=none,page=64", {8, 32}, true},
    {"klt:bits=2,scope=layer", {32, 64}},
    {"klt:bits=1,lattice=z,scope=layer,predict=1,shaping=0.5,page=32", {32, 64}},
    {"klt:bits=6,scope=layer,predict=2,restart=2,page=32", {32, 64}},
    {"klt:bits=2,scope=layer,predict=1,adapt=100,page=32", {32, 64}},
    {"klt:bits=4,profile=none,page=32", {32, 64}},
};

constexpr SpecCase kTrellis[] = {
    {"klt:bits=2.5,lattice=tcq", {8, 32}},
    {"klt:bits=0.5,lattice=tcq,page=32", {8, 32}},
    {"klt:bits=1,lattice=tcq,scope=layer,predict=1,page=32", {32, 64}},
    {"klt:bits=6,lattice=tcq,scope=layer,restart=1,page=64", {32, 64}},
};

constexpr SpecCase kFields[] = {
    {"klt:bits=3,pages=fixed", {8, 32}, true},
    {"klt:bits=0.5,lattice=z,page=32,pages=fixed", {8, 32}},
    {"klt:bits=8,lattice=z,alloc=none,page=64,pages=fixed", {8, 32}, true},
    {"klt:bits=2.5,lattice=tcq,pages=fixed", {8, 32}},
    {"klt:bits=3,lattice=z,pages=prefix", {8, 32}},
    {"klt:bits=6,lattice=z,page=32,pages=prefix", {8, 32}, true},
};

constexpr SpecCase kTiles[] = {
    {"klt:bits=3,lattice=z,page=128,pages=tiles", {8, 16}, true},
    {"klt:bits=0.5,lattice=z,page=256,pages=tiles", {8, 40}},
    {"klt:bits=8,lattice=z,page=128,alloc=none,pages=tiles", {8, 16}},
};

constexpr SpecCase kLearning[] = {
    {"klt:bits=3,adapt=100,page=256", {8, 16}, false, 250},
    {"klt:bits=0.5,lattice=tcq,adapt=1,product=exact,page=256", {8, 16}, true, 250},
    {"klt:bits=6,lattice=z,adapt=1000,learn=scales,page=256,pages=prefix", {8, 16}, false, 250},
    {"klt:bits=2,adapt=10,grow=16,page=256,pages=fixed", {8, 16}, true, 250},
    {"klt:bits=2,scope=layer,predict=1,adapt=100,send=8,page=256", {32, 64}, false, 250},
    {"klt:bits=1,lattice=tcq,scope=layer,adapt=10,prior=heads,send=128,page=256",
     {32, 64},
     false,
     250},
    {"klt:bits=4,profile=none,send=auto,page=256", {32, 64}, false, 250},
    {"klt:bits=2,scope=layer,adapt=10,prior=heads,group=2,send=8,page=256", {32, 64}, false, 250},
    {"klt:bits=4,profile=none,group=2,page=256", {32, 64}, false, 250},
    {"klt:bits=3,lattice=z,adapt=100,page=128,pages=tiles", {8, 16}, true, 250},
};

// With room for vectors that are kept, whatever they are.
constexpr SpecCase kBudget[] = {
    {"ece8:bits=6,page=32,budget=200", {8, 16}},
    {"ecz:bits=8,scales=one,classes=channel,page=32,budget=256", {8, 16}},
    {"klt:bits=6,page=32,budget=1250", {8, 16}, true},
    {"klt:bits=6,lattice=z,page=32,pages=fixed,budget=1300", {8, 16}},
    {"klt:bits=6,lattice=z,page=32,pages=prefix,budget=1500", {8, 16}},
};

constexpr SpecCase kPeers[] = {
    {"q4_1", {32, 64}},
    {"q5_1", {32, 64}},
    {"iq4_nl", {32, 64}},
    {"int8", {5, 32}},
    {"int4", {8, 64}},
    {"nvfp4", {16, 48}},
    {"nvfp4:scale=4over6", {16, 32}},
    {"mxfp4", {32, 64}},
    {"mxfp4:block=16", {16, 48}},
    {"turboquant:b=1", {8, 24}},
    {"turboquant:b=4", {8, 32}},
    {"turboquant:b=1,mode=prod", {8, 24}},
    {"turboquant:b=3,mode=prod", {16, 32}},
    {"q4_0:rotate=32", {32, 64}},
    {"q5_0:rotate=64", {64, 128}},
    {"q8_0:rotate=32", {32, 64}},
    {"q4_1:rotate=32", {32, 64}},
    {"q5_1:rotate=64", {64, 128}},
    {"iq4_nl:rotate=32", {32, 96}},
};

constexpr SpecCase kBiased[] = {
    {"kivi:b=4,group=8,center=bias", {8, 32}, true},
    {"kivi:b=2,center=bias", {8, 32}},
    {"e8:q=10,center=bias", {8, 32}, true},
    {"d4:q=38,pack=joint,scales=log8,rotate=signed,center=bias,outliers=3", {8, 32}, true},
    {"tq:b=4,pack=rans,center=bias,page=32", {8, 32}, true},
    {"ecz:bits=3,per=head-page,center=bias,page=32", {8, 32}, true},
    {"ecd4:bits=2,classes=channel,rotate=none,center=bias,page=32", {8, 32}, true},
    {"ece8:bits=4,center=bias,page=32", {8, 32}},
};

constexpr SpecCase kKvtc[] = {
    {"kvtc:bits=2", {32, 64}},
    {"kvtc:bits=0.5,page=16", {32, 64}},
    {"kvtc:bits=8,page=64", {32, 64}},
};

constexpr SpecCase kAblation[] = {
    {"d4:q=38,rule=published,ablate=no-unit-norm", {8, 32}},
    {"d4:q=38,rule=published,ablate=no-hadamard", {8, 32}},
    {"d4:q=38,rule=published,ablate=no-per-vec-qmax,max=0.4", {8, 32}},
    {"d4:q=1023,rule=published,ablate=no-per-vec-qmax,max=0.01", {8, 32}},
    {"d4:q=1,rule=published,ablate=no-per-vec-qmax,max=0.5", {8, 32}},
    {"d4:q=10,rule=published,ablate=per-block-qmax", {8, 32}},
    {"d4:q=1023,rule=published,ablate=per-block-qmax", {8, 32}},
    {"d4:q=38,rule=published,ablate=scalar-quantise", {8, 32}},
};

// Targets and kept inputs count on the order: what is new goes to the end, kvtc, which not every
// build has, behind all others.
constexpr Family kFamilies[] = {
    {"identity", kIdentity}, {"fp8", kFp8},       {"fixed", kFixed},   {"published", kPublished},
    {"entropy", kEntropy},   {"blocks", kBlocks}, {"klt", kKlt},       {"ablation", kAblation},
    {"trellis", kTrellis},   {"peers", kPeers},   {"biased", kBiased}, {"fields", kFields},
    {"learning", kLearning}, {"tiles", kTiles},   {"budget", kBudget}, {"kvtc", kKvtc},
};

}  // namespace

std::span<const Family> families() {
  const std::span<const Family> all = kFamilies;
  return has_deflate() ? all : all.first(all.size() - 1);
}

const Family& family_named(std::string_view name) {
  for (const Family& family : kFamilies) {
    if (family.name == name) return family;
  }
  throw std::out_of_range("no family of codecs is named " + std::string(name));
}

const ProfileSource* profile_of(std::string_view spec, std::size_t dim) {
  static std::map<std::pair<std::size_t, int>, std::unique_ptr<test::OneProfile>> made;
  if (!is_calibrated(spec)) return nullptr;
  const bool tokens = scope_of(spec) == VectorScope::token;
  const std::size_t head_dim = tokens ? dim / 4 : dim;
  const int heads = tokens ? 1 : 2;
  auto& kept = made[{head_dim, heads}];
  if (!kept) {
    kept = std::make_unique<test::OneProfile>(test::made_profile(head_dim, 2, heads),
                                              test::made_kvtc_profile(head_dim, 2, heads));
  }
  return kept.get();
}

const Codec& codec_of(const SpecCase& which, std::size_t place) {
  static std::map<std::pair<const SpecCase*, std::size_t>, std::unique_ptr<Codec>> kept;
  auto& codec = kept[{&which, place}];
  if (!codec) {
    const std::size_t dim = which.dims[place];
    CodecInput input{dim, profile_of(which.spec, dim)};
    if (scope_of(which.spec) == VectorScope::head)
      input.site = KvSite{0, which.keys ? Part::key : Part::value, 0};
    if (scope_of(which.spec) == VectorScope::token) input.layers = LayerRange{0, 2};
    codec = make_codec(which.spec, input);
  }
  return *codec;
}

}  // namespace kakeya::fuzz
