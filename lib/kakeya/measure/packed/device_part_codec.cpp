// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/packed/device_part_codec.h"

#include <string>

#include "kakeya/cache/partition.h"
#include "kakeya/core/error.h"
#include "kakeya/device/device_memory.h"

namespace kakeya {

// The memory of one launch: bf16 vectors [tokens, heads, dim], their sections, a flag a head.
struct DevicePartCodec::Launch {
  const DeviceCodec& codec;
  DeviceLayout layout;
  DeviceBuffer vectors, sections, flags, workspace;
  std::vector<std::byte> image;
  std::vector<std::uint32_t> words;

  Launch(const DeviceCodec& with, const KvCache& cache, TokenRange tokens)
      : codec(with),
        layout(with.layout(tokens.count, cache.heads())),
        vectors(tokens.count * cache.heads() * cache.dim() * sizeof(std::uint16_t)),
        sections(layout.bytes),
        flags(cache.heads() * sizeof(std::uint32_t)),
        workspace(layout.workspace_bytes),
        image(layout.bytes),
        words(cache.heads()) {
    flags.fill(0, nullptr);
  }

  DeviceVectors view() const {
    return dense_device_vectors(vectors.data(), DeviceScalar::bf16, layout.tokens, layout.heads,
                                codec.dim());
  }
  std::uint32_t* flag_data() const { return static_cast<std::uint32_t*>(flags.data()); }

  // What was found wrong: an error that begins with the place of its head.
  void finish(KvSite site, TokenRange tokens) {
    device_wait(nullptr);
    flags.copy_out(words.data(), flags.bytes());
    const std::vector<FramePlace> places = frames_of_part(site, layout.heads, tokens);
    for (std::size_t head = 0; head < layout.heads; ++head) {
      if (words[head] == 0) continue;
      try {
        at_place(places[head], [&] { require_no_flags(codec, words); });
      } catch (const CorruptStream& error) {
        throw CorruptStream(describe_place(places[head]) + ": " + error.what());
      }
    }
  }
};

namespace {

// The patterns of some tokens of a part.
template <typename Patterns>
auto of_tokens(const KvCache& cache, Patterns patterns, TokenRange tokens) {
  const std::size_t width = cache.heads() * cache.dim();
  return patterns.subspan(tokens.first * width, tokens.count * width);
}

}  // namespace

DevicePartCodec::DevicePartCodec(const CodecPair& specs, const CacheInput& cache)
    : keys_((require_codec_device(), specs.keys), cache, Part::key),
      values_(specs.values, cache, Part::value) {}

const DeviceCodec& DevicePartCodec::codec_of(KvSite site) const {
  return (site.part == Part::key ? keys_ : values_).at(site.layer);
}

std::vector<std::vector<std::byte>> DevicePartCodec::encode(const KvCache& cache, KvSite site,
                                                            TokenRange tokens) {
  Launch launch(codec_of(site), cache, tokens);
  launch.vectors.copy_in(of_tokens(cache, cache.patterns(site), tokens).data(),
                         launch.vectors.bytes());
  launch.codec.encode(launch.view(), launch.sections.data(), launch.flag_data(), nullptr,
                      launch.workspace.data());
  launch.finish(site, tokens);
  launch.sections.copy_out(launch.image.data(), launch.image.size());
  std::vector<std::vector<std::byte>> frames;
  for (std::size_t head = 0; head < cache.heads(); ++head) {
    frames.push_back(launch.codec.frame(launch.layout, launch.image, head));
  }
  return frames;
}

void DevicePartCodec::decode(std::span<const std::span<const std::byte>> frames, KvSite site,
                             TokenRange tokens, KvCache& cache) {
  Launch launch(codec_of(site), cache, tokens);
  const std::vector<FramePlace> places = frames_of_part(site, cache.heads(), tokens);
  for (std::size_t head = 0; head < frames.size(); ++head) {
    try {
      launch.codec.take_frame(frames[head], launch.layout, head, launch.image);
    } catch (const CorruptStream& error) {
      throw CorruptStream(describe_place(places[head]) + ": " + error.what());
    }
  }
  launch.sections.copy_in(launch.image.data(), launch.image.size());
  launch.codec.decode(launch.sections.data(), launch.view(), launch.flag_data(), nullptr,
                      launch.workspace.data());
  launch.finish(site, tokens);
  launch.vectors.copy_out(of_tokens(cache, cache.writable_patterns(site), tokens).data(),
                          launch.vectors.bytes());
}

}  // namespace kakeya
