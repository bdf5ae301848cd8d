// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/streaming/streaming.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "kakeya/cache/sequence_file.h"
#include "kakeya/codec/descriptor.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/measure/speed/bench_profile.h"
#include "kakeya/model/reference.h"
#include "kakeya/profile/profile_shelf.h"
#include "kakeya/stats/distortion.h"

namespace kakeya {
namespace {

void check(const StreamInput& input, std::span<const std::size_t> chunks) {
  if (input.tokens == 0 || input.heads == 0 || input.dim == 0) {
    throw InputError("streaming: " + std::to_string(input.tokens) + " tokens of " +
                     std::to_string(input.heads) + " heads of " + std::to_string(input.dim) +
                     " values, expected at least 1 of each");
  }
  for (const std::size_t chunk : chunks) {
    if (chunk >= 1 && chunk <= input.tokens) continue;
    throw InputError("streaming: chunks of " + std::to_string(chunk) + " tokens, expected 1 to " +
                     std::to_string(input.tokens));
  }
}

std::vector<float> draw(const StreamInput& input, std::uint64_t stream) {
  const Random random(input.seed, stream);
  std::vector<float> values(input.tokens * input.heads * input.dim);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(input.deviation * random.normal(i));
  }
  return values;
}

struct Tokens {
  std::vector<float> keys, values;
  std::size_t width = 0;

  Rows<const float> rows(const std::vector<float>& of, std::size_t first, std::size_t count) const {
    return dense_rows<const float>(of.data() + first * width, count, width);
  }
};

// A cache as it is saved and as attention reads it.
struct Grown {
  std::vector<std::byte> file;
  std::vector<float> read;
  std::size_t page_tokens = 0;
};

Grown grow(const KvShape& shape, const CacheCodecs& codecs, const Tokens& tokens, std::size_t count,
           std::size_t chunk) {
  CachePolicy policy;
  policy.layers = shape.layers;
  PackedCache cache(shape, policy, codecs);
  const int sequence = cache.add_sequence();
  Grown grown;
  for (std::size_t first = 0; first < count; first += chunk) {
    const std::size_t more = std::min(chunk, count - first);
    for (int layer = 0; layer < shape.layers; ++layer) {
      cache.append(sequence, layer, tokens.rows(tokens.keys, first, more),
                   tokens.rows(tokens.values, first, more));
    }
    if (grown.page_tokens == 0) grown.page_tokens = cache.sealed_tokens(sequence, {0, Part::key});
  }
  const std::size_t part = count * tokens.width;
  grown.read.resize(shape.parts() * part);
  for (std::size_t index = 0; index < shape.parts(); ++index) {
    const auto layer = static_cast<int>(index / 2);
    cache.read(sequence, {layer, index % 2 == 0 ? Part::key : Part::value}, {0, count},
               dense_rows(grown.read.data() + index * part, count, tokens.width));
  }
  CacheFacts facts;
  facts.rope_layout = "half";
  grown.file = save_sequence(cache, sequence, facts, std::vector<std::int32_t>(count));
  return grown;
}

// Values that differ, and the largest difference.
std::pair<std::uint64_t, double> compare(std::span<const float> a, std::span<const float> b) {
  std::uint64_t differ = 0;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    ++differ;
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  return {differ, largest};
}

// Why a codec cannot be streamed. Those calibrated on whole models code all layers of a cache together; their profiles are
// not drawn here. Empty where it can.
std::string codes_whole_caches(const std::string& spec) {
  if (!is_calibrated(spec) || Spec::parse(spec).name() == "klt") return "";
  return spec +
         ": codes all layers of a cache together, when all of its tokens are there: expected a codec "
         "whose pages decode alone";
}

// Two layers where a codec may code one after others, so that a cache refuses it that would hold only one.
int layers_of(const std::string& spec) { return scope_of(spec) == VectorScope::token ? 2 : 1; }

ProfileShelf drawn_profile(const std::string& spec, const StreamInput& input) {
  ProfileShelf shelf;
  if (!is_calibrated(spec)) return shelf;
  shelf.add({"", Profile::kKind,
             bench_profile(input.dim, input.heads, scope_of(spec) == VectorScope::token,
                           layers_of(spec))});
  return shelf;
}

// All round trips of a codec, batches of vectors in and out.
class RoundTrip {
 public:
  RoundTrip(const std::string& spec, bool published, std::size_t dim) : dim_(dim) {
    if (!published) {
      codec_ = make_codec(spec, {dim});
      return;
    }
    const CodecDescriptor* described = find_descriptor(spec);
    const auto theirs = described == nullptr || described->roundtrip == nullptr
                            ? std::nullopt
                            : described->roundtrip(Spec::parse(spec));
    if (!theirs) throw SpecError(spec + ": expected a codec of which a round trip was published");
    composed_ = make_reference_codec(Spec::parse(theirs->spec).name(), dim, theirs->levels);
  }

