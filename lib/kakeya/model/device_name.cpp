// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/device_name.h"

#include <charconv>

#include "kakeya/core/error.h"

namespace kakeya {

std::optional<int> gpu_number(const std::string& device) {
  if (device == "cpu") return std::nullopt;
  if (device == "cuda") return 0;
  constexpr std::string_view kNumbered = "cuda:";
  int number = -1;
  if (device.starts_with(kNumbered)) {
    const char* const end = device.data() + device.size();
    const auto [rest, error] = std::from_chars(device.data() + kNumbered.size(), end, number);
    if (error != std::errc() || rest != end) number = -1;
  }
  if (number < 0) throw SpecError("device " + device + ": expected cpu, cuda or cuda:N");
  return number;
}

}  // namespace kakeya
