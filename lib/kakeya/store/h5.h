// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kakeya::h5 {

/// How a dataset stores its scalars. bf16 is an HDF5 floating-point type of our own making (16
/// bits: sign 15, exponent 7-14 with bias 127, mantissa 0-6), which the HDF5 library itself
/// converts: h5py shows it as float32, exactly.
enum class Scalar { uint8, int8, fp16, bf16, fp32, fp64, int32, uint64 };

std::size_t bytes_of(Scalar scalar);

struct WriteFault;

/// One HDF5 file, open; a thin RAII over the C API that keeps HDF5's headers out of everybody
/// else's sight.
///
/// Names are absolute ("/passages/0/tokens"); attributes belong to the object of that name. Files
/// are written in the format of HDF5 1.10 (whose metadata carry checksums), datasets with shuffle,
/// deflate and Fletcher-32, so that a damaged byte is found when it is read. Every failure is an
/// exception that names file and object and gives HDF5's own reason; nothing goes to stderr. Not
/// thread-safe: HDF5 has one lock for nobody.
class File {
 public:
  static File create(const std::string& path);  ///< replaces what is there. Throws IoError
  static File open(const std::string& path);    ///< to read. Throws IoError, CorruptStream

  File(File&& other) noexcept
      : path_(std::move(other.path_)),
        id_(std::exchange(other.id_, -1)),
        fault_(std::move(other.fault_)) {}
  File& operator=(File&& other) = delete;
  ~File();

  /// Writes everything out. Throws IoError, for example on a full disk.
  void close();

  /// Makes the groups above it too. `data` is dense, row-major, of `shape`. Chunks are of whole
  /// rows (first axis) and at most 512 KiB where a row is not larger than that. Throws IoError.
  void write(const std::string& dataset, Scalar scalar, std::span<const std::uint64_t> shape,
             const void* data);

  void set_text(const std::string& object, const std::string& attribute, const std::string& value);
  void set_integer(const std::string& object, const std::string& attribute, std::int64_t value);
  void set_unsigned(const std::string& object, const std::string& attribute, std::uint64_t value);
  void set_real(const std::string& object, const std::string& attribute, double value);

  /// Whether an object has an attribute of this name.
  bool has(const std::string& object, const std::string& attribute) const;

  /// Throw CorruptStream when the attribute is missing or of another kind.
  std::string text(const std::string& object, const std::string& attribute) const;
  std::int64_t integer(const std::string& object, const std::string& attribute) const;
  std::uint64_t unsigned_integer(const std::string& object, const std::string& attribute) const;
  double real(const std::string& object, const std::string& attribute) const;

  /// Throws CorruptStream unless the dataset is there with exactly this type and shape and its data
  /// can be whole: stored bytes enough for what deflate can expand, no chunk missing. So memory for
  /// a checked dataset is bounded by the file's length.
  void check(const std::string& dataset, Scalar scalar, std::span<const std::uint64_t> shape) const;

  /// check(), then reads it all into `data`. Throws CorruptStream on damage.
  void read(const std::string& dataset, Scalar scalar, std::span<const std::uint64_t> shape,
            void* data) const;

 private:
  File(std::string path, std::int64_t id, std::shared_ptr<WriteFault> fault)
      : path_(std::move(path)), id_(id), fault_(std::move(fault)) {}
  void put(const std::string& object, const std::string& attribute, std::int64_t type,
           const void* value);
  /// Throws IoError with the operating system's reason where anything could not be written.
  void check_written() const;

  std::string path_;
  std::int64_t id_;                    ///< HDF5's hid_t; negative when closed
  std::shared_ptr<WriteFault> fault_;  ///< of a file that is written (h5_driver.h)
};

}  // namespace kakeya::h5
