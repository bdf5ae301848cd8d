// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace c10 {
struct Device;
enum class ScalarType : signed char;
}  // namespace c10

namespace kakeya {

/// "cpu", "cuda" or "cuda:N". Throws SpecError for any other text, InputError for a device that is
/// not there.
c10::Device parse_device(const std::string& text);

/// "fp32" or "bf16". Throws SpecError for any other text.
c10::ScalarType parse_dtype(const std::string& text);

}  // namespace kakeya
