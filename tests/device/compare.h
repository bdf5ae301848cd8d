// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "device/both_sides.h"
#include "kakeya/core/error.h"

// One launch of each operation, and the CPU's codec beside it.

namespace kakeya::test {

// Encode, decode and round trip of drawn vectors on both sides.
inline void compare(const DeviceCodec& codec, Vectors& x, Vectors& y, const std::string& what) {
  SCOPED_TRACE(what);
  const std::size_t tokens = x.view().tokens, heads = x.view().heads, dim = x.view().dim;
  const DeviceLayout layout = codec.layout(tokens, heads);
  Store store(layout);
  codec.encode(x.view(), store.sections.data(), store.flag_data(), nullptr, store.workspace.data());
  ASSERT_EQ(store.any_flag(), 0u);

  std::vector<std::vector<float>> decoded(heads, std::vector<float>(tokens * dim));
  std::vector<std::string> wrong(heads);
  std::vector<std::byte> image(layout.bytes);
  Vectors::in_parallel(heads, [&](std::size_t head) {
    std::vector<std::byte> frame(codec.host(head).encoded_bound(tokens));
    frame.resize(codec.host(head).encode(x.rows(head), frame));
    codec.host(head).decode(frame, dense_rows(decoded[head].data(), tokens, dim));
    if (codec.frame(layout, store.image, head) != frame) {
      codec.take_frame(frame, layout, head, image);
      wrong[head] = "head " + std::to_string(head);
      for (const DeviceLayout::Section& section : layout.sections) {
        for (std::size_t i = 0; i < section.bytes && section.name != "part"; ++i) {
          const std::size_t at = section.offset + head * section.stride + i;
          if (image[at] == store.image[at]) continue;
          wrong[head] += ": " + std::string(section.name) + " byte " + std::to_string(i) + " of " +
                         std::to_string(section.bytes) + ": " +
                         std::to_string(std::to_integer<int>(store.image[at])) + ", expected " +
                         std::to_string(std::to_integer<int>(image[at]));
          break;
        }
      }
    }
    codec.take_frame(frame, layout, head, image);
  });
  for (const std::string& text : wrong) EXPECT_EQ(text, "");

  store.sections.copy_in(image.data(), image.size());
  y.poison();
  store.workspace.fill(0x5a, nullptr);
  codec.decode(store.sections.data(), y.view(), store.flag_data(), nullptr, store.workspace.data());
  EXPECT_EQ(store.any_flag(), 0u);
  y.download();
  EXPECT_EQ(differences(y, decoded), 0u) << "values decoded";
  EXPECT_TRUE(y.gaps_are_whole()) << "decode";

  y.poison();
  store.workspace.fill(0xff, nullptr);
  codec.round_trip(x.view(), y.view(), store.flag_data(), nullptr, store.workspace.data());
  EXPECT_EQ(store.any_flag(), 0u);
  y.download();
  EXPECT_EQ(differences(y, decoded), 0u) << "values of the round trip";
  EXPECT_TRUE(y.gaps_are_whole()) << "round trip";
}

/// Decodes sections `image` of so many tokens and heads, in which head 1 alone is damaged: its flag is set where the
/// host refuses its frame, and otherwise its values are the host's, as `out` has them; all are finite, and other heads
/// have no flag. Returns whether it was refused.
inline bool expect_what_the_host_says(const DeviceCodec& codec, const DeviceLayout& layout,
                                      std::vector<std::byte>& image, std::size_t dim,
                                      DeviceScalar out = DeviceScalar::fp32) {
  const std::size_t tokens = layout.tokens;
  Store store(layout);
  store.sections.copy_in(image.data(), image.size());
  Vectors y(out, tokens, layout.heads, dim);
  y.poison();
  codec.decode(store.sections.data(), y.view(), store.flag_data(), nullptr, store.workspace.data());
  store.download();
  y.download();
  for (std::size_t head = 0; head < layout.heads; ++head) {
    if (head == 1) continue;
    EXPECT_EQ(store.words[head], 0u) << "head " << head;
  }
  EXPECT_TRUE(y.gaps_are_whole());
  bool refused = false;
  std::vector<float> values(tokens * dim);
  try {
    codec.host(1).decode(codec.frame(layout, image, 1), dense_rows(values.data(), tokens, dim));
  } catch (const CorruptStream&) {
    refused = true;
  }
  EXPECT_EQ(store.words[1] != 0, refused) << store.words[1];
  if (refused) {
    EXPECT_THROW(require_no_flags(codec, store.words), CorruptStream);
  }
  std::size_t wrong = 0, not_finite = 0;
  for (std::size_t t = 0; t < tokens; ++t) {
    for (std::size_t i = 0; i < dim; ++i) {
      const float got = value_of(out, y.pattern(t, 1, i));
      not_finite += !std::isfinite(got);
      wrong += !refused && got != value_of(out, pattern_of(out, values[t * dim + i]));
    }
  }
  EXPECT_EQ(not_finite, 0u);
  EXPECT_EQ(wrong, 0u);
  return refused;
}

inline const char* name_of(DeviceScalar type) {
  return type == DeviceScalar::fp32 ? "fp32" : (type == DeviceScalar::fp16 ? "fp16" : "bf16");
}
inline constexpr DeviceScalar kTypes[] = {DeviceScalar::bf16, DeviceScalar::fp16,
                                          DeviceScalar::fp32};

}  // namespace kakeya::test
