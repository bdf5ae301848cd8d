// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/storage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kakeya/capacity/sizes.h"
#include "kakeya/core/error.h"
#include "made_config.h"

namespace kakeya {
namespace {

using testing::shipped_decoder;

TEST(Sizes, AreReadAndWritten) {
  EXPECT_EQ(parse_tokens("8k"), 8192u);
  EXPECT_EQ(parse_tokens("1M"), 1048576u);
  EXPECT_EQ(parse_token_list("100,2k"), (std::vector<std::size_t>{100, 2048}));
  EXPECT_EQ(tokens_text(131072), "128k");
  EXPECT_EQ(tokens_text(1000), "1000");
  EXPECT_EQ(tokens_text(2097152), "2M");
  EXPECT_EQ(parse_bytes("141GB"), 141e9);
  EXPECT_EQ(parse_bytes("1.5GiB"), 1.5 * 1073741824);
  EXPECT_EQ(parse_bytes("96"), 96);
  EXPECT_EQ(bytes_text(2.0 * 1073741824), "2.00 GiB");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  for (const char* wrong : {"", "0", "8K", "k", "-1", "8k,", "99999M", "1.5k"}) {
    EXPECT_THROW(parse_token_list(wrong), SpecError) << wrong;
  }
  for (const char* wrong : {"", "0GB", "-1GB", "GB", "12gigs", "nan", "inf"}) {
    EXPECT_THROW(parse_bytes(wrong), SpecError) << wrong;
  }
}

StorageQuestion question_of(std::vector<std::string> codecs, std::vector<std::size_t> tokens) {
  StorageQuestion question;
  question.codecs = std::move(codecs);
  question.tokens = std::move(tokens);
  return question;
}

TEST(Storage, KindsSumToAll) {
  const StorageQuestion question = question_of({"e8:q=10", "klt:bits=3"}, {8192, 131072});
  const ModelStorage model = storage_of(shipped_decoder("gemma-4-e4b"), question);
  for (const std::string codec : {"e8:q=10", "klt:bits=3"}) {
    for (const std::size_t tokens : question.tokens) {
      double sum = 0, all = 0;
      int kinds = 0;
      for (const StorageCell& cell : model.cells) {
        if (cell.codec != codec || cell.tokens != tokens) continue;
        (cell.kind == "all" ? all : sum) += cell.bytes.total();
        ++kinds;
        EXPECT_EQ(cell.bytes.nominal && cell.bytes.bf16 > 0,
                  codec == "klt:bits=3" && cell.bytes.bf16 > 0);
      }
      EXPECT_EQ(kinds, 5);  // sliding, full, two kinds of shared layers, all
      EXPECT_GT(all, 0);
      EXPECT_NEAR(sum, all, 1e-6 * all);
    }
  }
}

TEST(Storage, WhatCannotBeCodedIsLeftOutByName) {
  StorageQuestion question = question_of({"q8_0", "e8:q=10"}, {8192});
  const ModelStorage model = storage_of(shipped_decoder("phi-3-mini-128k"), question);
  EXPECT_EQ(model.cells.size(), 1);
  ASSERT_EQ(model.left_out.size(), 1);
  EXPECT_TRUE(model.left_out[0].starts_with("e8:q=10: ")) << model.left_out[0];
  EXPECT_NE(cache_storage_table(model, question).note.find("Left out: e8:q=10"), std::string::npos);
  question.every_codec = true;
  EXPECT_THROW(storage_of(shipped_decoder("phi-3-mini-128k"), question), InputError);
}

TEST(Storage, TablesHaveTheirNumbers) {
  StorageQuestion question = question_of({"identity", "klt:bits=4"}, {8192, 1048576});
  question.policy.sinks = 4;
  const ModelStorage model = storage_of(shipped_decoder("smollm2-135m"), question);
  const Table kinds = cache_kinds_table(model, question);
  ASSERT_EQ(kinds.rows.size(), 1);
  EXPECT_EQ(kinds.rows[0][0].text, "full attention");
  EXPECT_EQ(kinds.rows[0][4].value, 8192.0 * 30 * 2 * 3 * 64 * 2);
  EXPECT_NE(kinds.note.find("134,515,008 parameters"), std::string::npos);
  EXPECT_NE(kinds.note.find("made for 8,192 tokens: 1M is arithmetic"), std::string::npos);
  const Table storage = cache_storage_table(model, question);
  ASSERT_EQ(storage.rows.size(), 2);
  EXPECT_EQ(storage.rows[0][2].text, "counted");
  EXPECT_EQ(storage.rows[1][2].text, "nominal");
  EXPECT_NE(storage.note.find("4 sink tokens stay bf16"), std::string::npos);
  EXPECT_NO_THROW(to_markdown(storage));
  const Document report = make_storage_report(std::vector{model}, question, {});
  EXPECT_NE(report.csv.find("storage,smollm2-135m,,klt:bits=4 | full attention,"),
            std::string::npos);
}

TEST(Storage, APolicyThatLeavesNoLayerIsRefused) {
  StorageQuestion question = question_of({"q8_0"}, {8192});
  question.policy.skipped_layers = 15;
  EXPECT_THROW(storage_of(shipped_decoder("smollm2-135m"), question), InputError);
}

}  // namespace
}  // namespace kakeya
