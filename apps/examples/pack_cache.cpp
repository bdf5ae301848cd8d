// SPDX-License-Identifier: Apache-2.0
// A whole KV cache to one file (.kkv), and one head of one layer back from it.
// usage: pack_cache FILE.kkv [PROFILE.kkp]: e8, or klt where there is a profile
#include <kakeya/kakeya.h>

#include <cstdio>
#include <random>
#include <vector>

using namespace kakeya;

int main(int argc, char** argv) try {
  if (argc < 2) return std::fprintf(stderr, "usage: pack_cache FILE.kkv [PROFILE.kkp]\n"), 2;
  ProfileShelf profiles;
  KvShape shape{.layers = 4, .kv_heads = 2, .head_dim = 64};
  if (argc > 2) {
    profiles.add(argv[2]);
    shape = profiles.entries().front().profile->shape;
  }
  constexpr std::size_t tokens = 200;

  // Keys and values as an engine has them: float32 [tokens, heads, dim] of every layer.
  KvCache cache(shape.layers, tokens, shape.heads(), shape.dim());
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  std::vector<float> part(tokens * shape.part_width());
  for (int layer = 0; layer < shape.layers; ++layer) {
    for (const Part which : {Part::key, Part::value}) {
      for (float& value : part) value = normal(generator);
      cache.store({layer, which}, part);
    }
  }

  // What is coded, and how: all layers, but the first four tokens stay bf16.
  CacheFacts facts;
  facts.origin.model.name = "drawn";
  facts.extent = {shape, tokens, {.layers = shape.layers, .sinks = 4}};
  const std::string spec = argc > 2 ? "klt:bits=3,alloc=none" : "e8:q=10";
  // begin README
  const CacheCodecs codecs = make_cache_codecs({spec, spec}, {shape, 0, &profiles});
  WorkerPool pool(0);
  const auto file = pack_cache(facts, std::vector<std::int32_t>(tokens), cache, codecs, pool);
  write_file(argv[1], file.data(), file.size());

  // Any block is read alone. The file says where it is and which codec decodes it.
  const auto bytes = read_file(argv[1]);
  const CacheReader reader(bytes);
  const CacheBlock& last = reader.blocks().back();
  const auto values = reader.decode(last, reader.codecs(&profiles));
  // end README
  std::printf("%s: %zu bytes for %zu values; %zu of them decoded of %s\n", argv[1], bytes.size(),
              shape.parts() * tokens * shape.part_width(), values.size(),
              describe_block(last).c_str());
} catch (const Error& error) {
  std::fprintf(stderr, "pack_cache: %s\n", error.what());
  return 1;
}