  void operator()(const float* in, std::size_t vectors, float* out) const {
    if (composed_) return composed_->roundtrip(in, vectors, out);
    std::vector<std::byte> frame(codec_->encoded_bound(vectors));
    frame.resize(codec_->encode(dense_rows<const float>(in, vectors, dim_), frame));
    codec_->decode(frame, dense_rows(out, vectors, dim_));
  }

 private:
  std::size_t dim_;
  std::unique_ptr<Codec> codec_;
  std::unique_ptr<ReferenceCodec> composed_;
};

double rel_mse(const std::vector<float>& original, const std::vector<float>& decoded,
               std::size_t dim) {
  Distortion distortion;
  const std::size_t vectors = original.size() / dim;
  distortion.add(dense_rows<const float>(original.data(), vectors, dim),
                 dense_rows<const float>(decoded.data(), vectors, dim));
  return distortion.rel_mse();
}

double share_moved(const std::vector<float>& a, const std::vector<float>& b, std::size_t dim,
                   double by) {
  const std::size_t vectors = a.size() / dim;
  std::size_t moved = 0;
  for (std::size_t i = 0; i < a.size(); i += dim) {
    moved += compare({a.data() + i, dim}, {b.data() + i, dim}).second > by;
  }
  return static_cast<double>(moved) / static_cast<double>(vectors);
}

}  // namespace

StreamedCodec stream_codec(const std::string& spec, const StreamInput& input,
                           std::span<const std::size_t> chunks) {
  check(input, chunks);
  StreamedCodec streamed;
  streamed.codec = spec;
  streamed.refused = codes_whole_caches(spec);
  if (!streamed.refused.empty()) return streamed;
  const ProfileShelf shelf = drawn_profile(spec, input);
  const KvShape shape{layers_of(spec), static_cast<int>(input.heads), static_cast<int>(input.heads),
                      static_cast<int>(input.dim)};
  const CacheCodecs codecs = make_cache_codecs({spec, spec}, {shape, 0, &shelf});
  const Tokens tokens{draw(input, 0), draw(input, 1), shape.part_width()};
  std::optional<Grown> whole;
  try {
    whole = grow(shape, codecs, tokens, input.tokens, input.tokens);
  } catch (const InputError& refused) {
    streamed.refused = refused.what();
    return streamed;
  }
  streamed.bytes = whole->file.size();
  streamed.values = whole->read.size();
  for (const std::size_t chunk : chunks) {
    const Grown grown = grow(shape, codecs, tokens, input.tokens, chunk);
    const auto [differ, largest] = compare(grown.read, whole->read);
    streamed.ways.push_back({chunk, grown.file == whole->file, differ, largest});
    if (chunk == 1) streamed.page_tokens = grown.page_tokens;
  }
  return streamed;
}

std::vector<BatchedRoundTrip> batched_round_trips(const std::string& spec, bool published,
                                                  const StreamInput& input,
                                                  std::span<const std::size_t> batches) {
  check(input, batches);
  const RoundTrip round_trip(spec, published, input.dim);
  const std::vector<float> keys = draw(input, 0);
  const auto in_batches = [&](std::size_t batch) {
    std::vector<float> out(keys.size());
    const std::size_t width = input.heads * input.dim;
    for (std::size_t first = 0; first < input.tokens; first += batch) {
      const std::size_t tokens = std::min(batch, input.tokens - first);
      round_trip(keys.data() + first * width, tokens * input.heads, out.data() + first * width);
    }
    return out;
  };
  const std::vector<float> at_once = in_batches(input.tokens);
  std::vector<BatchedRoundTrip> all;
  for (const std::size_t batch : batches) {
    const std::vector<float> out = in_batches(batch);
    BatchedRoundTrip one{spec, published, batch};
    const auto [differ, largest] = compare(out, at_once);
    one.values_differ = static_cast<double>(differ) / static_cast<double>(out.size());
    one.largest_difference = largest;
    one.vectors_moved = share_moved(out, at_once, input.dim, 1e-3 * input.deviation);
    one.rel_mse = rel_mse(keys, out, input.dim);
    one.rel_mse_at_once = rel_mse(keys, at_once, input.dim);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace kakeya
