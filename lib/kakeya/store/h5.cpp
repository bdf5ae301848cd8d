// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/h5.h"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/store/h5_driver.h"

namespace kakeya::h5 {
namespace {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

constexpr unsigned kDeflateLevel = 4;
constexpr std::uint64_t kChunkBytes = std::uint64_t{512} << 10;
constexpr std::size_t kLongestText = std::size_t{1} << 20;
// zlib's format cannot expand further than 1032 : 1 (zlib.net, "Technical Details").
constexpr std::uint64_t kMostDeflate = 1032;

/// The innermost entry of HDF5's error stack: the one that says what happened rather than what
/// thereby failed.
std::string reason() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* entry, void* out) -> herr_t {
        if (depth == 0 && entry->desc) *static_cast<std::string*>(out) = entry->desc;
        return 0;
      },
      &text);
  H5Eclear2(H5E_DEFAULT);
  return text.empty() ? "HDF5 gave no reason" : text;
}

template <typename E>
[[noreturn]] void fail(const std::string& path, const std::string& object) {
  throw E(path + ": " + object + ": " + reason());
}

/// An identifier and how it is given back.
class Handle {
 public:
  Handle(hid_t id, herr_t (*release)(hid_t)) : id_(id), release_(release) {}
  ~Handle() {
    if (id_ >= 0) release_(id_);
  }
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), release_(other.release_) {}
  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*release_)(hid_t);
};

void silence() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

/// A little-endian IEEE-like type of 16 bits: sign on top, then the exponent, then the mantissa.
hid_t half_type(std::size_t exponent_bits, std::size_t bias) {
  const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
  const std::size_t mantissa = 15 - exponent_bits;
  H5Tset_fields(type, 15, mantissa, exponent_bits, 0, mantissa);
  H5Tset_size(type, 2);
  H5Tset_ebias(type, bias);
  return type;
}

hid_t make_type(Scalar scalar) {
  switch (scalar) {
    case Scalar::fp16:
      return half_type(5, 15);
    case Scalar::bf16:
      return half_type(8, 127);
    case Scalar::fp32:
      return H5Tcopy(H5T_IEEE_F32LE);
    case Scalar::fp64:
      return H5Tcopy(H5T_IEEE_F64LE);
    case Scalar::uint8:
      return H5Tcopy(H5T_STD_U8LE);
    case Scalar::int8:
      return H5Tcopy(H5T_STD_I8LE);
    case Scalar::int32:
      return H5Tcopy(H5T_STD_I32LE);
    case Scalar::uint64:
      return H5Tcopy(H5T_STD_U64LE);
  }
  throw InputError("h5: no such scalar");
}

struct ScalarFacts {
  const char* name;
  std::size_t bytes;
};

// In the order of Scalar.
const ScalarFacts& facts_of(Scalar scalar) {
  static constexpr ScalarFacts kFacts[] = {{"uint8", 1}, {"int8", 1}, {"fp16", 2},  {"bf16", 2},
                                           {"fp32", 4},  {"fp64", 8}, {"int32", 4}, {"uint64", 8}};
  return kFacts[static_cast<std::size_t>(scalar)];
}

std::string to_text(std::span<const std::uint64_t> shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i ? ", " : "") + std::to_string(shape[i]);
  }
  return text + "]";
}

/// Makes the groups that `object` lies in. None of our objects keeps the time it was made: the same
/// data give the same bytes.
void make_groups_above(const std::string& path, hid_t file, const std::string& object) {
  const Handle plan(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(plan, false);
  for (std::size_t end = object.find('/', 1); end != std::string::npos;
       end = object.find('/', end + 1)) {
    const std::string group = object.substr(0, end);
    const htri_t exists = H5Lexists(file, group.c_str(), H5P_DEFAULT);
    if (exists > 0) continue;
    const Handle made(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, plan, H5P_DEFAULT), H5Gclose);
    if (!made.valid()) fail<IoError>(path, group);
  }
}

