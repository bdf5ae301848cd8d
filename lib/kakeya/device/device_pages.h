// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kakeya/device/device_tables.h"

namespace kakeya {

namespace kernels {
struct PageCoding;
}

/// Points of `pages` pages of each head in device memory. Page p of head h is at twice + h *
/// head_stride + p * lane_values(page, dim), in the order of entropy/lanes.h; a page of fewer vectors
/// has the room of a whole one.
struct DevicePoints {
  std::int32_t* twice = nullptr;
  std::size_t head_stride = 0;  ///< in values
  /// Page p of head h has vectors[h * pages + p] vectors, at most `page`; one of none has no bytes.
  const std::uint32_t* vectors = nullptr;
  std::size_t pages = 0;
  std::size_t page = 0;  ///< a multiple of 32
};

/// Sections "streams" and "pages" of a frame a head (codec/paged_points.h) in device memory.
/// `streams`, its stride and its room are multiples of 16.
struct DevicePageSections {
  std::uint8_t* streams = nullptr;
  std::size_t stream_stride = 0;          ///< bytes from head to head
  std::size_t stream_room = 0;            ///< bytes of each head's section that may be touched
  std::uint32_t* pages = nullptr;         ///< bytes of each page
  std::size_t page_stride = 0;            ///< numbers from head to head
  std::uint64_t* stream_bytes = nullptr;  ///< one a head: written by encode(), read by decode()
};

/// What is wrong with the pages of a head, in its word of `flags`.
enum DevicePageFlag : std::uint32_t {
  kDamagedPage = 32,     ///< one that PointCoder::decode() refuses
  kWrongPageSizes = 64,  ///< they do not add up to the streams
  kLongPage = 128,       ///< one that does not fit its slot: the frame is no good
  kLongStreams = 256,    ///< together they do not fit stream_room: none is written
};

/// Pages of the heads of a layer, coded in device memory: the bytes of PointCoder. What is put on the
/// stream allocates nothing and waits for nothing; a CUDA graph can hold it. What is wrong goes into
/// `flags`, a 32-bit word a head in device memory, which they only add to (DevicePageFlag;
/// require_good_pages() throws). Immutable; const means thread-safe.
class DevicePagePlans {
 public:
  /// classes[h][i] is the class of coordinate i of head h; all heads have as many coordinates.
  /// `path` as of PointCoder. Throws InputError as PointCoder, and on heads of unlike dims, none,
  /// or a class that `tables` lacks.
  DevicePagePlans(std::shared_ptr<const DeviceTables> tables,
                  std::span<const std::vector<std::uint8_t>> classes, std::size_t path = 0);
  ~DevicePagePlans();

  /// Room in device memory that encode() and decode() borrow. `slot_bytes`: that of one page, a
  /// multiple of 16; longer ones are flagged. PointCoder::page_bound(page) is always enough; of
  /// codecs that keep apart vectors of more than `kept_bytes` so is most_page_overhead(page) + page *
  /// kept_bytes.
  std::size_t encode_workspace(const DevicePoints& points, std::size_t slot_bytes) const;
  std::size_t decode_workspace(const DevicePoints& points) const;

  /// Writes pages, their sizes, and the bytes of all of a head. Points that are none of the lattice
  /// make pages that decode to something else.
  void encode(const DevicePoints& points, const DevicePageSections& out, void* workspace,
              std::size_t slot_bytes, std::uint32_t* flags, DeviceStream stream) const;

  /// The way back. Damaged pages, and lanes without a vector, are 0.
  void decode(const DevicePageSections& in, const DevicePoints& points, void* workspace,
              std::uint32_t* flags, DeviceStream stream) const;

  /// costs[(h * pages + p) * page + t]: PointCoder::most_cost() of vector t, 0 where there is none.
  void most_costs(const DevicePoints& points, std::uint32_t* costs, DeviceStream stream) const;

  /// sums[(h * pages + p) * page + t]: the sum of twice the coordinates of vector t: decoding without
  /// memory for points (points.twice is not used).
  void sums(const DevicePageSections& in, const DevicePoints& points, std::int32_t* sums,
            void* workspace, std::uint32_t* flags, DeviceStream stream) const;

  /// For launchers of kernels/pages.h, while this object lives.
  const kernels::PageCoding& coding() const;
  /// Bytes in device memory, without those of the tables.
  std::size_t bytes() const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

/// Throws CorruptStream, or InputError of what did not fit, naming the first head with a flag of
/// pages and what was wrong; `flags` is a copy in host memory.
void require_good_pages(std::span<const std::uint32_t> flags);

}  // namespace kakeya
