// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/attention_error.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "kakeya/measure/attend_causal.h"
#include "kakeya/measure/captured.h"
#include "store/small_dump.h"

namespace kakeya {
namespace {

using testing::message_of;

/// [tokens, heads, dim] of anything.
struct Part3 {
  std::size_t tokens, heads, dim;
  std::vector<float> data;
  double at(std::size_t t, std::size_t h, std::size_t i) const {
    return data[(t * heads + h) * dim + i];
  }
  Rows<const float> head(std::size_t h) const {
    return {data.data() + h * dim, tokens, dim, heads * dim};
  }
};

Part3 drawn(std::size_t tokens, std::size_t heads, std::size_t dim, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 1.5F);
  Part3 made{tokens, heads, dim, std::vector<float>(tokens * heads * dim)};
  for (float& value : made.data) value = testing::rounded(normal(random), "bf16");
  return made;
}

/// What the definition says, in double: [tokens, query heads, dim].
std::vector<double> by_definition(const Part3& q, const Part3& k, const Part3& v, double scale,
                                  std::size_t window) {
  const std::size_t group = q.heads / k.heads;
  std::vector<double> made;
  for (std::size_t t = 0; t < q.tokens; ++t) {
    for (std::size_t h = 0; h < q.heads; ++h) {
      std::vector<double> out(q.dim, 0.0);
      double total = 0;
      for (std::size_t s = 0; s <= t; ++s) {
        if (window > 0 && s + window <= t) continue;
        double score = 0;
        for (std::size_t i = 0; i < q.dim; ++i) score += q.at(t, h, i) * k.at(s, h / group, i);
        const double weight = std::exp(scale * score);
        total += weight;
        for (std::size_t i = 0; i < q.dim; ++i) out[i] += weight * v.at(s, h / group, i);
      }
      for (const double sum : out) made.push_back(sum / total);
    }
  }
  return made;
}

TEST(AttendCausal, IsWhatTheDefinitionSays) {
  struct Case {
    std::size_t tokens, kv_heads, group, dim, window;
    double scale;
  };
  for (const Case& c :
       {Case{37, 2, 1, 16, 0, 0.25}, Case{37, 2, 4, 16, 0, 0.25}, Case{70, 1, 3, 20, 0, 0.1},
        Case{33, 2, 4, 8, 5, 0.4}, Case{1, 1, 1, 4, 0, 0.5}, Case{16, 1, 2, 32, 1, 0.5}}) {
    const Part3 q = drawn(c.tokens, c.kv_heads * c.group, c.dim, 1),
                k = drawn(c.tokens, c.kv_heads, c.dim, 2),
                v = drawn(c.tokens, c.kv_heads, c.dim, 3);
    const std::vector<double> expected = by_definition(q, k, v, c.scale, c.window);
    for (std::size_t h = 0; h < c.kv_heads; ++h) {
      std::vector<float> queries;
      for (std::size_t t = 0; t < c.tokens; ++t) {
        for (std::size_t g = 0; g < c.group; ++g) {
          for (std::size_t i = 0; i < c.dim; ++i)
            queries.push_back(static_cast<float>(q.at(t, h * c.group + g, i)));
        }
      }
      const std::vector<float> made =
          attend_causal(queries, c.group, k.head(h), v.head(h), {c.scale, c.window});
      ASSERT_EQ(made.size(), queries.size());
      for (std::size_t i = 0; i < made.size(); ++i) {
        const std::size_t t = i / (c.group * c.dim), rest = i % (c.group * c.dim);
        EXPECT_NEAR(made[i], expected[(t * c.kv_heads + h) * c.group * c.dim + rest], 2e-5)
            << c.group << " " << h << " " << i;
      }
    }
  }
}

TEST(AttendCausal, RefusesShapesThatDoNotFit) {
  const Part3 k = drawn(5, 1, 8, 1), v = drawn(4, 1, 8, 2);
  const std::vector<float> queries(5 * 2 * 8);
  EXPECT_THROW(attend_causal(queries, 2, k.head(0), v.head(0), {}), InputError);
  EXPECT_THROW(attend_causal(queries, 1, k.head(0), k.head(0), {}), InputError);
  EXPECT_THROW(attend_causal(queries, 0, k.head(0), k.head(0), {}), InputError);
  EXPECT_EQ(attend_causal(queries, 2, k.head(0), k.head(0), {}).size(), queries.size());
}

class AttentionError : public testing::KvStore {
 protected:
  static constexpr int kLayers = 2, kPassages = 3, kTokens = 40, kDim = 16;

