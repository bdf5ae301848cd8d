// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/profile_store.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/stats/inverse.h"
#include "kakeya/store/h5.h"
#include "kakeya/store/h5_draft.h"
#include "kakeya/store/kept_digest.h"
#include "kakeya/store/profile_fields.h"
#include "kakeya/store/profile_layer_store.h"

namespace kakeya {
namespace {

constexpr std::int64_t kSchema = 6;
constexpr std::int64_t kMostVariants = 4;
constexpr std::pair<const char*, double PartProfile::*> kSensitivities[] = {
    {"/sensitivity", &PartProfile::sensitivity},
    {"/prefix_sensitivity", &PartProfile::prefix_sensitivity}};

template <typename Facts, typename Visit>
void describe(Facts& facts, const Visit& field) {
  visit_head(facts, field);
  field("sensitivity_bits", facts.sensitivity_bits);
  field("prefix_sensitivity_bits", facts.prefix_sensitivity_bits);
  field("sensitivity_passages", facts.sensitivity_passages);
}

std::string group_of(std::size_t variant) { return "/variant" + std::to_string(variant); }

// The part of an array that is one site's: `count` values, after those of the sites before.
template <typename Value>
std::vector<Value> part_of(const std::vector<Value>& all, std::size_t site, std::size_t count) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(site * count);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

template <typename Value>
void append(std::vector<Value>& all, const std::vector<Value>& part) {
  all.insert(all.end(), part.begin(), part.end());
}

// The arrays of a variant, of all sites one after another.
struct Arrays {
  std::vector<std::uint64_t> vectors, matrices;  // their shapes
  std::vector<float> mean, scale;
  std::vector<std::uint16_t> halves;
  std::vector<std::int8_t> steps;
  std::vector<std::uint8_t> classes;

  explicit Arrays(const Profile& profile) {
    const std::uint64_t parts = profile.shape.parts(), heads = profile.shape.heads(),
                        dim = profile.shape.dim();
    vectors = {parts, heads, dim};
    matrices = {parts, heads, dim, dim};
  }

  // Calls field(name, scalar type, shape, array) for each; of the two formats of matrices, one.
  template <typename Visit>
  void visit(MatrixFormat format, const Visit& field) {
    field("/mean", h5::Scalar::fp32, vectors, mean);
    if (format == MatrixFormat::int8) {
      field("/forward", h5::Scalar::int8, matrices, steps);
      field("/forward_scale", h5::Scalar::fp32, vectors, scale);
    } else {
      field("/forward", h5::Scalar::fp16, matrices, halves);
    }
    field("/classes", h5::Scalar::uint8, vectors, classes);
  }

  void add(const SiteTransform& site) {
    append(mean, site.mean);
    append(classes, site.classes);
    append(steps, site.stored_forward.steps);
    append(scale, site.stored_forward.scale);
    if (site.stored_forward.empty()) append(halves, to_halves(site.forward));
  }

  SiteTransform site(std::size_t number, std::size_t dim) const {
    SiteTransform made;
    made.mean = part_of(mean, number, dim);
    made.classes = part_of(classes, number, dim);
    if (halves.empty()) {
      made.stored_forward = {part_of(scale, number, dim), part_of(steps, number, dim * dim)};
      made.forward = values_of(made.stored_forward);
    } else {
      for (const std::uint16_t half : part_of(halves, number, dim * dim)) {
        made.forward.push_back(half_to_float(half));
      }
    }
    made.backward = inverse(made.forward, dim);
    return made;
  }
};

// What the attribute "matrices" says.
constexpr char kFp16[] = "fp16", kInt8[] = "int8";

MatrixFormat read_matrix_format(const h5::File& file, const std::string& path) {
  const std::string text = file.text("/", "matrices");
  if (text != kFp16 && text != kInt8) {
    throw CorruptStream(path + ": matrices " + text + ", expected fp16 or int8");
  }
  return text == kInt8 ? MatrixFormat::int8 : MatrixFormat::fp16;
}

}  // namespace

void write_profile(const std::string& path, const Profile& profile, Digest digest) {
  check_profile(profile, path);
  h5::Draft draft(path);
  h5::File& file = draft.file();
  file.set_text("/", "format", kProfileFormat);
  file.set_integer("/", "schema", kSchema);
  describe(profile, PutField{file});
  file.set_text("/", "matrices", profile.matrices == MatrixFormat::int8 ? kInt8 : kFp16);
  file.set_integer("/", "variants", static_cast<std::int64_t>(profile.variants.size()));
  for (const auto& [name, member] : kSensitivities) {
    std::vector<double> values;
    for (const PartProfile& part : profile.parts) values.push_back(part.*member);
    PutArray{file}(name, h5::Scalar::fp64, {values.size()}, values);
  }
  for (std::size_t v = 0; v < profile.variants.size(); ++v) {
    Arrays arrays(profile);
    for (const PartProfile& part : profile.parts) {
      for (const SiteTransform& site : part.heads[v]) arrays.add(site);
    }
    const std::string group = group_of(v);
    arrays.visit(profile.matrices, PutArray{file, group});
    file.set_integer(group, "weighted", profile.variants[v].weighted);
    file.set_integer(group, "centred", profile.variants[v].centred);
  }
  write_layer_transforms(file, profile);
  if (digest == Digest::kept) keep_digest(file, profile);
  draft.publish();
}

Profile read_profile(const std::string& path) {
  const h5::File file = h5::File::open(path);
  require_profile_format(file, path, kProfileFormat, kSchema);
  Profile profile;
  profile.matrices = read_matrix_format(file, path);
  describe(profile, GetField{file, path});
  const std::int64_t variants = file.integer("/", "variants");
  require_sane_shape(profile.shape, path);
  if (variants < 1 || variants > kMostVariants) {
    throw CorruptStream(path + ": variants " + std::to_string(variants));
  }
  profile.parts.resize(profile.shape.parts());
  for (const auto& [name, member] : kSensitivities) {
    std::vector<double> values;
    GetArray{file}(name, h5::Scalar::fp64, {profile.parts.size()}, values);
    for (std::size_t p = 0; p < values.size(); ++p) profile.parts[p].*member = values[p];
  }
  const std::size_t heads = profile.shape.heads(), dim = profile.shape.dim();
  for (std::int64_t v = 0; v < variants; ++v) {
    const std::string group = group_of(static_cast<std::size_t>(v));
    profile.variants.push_back(
        {file.integer(group, "weighted") != 0, file.integer(group, "centred") != 0});
    Arrays arrays(profile);
    arrays.visit(profile.matrices, GetArray{file, group});
    for (std::size_t p = 0; p < profile.parts.size(); ++p) {
      profile.parts[p].heads.emplace_back();
      for (std::size_t h = 0; h < heads; ++h) {
        profile.parts[p].heads.back().push_back(arrays.site(p * heads + h, dim));
      }
    }
  }
  read_layer_transforms(file, path, profile);
  check_profile(profile, path);
  read_digest(file, path, profile);
  return profile;
}

}  // namespace kakeya
