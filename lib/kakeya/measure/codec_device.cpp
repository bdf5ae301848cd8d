// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/codec_device.h"

#include <string_view>

#include "kakeya/core/error.h"
#include "kakeya/device/device_memory.h"
#include "kakeya/device/device_site_codecs.h"
#include "kakeya/host/start_host.h"

namespace kakeya {

std::string codec_device_of(const std::optional<std::string>& asked, const std::string& device,
                            const std::string& model) {
  const bool on_gpu = device.starts_with("cuda");
  std::string where = asked.value_or(on_gpu && !is_hosted(model) ? "cuda" : "cpu");
  if (where == "cpu") return where;
  if (where != "cuda") throw SpecError("codec-device " + where + ": expected cpu or cuda");
  if (is_hosted(model)) {
    throw SpecError("codec-device cuda: codecs of " + model +
                    ", which runs in a host, work on the CPU: expected cpu");
  }
  if (on_gpu) return device;
  throw SpecError("codec-device cuda: codecs work where the model does, which is " + device +
                  ": expected --codec-device cpu, or --device cuda");
}

CodecPlaces codec_places_of(const std::optional<std::string>& asked, const std::string& device,
                            const std::string& model) {
  if (asked && *asked != "auto" && *asked != "cpu" && *asked != "cuda")
    throw SpecError("codec-device " + *asked + ": expected cpu, cuda or auto");
  if (asked != "auto") return {codec_device_of(asked, device, model), false};
  CodecPlaces places{codec_device_of({}, device, model), false};
  places.host_too = places.device != "cpu";
  return places;
}

void use_codec_device(const std::string& device) {
  require_codec_device();
  constexpr std::string_view kNumbered = "cuda:";  // of several, the first
  use_device(device.starts_with(kNumbered) ? std::stoi(device.substr(kNumbered.size())) : 0);
}

}  // namespace kakeya
