// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/kv.h"

#include <gtest/gtest.h>

#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/origin.h"

namespace kakeya {
namespace {

TEST(Kv, TapPointsHaveOneText) {
  for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
    EXPECT_EQ(parse_tap(tap_name(tap)), tap);
  }
  EXPECT_EQ(tap_name(TapPoint::pre_rope), "pre-rope");
  EXPECT_EQ(tap_name(TapPoint::post_rope), "post-rope");
  for (const char* text : {"", "rope", "pre_rope", "Pre-rope", "pre-rope "}) {
    try {
      parse_tap(text);
      FAIL() << text;
    } catch (const SpecError& error) {
      EXPECT_EQ(std::string(error.what()),
                "tap \"" + std::string(text) + "\": expected pre-rope or post-rope");
    }
  }
}

TEST(Kv, SitesAreNumberedAndNamed) {
  const KvShape shape{.layers = 3, .kv_heads = 2, .query_heads = 6, .head_dim = 16};
  std::vector<bool> seen(shape.parts());
  for (int layer = 0; layer < shape.layers; ++layer) {
    for (const Part part : {Part::key, Part::value}) {
      const KvSite site{layer, part};
      ASSERT_LT(site.index(), seen.size());
      EXPECT_FALSE(seen[site.index()]);
      seen[site.index()] = true;
      EXPECT_EQ(site_of_index(site.index()), site);
      EXPECT_EQ((KvSite{layer, part, 1}.index()), site.index());
    }
  }
  EXPECT_EQ(site_name({3, Part::key}), "layer 3 keys");
  EXPECT_EQ(site_name({0, Part::value, 0}), "layer 0 values, head 0");
  EXPECT_EQ(site_name({1, Part::query, 5}), "layer 1 queries, head 5");
  EXPECT_EQ(shape.heads(), 2u);
  EXPECT_EQ(shape.heads(Part::value), 2u);
  EXPECT_EQ(shape.heads(Part::query), 6u);
  EXPECT_EQ(shape.part_width(), 32u);
}

TEST(Origin, NameAndDigestInOneText) {
  const Source whole{"BPE, 65536 merges", "0123abcd"}, bare{"bytes, 256 tokens", ""};
  EXPECT_EQ(described(whole), "BPE, 65536 merges, sha256 0123abcd");
  EXPECT_EQ(described(bare), "bytes, 256 tokens");
  for (const Source& source : {whole, bare, Source{"a, sha256 b", "c"}, Source{}}) {
    EXPECT_EQ(parse_source(described(source)), source);
  }
}

}  // namespace
}  // namespace kakeya
