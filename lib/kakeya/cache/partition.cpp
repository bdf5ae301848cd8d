// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/partition.h"

#include <algorithm>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// Calls visit(site, channel in the part, channel in the vector, channels) for what a vector of the
// place is made of.
template <typename Visit>
void for_each_run(const FramePlace& place, const KvCache& cache, const Visit& visit) {
  if (place.site) {
    visit(*place.site, static_cast<std::size_t>(place.site->head) * cache.dim(), std::size_t{0},
          cache.dim());
    return;
  }
  const std::size_t width = cache.heads() * cache.dim();
  for_each_part(place.layers, width,
                [&](KvSite site, std::size_t at) { visit(site, std::size_t{0}, at, width); });
}

void require_shape(const FramePlace& place, const KvCache& cache, std::size_t count,
                   std::size_t dim) {
  const std::size_t values = place.vector_values(cache.heads(), cache.dim());
  if (count != place.tokens.count || dim != values) {
    throw InputError(describe_place(place) + ": " + std::to_string(count) + " vectors of " +
                     std::to_string(dim) + ", expected " + std::to_string(place.tokens.count) +
                     " of " + std::to_string(values));
  }
}

}  // namespace

std::string describe_place(const FramePlace& place) {
  if (place.site) return site_name(*place.site);
  return "layers " + std::to_string(place.layers.first) + " to " +
         std::to_string(place.layers.first + place.layers.count - 1) + ", tokens from " +
         std::to_string(place.tokens.first);
}

std::vector<FramePlace> frames_of_part(KvSite site, std::size_t heads, TokenRange tokens) {
  std::vector<FramePlace> frames;
  for (std::size_t head = 0; head < heads; ++head) {
    site.head = static_cast<int>(head);
    frames.push_back({{site.layer, 1}, site, tokens});
  }
  return frames;
}

std::vector<FramePlace> frames_of_tokens(const TokenCodecs& codecs, TokenRange tokens) {
  std::vector<FramePlace> frames;
  const std::size_t page = codecs.page_vectors() == 0 ? tokens.count : codecs.page_vectors();
  for (const TokenCodecs::Run& run : codecs.runs()) {
    for (std::size_t done = 0; done < tokens.count; done += page) {
      const TokenRange here{tokens.first + done, std::min(page, tokens.count - done)};
      frames.push_back({run.layers, std::nullopt, here});
    }
  }
  return frames;
}

std::vector<FramePlace> frames_of_cache(const CacheCodecs& codecs, const CachePolicy& policy,
                                        std::size_t heads, TokenRange tokens) {
  if (codecs.tokens) return frames_of_tokens(*codecs.tokens, tokens);
  std::vector<FramePlace> frames;
  for (int layer = 0; layer < policy.layers; ++layer) {
    if (!policy.codes(layer)) continue;
    for (const Part part : {Part::key, Part::value}) {
      const std::vector<FramePlace> more = frames_of_part({layer, part}, heads, tokens);
      frames.insert(frames.end(), more.begin(), more.end());
    }
  }
  return frames;
}

const Codec& codec_at(const CacheCodecs& codecs, const FramePlace& place) {
  if (place.site && !codecs.tokens) {
    return (place.site->part == Part::key ? *codecs.keys : *codecs.values)
        .at(place.site->layer, static_cast<std::size_t>(place.site->head));
  }
  if (!place.site && codecs.tokens) {
    for (const TokenCodecs::Run& run : codecs.tokens->runs()) {
      if (run.layers == place.layers) return *run.codec;
    }
  }
  throw InputError(describe_place(place) + ": not coded as one frame by " +
                   codecs.canonical().keys);
}

void load_vectors(const KvCache& cache, const FramePlace& place, Rows<float> vectors) {
  require_shape(place, cache, vectors.count, vectors.dim);
  for_each_run(place, cache,
               [&](KvSite site, std::size_t channel, std::size_t at, std::size_t channels) {
                 cache.load_rows(site, place.tokens.first, channel,
                                 {vectors.data + at, vectors.count, channels, vectors.stride});
               });
}

void store_vectors(KvCache& cache, const FramePlace& place, Rows<const float> vectors) {
  require_shape(place, cache, vectors.count, vectors.dim);
  for_each_run(place, cache,
               [&](KvSite site, std::size_t channel, std::size_t at, std::size_t channels) {
                 cache.store_rows(site, place.tokens.first, channel,
                                  {vectors.data + at, vectors.count, channels, vectors.stride});
               });
}

}  // namespace kakeya
