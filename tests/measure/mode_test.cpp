// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/mode.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

TEST(Mode, ListsAreReadFromLists) {
  EXPECT_EQ(parse_modes({"snapshot,inforward", "prefix", "snapshot"}),
            (std::vector<EvalMode>{EvalMode::snapshot, EvalMode::in_forward, EvalMode::prefix}));
  for (const char* wrong : {"", "inforward,", "InForward", "in-forward", ",prefix"}) {
    EXPECT_THROW(parse_modes({wrong}), SpecError) << wrong;
  }
  for (const EvalMode mode :
       {EvalMode::in_forward, EvalMode::snapshot, EvalMode::prefix, EvalMode::decode}) {
    EXPECT_EQ(parse_modes({std::string(mode_name(mode))}), std::vector<EvalMode>{mode});
  }
}

}  // namespace
}  // namespace kakeya
