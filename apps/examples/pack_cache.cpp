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
  int layers = 4, heads = 2, dim = 64;
  if (argc > 2) {
    profiles.add(argv[2]);
    const ProfileOrigin& model = *profiles.entries().front().origin;
    layers = model.layers, heads = model.kv_heads, dim = model.head_dim;
  }
  const std::size_t tokens = 200, width = static_cast<std::size_t>(heads * dim);

  // Keys and values as an engine has them: float32 [tokens, heads, dim] of every layer.
  KvCache cache(layers, tokens, static_cast<std::size_t>(heads), static_cast<std::size_t>(dim));
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  std::vector<float> part(tokens * width);
  for (int layer = 0; layer < layers; ++layer) {
    for (const Part which : {Part::key, Part::value}) {
      for (float& value : part) value = normal(generator);
      cache.store({layer, which}, part);
    }
  }

  // What is coded, and how: all layers, but the first four tokens stay bf16.
  CacheFacts facts;
  facts.model_name = "drawn";
  facts.extent.policy.layers = layers;
  facts.extent.policy.sinks = 4;
  facts.extent.tokens = tokens;
  facts.extent.heads = static_cast<std::size_t>(heads);
  facts.extent.dim = static_cast<std::size_t>(dim);
  const std::string spec = argc > 2 ? "klt:bits=3,alloc=none" : "e8:q=10";
  // begin README
  const CacheCodecs codecs =
      make_cache_codecs({spec, spec}, {facts.extent.dim, layers, heads, 0, &profiles});
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
              2 * static_cast<std::size_t>(layers) * tokens * width, values.size(),
              describe_block(last).c_str());
} catch (const Error& error) {
  std::fprintf(stderr, "pack_cache: %s\n", error.what());
  return 1;
}
