// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/core/ledger.h"
#include "kakeya/core/vector_sums.h"
#include "kakeya/device/device_codec.h"

namespace kakeya {

/// Memory that the coders of one cell after another use, of each GPU: that of the one that is current. It
/// grows as needed.
class DeviceWorkspace {
 public:
  /// What is coded and not yet read back, at least `bytes`. What it held is lost where it grows.
  DeviceBuffer& coded(std::size_t bytes) { return grown(here().coded, bytes); }
  /// Vectors of one part, decoded.
  DeviceBuffer& decoded(std::size_t bytes) { return grown(here().decoded, bytes); }
  /// Whole tokens, gathered from their parts.
  DeviceBuffer& tokens(std::size_t bytes) { return grown(here().tokens, bytes); }
  /// A part that is on another GPU.
  DeviceBuffer& visitor(std::size_t bytes) { return grown(here().visitor, bytes); }
  /// What codecs need besides, of any contents.
  DeviceBuffer& scratch(std::size_t bytes) { return grown(here().scratch, bytes); }
  /// A copy on the host of the coded() of a GPU.
  std::vector<std::byte>& image(int device) { return memories_.at(device).image; }

 private:
  struct Memory {
    std::unique_ptr<DeviceBuffer> coded, decoded, tokens, visitor, scratch;
    std::vector<std::byte> image;
  };
  Memory& here() { return memories_[current_device()]; }
  static DeviceBuffer& grown(std::unique_ptr<DeviceBuffer>& buffer, std::size_t bytes);
  std::map<int, Memory> memories_;
};

/// Launches that code vectors where they are, and whose flags, sections and sums wait in device memory
/// until they are read back together. Each is on the GPU that is current then.
class DeviceCodings {
 public:
  explicit DeviceCodings(DeviceWorkspace& workspace) : workspace_(workspace) {}

  /// One launch; and where its last page is not full and not its only one, a launch of the full ones
  /// alone, so that it is known what the last one takes.
  struct Coded {
    const DeviceCodec& codec;
    DeviceLayout layout;
    int device = current_device();
    std::size_t compared;  ///< vectors that there are sums of
    std::size_t flags_at, sections_at, sums_at;
    std::size_t open_tokens;  ///< of the last page, where it is not full
    DeviceLayout full_layout = {};
    std::size_t full_flags_at, full_sections_at, end;
    DeviceTimer encode = {}, decode = {};

    bool has_full_pages() const { return open_tokens != 0 && open_tokens != layout.tokens; }
    TokenRange full_tokens() const { return {0, layout.tokens - open_tokens}; }

    Coded(const DeviceCodec& with, std::size_t tokens, std::size_t heads, std::size_t vectors,
          std::size_t begin);
  };

  /// Whether `x` can be coded, on the GPU that is current, before the others are read back.
  bool has_room(const DeviceCodec& codec, const DeviceVectors& x, std::size_t compared) const;

  /// Puts encoding, decoding and comparing on the stream: `x` as the codec takes it, `parts` the same
  /// scalars as they are compared and replaced, vector by vector.
  void code(const DeviceCodec& codec, const DeviceVectors& x, const DeviceVectors& parts,
            DeviceStream stream);

  /// Waits for every GPU, and copies what waits to the host.
  void read_back();
  void clear();

  // Of launch i, after read_back().
  std::size_t count() const { return coded_.size(); }
  const Coded& operator[](std::size_t i) const { return coded_[i]; }
  /// Frame of head `head`. Throws as require_no_flags() and DeviceCodec::frame().
  std::vector<std::byte> frame(std::size_t i, std::size_t head) const;
  /// What of `frame`, that of head `head` of launch i, lies in a page that is not full, as
  /// encode_with_open_page() tells of the host's codec.
  OpenPages open_page(std::size_t i, std::size_t head, std::span<const std::byte> frame) const;
  /// Sums of vector `at`, [heads of parts][tokens].
  VectorSums sums(std::size_t i, std::size_t at) const;

  /// So many bytes wait in device memory before they are read back.
  static constexpr std::size_t kCodedBytes = std::size_t{1} << 27;

 private:
  std::vector<std::byte> frame_at(const Coded& coded, const DeviceLayout& layout,
                                  std::size_t flags_at, std::size_t sections_at,
                                  std::size_t head) const;

  DeviceWorkspace& workspace_;
  std::deque<Coded> coded_;
  std::map<int, std::size_t> used_;  // of each GPU, bytes of workspace_.coded()
  DeviceStream stream_ = nullptr;
};

}  // namespace kakeya
