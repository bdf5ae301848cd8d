// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/audit/audit_dump.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/studies/audit/audit_report.h"
#include "kakeya/studies/audit/audit_verdicts.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

constexpr int kLayers = 3, kHeads = 2, kDim = 8, kTokens = 40, kPassages = 2;

/// A dump of noise, zeros where `constant` says so; throws InputError in a build without HDF5.
std::string write_dump(const testing::ScratchFolder& folder,
                       const std::function<bool(int layer, Part part)>& constant) {
  DumpHead facts;
  facts.origin.model.name = "drawn";
  facts.tap = TapPoint::pre_rope;
  facts.storage = "fp32";
  facts.shape.layers = kLayers;
  facts.shape.kv_heads = facts.shape.query_heads = kHeads;
  facts.shape.head_dim = kDim;
  facts.passages = kPassages;
  facts.tokens = kTokens;
  facts.provenance = make_provenance({"test"}, 1);
  const std::string path = folder / "kv.h5";
  DumpWriter writer(path, facts);
  std::uint64_t stream = 0;
  for (int passage = 0; passage < kPassages; ++passage) {
    writer.write_tokens(passage, std::vector<std::int32_t>(kTokens, 1), "drawn");
    for (int layer = 0; layer < kLayers; ++layer) {
      for (const Part part : {Part::key, Part::value}) {
        const Random random(7, stream++);
        std::vector<float> values(kTokens * kHeads * kDim);
        for (std::size_t i = 0; i < values.size() && !constant(layer, part); ++i)
          values[i] = static_cast<float>(random.normal(i));
        writer.write_part(passage, {layer, part}, values.data(), kTokens, kHeads, kDim);
      }
    }
  }
  writer.commit();
  return path;
}

class AuditDump : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      write_dump(folder_, [](int, Part) { return false; });
    } catch (const InputError& error) {
      GTEST_SKIP() << error.what();
    }
  }
  DumpAudit audit(const std::function<bool(int, Part)>& constant) {
    return audit_dump(DumpReader(write_dump(folder_, constant)), 9, 0, 2);
  }
  testing::ScratchFolder folder_;
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST_F(AuditDump, AConstantPartIsKeptAndWarnedOf) {
  const DumpAudit answer =
      audit([](int layer, Part part) { return layer == 1 && part == Part::value; });
  ASSERT_EQ(answer.parts.size(), 6u);
  for (const AuditedPart& each : answer.parts)
    EXPECT_EQ(each.audit.has_value(), !(each.layer == 1 && each.part == Part::value));
  ASSERT_EQ(audit_warnings(answer).size(), 1u);
  EXPECT_EQ(audit_warnings(answer)[0].find("V of layer 1 is constant"), 0u);
  EXPECT_EQ(measured_layers(answer, Part::key), 3u);
  EXPECT_EQ(measured_layers(answer, Part::value), 2u);
  const Document document = make_audit_report(answer, "d", Provenance{});
  EXPECT_NE(document.markdown.find("**V of layer 1 is constant"), std::string::npos);
  EXPECT_NE(document.markdown.find("of 2 |"), std::string::npos);
  EXPECT_EQ(count(document.csv, "\nv,,,1,"), kMeasures + 1);
  EXPECT_EQ(count(document.csv, ",,,,-\n"), kMeasures + 1);  // no values, no zeros
  ASSERT_EQ(document.heat_maps.size(), 3u);
  for (std::size_t row = 0; row + 1 < kMeasures; ++row)
    EXPECT_TRUE(std::isnan(document.heat_maps[0].panels[1].values[row * kLayers + 1]));
  for (std::size_t i = 0; i < kLayers * kHeads * kDim; ++i) {
    const bool gap = i / (kHeads * kDim) == 1;
    EXPECT_EQ(std::isnan(document.heat_maps[2].panels[0].values[i]), gap) << i;
  }
}

TEST_F(AuditDump, AllOfAPartMayBeConstant) {
  const DumpAudit answer = audit([](int, Part part) { return part == Part::value; });
  EXPECT_EQ(measured_layers(answer, Part::value), 0u);
  EXPECT_EQ(audit_warnings(answer).size(), 3u);
  const std::string markdown = make_audit_report(answer, "d", Provenance{}).markdown;
  EXPECT_NE(markdown.find("0 of 0"), std::string::npos);
  EXPECT_EQ(markdown.find("nan"), std::string::npos);
}

TEST_F(AuditDump, RefusesWhereNothingVaries) {
  const std::string message =
      testing::message_of<InputError>([&] { audit([](int, Part) { return true; }); });
  EXPECT_NE(message.find("no channel of K or V varies in any layer"), std::string::npos) << message;
}

}  // namespace
}  // namespace kakeya
