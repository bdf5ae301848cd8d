// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/weights/gguf.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/weights/ggml_type.h"
#include "kakeya/model/weights/mapped_file.h"

static_assert(std::endian::native == std::endian::little, "GGUF files are read in place");

namespace kakeya {
namespace {

constexpr std::uint64_t kDefaultAlignment = 32;
constexpr std::uint32_t kMaxDims = 4;                     // GGML_MAX_DIMS
constexpr std::uint64_t kMinEntryBytes = 8 + 4 + 1;       // key length, type, one byte of value
constexpr std::uint64_t kMinTensorBytes = 8 + 4 + 4 + 8;  // name length, dim count, type, offset

// Value types of the metadata, as the specification numbers them.
enum ValueType : std::uint32_t {
  kUint8 = 0,
  kInt8 = 1,
  kUint16 = 2,
  kInt16 = 3,
  kUint32 = 4,
  kInt32 = 5,
  kFloat32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kUint64 = 10,
  kInt64 = 11,
  kFloat64 = 12,
};

// Reads forward, checking each length against what is left.
class Cursor {
 public:
  Cursor(const std::string& path, std::span<const std::byte> bytes) : path_(path), bytes_(bytes) {}

  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const { return bytes_.size() - offset_; }

  [[noreturn]] void fail(const std::string& field, const std::string& what) const {
    throw CorruptStream(path_ + ": " + field + " before offset " + std::to_string(offset_) + ": " +
                        what);
  }
  void need(const std::string& field, std::uint64_t count, std::uint64_t each = 1) const {
    if (count > left() / each) {
      fail(field, std::to_string(count) + " x " + std::to_string(each) + " bytes needed, " +
                      std::to_string(left()) + " left in the file");
    }
  }
  template <typename T>
  T number(const std::string& field) {
    need(field, 1, sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data() + offset_, sizeof(T));
    offset_ += sizeof(T);
    return value;
  }
  std::string text(const std::string& field) {
    const auto length = number<std::uint64_t>(field);
    need(field, length);
    std::string value(reinterpret_cast<const char*>(bytes_.data() + offset_), length);
    offset_ += length;
    return value;
  }
  bool truth(const std::string& field) {
    const auto value = number<std::uint8_t>(field);
    if (value > 1) fail(field, std::to_string(value) + " given for a bool, 0 or 1 expected");
    return value == 1;
  }

 private:
  const std::string& path_;
  std::span<const std::byte> bytes_;
  std::uint64_t offset_ = 0;
};

// Calls read() with a number of the type that `type` means; false where it means no number.
template <typename Read>
bool visit_number(std::uint32_t type, const Read& read) {
  const auto is = [&](ValueType number, auto of) {
    if (type == number) read(of);
    return type == number;
  };
  return is(kUint8, std::uint8_t{}) || is(kInt8, std::int8_t{}) || is(kUint16, std::uint16_t{}) ||
         is(kInt16, std::int16_t{}) || is(kUint32, std::uint32_t{}) || is(kInt32, std::int32_t{}) ||
         is(kUint64, std::uint64_t{}) || is(kInt64, std::int64_t{}) || is(kFloat32, float{}) ||
         is(kFloat64, double{});
}

// Numbers of an array are int64 or double, whatever their type in the file.
template <typename T>
GgufValue read_numbers(Cursor& in, const std::string& field, std::uint64_t count) {
  using Wide = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
  in.need(field, count, sizeof(T));
  std::vector<Wide> values(count);
  for (Wide& value : values) {
    const T given = in.number<T>(field);
    if constexpr (std::is_integral_v<T>) {
      if (!std::in_range<Wide>(given)) in.fail(field, "an integer above 2^63 in an array");
    }
    value = static_cast<Wide>(given);  // NOLINT(bugprone-signed-char-misuse): no letter
  }
  return values;
}

GgufValue read_array(Cursor& in, const std::string& field) {
  const auto type = in.number<std::uint32_t>(field);
  const auto count = in.number<std::uint64_t>(field);
  GgufValue numbers;
  if (visit_number(type, [&](auto of) { numbers = read_numbers<decltype(of)>(in, field, count); }))
    return numbers;
  if (type == kBool) {
    in.need(field, count);
    std::vector<bool> values(count);
    for (std::uint64_t i = 0; i < count; ++i) values[i] = in.truth(field);
    return values;
  }
  if (type == kString) {
    in.need(field, count, sizeof(std::uint64_t));
    std::vector<std::string> values(count);
    for (auto& value : values) value = in.text(field);
    return values;
  }
  in.fail(field, "element type " + std::to_string(type) + ", a scalar or string type expected");
}

GgufValue read_value(Cursor& in, const std::string& field) {
  const auto type = in.number<std::uint32_t>(field);
  GgufValue number;
  const bool is_number = visit_number(type, [&](auto of) {
    using T = decltype(of);
    using Whole = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    number = std::conditional_t<std::is_floating_point_v<T>, double, Whole>{in.number<T>(field)};
  });
  if (is_number) return number;
  if (type == kBool) return in.truth(field);
  if (type == kString) return in.text(field);
  if (type == kArray) return read_array(in, field);
  in.fail(field, "value type " + std::to_string(type) + ", a type of 0 to 12 expected");
}

std::string dims_text(const std::vector<std::uint64_t>& dims) {
  std::string text = "[";
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(dims[i]);
  }
  return text + "]";
}

std::uint64_t tensor_bytes(const Cursor& in, const GgufTensor& tensor) {
  const std::string field = "tensor " + tensor.name;
  const GgmlLayout* layout = ggml_layout(tensor.type);
  if (layout == nullptr) {
    in.fail(field,
            "type " + std::to_string(tensor.type) + " is not a ggml type that is known here");
  }
  std::uint64_t values = 1;
  for (const std::uint64_t dim : tensor.dims) {
    if (dim != 0 && values > std::numeric_limits<std::uint64_t>::max() / dim) {
      in.fail(field, dims_text(tensor.dims) + " overflows 64 bits");
    }
    values *= dim;
  }
  const std::uint64_t row = tensor.dims.empty() ? 1 : tensor.dims.front();
  if (row % layout->values != 0) {
    in.fail(field, "rows of " + std::to_string(row) + " values, a multiple of " +
                       std::to_string(layout->values) + " expected of type " + layout->name);
  }
  const std::uint64_t blocks = values / layout->values;
  if (blocks > std::numeric_limits<std::uint64_t>::max() / layout->bytes) {
    in.fail(field, dims_text(tensor.dims) + " overflows 64 bits");
  }
  return blocks * layout->bytes;
}

std::string kind_name(const GgufValue& value) {
  static constexpr const char* kNames[] = {
      "a bool",           "an integer",         "an integer",
      "a float",          "a string",           "an array of bools",
      "an integer array", "an array of floats", "an array of strings"};
  return kNames[value.index()];
}

}  // namespace

