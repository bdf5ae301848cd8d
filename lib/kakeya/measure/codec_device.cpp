// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/codec_device.h"

#include <string_view>

#include "kakeya/core/error.h"
#include "kakeya/device/device_memory.h"
#include "kakeya/device/device_site_codecs.h"

namespace kakeya {

std::string codec_device_of(const std::optional<std::string>& asked, const std::string& device) {
  const bool on_gpu = device.starts_with("cuda");
  const std::string where = asked.value_or(on_gpu ? "cuda" : "cpu");
  if (where == "cpu") return where;
  if (where != "cuda") throw SpecError("codec-device " + where + ": expected cpu or cuda");
  if (on_gpu) return device;
  throw SpecError("codec-device cuda: codecs work where the model does, which is " + device +
                  ": expected --codec-device cpu, or --device cuda");
}

CodecPlaces codec_places_of(const std::optional<std::string>& asked, const std::string& device) {
  if (asked && *asked != "auto" && *asked != "cpu" && *asked != "cuda")
    throw SpecError("codec-device " + *asked + ": expected cpu, cuda or auto");
  if (asked != "auto") return {codec_device_of(asked, device), false};
  CodecPlaces places{codec_device_of({}, device), false};
  places.host_too = places.device != "cpu";
  return places;
}

void use_codec_device(const std::string& device) {
  require_codec_device();
  constexpr std::string_view kNumbered = "cuda:";
  use_device(device.starts_with(kNumbered) ? std::stoi(device.substr(kNumbered.size())) : 0);
}

}  // namespace kakeya
