// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/device/device_memory.h"
#include "kakeya/device/device_vectors.h"

namespace kakeya {

/// Where the sections of a codec are in one piece of memory, one frame a head: section `name` of
/// head h has `bytes` bytes from offset + h * stride on. "windows" has its room here, also where a
/// frame leaves it out because all of them are 0.
struct DeviceLayout {
  struct Section {
    std::string_view name;
    std::size_t bytes = 0, offset = 0, stride = 0;
  };
  std::size_t tokens = 0, heads = 0;
  std::vector<Section> sections;  ///< as in a frame
  std::size_t bytes = 0;          ///< in all
};

/// A codec where the vectors are: the same spec, the same bytes as the codec of the CPU. encode(),
/// decode() and round_trip() put one kernel on the stream: they allocate nothing, wait for nothing,
/// and can be captured in a CUDA graph. What they find wrong goes into `flags`, a 32-bit word a head
/// in device memory, which they only add to: clear it first, read it when all is done
/// (require_no_flags()). Until then a vector that is wrong is coded and decoded as zeros; nothing
/// out of bounds is touched. Immutable; const means thread-safe.
class DeviceCodec {
 public:
  virtual ~DeviceCodec() = default;

  /// The codec of the CPU that writes the same frames.
  const Codec& host() const { return *host_; }
  std::string spec() const { return host_->spec(); }
  std::size_t dim() const { return host_->dim(); }

  virtual DeviceLayout layout(std::size_t tokens, std::size_t heads) const = 0;

  /// Writes the sections of layout(x.tokens, x.heads) to `sections`, a multiple of 16. Throws
  /// InputError on a view that kernels cannot take.
  void encode(const DeviceVectors& x, void* sections, std::uint32_t* flags,
              DeviceStream stream) const;

  /// The way back, into the scalars of `y`: rounded to nearest, ties to even; what is beyond a
  /// 16-bit type becomes its largest number.
  void decode(const void* sections, const DeviceVectors& y, std::uint32_t* flags,
              DeviceStream stream) const;

  /// What decoding gives for `x`, without sections. `y` may be `x`.
  void round_trip(const DeviceVectors& x, const DeviceVectors& y, std::uint32_t* flags,
                  DeviceStream stream) const;

  /// The frame of head `head`, from a copy of the sections in host memory. The same bytes as
  /// host().encode().
  std::vector<std::byte> frame(const DeviceLayout& layout, std::span<const std::byte> sections,
                               std::size_t head) const;

  /// Puts the sections of a frame of layout.tokens vectors in their places for head `head`, zeros
  /// for windows that it leaves out. Throws CorruptStream where it is no such frame.
  void take_frame(std::span<const std::byte> frame, const DeviceLayout& layout, std::size_t head,
                  std::span<std::byte> sections) const;

 protected:
  /// `part`: what a section of this name holds.
  DeviceCodec(std::unique_ptr<Codec> host, std::byte part) : host_(std::move(host)), part_(part) {}

 private:
  virtual void run_encode(const DeviceVectors& x, const DeviceLayout& layout, std::byte* sections,
                          std::uint32_t* flags, DeviceStream stream) const = 0;
  virtual void run_decode(const DeviceLayout& layout, std::byte* sections, const DeviceVectors& y,
                          std::uint32_t* flags, DeviceStream stream) const = 0;
  virtual void run_round_trip(const DeviceVectors& x, const DeviceVectors& y, std::uint32_t* flags,
                              DeviceStream stream) const = 0;
  void require_view(const DeviceVectors& x) const;

  std::unique_ptr<Codec> host_;
  std::byte part_;
};

/// The device codec that `spec` names. Throws as make_codec(), and SpecError or InputError where
/// there is no kernel for the codec, for one of its keys or for input.dim: it names what was asked
/// and what there is.
std::unique_ptr<DeviceCodec> make_device_codec(std::string_view spec, const CodecInput& input);

/// Throws InputError or CorruptStream naming the first head with a flag and what was wrong; `flags`
/// is a copy in host memory.
void require_no_flags(const DeviceCodec& codec, std::span<const std::uint32_t> flags);

}  // namespace kakeya
