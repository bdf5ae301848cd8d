// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/codec_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/plain_page.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/profile/profile.h"

namespace kakeya {
namespace {

constexpr std::string_view kEngineFormats[] = {"identity", "fp8",  "q8_0",  "q4_0",
                                               "q4_1",     "q5_0", "q5_1",  "iq4_nl",
                                               "int8",     "int4", "nvfp4", "mxfp4"};

/// The text of a key, given or by default; empty where the codec has none.
std::string key_text(const Spec& spec, const CodecDescriptor& codec, std::string_view key) {
  if (const std::string* given = spec.find(std::string(key))) return *given;
  const CodecKey* known = codec.find_key(key);
  return known == nullptr ? "" : std::string(known->default_text);
}

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A profile of one head of the keys and values of one layer, of coordinates as they are.
class MadeProfile : public ProfileSource {
 public:
  explicit MadeProfile(std::size_t dim) {
    auto made = std::make_shared<Profile>();
    made->shape = {.layers = 1, .kv_heads = 1, .query_heads = 1, .head_dim = static_cast<int>(dim)};
    made->digest = std::string(64, '0');
    made->sensitivity_bits = made->prefix_sensitivity_bits = 2;
    made->sensitivity_passages = 1;
    made->variants = {TransformVariant{}};
    SiteTransform site;
    site.mean.assign(dim, 0);
    site.forward.assign(dim * dim, 0);
    for (std::size_t i = 0; i < dim; ++i) site.forward[i * dim + i] = 1;
    site.backward = site.forward;
    site.classes.assign(dim, 0);
    PartProfile part;
    part.sensitivity = part.prefix_sensitivity = 1;
    part.heads = {{site}};
    made->parts = {part, part};
    profile_ = std::move(made);
  }

  std::shared_ptr<const ProfileHead> find(std::string_view, std::string_view) const override {
    return profile_;
  }

 private:
  std::shared_ptr<const Profile> profile_;
};

/// Bytes of a frame of `count` drawn vectors.
std::size_t frame_length(const Codec& codec, std::size_t count, float scale, std::uint64_t seed) {
  const Random random(seed);
  std::vector<float> values(count * codec.dim());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = scale * static_cast<float>(random.normal(i));
  }
  std::vector<std::byte> frame(codec.encoded_bound(count));
  return codec.encode(dense_rows<const float>(values.data(), count, codec.dim()), frame);
}

void count_bytes(const Codec& codec, CodecCost& cost) {
  const std::size_t unit = cost.page > 0 ? cost.page : kPlainPage;
  const std::size_t one = frame_length(codec, unit, 1, 1),
                    two = frame_length(codec, 2 * unit, 1, 1);
  const std::size_t four = frame_length(codec, 4 * unit, 1, 1);
  const bool fixed = frame_length(codec, 2 * unit, 30, 2) == two &&
                     frame_length(codec, unit, 0.1f, 3) == one && four - two == 2 * (two - one);
  if (!fixed) {
    throw SpecError(fmt::format(
        "{}: its bytes depend on what it codes, which a config does not tell: expected a fixed-rate "
        "codec, or one with a key bits (kakeya-sweep measures it in a model)",
        codec.spec()));
  }
  cost.vector_bytes = static_cast<double>(two - one) / static_cast<double>(unit);
  cost.frame_bytes = static_cast<double>(one) - cost.vector_bytes * static_cast<double>(unit);
}

}  // namespace

bool profile_unknown(std::string_view spec) {
  const CodecDescriptor* codec = find_descriptor(Spec::parse(spec));
  return codec != nullptr && codec->calibrated() &&
         !(codec->profile == Profile::kKind && codec->scope == VectorScope::head);
}

bool stored_alone(std::string_view spec) {
  return std::find(std::begin(kEngineFormats), std::end(kEngineFormats),
                   Spec::parse(spec).name()) != std::end(kEngineFormats);
}

CodecCost codec_cost(std::string_view text, std::size_t dim, Part part, PlainVectors plain) {
  const Spec spec = Spec::parse(text);
  const CodecDescriptor* descriptor = find_descriptor(spec);
  CodecInput input{.dim = dim, .profiles = nullptr, .site = KvSite{0, part, 0}};
  // Throws what is wrong with the name.
  if (descriptor == nullptr) make_codec(text, input);
  CodecCost cost;
  const bool whole_tokens = descriptor->scope == VectorScope::token;
  if (number_of(key_text(spec, *descriptor, "adapt")).value_or(0) != 0) {
    throw SpecError(fmt::format(
        "{}: codes a cache as a whole, at a rate that its length decides: expected another codec{}",
        text, descriptor->calibrated() ? ", or adapt=0" : ""));
  }
  std::optional<MadeProfile> made;
  if (descriptor->calibrated() && !whole_tokens) {
    made.emplace(dim);
    input.profiles = &*made;
  }
  std::unique_ptr<Codec> codec;
  if (!whole_tokens) codec = make_codec(text, input);
  if (codec) {
    cost.page = codec->page_vectors();
    cost.profile_bytes = static_cast<double>(codec->account().profile_bytes());
  } else {
    cost.page =
        static_cast<std::size_t>(number_of(key_text(spec, *descriptor, "page")).value_or(0));
  }
  if (codec && cost.page == 0 && plain == PlainVectors::as_cached && !stored_alone(text)) {
    cost.page = kPlainPage;
    cost.frame_a_page = true;
  }
  cost.spec = descriptor->calibrated() ? spec.without("profile").text() : codec->spec();
  const double budget = number_of(key_text(spec, *descriptor, "budget")).value_or(0);
  if (budget != 0) {
    cost.vector_bytes = budget / static_cast<double>(cost.page);
    cost.frame_bytes = static_cast<double>(codec->encoded_bound(0));
    return cost;
  }
  const std::optional<double> bits = number_of(key_text(spec, *descriptor, "bits"));
  if (!bits) {
    if (!codec) {
      throw SpecError(cost.spec + ": no bits given: expected a key bits, as in " +
                      std::string(descriptor->example));
    }
    count_bytes(*codec, cost);
    return cost;
  }
  cost.nominal = true;
  cost.vector_bytes = *bits * static_cast<double>(dim) / 8;
  return cost;
}

}  // namespace kakeya
