// SPDX-License-Identifier: Apache-2.0
// A growing cache: tokens come one at a time, pages seal when they are full and never change again.
#include <kakeya/kakeya.h>

#include <cstdio>
#include <random>
#include <vector>

int main() try {
  constexpr std::size_t tokens = 700, dim = 64;
  const auto codec = kakeya::make_codec("ece8:bits=3,page=256", {.dim = dim});
  kakeya::PageWriter writer(*codec);
  std::vector<float> all(tokens * dim), page(codec->page_vectors() * dim);
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  for (float& value : all) value = normal(generator);

  // begin README
  for (std::size_t token = 0; token < tokens; ++token) {
    writer.append(kakeya::dense_rows<const float>(&all[token * dim], 1, dim));
    if ((token + 1) % 256 == 0) {
      std::printf("%zu tokens: %zu pages sealed in %zu bytes\n", token + 1, writer.sealed_pages(),
                  writer.sealed_bytes());
    }
  }

  // What the open page costs is known too, and any page decodes alone.
  std::printf("%zu tokens: %zu bytes, %zu of them of the open page of %zu\n", writer.vectors(),
              writer.sealed_bytes() + writer.open_bytes(), writer.open_bytes(),
              writer.open_vectors());
  writer.decode_page(1, kakeya::dense_rows(page.data(), codec->page_vectors(), dim));
  // end README

  // One frame of all of it: the bytes that encode() of all rows gives.
  std::vector<std::byte> frame(codec->encoded_bound(tokens));
  frame.resize(codec->encode(kakeya::dense_rows<const float>(all.data(), tokens, dim), frame));
  if (writer.frame() != frame) throw kakeya::Error("appended and encoded frames differ");
} catch (const kakeya::Error& error) {
  std::fprintf(stderr, "append_tokens: %s\n", error.what());
  return 1;
}
