// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya {

/// kakeya-calibrate convert, `argv[0]` the word "convert": the exit code.
int convert_profile_program(int argc, char** argv);

}  // namespace kakeya
