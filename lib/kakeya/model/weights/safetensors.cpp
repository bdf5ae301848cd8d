// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/model/weights/mapped_file.h"
#include "kakeya/model/weights/weight_source.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kSingle = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // the limit of the reference implementation

struct Stored {
  WeightInfo info;
  std::span<const std::byte> bytes;
};

std::size_t type_bytes(const std::string& type) {
  static const std::map<std::string, std::size_t> kSizes = {
      {"F64", 8},  {"F32", 4},     {"F16", 2},     {"BF16", 2},   {"I64", 8}, {"I32", 4},
      {"I16", 2},  {"I8", 1},      {"U8", 1},      {"U16", 2},    {"U32", 4}, {"U64", 8},
      {"BOOL", 1}, {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"F8_E8M0", 1}};
  const auto found = kSizes.find(type);
  return found == kSizes.end() ? 0 : found->second;
}

// A non-negative whole number, and nothing else JSON may hold.
bool is_length(const json& value) { return value.is_number_unsigned(); }

// One file: [u64 header length][header: JSON][data].
class Shard {
 public:
  explicit Shard(const std::string& path) : path_(path), file_(path) {
    const auto bytes = file_.bytes();
    std::uint64_t length = 0;
    if (bytes.size() < sizeof(length))
      fail("8 bytes of header length expected, the file ends before them");
    std::memcpy(&length, bytes.data(), sizeof(length));
    if (length > kMaxHeaderBytes || length > bytes.size() - sizeof(length)) {
      fail("header of " + std::to_string(length) + " bytes, the file has " +
           std::to_string(bytes.size()));
    }
    const char* text = reinterpret_cast<const char*>(bytes.data()) + sizeof(length);
    const json header = parse_json({text, length}, path_ + ": the header");
    if (!header.is_object()) fail("the header is not a JSON object");
    data_ = bytes.subspan(sizeof(length) + length);
    for (const auto& [name, entry] : header.items()) {
      if (name != "__metadata__") add(name, entry);
    }
    check_layout();
  }

  const std::vector<Stored>& tensors() const { return tensors_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw CorruptStream(path_ + ": " + what);
  }

  void add(const std::string& name, const json& entry) {
    const std::string where = "tensor " + name + ": ";
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() ||
        !entry.contains("shape") || !entry["shape"].is_array() || !entry.contains("data_offsets") ||
        !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2) {
      fail(where + "dtype, shape and two data_offsets expected");
    }
    Stored tensor;
    tensor.info.name = name;
    tensor.info.type = entry["dtype"].get<std::string>();
    const std::size_t each = type_bytes(tensor.info.type);
    if (each == 0) fail(where + "dtype " + tensor.info.type + " is not known");
    std::size_t need = each;
    for (const json& length : entry["shape"]) {
      if (!is_length(length)) fail(where + "a shape is whole numbers");
      const auto dim = length.get<std::uint64_t>();
      if (dim != 0 && need > std::numeric_limits<std::size_t>::max() / dim)
        fail(where + "the shape overflows 64 bits");
      need *= dim;
      tensor.info.shape.push_back(dim);
    }
    const json& offsets = entry["data_offsets"];
    if (!is_length(offsets[0]) || !is_length(offsets[1]))
      fail(where + "data_offsets are whole numbers");
    const auto begin = offsets[0].get<std::uint64_t>(), end = offsets[1].get<std::uint64_t>();
    if (begin > end || end - begin != need) {
      fail(where + shape_text(tensor.info.shape) + " of " + tensor.info.type + " takes " +
           std::to_string(need) + " bytes, data_offsets " + std::to_string(begin) + " to " +
           std::to_string(end) + " given");
    }
    if (end > data_.size()) {
      fail(where + "ends at byte " + std::to_string(end) + " of the data, which has " +
           std::to_string(data_.size()) + ": the file is truncated");
    }
    tensor.bytes = data_.subspan(begin, need);
    tensors_.push_back(std::move(tensor));
  }

  // The tensors cover the data exactly, each byte once.
  void check_layout() const {
    std::vector<const Stored*> order;
    for (const Stored& tensor : tensors_) {
      if (!tensor.bytes.empty()) order.push_back(&tensor);
    }
    std::sort(order.begin(), order.end(),
              [](const Stored* a, const Stored* b) { return a->bytes.data() < b->bytes.data(); });
    const std::byte* next = data_.data();
    for (const Stored* tensor : order) {
      if (tensor->bytes.data() != next) {
        fail("tensor " + tensor->info.name +
             (tensor->bytes.data() < next ? ": overlaps another tensor" : ": a gap before it"));
      }
      next += tensor->bytes.size();
    }
    if (next != data_.data() + data_.size()) {
      fail(std::to_string(data_.data() + data_.size() - next) + " bytes after the last tensor");
    }
  }

  std::string path_;
  MappedFile file_;
  std::span<const std::byte> data_;
  std::vector<Stored> tensors_;
};