struct GgufFile::Impl {
  explicit Impl(const std::string& file) : path(file), mapping(file) { read(); }

  std::string path;
  MappedFile mapping;
  std::map<std::string, GgufValue> metadata;
  std::vector<GgufTensor> tensors;

  void read();
  std::uint64_t alignment(const Cursor& in) const;
  void place(const Cursor& in, const std::vector<std::uint64_t>& offsets);
  const GgufValue& require(const std::string& key, const char* expected) const;
  [[noreturn]] void wrong_kind(const std::string& key, const GgufValue& value,
                               const char* expected) const;
};

void GgufFile::Impl::read() {
  Cursor in(path, mapping.bytes());
  in.need("magic", 4);
  if (std::memcmp(mapping.bytes().data(), "GGUF", 4) != 0) in.fail("magic", "not a GGUF file");
  in.number<std::uint32_t>("magic");
  const auto version = in.number<std::uint32_t>("version");
  if (version != 2 && version != 3) {
    in.fail("version", std::to_string(version) + " given, 2 or 3 (little-endian) expected");
  }
  const auto tensor_count = in.number<std::uint64_t>("tensor count");
  const auto entry_count = in.number<std::uint64_t>("metadata count");
  in.need("metadata count", entry_count, kMinEntryBytes);
  for (std::uint64_t i = 0; i < entry_count; ++i) {
    const std::string key = in.text("metadata key " + std::to_string(i));
    if (!metadata.emplace(key, read_value(in, key)).second) in.fail(key, "the key is there twice");
  }
  in.need("tensor count", tensor_count, kMinTensorBytes);
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t i = 0; i < tensor_count; ++i) {
    GgufTensor tensor;
    tensor.name = in.text("tensor name " + std::to_string(i));
    const std::string field = "tensor " + tensor.name;
    const auto dims = in.number<std::uint32_t>(field);
    if (dims > kMaxDims) in.fail(field, std::to_string(dims) + " dims, at most 4 expected");
    for (std::uint32_t d = 0; d < dims; ++d) tensor.dims.push_back(in.number<std::uint64_t>(field));
    tensor.type = in.number<std::uint32_t>(field);
    offsets.push_back(in.number<std::uint64_t>(field));
    tensors.push_back(std::move(tensor));
  }
  place(in, offsets);
}

std::uint64_t GgufFile::Impl::alignment(const Cursor& in) const {
  const auto found = metadata.find("general.alignment");
  if (found == metadata.end()) return kDefaultAlignment;
  const auto* value = std::get_if<std::uint64_t>(&found->second);
  if (value == nullptr || !std::has_single_bit(*value) || *value > (1u << 30)) {
    in.fail("general.alignment", "a power of two up to 2^30 expected");
  }
  return *value;
}

