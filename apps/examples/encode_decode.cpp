// SPDX-License-Identifier: Apache-2.0
// Vectors to bytes and back: 256 keys of 128 scalars, at 4.65 bits a value, everything counted.
#include <kakeya/kakeya.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

int main() try {
  constexpr std::size_t count = 256, dim = 128;
  std::vector<float> keys(count * dim), decoded(keys.size());
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  for (float& value : keys) value = normal(generator);

  // begin README
  // A codec is made from a string; `kakeya-codec list` shows all of them.
  const auto codec = kakeya::make_codec("e8:q=10", {.dim = dim});
  const auto x = kakeya::dense_rows(keys.data(), count, dim);
  std::vector<std::byte> frame(codec->encoded_bound(count));
  frame.resize(codec->encode(x, frame));

  // The frame names its codec, so a reader needs nothing else. Damage is CorruptStream.
  const auto reader = kakeya::codec_of_frame(frame);
  reader->decode(frame, kakeya::dense_rows(decoded.data(), count, dim));
  // end README

  double error = 0, energy = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    error += std::pow(keys[i] - decoded[i], 2);
    energy += std::pow(keys[i], 2);
  }
  const double bits = 8.0 * static_cast<double>(frame.size()) / static_cast<double>(keys.size());
  std::printf("%s: %.2f bits a value, relative squared error %.4f\n", reader->spec().c_str(), bits,
              error / energy);
} catch (const kakeya::Error& error) {
  std::fprintf(stderr, "encode_decode: %s\n", error.what());
  return 1;
}
