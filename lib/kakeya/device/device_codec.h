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
#include "kakeya/core/error.h"
#include "kakeya/device/device_memory.h"
#include "kakeya/device/device_vectors.h"

namespace kakeya {

struct FrameView;  // bitstream/frame.h

/// Where the sections of a codec are in one piece of memory, one frame a head: section `name` of
/// head h has `bytes` bytes from offset + h * stride on. "windows" has its room here, also where a
/// frame leaves it out because all of them are 0. The sections of entropy-coded codecs have no
/// length before they are written: `bytes` is the most, and encoding writes the length, as decoding
/// reads it, in the same memory, before all sections: a u64 a head from sizes + 8 h on. What follows from the codec and
/// from lengths alone ("site", "padding") has no room here.
struct DeviceLayout {
  static constexpr std::size_t kAllBytes = SIZE_MAX;
  struct Section {
    std::string_view name;
    std::size_t bytes = 0, offset = 0, stride = 0;
    std::size_t sizes = kAllBytes;  ///< where its lengths are; kAllBytes: it has all its bytes
  };
  std::size_t tokens = 0, heads = 0;
  std::vector<Section> sections;    ///< as in a frame
  std::size_t bytes = 0;            ///< in all
  std::size_t workspace_bytes = 0;  ///< that every call needs besides, of any contents
};

/// A codec where the vectors are: the same spec, the same bytes as the codec of the CPU. encode(),
/// decode() and round_trip() put kernels on the stream: they allocate nothing, wait for nothing,
/// and can be captured in a CUDA graph. What they find wrong goes into `flags`, a 32-bit word a head
/// in device memory, which they only add to: clear it first, read it when all is done
/// (require_no_flags()). Until then a vector that is wrong is coded and decoded as zeros; nothing
/// out of bounds is touched. `workspace` is device memory of layout().workspace_bytes, a multiple of
/// 256, which no other call uses before this one is done on its stream; null where that is 0.
/// Immutable; const means thread-safe.
class DeviceCodec {
 public:
  virtual ~DeviceCodec() = default;

  /// The codec of the CPU that writes the same frames of head `head`.
  const Codec& host(std::size_t head = 0) const { return *hosts_[hosts_.size() == 1 ? 0 : head]; }
  std::string spec() const { return host().spec(); }
  std::size_t dim() const { return host().dim(); }
  /// Heads that a view must have; 0: as many as it likes.
  std::size_t heads() const { return heads_; }

  virtual DeviceLayout layout(std::size_t tokens, std::size_t heads) const = 0;

  /// Writes the sections of layout(x.tokens, x.heads) to `sections`, a multiple of 256. Throws
  /// InputError on a view that kernels cannot take, or without a workspace where there must be one.
  void encode(const DeviceVectors& x, void* sections, std::uint32_t* flags, DeviceStream stream,
              void* workspace = nullptr) const;

  /// The way back, into the scalars of `y`: rounded to nearest, ties to even; what is beyond a
  /// 16-bit type becomes its largest number.
  void decode(const void* sections, const DeviceVectors& y, std::uint32_t* flags,
              DeviceStream stream, void* workspace = nullptr) const;

  /// What decoding gives for `x`, without sections. `y` may be `x`.
  void round_trip(const DeviceVectors& x, const DeviceVectors& y, std::uint32_t* flags,
                  DeviceStream stream, void* workspace = nullptr) const;

  /// The frame of head `head`, from a copy of the sections in host memory. The same bytes as
  /// host(head).encode(). Throws CorruptStream where a length is beyond its room.
  virtual std::vector<std::byte> frame(const DeviceLayout& layout,
                                       std::span<const std::byte> sections, std::size_t head) const;

  /// Puts the sections of a frame of layout.tokens vectors in their places for head `head`, zeros
  /// for windows that it leaves out. Throws CorruptStream where it is no such frame.
  virtual void take_frame(std::span<const std::byte> frame, const DeviceLayout& layout,
                          std::size_t head, std::span<std::byte> sections) const;

 protected:
  /// What a call has beside its vectors.
  struct Call {
    const DeviceLayout& layout;
    std::byte* sections;  ///< null of a round trip
    std::byte* workspace;
    std::uint32_t* flags;
    DeviceStream stream;
  };

  /// For any number of heads. `part`: what a section of this name holds.
  DeviceCodec(std::unique_ptr<Codec> host, std::byte part) : part_(part) {
    hosts_.push_back(std::move(host));
  }
  /// For as many heads as there are hosts, in order.
  explicit DeviceCodec(std::vector<std::unique_ptr<Codec>> hosts)
      : hosts_(std::move(hosts)), heads_(hosts_.size()) {}

  /// What `section` of head `head` holds: all its room, or as much as its length says. Throws
  /// CorruptStream where that is beyond the room.
  std::span<const std::byte> bytes_of(const DeviceLayout::Section& section,
                                      std::span<const std::byte> sections, std::size_t head) const;
  /// Puts the section `from` of a frame in its place, and its length, or zeros behind it. Throws
  /// CorruptStream where it has no room.
  void put_section(std::span<const std::byte> from, const DeviceLayout::Section& section,
                   std::size_t head, std::span<std::byte> sections) const;
  /// The frame of layout.tokens vectors. Throws CorruptStream where it is no such frame.
  FrameView open(std::span<const std::byte> frame, const DeviceLayout& layout,
                 std::size_t head) const;

 private:
  virtual void run_encode(const DeviceVectors& x, const Call& call) const = 0;
  virtual void run_decode(const DeviceVectors& y, const Call& call) const = 0;
  virtual void run_round_trip(const DeviceVectors& x, const DeviceVectors& y,
                              const Call& call) const = 0;
  void require_view(const DeviceVectors& x) const;
  [[noreturn]] void too_long(const DeviceLayout::Section& section, std::size_t bytes) const;
  DeviceLayout layout_for(const DeviceVectors& x, const void* workspace) const;

  std::vector<std::unique_ptr<Codec>> hosts_;
  std::size_t heads_ = 0;
  std::byte part_{};
};

/// A codec that works on the host alone, because of its name, a key or the length of its vectors.
class NoKernelError : public SpecError {
 public:
  /// What the options of a program can do about it.
  static constexpr std::string_view kOnHost = "; --codec-device cpu codes on the host";

  explicit NoKernelError(const std::string& fact, std::string_view advice = {})
      : SpecError(fact + std::string(advice)), fact_(fact) {}

  /// what() without the advice, for those who have no such options.
  const std::string& fact() const { return fact_; }

 private:
  std::string fact_;
};

/// The device codec that `spec` names, for any number of heads. Throws as make_codec(), and
/// NoKernelError where there is no kernel for the codec, for one of its keys or for input.dim: it
/// names what was asked and what there is. Of a codec of VectorScope::head that is calibrated (klt)
/// it is for the one head of input.site.
std::unique_ptr<DeviceCodec> make_device_codec(std::string_view spec, const CodecInput& input);

/// For heads that are coded in one launch, those of the keys or values of a layer: one input each, in
/// the order of the view's heads. Calibrated codecs have what they need of every site in device
/// memory, once for all codecs of the same spec and sites that live. Other codecs are those of the
/// first input, for any number of heads.
std::unique_ptr<DeviceCodec> make_device_codec(std::string_view spec,
                                               std::span<const CodecInput> heads);

/// Throws InputError or CorruptStream naming the first head with a flag and what was wrong; `flags`
/// is a copy in host memory.
void require_no_flags(const DeviceCodec& codec, std::span<const std::uint32_t> flags);

}  // namespace kakeya
