// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "kakeya/store/result_store.h"
#include "stored_sample.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::plan;
using testing::provenance;
using testing::read_text;
using testing::sample;
using testing::ScratchFolder;

TEST(PositionSamples, AreStoredWhereThereAreSome) {
  const ScratchFolder folder;
  Sample some = sample(1);
  some.positions = {{1, 63, 2.5, 2.25, 0.125, 1}, {64, 1, 1.5, 1.75, 1e-300, 0.1}};
  {
    ResultStore store(folder / "r", plan(), provenance());
    store.append(some);
    store.append(sample(2));
  }
  const std::string text = read_text(folder / "r/samples.jsonl");
  EXPECT_NE(text.find("\"positions\":[{\"first\":1,\"tokens\":63,\"nll_reference\":2.5,\"nll\":"
                      "2.25,\"kld\":0.125,\"top1\":1.0},{\"first\":64,"),
            std::string::npos);
  EXPECT_EQ(text.find("positions"), text.rfind("positions"));
  const std::vector<Sample> back = read_results(folder / "r").samples;
  EXPECT_EQ(back.at(0).positions, some.positions);
  EXPECT_TRUE(back.at(1).positions.empty());
}

// Files of before have no such key; that nothing changed is a value.
TEST(ResultStore, ALargestChangeOfAProbabilityIsStoredWhereItWasMeasured) {
  for (const std::optional<double> measured : {std::optional<double>(), {0.0}, {0.125}}) {
    const ScratchFolder folder;
    Sample some = sample(1);
    some.delta_p_max = measured;
    ResultStore(folder / "r", plan(), provenance()).append(some);
    const auto line = nlohmann::json::parse(read_text(folder / "r/samples.jsonl"));
    EXPECT_EQ(line.contains("delta_p_max"), measured.has_value());
    EXPECT_EQ(read_results(folder / "r").samples.at(0).delta_p_max, measured);
  }
}

}  // namespace
}  // namespace kakeya
