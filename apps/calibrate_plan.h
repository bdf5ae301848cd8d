// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya {

/// `kakeya-calibrate --plan ...`: bits shared out among layers, keys and values, as a plan.json. Returns
/// the exit code.
int calibrate_plan_program(int argc, char** argv);

}  // namespace kakeya