// Gives each tensor its bytes: inside the file, aligned, and its own alone.
void GgufFile::Impl::place(const Cursor& in, const std::vector<std::uint64_t>& offsets) {
  if (tensors.empty()) return;
  const std::uint64_t align = alignment(in);
  const std::uint64_t total = mapping.bytes().size();
  const std::uint64_t start = (in.offset() + align - 1) / align * align;
  if (start > total) in.fail("tensor data", "the file ends before it");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    GgufTensor& tensor = tensors[i];
    const std::string field = "tensor " + tensor.name;
    const std::uint64_t length = tensor_bytes(in, tensor);
    if (offsets[i] % align != 0) {
      in.fail(field, "offset " + std::to_string(offsets[i]) + " is no multiple of " +
                         std::to_string(align));
    }
    if (offsets[i] > total - start || length > total - start - offsets[i]) {
      in.fail(field, std::to_string(length) + " bytes at offset " + std::to_string(offsets[i]) +
                         " of the tensor data, which has " + std::to_string(total - start));
    }
    tensor.bytes = mapping.bytes().subspan(start + offsets[i], length);
  }
  std::vector<const GgufTensor*> order;
  for (const GgufTensor& tensor : tensors) {
    if (!tensor.bytes.empty()) order.push_back(&tensor);
  }
  std::sort(order.begin(), order.end(), [](const GgufTensor* a, const GgufTensor* b) {
    return a->bytes.data() < b->bytes.data();
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i - 1]->bytes.data() + order[i - 1]->bytes.size() > order[i]->bytes.data()) {
      in.fail("tensor " + order[i]->name, "overlaps tensor " + order[i - 1]->name);
    }
  }
  std::sort(order.begin(), order.end(),
            [](const GgufTensor* a, const GgufTensor* b) { return a->name < b->name; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i - 1]->name == order[i]->name) in.fail("tensor " + order[i]->name, "is there twice");
  }
}

const GgufValue& GgufFile::Impl::require(const std::string& key, const char* expected) const {
  const auto found = metadata.find(key);
  if (found == metadata.end()) {
    throw InputError(path + ": metadata key " + key + " is missing, " + expected + " expected");
  }
  return found->second;
}

void GgufFile::Impl::wrong_kind(const std::string& key, const GgufValue& value,
                                const char* expected) const {
  throw InputError(path + ": metadata key " + key + " is " + kind_name(value) + ", " + expected +
                   " expected");
}

GgufFile::GgufFile(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
GgufFile::~GgufFile() = default;
GgufFile::GgufFile(GgufFile&&) noexcept = default;
GgufFile& GgufFile::operator=(GgufFile&&) noexcept = default;

const std::string& GgufFile::path() const { return impl_->path; }
const std::map<std::string, GgufValue>& GgufFile::metadata() const { return impl_->metadata; }
const std::vector<GgufTensor>& GgufFile::tensors() const { return impl_->tensors; }

const GgufValue* GgufFile::find(const std::string& key) const {
  const auto found = impl_->metadata.find(key);
  return found == impl_->metadata.end() ? nullptr : &found->second;
}

std::int64_t GgufFile::integer(const std::string& key) const {
  constexpr const char* kExpected = "an integer below 2^63";
  const GgufValue& value = impl_->require(key, kExpected);
  if (const auto* given = std::get_if<std::int64_t>(&value)) return *given;
  const auto* given = std::get_if<std::uint64_t>(&value);
  if (given == nullptr || !std::in_range<std::int64_t>(*given))
    impl_->wrong_kind(key, value, kExpected);
  return static_cast<std::int64_t>(*given);
}

double GgufFile::real(const std::string& key) const {
  const GgufValue& value = impl_->require(key, "a number");
  if (const auto* given = std::get_if<double>(&value)) return *given;
  if (const auto* given = std::get_if<std::int64_t>(&value)) return static_cast<double>(*given);
  if (const auto* given = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*given);
  impl_->wrong_kind(key, value, "a number");
}

const std::string& GgufFile::text(const std::string& key) const {
  const GgufValue& value = impl_->require(key, "a string");
  if (const auto* given = std::get_if<std::string>(&value)) return *given;
  impl_->wrong_kind(key, value, "a string");
}

const std::vector<std::string>& GgufFile::texts(const std::string& key) const {
  const GgufValue& value = impl_->require(key, "an array of strings");
  if (const auto* given = std::get_if<std::vector<std::string>>(&value)) return *given;
  impl_->wrong_kind(key, value, "an array of strings");
}

}  // namespace kakeya
