// SPDX-License-Identifier: Apache-2.0
#pragma once

// What device_cache.cpp and device_cache_attend.cpp keep: memory that grows, and records of layers, sequences and a step.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/device/device_memory.h"
#include "kakeya/generate/device_cache.h"

namespace kakeya {

/// "sequence 3: ", of a message.
inline std::string of_device_sequence(int number) {
  return "sequence " + std::to_string(number) + ": ";
}

/// A number of rows, as kernels take it. Throws InputError beyond 2^31 - 1.
inline std::int32_t cache_word(std::size_t number) {
  if (number > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw InputError("a cache on a GPU of " + std::to_string(number) +
                     " rows, expected at most 2^31 - 1");
  }
  return static_cast<std::int32_t>(number);
}

/// Device memory that grows, on the default stream.
class GrowingMemory {
 public:
  void* data() const { return buffer_ ? buffer_->data() : nullptr; }
  std::size_t bytes() const { return buffer_ ? buffer_->bytes() : 0; }
  std::int32_t* words() const { return static_cast<std::int32_t*>(data()); }
  std::uint32_t* flags() const { return static_cast<std::uint32_t*>(data()); }

  /// To at least so many bytes; what was there stays. `zeros`: what is new is zeros.
  void grow(std::size_t bytes, bool zeros = false) {
    if (bytes <= this->bytes()) return;
    auto made = std::make_unique<DeviceBuffer>(bytes);
    if (zeros) made->fill(0, nullptr);
    if (buffer_) device_copy(made->data(), buffer_->data(), buffer_->bytes(), nullptr);
    replace(std::move(made));
  }

  /// Of `count` parts of `from` bytes each, as many as there are, to parts of `to` bytes.
  void spread(std::size_t from, std::size_t to, std::size_t count) {
    auto made = std::make_unique<DeviceBuffer>(to * count);
    device_copy_rows(made->data(), to, data(), from, std::min(from, to),
                     from == 0 ? 0 : std::min(count, bytes() / from), nullptr);
    replace(std::move(made));
  }

  /// These words in place of what was there.
  void replace(const std::vector<std::int32_t>& words) {
    if (4 * words.size() > bytes()) {
      replace(std::make_unique<DeviceBuffer>(4 * (words.size() + words.size() / 8)));
    }
    if (!words.empty()) buffer_->copy_in(words.data(), 4 * words.size());
  }

  void clear() {
    if (buffer_) buffer_->fill(0, nullptr);
  }
  void copy_out(std::vector<std::uint32_t>& to) const {
    if (!to.empty()) buffer_->copy_out(to.data(), 4 * to.size());
  }

 private:
  void replace(std::unique_ptr<DeviceBuffer> made) {
    device_wait(nullptr);  // what still reads the old one
    buffer_ = std::move(made);
  }

  std::unique_ptr<DeviceBuffer> buffer_;
};

struct DeviceCache::Layer {
  bool coded = false;
  std::size_t kind = 0, row_room = 0;  // rows of a sequence
  std::array<GrowingMemory, 2> sides =
      {};                   // bf16 [sequence_room_][row_room][heads * dim]: keys, values
  GrowingMemory pool = {};  // of pages
  std::shared_ptr<DeviceAttention> attention = {};  // of coded layers; of klt each its own

  DeviceVectors rows(std::size_t side, TokenRange range, const KvShape& shape) const {
    return dense_device_vectors(sides[side].data(), DeviceScalar::bf16, range.first + range.count,
                                shape.heads(), shape.dim())
        .slice(range);
  }
};

struct DeviceCache::Sequence {
  std::size_t place = 0, tokens = 0;
  std::array<std::vector<std::int32_t>, kKinds> slots =
      {};                                     // of pages in order; -1: left by the window
  std::array<std::size_t, kKinds> left = {};  // pages that the window has left
  bool stepping = false;                      // in a step, or in one that failed
};

/// A part of a step.
struct StepPlaces {
  std::size_t open = 0, open_rows = 0;    // open_token() and rows from it on, before the step
  std::size_t pages = 0;                  // that it seals
  bool staged = false;                    // its rows do not fit beside the open ones
  std::array<std::size_t, 2> slots = {};  // where words has those of the pages, by kind
};

struct DeviceCache::Memory {
  std::array<GrowingMemory, 2> staged = {};  // keys, values: open rows and new ones
  GrowingMemory words = {};                  // places of rows, slots of pages
  GrowingMemory flags = {};                  // a word a KV head, one for rows, a word a query
  GrowingMemory packing = {},
                attending = {};  // that coding and decoding pages, and attention, borrow
  std::array<GrowingMemory, 2> decoded = {};  // keys, values: of rows()
  GrowingMemory slots = {};  // of the sequence and kind that slots_of names, in this step
  std::optional<std::pair<int, std::size_t>> slots_of = {};
  std::pair<std::size_t, std::size_t> attended = {};  // queries and bytes of the last use
  std::array<std::size_t, kKinds> used_slots = {};    // that were ever given out
  std::vector<StepPlaces> parts = {};

  std::uint64_t bytes() const {
    return staged[0].bytes() + staged[1].bytes() + decoded[0].bytes() + decoded[1].bytes() +
           words.bytes() + slots.bytes() + flags.bytes() + packing.bytes() + attending.bytes();
  }
};

struct DeviceCache::Views {
  std::vector<StepPart> of = {};
  std::size_t batch = 0, stride = 1, most_packed = 0, table_words = 0;
  GrowingMemory words = {};  // tables, then tokens packed, first ones, bf16 rows and their places
};

}  // namespace kakeya
