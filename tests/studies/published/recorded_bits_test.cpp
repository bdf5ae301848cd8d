// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/recorded_bits.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr char kRun[] =
    R"({"kind":"run","run":"r","layers":4,"head_dim":128,"kv_heads":2,"boundary":[]}
{"kind":"needle","release":"a","model":"m","codec":"bf16","bits":4096}
)";

RecordedBits recorded(const std::string& rows, const std::string& spec) {
  PublishedRecord record;
  record.add(kRun + rows, "lines");
  return recorded_bits(record, spec);
}

// Q=38 has 832 nominal bits at dim 128, 1632 at 256, 3232 at 512.
TEST(RecordedBits, RowsOfEveryKindAreCompared) {
  const std::string rows = R"({"kind":"ppl","run":"r","codec":"d4:q=38","part":"kv","bits_k":832}
{"kind":"ppl","run":"r","codec":"d4:q=38","part":"v","bits_k":2048}
{"kind":"needle","release":"a","model":"m","codec":"d4:q=38","bits":1632}
{"kind":"v4","study":"s","stream":"swa","codec":"d4:q=38","bits":3232}
{"kind":"v4_sweep","study":"s","stream":"swa","codec":"d4:q=38","bits":3232}
{"kind":"v4_sweep","study":"s","stream":"swa","codec":"e8:q=38","bits":3296}
)";
  const RecordedBits found = recorded(rows, "d4:q=38");
  EXPECT_EQ(found.rows, 4);
  EXPECT_EQ(found.equal, 4);
  EXPECT_EQ(recorded(rows, "e8:q=38").rows, 1);
  for (const std::string bits : {"832", "1632", "\"bits\":3232"}) {
    std::string wrong = rows;
    wrong[wrong.find(bits) + bits.size() - 1] = '9';
    EXPECT_EQ(recorded(wrong, "d4:q=38").equal, 3) << bits;
  }
}

TEST(RecordedBits, RowsWithoutBitsAreNamed) {
  EXPECT_THROW(recorded(R"({"kind":"v4","codec":"d4:q=38"})", "d4:q=38"), InputError);
  EXPECT_THROW(
      recorded(R"({"kind":"ppl","run":"s","codec":"d4:q=38","part":"k","bits_k":1})", "d4:q=38"),
      InputError);
  EXPECT_THROW(
      recorded(R"({"kind":"needle","release":"b","model":"m","codec":"fp8","bits":1})", "fp8"),
      InputError);
}

TEST(RecordedBits, TheRecordAgreesEverywhere) {
  const PublishedRecord record = read_published_record(KAKEYA_SOURCE_DIR "/data/published");
  for (const char* spec : {"d4:q=4", "d4:q=10", "d4:q=38", "d4:q=152", "e8:q=4", "e8:q=10",
                           "e8:q=38", "tq:b=2", "tq:b=3", "tq:b=8", "fp8"}) {
    const RecordedBits found = recorded_bits(record, spec);
    EXPECT_GT(found.rows, 0) << spec;
    EXPECT_EQ(found.equal, found.rows) << spec;
  }
}

}  // namespace
}  // namespace kakeya
