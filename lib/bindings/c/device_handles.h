// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <typeinfo>

#include "bindings/c/handles.h"
#include "bindings/c/kakeya_device.h"
#include "kakeya/device/device_codec.h"
#include "kakeya/device/device_memory.h"

// What is behind the handles of kakeya_device.h.

namespace kakeya::c {

/// Throws StatusError, KAKEYA_NO_CUDA, where the library has no kernels.
void require_cuda();

/// guarded() of what needs CUDA.
template <typename Work>
kakeya_status guarded_device(const Work& work) noexcept {
  return guarded([&] {
    require_cuda();
    try {
      work();
    } catch (const NoKernelError& error) {
      throw StatusError(KAKEYA_NO_KERNEL, error.fact() + "; kakeya_encode() codes on the host");
    } catch (const Error& error) {
      // What CUDA refuses has no class of its own.
      if (typeid(error) != typeid(Error)) throw;
      throw StatusError(KAKEYA_CUDA_ERROR, error.what());
    }
  });
}

/// Throws InputError unless the codec takes so many heads and there are 2^31 vectors or fewer.
void require_device_vectors(const DeviceCodec& codec, std::size_t tokens, std::size_t heads);

}  // namespace kakeya::c

struct kakeya_device_codec {
  std::shared_ptr<const kakeya::c::SharedShelf> profiles;
  std::unique_ptr<const kakeya::DeviceCodec> codec;
};