json read_index(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw IoError(path + ": cannot be opened");
  const json index = parse_json(std::string{std::istreambuf_iterator<char>(in), {}}, path);
  if (!index.is_object() || !index.contains("weight_map") || !index["weight_map"].is_object()) {
    throw CorruptStream(path + ": a JSON object with \"weight_map\" expected");
  }
  for (const auto& [name, file] : index["weight_map"].items()) {
    if (!file.is_string())
      throw CorruptStream(path + ": tensor " + name + ": a file name expected");
    const auto text = file.get<std::string>();
    if (text.empty() || fs::path(text).filename() != text) {
      throw CorruptStream(path + ": tensor " + name + ": \"" + text +
                          "\" given, the name of a file in this folder expected");
    }
  }
  return index["weight_map"];
}

class SafetensorsFolder final : public WeightSource {
 public:
  SafetensorsFolder(const std::string& folder, Shards shards) : folder_(folder) {
    const std::string single = (fs::path(folder) / kSingle).string();
    const std::string index = (fs::path(folder) / kIndex).string();
    if (fs::exists(single)) {
      add_shard(single);
    } else if (fs::exists(index)) {
      add_sharded(index, shards);
    } else {
      throw IoError(folder + ": has neither " + kSingle + " nor " + kIndex);
    }
    std::sort(tensors_.begin(), tensors_.end(),
              [](const Stored& a, const Stored& b) { return a.info.name < b.info.name; });
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (i > 0 && tensors_[i - 1].info.name == tensors_[i].info.name) {
        throw InputError(folder + ": tensor " + tensors_[i].info.name + " is in two files");
      }
      infos_.push_back(tensors_[i].info);
    }
  }

  const std::string& path() const override { return folder_; }
  const std::vector<WeightInfo>& tensors() const override { return infos_; }

  std::span<const std::byte> stored(const std::string& name) const override {
    return tensors_[require(name)].bytes;
  }

  void read(const std::string& name, std::span<float> out) const override {
    const Stored& tensor = tensors_[require(name, out.size())];
    const std::byte* in = tensor.bytes.data();
    const auto half = [&](std::size_t i) {
      std::uint16_t pattern;
      std::memcpy(&pattern, in + 2 * i, sizeof(pattern));
      return pattern;
    };
    if (tensor.info.type == "F32") {
      if (!out.empty()) std::memcpy(out.data(), in, out.size_bytes());
    } else if (tensor.info.type == "BF16") {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = bfloat16_to_float(half(i));
    } else if (tensor.info.type == "F16") {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = half_to_float(half(i));
    } else if (tensor.info.type == "F8_E4M3") {
      for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = e4m3_to_float(std::to_integer<std::uint8_t>(in[i]));
    } else if (tensor.info.type == "F8_E8M0") {
      for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = e8m0_to_float(std::to_integer<std::uint8_t>(in[i]));
    } else {
      throw InputError(folder_ + ": tensor " + name + ": dtype " + tensor.info.type +
                       " cannot be read, expected F32, F16, BF16, F8_E4M3 or F8_E8M0");
    }
  }

 private:
  void add_shard(const std::string& path) {
    shards_.push_back(std::make_unique<Shard>(path));
    const auto& added = shards_.back()->tensors();
    tensors_.insert(tensors_.end(), added.begin(), added.end());
  }

  void add_sharded(const std::string& index, Shards shards) {
    const json map = read_index(index);
    std::set<std::string> files, listed;
    for (const auto& [name, file] : map.items()) files.insert(file.get<std::string>());
    if (shards == Shards::present) {
      std::erase_if(files,
                    [&](const std::string& file) { return !fs::exists(fs::path(folder_) / file); });
      if (files.empty())
        throw IoError(folder_ + ": none of the files that " + kIndex + " names is there");
    }
    for (const std::string& file : files) {
      const std::size_t before = tensors_.size();
      add_shard((fs::path(folder_) / file).string());
      for (std::size_t i = before; i < tensors_.size(); ++i) {
        const std::string& name = tensors_[i].info.name;
        if (!map.contains(name) || map[name] != file) {
          throw InputError(folder_ + ": tensor " + name + " is in " + file + ", where " + kIndex +
                           " does not expect it");
        }
        listed.insert(name);
      }
    }
    for (const auto& [name, file] : map.items()) {
      if (files.contains(file.get<std::string>()) && !listed.contains(name)) {
        throw InputError(folder_ + ": tensor " + name + " is missing from " +
                         file.get<std::string>());
      }
    }
  }

  std::string folder_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::vector<Stored> tensors_;
  std::vector<WeightInfo> infos_;
};

}  // namespace

std::unique_ptr<WeightSource> open_safetensors(const std::string& folder, Shards shards) {
  return std::make_unique<SafetensorsFolder>(folder, shards);
}

}  // namespace kakeya
