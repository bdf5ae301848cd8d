// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace kakeya {

/// Where codecs work beside a model on `device`, "cpu" or "cuda:N": `asked`, "cpu" or "cuda", or
/// nothing, which means where the model is; beside one that runs in a host ("transformers:NAME" of
/// load_model()) on the CPU. Returns "cpu" or `device`. Throws SpecError where codecs cannot work there.
std::string codec_device_of(const std::optional<std::string>& asked, const std::string& device,
                            const std::string& model = {});

/// Where codecs work in a sweep.
struct CodecPlaces {
  std::string device;     ///< as codec_device_of()
  bool host_too = false;  ///< codecs without a kernel work on the host
};

/// As codec_device_of(), or `asked` is "auto": where the model is, but codecs without a kernel on the
/// host.
CodecPlaces codec_places_of(const std::optional<std::string>& asked, const std::string& device,
                            const std::string& model = {});

/// Makes `device`, "cuda" or "cuda:N" that LibTorch has accepted, the GPU of this thread's kernels.
/// Throws InputError where there are no kernels for it.
void use_codec_device(const std::string& device);

}  // namespace kakeya