  static DumpHead head(int kv_heads, int query_heads) {
    DumpHead made = testing::facts("fp32", true);
    made.tap = TapPoint::post_rope;
    made.shape = {kLayers, kv_heads, query_heads, kDim};
    made.passages = kPassages;
    made.tokens = kTokens;
    made.attention = {};
    return made;
  }

  static Part3 part(const DumpHead& dump, int passage, KvSite site) {
    return drawn(
        kTokens, dump.shape.heads(site.part), kDim,
        static_cast<unsigned>(100 * passage + 10 * site.layer + static_cast<int>(site.part)));
  }

  std::string write(const DumpHead& dump) const {
    const std::string path = folder_ / "d.h5";
    DumpWriter writer(path, dump);
    for (int p = 0; p < kPassages; ++p) {
      writer.write_tokens(p, testing::tokens(dump, p), "lines");
      for (int layer = 0; layer < kLayers; ++layer) {
        for (const Part which : {Part::key, Part::value, Part::query}) {
          const Part3 made = part(dump, p, {layer, which});
          writer.write_part(p, {layer, which}, made.data.data(), made.tokens, made.heads, made.dim);
        }
      }
    }
    writer.commit();
    return path;
  }

  /// Every head of a part through the codec.
  static Part3 coded(const Part3& part, const std::string& spec, Part which) {
    const auto codec = make_codec(spec, {part.dim, nullptr, KvSite{0, which, 0}});
    Part3 made = part;
    for (std::size_t h = 0; h < part.heads; ++h) {
      std::vector<std::byte> frame(codec->encoded_bound(part.tokens));
      const auto bytes =
          std::span<const std::byte>(frame).first(codec->encode(part.head(h), frame));
      codec->decode(
          bytes, {made.data.data() + h * part.dim, part.tokens, part.dim, part.heads * part.dim});
    }
    return made;
  }

  /// The mean over query heads of one layer of a passage.
  static double expected(const DumpHead& dump, int passage, int layer, const std::string& spec,
                         double scale, std::size_t window) {
    const Part3 q = part(dump, passage, {layer, Part::query}),
                k = part(dump, passage, {layer, Part::key}),
                v = part(dump, passage, {layer, Part::value});
    const std::vector<double> original = by_definition(q, k, v, scale, window),
                              made = by_definition(q, coded(k, spec, Part::key),
                                                   coded(v, spec, Part::value), scale, window);
    double sum = 0;
    for (std::size_t h = 0; h < q.heads; ++h) {
      double error = 0, energy = 0;
      for (std::size_t t = 0; t < q.tokens; ++t) {
        for (std::size_t i = 0; i < q.dim; ++i) {
          const std::size_t at = (t * q.heads + h) * q.dim + i;
          error += std::pow(made[at] - original[at], 2);
          energy += std::pow(original[at], 2);
        }
      }
      sum += error / energy / static_cast<double>(q.heads);
    }
    return sum;
  }