/// An attribute opened, found to hold one value of `wanted`.
class Attribute {
 public:
  Attribute(const std::string& path, hid_t file, const std::string& object,
            const std::string& attribute, H5T_class_t wanted, const char* kind)
      : path_(path),
        what_("attribute " + attribute + " of " + object),
        id_(H5Aopen_by_name(file, object.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose),
        type_(id_.valid() ? H5Aget_type(id_) : H5I_INVALID_HID, H5Tclose) {
    if (!id_.valid()) throw CorruptStream(path + ": no " + what_ + " (" + reason() + ")");
    const Handle space(H5Aget_space(id_), H5Sclose);
    if (!type_.valid() || !space.valid()) fail<CorruptStream>(path_, what_);
    if (H5Tget_class(type_) != wanted || H5Sget_simple_extent_npoints(space) != 1) {
      throw CorruptStream(path + ": " + what_ + ": expected " + kind);
    }
  }

  template <typename T>
  T number(hid_t memory_type) const {
    T value{};
    read(memory_type, &value);
    return value;
  }

  std::string text() const {
    const htri_t variable = H5Tis_variable_str(type_);
    if (variable < 0) fail<CorruptStream>(path_, what_);
    if (variable > 0) {
      char* value = nullptr;
      read(type_, &value);
      std::string copy = value ? value : "";
      H5free_memory(value);
      return copy;
    }
    const std::size_t length = H5Tget_size(type_);
    if (length == 0 || length > kLongestText) {
      throw CorruptStream(path_ + ": " + what_ + ": " + std::to_string(length) +
                          " bytes, expected at most " + std::to_string(kLongestText));
    }
    std::string value(length, '\0');
    read(type_, value.data());
    value.resize(std::min(value.find('\0'), length));
    return value;
  }

  bool negative() const {
    return H5Tget_sign(type_) == H5T_SGN_2 && number<std::int64_t>(H5T_NATIVE_INT64) < 0;
  }

  [[noreturn]] void refuse(const char* why) const {
    throw CorruptStream(path_ + ": " + what_ + ": " + why);
  }

 private:
  void read(hid_t memory_type, void* value) const {
    if (H5Aread(id_, memory_type, value) < 0) fail<CorruptStream>(path_, what_);
  }

  const std::string& path_;
  std::string what_;
  Handle id_, type_;
};

/// The dataset, its type, shape and storage checked as File::check promises.
Handle open_checked(const std::string& path, hid_t file, const std::string& dataset, Scalar scalar,
                    std::span<const std::uint64_t> shape) {
  Handle id(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (!id.valid()) throw CorruptStream(path + ": no dataset " + dataset + " (" + reason() + ")");
  const Handle type(H5Dget_type(id), H5Tclose), wanted(make_type(scalar), H5Tclose);
  const Handle space(H5Dget_space(id), H5Sclose), plan(H5Dget_create_plist(id), H5Pclose);
  if (!type.valid() || !space.valid() || !plan.valid()) fail<CorruptStream>(path, dataset);
  if (H5Tequal(type, wanted) <= 0) {
    throw CorruptStream(path + ": " + dataset + ": not stored as " + facts_of(scalar).name);
  }
  hsize_t found[H5S_MAX_RANK] = {};
  const int rank = H5Sget_simple_extent_dims(space, found, nullptr);
  const std::vector<std::uint64_t> has(found, found + std::max(rank, 0));
  if (!std::equal(has.begin(), has.end(), shape.begin(), shape.end())) {
    throw CorruptStream(path + ": " + dataset + ": shape " + to_text(has) + ", expected " +
                        to_text(shape));
  }
  std::uint64_t most = H5Dget_storage_size(id), chunks = 1;
  if (H5Pget_layout(plan) == H5D_CHUNKED) {
    hsize_t chunk[H5S_MAX_RANK] = {};
    if (H5Pget_chunk(plan, rank, chunk) != rank) fail<CorruptStream>(path, dataset);
    for (int i = 0; i < rank; ++i) {
      if (chunk[i] == 0 || chunk[i] > found[i]) {
        throw CorruptStream(path + ": " + dataset + ": chunks larger than the dataset");
      }
      chunks *= (found[i] + chunk[i] - 1) / chunk[i];
    }
    hsize_t stored = 0;
    if (H5Dget_num_chunks(id, space, &stored) < 0) fail<CorruptStream>(path, dataset);
    if (stored != chunks) {
      throw CorruptStream(path + ": " + dataset + ": " + std::to_string(stored) + " of " +
                          std::to_string(chunks) + " chunks are there");
    }
    most =
        most > std::numeric_limits<std::uint64_t>::max() / kMostDeflate ? 0 : most * kMostDeflate;
  }
  for (const std::uint64_t axis : shape) most /= std::max<std::uint64_t>(axis, 1);
  if (most < bytes_of(scalar)) {
    throw CorruptStream(path + ": " + dataset + ": fewer bytes are stored than its shape takes");
  }
  return id;
}

}  // namespace

std::size_t bytes_of(Scalar scalar) { return facts_of(scalar).bytes; }

File File::create(const std::string& path) {
  silence();
  auto fault = std::make_shared<WriteFault>();
  const Handle access(access_for_writing(*fault), H5Pclose);
  const Handle plan(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(plan, false);
  const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, plan, access);
  if (id < 0 && !fault->reason.empty()) throw IoError(path + ": " + fault->reason);
  if (id < 0) fail<IoError>(path, "cannot create");
  return {path, id, std::move(fault)};
}

File File::open(const std::string& path) {
  silence();
  // The reasons of the operating system first: HDF5 would wrap them in a paragraph.
  const int probe = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (probe < 0 || ::fstat(probe, &status) != 0) {
    throw IoError(path + ": " + std::strerror(errno));
  }
  ::close(probe);
  if (!S_ISREG(status.st_mode)) throw IoError(path + ": not a file");
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
  const bool npy = path.ends_with(".npy");
  if (id < 0)
    fail<CorruptStream>(path, npy ? "expected HDF5, --in reads .npy" : "not a whole HDF5 file");
  return {path, id, nullptr};
}

File::~File() {
  if (id_ >= 0) H5Fclose(id_);
}

void File::close() {
  const hid_t id = std::exchange(id_, -1);
  const std::string why = H5Fflush(id, H5F_SCOPE_GLOBAL) < 0 ? reason() : "";
  const bool closed = H5Fclose(id) >= 0;
  check_written();
  if (!closed || !why.empty()) {
    throw IoError(path_ + ": cannot finish: " + (why.empty() ? reason() : why));
  }
}

void File::check_written() const {
  if (fault_ && !fault_->reason.empty()) throw IoError(path_ + ": " + fault_->reason);
}

void File::write(const std::string& dataset, Scalar scalar, std::span<const std::uint64_t> shape,
                 const void* data) {
  const Handle type(make_type(scalar), H5Tclose);
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  std::vector<hsize_t> chunk = extent;
  std::uint64_t row_bytes = bytes_of(scalar);
  for (std::size_t i = 1; i < extent.size(); ++i) row_bytes *= extent[i];
  chunk[0] = std::clamp<std::uint64_t>(kChunkBytes / row_bytes, 1, extent[0]);
  const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                     H5Sclose);
  make_groups_above(path_, id_, dataset);
  const Handle plan(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(plan, false);
  if (H5Pset_chunk(plan, static_cast<int>(chunk.size()), chunk.data()) < 0 ||
      H5Pset_shuffle(plan) < 0 || H5Pset_deflate(plan, kDeflateLevel) < 0 ||
      H5Pset_fletcher32(plan) < 0) {
    fail<IoError>(path_, dataset);
  }
  const Handle made(H5Dcreate2(id_, dataset.c_str(), type, space, H5P_DEFAULT, plan, H5P_DEFAULT),
                    H5Dclose);
  if (!made.valid() || H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
    fail<IoError>(path_, dataset);
  }
  check_written();
}

void File::put(const std::string& object, const std::string& attribute, std::int64_t type,
               const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle made(H5Acreate_by_name(id_, object.c_str(), attribute.c_str(), type, space,
                                      H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose);
  if (!made.valid() || H5Awrite(made, type, value) < 0) {
    fail<IoError>(path_, "attribute " + attribute + " of " + object);
  }
  check_written();
}

void File::set_text(const std::string& object, const std::string& attribute,
                    const std::string& value) {
  // Of fixed length: it lies under the checksum of its header, where a variable one would lie in a
  // heap without.
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(value.size(), 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  put(object, attribute, type, value.c_str());
}

void File::set_integer(const std::string& object, const std::string& attribute,
                       std::int64_t value) {
  put(object, attribute, H5T_STD_I64LE, &value);
}

void File::set_unsigned(const std::string& object, const std::string& attribute,
                        std::uint64_t value) {
  put(object, attribute, H5T_STD_U64LE, &value);
}

void File::set_real(const std::string& object, const std::string& attribute, double value) {
  put(object, attribute, H5T_IEEE_F64LE, &value);
}

bool File::has(const std::string& object, const std::string& attribute) const {
  const htri_t there = H5Aexists_by_name(id_, object.c_str(), attribute.c_str(), H5P_DEFAULT);
  if (there < 0) fail<CorruptStream>(path_, "attributes of " + object);
  return there > 0;
}

std::string File::text(const std::string& object, const std::string& attribute) const {
  return Attribute(path_, id_, object, attribute, H5T_STRING, "a text").text();
}

std::int64_t File::integer(const std::string& object, const std::string& attribute) const {
  const Attribute found(path_, id_, object, attribute, H5T_INTEGER, "a whole number");
  return found.number<std::int64_t>(H5T_NATIVE_INT64);
}

std::uint64_t File::unsigned_integer(const std::string& object,
                                     const std::string& attribute) const {
  const Attribute found(path_, id_, object, attribute, H5T_INTEGER, "a whole number");
  if (found.negative()) found.refuse("negative: expected a count");
  return found.number<std::uint64_t>(H5T_NATIVE_UINT64);
}

double File::real(const std::string& object, const std::string& attribute) const {
  const Attribute found(path_, id_, object, attribute, H5T_FLOAT, "a real number");
  return found.number<double>(H5T_NATIVE_DOUBLE);
}

void File::check(const std::string& dataset, Scalar scalar,
                 std::span<const std::uint64_t> shape) const {
  open_checked(path_, id_, dataset, scalar, shape);
}

void File::read(const std::string& dataset, Scalar scalar, std::span<const std::uint64_t> shape,
                void* data) const {
  const Handle id = open_checked(path_, id_, dataset, scalar, shape);
  const Handle type(make_type(scalar), H5Tclose);
  if (H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
    fail<CorruptStream>(path_, dataset);
  }
}

}  // namespace kakeya::h5
