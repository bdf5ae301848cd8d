// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/cache_shape.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

// A run that says nonsense is an error that names it, never a crash or a message of the C++
// library.
TEST(PublishedCacheShape, ImpossibleRunsAreNamed) {
  const auto message = [](const std::string& fields) -> std::string {
    PublishedRecord record;
    record.add(R"({"kind":"run","run":"r",)" + fields + "}", "lines");
    try {
      return to_text(*record.find({"run", {}})) +
             std::to_string(
                 PublishedCacheShape(*record.find({"run", {}})).bytes("bf16", true, true));
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const auto shape = [](const char* layers, const char* dim, const char* heads, const char* exact) {
    return std::string("\"layers\":") + layers + ",\"head_dim\":" + dim + ",\"kv_heads\":" + heads +
           ",\"boundary\":" + exact;
  };
  // Two layers of 2 heads of 128 at 2 bytes, keys and values, of 131072 tokens.
  EXPECT_EQ(message(shape("2", "128", "2", "[0]")), "run run=r268435456.000000");
  EXPECT_EQ(message(shape("2", "[128,256]", "[4,1]", "[]")), "run run=r402653184.000000");
  const std::pair<std::string, const char*> kWrong[] = {
      {shape("2", "128", "[]", "[]"), "run run=r: kv_heads: 0 numbers, expected 1 or 2"},
      {shape("2", "[1,2,3]", "2", "[]"), "run run=r: head_dim: 3 numbers, expected 1 or 2"},
      {shape("2", "128", "-1", "[]"), "run run=r: kv_heads: -1, expected a whole number in [1,"},
      {shape("2", "0", "1", "[]"), "run run=r: head_dim: 0, expected"},
      {shape("2", "128", "1.5", "[]"), "run run=r: kv_heads: 1.5, expected"},
      {shape("2", "128", "2", "[2]"), "run run=r: boundary: 2, expected a whole number in [0, 1]"},
      {shape("2", "128", "2", "[-1]"), "run run=r: boundary: -1, expected"},
      {shape("-2", "128", "2", "[]"), "run run=r: layers: -2, expected"},
      {shape("1e300", "128", "2", "[]"), "run run=r: layers: 1e+300, expected"},
      {shape("[2,2]", "128", "2", "[]"), "run run=r: layers: 2 numbers, expected one"},
      {"\"layers\":2", "run run=r: no head_dim"}};
  for (const auto& [fields, expected] : kWrong) {
    EXPECT_TRUE(message(fields).starts_with(expected)) << message(fields);
  }
}

}  // namespace
}  // namespace kakeya