  const testing::ScratchFolder folder_;
};

TEST_F(AttentionError, IsThatOfTheDefinition) {
  const std::vector<std::string> specs = {"identity", "tq:b=2", "e8:q=10", "e8:q=7,q=8", "tq:b=6"};
  for (const int query_heads : {2, 8}) {  // 1 and 4 query heads a KV head
    for (const bool told : {false, true}) {
      DumpHead dump = head(2, query_heads);
      if (told) dump.attention = {0.4, {.tokens = 7, .layers = {1}}};
      const DumpReader reader(write(dump));
      const AttentionResult result = measure_attention(reader, "d", specs, 2);
      EXPECT_EQ(result.missing, "");
      EXPECT_EQ(result.scale, told ? 0.4 : 0.25);
      EXPECT_EQ(result.scale_told, told);
      EXPECT_EQ(result.layers, (std::vector<int>{0, 1}));
      ASSERT_EQ(result.points.size(), 4u);  // a spec that cannot be built is left out
      for (const AttentionPoint& point : result.points) {
        ASSERT_EQ(point.passages.size(), 3u);
        ASSERT_EQ(point.layers.size(), 2u);
        std::vector<double> layers(2), passages(3);
        for (int p = 0; p < kPassages; ++p) {
          for (int layer = 0; layer < kLayers; ++layer) {
            const auto l = static_cast<std::size_t>(layer);
            const double error = expected(dump, p, layer, point.spec, result.scale,
                                          result.windows.covers(layer) ? 7 : 0);
            layers[l] += error / kPassages;
            passages[static_cast<std::size_t>(p)] += error / kLayers;
          }
        }
        for (std::size_t i = 0; i < 2; ++i)
          EXPECT_NEAR(point.layers[i], layers[i], 1e-4 * layers[i]) << point.spec;
        for (std::size_t i = 0; i < 3; ++i)
          EXPECT_NEAR(point.passages[i], passages[i], 1e-4 * passages[i]) << point.spec;
        EXPECT_EQ(point.rel_mse.count, 3u);
        EXPECT_NEAR(point.rel_mse.mean, (passages[0] + passages[1] + passages[2]) / 3,
                    1e-4 * passages[0]);
        if (point.spec == "identity") {
          EXPECT_EQ(point.rel_mse.mean, 0);
        }
      }
      EXPECT_GT(result.points[1].rel_mse.mean, 2 * result.points[3].rel_mse.mean);  // tq: 2, 6 bits
    }
  }
}

TEST_F(AttentionError, DoesNotDependOnThreads) {
  const DumpReader reader(write(head(2, 4)));
  const std::vector<std::string> specs = {"tq:b=2", "tq:b=3", "e8:q=10"};
  const AttentionResult one = measure_attention(reader, "d", specs, 1),
                        four = measure_attention(reader, "d", specs, 4);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    EXPECT_EQ(one.points[i].passages, four.points[i].passages);
    EXPECT_EQ(one.points[i].layers, four.points[i].layers);
  }
}

TEST_F(AttentionError, SaysWhyItIsMissing) {
  DumpHead dump = head(2, 4);
  dump.tap = TapPoint::pre_rope;
  const std::vector<std::string> specs = {"tq:b=2"};
  const AttentionResult before = measure_attention(DumpReader(write(dump)), "d", specs, 1);
  EXPECT_TRUE(before.points.empty());
  EXPECT_NE(before.missing.find("--tap post-rope"), std::string::npos) << before.missing;
  EXPECT_NE(attention_obstacle(head(2, 3)).value().find("3 query heads over 2"), std::string::npos);
  EXPECT_FALSE(attention_obstacle(head(2, 4)).has_value());
  dump = testing::facts("fp32", false);
  testing::write_dump(folder_ / "kv.h5", dump);
  const DumpReader without(folder_ / "kv.h5");
  EXPECT_NE(
      message_of<InputError>([&] { measure_attention(without, "d", specs, 1); }).find("--queries"),
      std::string::npos);
}

TEST_F(AttentionError, GoesToThePointsOfThatDumpAlone) {
  const DumpReader reader(write(head(1, 2)));
  const std::vector<std::string> specs = {"tq:b=2", "tq:b=3"};
  std::vector<LeftOut> left_out;
  std::vector<SourceResult> results;
  for (const char* name : {"d", "other"}) {
    for (const Part which : {Part::key, Part::value}) {
      const auto source = make_captured(reader, name, which);
      results.push_back(measure(*source, build_codecs(specs, source->facts(), left_out), 1));
    }
  }
  const AttentionResult attention = measure_attention(reader, "d", std::span(specs).first(1), 1);
  tell_points(attention, results);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::optional<Interval>& told = results[i].points[0].attention_rel_mse;
    ASSERT_EQ(told.has_value(), i < 2) << i;
    if (told) {
      EXPECT_EQ(told->mean, attention.points[0].rel_mse.mean);
    }
    EXPECT_FALSE(results[i].points[1].attention_rel_mse.has_value());
  }
}

}  // namespace
}  // namespace kakeya
