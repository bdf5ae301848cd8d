// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bindings/c/kakeya.h"
#include "kakeya/kakeya.h"

// What is behind the handles of kakeya.h, and what all of its functions begin with.

namespace kakeya::c {

/// KAKEYA_BUFFER_TOO_SMALL; the size that is needed has been returned.
class TooSmall : public Error {
 public:
  using Error::Error;
};

/// A status that has no class of exceptions.
class StatusError : public Error {
 public:
  StatusError(kakeya_status status, const std::string& text) : Error(text), status_(status) {}
  kakeya_status status() const { return status_; }

 private:
  kakeya_status status_;
};

/// Keeps the text of the exception that is being handled for kakeya_last_error() and gives its code:
/// the one place that turns exceptions to codes.
kakeya_status report_exception() noexcept;

/// Runs what a function of the interface does.
template <typename Work>
kakeya_status guarded(const Work& work) noexcept {
  try {
    work();
    return KAKEYA_OK;
  } catch (...) {
    return report_exception();
  }
}

/// Throws InputError, naming the argument, where it is NULL.
void require(const void* pointer, const char* argument);

/// The bytes of an argument, NULL where there are none.
std::span<const std::byte> bytes_of(const void* bytes, std::size_t size, const char* argument);

/// Puts bytes where a caller wants them. Throws TooSmall; *size is then set too.
void give_bytes(std::span<const std::byte> bytes, void* out, std::size_t capacity,
                std::size_t* size);

/// The same of numbers; *count is how many there is room for, and then how many there are.
void give_numbers(std::span<const std::int32_t> numbers, std::int32_t* out, std::size_t* count);

/// The text of an argument that may be NULL.
inline std::string text_of(const char* text) { return text == nullptr ? "" : text; }

/// A part of an argument. Throws SpecError on another number.
Part part_of(kakeya_part part);

/// What the first member of a struct says of its size. Throws InputError unless it is at least `least`
/// and at most 4096 bytes.
std::size_t size_of_struct(const void* given, std::size_t least, const char* argument);

/// A struct that a caller filled. Throws InputError where it is shorter than the one of version 1 of
/// the interface (today's), and where a field is set that this library does not know.
template <typename Struct>
Struct read_struct(const Struct* given, const char* argument) {
  const std::size_t size = size_of_struct(given, sizeof(Struct), argument);
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  if (std::any_of(bytes + sizeof(Struct), bytes + size, [](unsigned char b) { return b != 0; })) {
    throw InputError(std::string(argument) + ": a field is set that kakeya " +
                     std::string(version()) + " does not know");
  }
  return *given;
}

/// Fills a struct of a caller. What this library does not know is set to 0. Throws InputError where
/// it is shorter than the one of version 1.
template <typename Struct>
void give_struct(Struct value, Struct* out, const char* argument) {
  value.size = size_of_struct(out, sizeof(Struct), argument);
  std::memset(static_cast<void*>(out), 0, value.size);
  std::memcpy(static_cast<void*>(out), &value, sizeof value);
}

/// Vectors that a caller gave, as float32: a view, or a copy of what is of another type.
class GivenRows {
 public:
  /// Throws InputError naming the argument on NULL, a stride below `dim`, an address that is no
  /// multiple of the type's size, or more than 2^48 scalars; SpecError on another dtype.
  GivenRows(const void* data, kakeya_dtype dtype, std::size_t count, std::size_t dim,
            std::size_t stride, const char* argument);
  Rows<const float> rows() const { return rows_; }

 private:
  std::vector<float> copy_;
  Rows<const float> rows_;
};

/// Room of a caller for vectors.
class WantedRows {
 public:
  /// Throws as GivenRows.
  WantedRows(void* data, kakeya_dtype dtype, std::size_t count, std::size_t dim,
             std::size_t stride);

  /// How many rows there is room for.
  std::size_t count() const { return count_; }

  /// Has `write`, a function of Rows<float>, write the first `count` rows, and converts them where
  /// that is wanted.
  template <typename Write>
  void fill(std::size_t count, const Write& write) {
    if (dtype_ == KAKEYA_FLOAT32) {
      write(Rows<float>{static_cast<float*>(data_), count, dim_, stride_});
      return;
    }
    std::vector<float> values(count * dim_);
    write(dense_rows(values.data(), count, dim_));
    convert(values, count);
  }

 private:
  void convert(const std::vector<float>& values, std::size_t count);

  void* data_;
  kakeya_dtype dtype_;
  std::size_t count_, dim_, stride_;
};

/// Has `write` fill as many rows as there are, and tells the caller how many. Throws TooSmall.
template <typename Write>
void fill_rows(WantedRows& room, std::size_t there, std::size_t* count, const Write& write) {
  *count = there;
  if (there > room.count()) {
    throw TooSmall("room for " + std::to_string(room.count()) + " rows given, expected " +
                   std::to_string(there));
  }
  room.fill(there, write);
}

/// Throws InputError where `count` vectors of `dim` scalars are more than 2^48 scalars.
void require_fewer(std::size_t count, std::size_t dim, const char* argument);

/// Profiles that several threads may look up, and add, at the same time.
class SharedShelf final : public ProfileSource {
 public:
  std::shared_ptr<const ProfileHead> find(std::string_view kind,
                                          std::string_view name) const override;
  void add(StoredProfile profile);
  std::size_t size() const;
  /// Throws InputError where there is none.
  StoredProfile at(std::size_t index) const;

 private:
  mutable std::mutex mutex_;
  ProfileShelf shelf_;
};

/// The profiles of a handle, which may be NULL.
std::shared_ptr<const SharedShelf> shelf_of(const kakeya_profiles* profiles);

/// What options and facts say, as the library has it. Throw InputError on a NULL spec, a shape without
/// layers, heads or scalars or beyond 1024 of them, or as many windows as there are not layers.
struct CacheSettings {
  KvShape shape;
  CachePolicy policy;
  CodecPair specs;
  std::vector<std::size_t> windows;
  std::shared_ptr<const SharedShelf> profiles;

  explicit CacheSettings(const kakeya_cache_options* given);
  CacheCodecs codecs() const;
};
CacheFacts facts_of(const kakeya_facts* given);

}  // namespace kakeya::c

struct kakeya_profiles {
  std::shared_ptr<kakeya::c::SharedShelf> shelf;
};

struct kakeya_codec {
  std::shared_ptr<const kakeya::c::SharedShelf> profiles;
  std::shared_ptr<const kakeya::Codec> codec;
  std::string spec;
  std::optional<kakeya::CodecInput> input;  ///< what it was made of, where that is known
};

struct kakeya_packed_cache {
  std::shared_ptr<const kakeya::c::SharedShelf> profiles;
  kakeya::PackedCache cache;
};

struct kakeya_cache_file {
  kakeya_cache_file(std::vector<std::byte> owned, std::span<const std::byte> bytes,
                    const kakeya_profiles* profiles);

  /// The codecs that the file names, made when they are asked for first.
  const kakeya::CacheCodecs& codecs() const;

  std::shared_ptr<const kakeya::c::SharedShelf> profiles;
  std::vector<std::byte> owned;  ///< of a file that was opened by its path
  std::span<const std::byte> bytes;
  std::optional<kakeya::CacheReader> reader;  ///< of a cache; nothing of a sequence
  std::vector<std::int32_t> token_ids;
  std::string facts;  ///< JSON

 private:
  mutable std::mutex mutex_;
  mutable std::optional<kakeya::CacheCodecs> codecs_;
};
