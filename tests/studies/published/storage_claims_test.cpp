// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/storage_claims.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "kakeya/studies/published/users_claim.h"

namespace kakeya {
namespace {

std::vector<PublishedTable> shipped_tables() {
  return read_published_tables(KAKEYA_SOURCE_DIR "/data/published/tables");
}

Decoder shipped(const std::string& name) {
  return read_decoder(KAKEYA_SOURCE_DIR "/data/configs/" + name + ".json");
}

/// The row of a table: its texts.
std::vector<std::string> row_of(const Table& table, const std::string& model,
                                const std::string& figure) {
  for (const std::vector<Cell>& row : table.rows) {
    if (row[0].text != model || row[1].text != figure) continue;
    std::vector<std::string> texts;
    for (const Cell& cell : row) texts.push_back(cell.text);
    return texts;
  }
  throw InputError("no such row");
}

TEST(StorageClaims, GemmasWindowsWereCountedAsGrowing) {
  const Table table = storage_claims_table(shipped_tables(), std::vector{shipped("gemma-4-e4b")});
  using Row = std::vector<std::string>;
  EXPECT_EQ(row_of(table, "Gemma-4-E4B", "bf16 GiB"),
            (Row{"Gemma-4-E4B", "bf16 GiB", "6.00", "2.02", "differs"}));
  const std::string as = "Gemma-4-E4B, counted as published";
  EXPECT_EQ(row_of(table, as, "bf16 GiB"), (Row{as, "bf16 GiB", "6.00", "6.00", "reproduces"}));
  EXPECT_EQ(row_of(table, as, "d4:q=10 GiB"),
            (Row{as, "d4:q=10 GiB", "2.37", "2.37", "reproduces"}));
}

TEST(StorageClaims, ModelsWithoutWindowsReproduce) {
  const std::vector<Decoder> decoders = {shipped("qwen3-4b"), shipped("glm-4-9b"),
                                         shipped("deepseek-r1-distill-qwen-1.5b")};
  const Table table = storage_claims_table(shipped_tables(), decoders);
  EXPECT_EQ(table.rows.size(), 3 * 7);
  for (const std::vector<Cell>& row : table.rows) {
    EXPECT_TRUE(row[4].text == "reproduces" || row[4].text == "rounding")
        << row[0].text << " " << row[1].text << " " << row[2].text << " " << row[3].text;
  }
  EXPECT_TRUE(
      storage_claims_table(shipped_tables(), std::vector{shipped("llama-3.1-8b")}).rows.empty());
  EXPECT_THROW(storage_claims_table({}, decoders), InputError);
}

TEST(UsersClaim, IsTheRecordsArithmetic) {
  const PublishedRecord record = read_published_record(KAKEYA_SOURCE_DIR "/data/published");
  const Table table =
      users_claim_table(shipped_tables(), record, std::vector{shipped("deepseek-v4-flash")});
  ASSERT_EQ(table.rows.size(), 4);
  EXPECT_EQ(table.rows[0][1].text, "22");
  EXPECT_NEAR(*table.rows[0][2].value, 100 * (4224.0 / 3296 - 1), 1e-9);
  EXPECT_EQ(table.rows[0][3].text, "differs");
  EXPECT_NEAR(*table.rows[1][2].value, 153, 1e-9);
  // Whole sequences of V4: vectors of 512 and indexer keys of 128 alike gain what 512 alone gains,
  // but for the indexer's, which is (1056 / 848 - 1) = 24.5 %.
  EXPECT_NEAR(*table.rows[3][2].value, 27.5, 0.5);
  EXPECT_EQ(table.rows[3][3].text, "differs");
  EXPECT_THROW(users_claim_table({}, record, {}), InputError);
}

}  // namespace
}  // namespace kakeya
