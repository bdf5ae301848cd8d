// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/streaming_report.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

Streaming made() {
  Streaming measured;
  measured.codecs.push_back({"e8:q=10", "", 128, 1000, 4096, {{1, true, 0, 0}, {3, true, 0, 0}}});
  measured.codecs.push_back({"odd", "", 64, 900, 4096, {{1, false, 7, 0.25}, {3, false, 0, 0}}});
  measured.codecs.push_back({"klt:predict=1", "layer 0 is not coded alone", 0, 0, 0, {}});
  measured.round_trips = {{"d4:q=10", true, 1, 0.82, 0.01, 0.017, 0.0088, 0.0089},
                          {"d4:q=10", true, 4, 0, 0, 0, 0.0089, 0.0089},
                          {"d4:q=10", false, 1, 0, 0, 0, 0.0088, 0.0088},
                          {"d4:q=10", false, 4, 0, 0, 0, 0.0088, 0.0088}};
  measured.library = "LibTorch X";
  return measured;
}

TEST(StreamingReport, SaysWhatDependsAndByHowMuch) {
  const Document out = make_streaming_report(made(), {});
  for (
      const char* said :
      {"Of 2 codecs that live in a growing cache, 1 depend on how its tokens come",
       "published round trip differ by up to 0.0170 between batches on this machine (LibTorch X), ours do "
       "not differ",
       "7 values, by up to 0.250", "values equal, bytes differ",
       "82.0 % of values, by up to 0.0170; 1.00 % of vectors by a step",
       "- `klt:predict=1`: layer 0 is not coded alone"}) {
    EXPECT_NE(out.details.find(said), std::string::npos) << said << "\n" << out.details;
  }
  EXPECT_NE(out.csv.find("streaming,,,`odd`,\"values that differ, 1 at a time\",7"),
            std::string::npos)
      << out.csv;
}

TEST(StreamingReport, DependsInBytesOrValues) {
  const Streaming measured = made();
  EXPECT_FALSE(depends(measured.codecs[0]));
  EXPECT_TRUE(depends(measured.codecs[1]));
  EXPECT_FALSE(depends(measured.codecs[2]));
  EXPECT_THROW(make_streaming_report({}, {}), InputError);
}

}  // namespace
}  // namespace kakeya
