// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/store/kv_store.h"
#include "support/scratch_folder.h"

namespace kakeya::testing {

inline DumpHead facts(const std::string& storage, bool queries) {
  DumpHead made;
  made.origin.model.name = "small";
  made.origin.model.sha256 = std::string(64, 'a');
  made.origin.architecture = "llama";
  made.origin.tokenizer.name = "bytes, 256 tokens";
  made.origin.tokenizer.sha256 = std::string(64, 'b');
  made.origin.text.name = "tëxt.txt";
  made.origin.text.sha256 = std::string(64, 'c');
  made.tap = TapPoint::pre_rope;
  made.storage = storage;
  made.shape.layers = 3;
  made.shape.kv_heads = 2;
  made.shape.query_heads = 4;
  made.shape.head_dim = 8;
  made.passages = 2;
  made.tokens = 11;
  made.rope_base = 10000.5;
  made.rope_layout = "";
  made.seed = std::numeric_limits<std::uint64_t>::max();
  made.queries = queries;
  if (queries) made.attention = {0.3, {.tokens = 5, .layers = {0, 2}}};
  made.provenance = make_provenance({"kakeya-capture", "--out", "x"}, 2);
  return made;
}

inline std::vector<Part> parts_of(bool queries) {
  if (queries) return {Part::key, Part::value, Part::query};
  return {Part::key, Part::value};
}

/// Heavy-tailed numbers that all storages hold exactly in part: powers of two with few mantissa
/// bits, both zeros, subnormals.
inline std::vector<float> values(const DumpHead& dump, int passage, KvSite site) {
  std::mt19937 random(
      static_cast<unsigned>(passage * 1000 + site.layer * 10 + part_letter(site.part)));
  std::vector<float> made(static_cast<std::size_t>(dump.tokens) * dump.shape.heads(site.part) *
                          dump.shape.dim());
  std::normal_distribution<float> normal(0, 3);
  for (float& value : made) value = normal(random);
  made[0] = -0.0F;
  made[1] = 0x1p-20F;
  made[2] = -60000;
  return made;
}

inline float rounded(float value, const std::string& storage) {
  if (storage == "fp16") return half_to_float(float_to_half(value));
  if (storage == "bf16") return bfloat16_to_float(float_to_bfloat16(value));
  return value;
}

inline std::vector<std::int32_t> tokens(const DumpHead& dump, int passage) {
  std::vector<std::int32_t> made;
  for (int i = 0; i < dump.tokens; ++i) made.push_back(passage * 100000 + i);
  return made;
}

inline void write_dump(const std::string& path, const DumpHead& dump) {
  DumpWriter writer(path, dump);
  for (int passage = 0; passage < dump.passages; ++passage) {
    writer.write_tokens(passage, tokens(dump, passage), "lines " + std::to_string(passage));
    for (int layer = 0; layer < dump.shape.layers; ++layer) {
      for (const Part part : parts_of(dump.queries)) {
        const std::vector<float> data = values(dump, passage, {layer, part});
        writer.write_part(passage, {layer, part}, data.data(),
                          static_cast<std::size_t>(dump.tokens), dump.shape.heads(part),
                          dump.shape.dim());
      }
    }
  }
  writer.commit();
}

/// Reads everything there is in a dump; the sum keeps it from being skipped.
inline double read_all(const std::string& path) {
  const DumpReader reader(path);
  double sum = 0;
  for (int passage = 0; passage < reader.head().passages; ++passage) {
    for (const std::int32_t token : reader.tokens(passage)) sum += token;
    sum += static_cast<double>(reader.origin(passage).size());
    for (int layer = 0; layer < reader.head().shape.layers; ++layer) {
      for (const Part part : parts_of(reader.head().queries)) {
        for (const float value : reader.part(passage, {layer, part})) sum += std::fabs(value);
      }
    }
  }
  return sum;
}

/// Skips where this build has no HDF5.
class KvStore : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string why = message_of<Error>([] { DumpReader("none.h5"); });
    if (why.find("no HDF5") != std::string::npos) GTEST_SKIP() << why;
  }
};

}  // namespace kakeya::testing
