// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/arrays.h"

#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "kakeya/core/error.h"
#include "kakeya/store/npy_header.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

static_assert(std::endian::native == std::endian::little, "files are read in place");

bool ends_with(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

Array read_npy(const std::string& path, std::span<const std::byte> file, std::size_t dim) {
  const NpyHeader header = parse_npy_header(path, file);
  if (dim != 0 && dim != header.dim) {
    throw InputError(path + ": last axis " + std::to_string(header.dim) + ", expected dim " +
                     std::to_string(dim));
  }
  const auto data = npy_data(path, header, file);
  Array array{std::vector<float>(header.count * header.dim), header.count, header.dim};
  npy_values(data, header.scalar_bytes, array.values);
  return array;
}

Array read_raw(const std::string& path, std::span<const std::byte> file, std::size_t dim) {
  if (dim == 0) throw InputError(path + ": raw float32 has no shape: expected dim (--dim D)");
  if (dim > std::numeric_limits<std::size_t>::max() / sizeof(float) ||
      file.size() % (dim * sizeof(float)) != 0) {
    throw InputError(path + ": " + std::to_string(file.size()) +
                     " bytes, expected a multiple of 4 x dim " + std::to_string(dim));
  }
  Array array{std::vector<float>(file.size() / sizeof(float)), 0, dim};
  array.count = array.values.size() / dim;
  if (!file.empty()) std::memcpy(array.values.data(), file.data(), file.size());
  return array;
}

}  // namespace

Array read_array(const std::string& path, std::size_t dim) {
  const bool npy = ends_with(path, ".npy");
  if (!npy && !ends_with(path, ".f32")) {
    throw InputError(path + ": expected an array file ending in .npy or .f32");
  }
  const std::vector<std::byte> file = read_file(path);
  return npy ? read_npy(path, file, dim) : read_raw(path, file, dim);
}

void write_array(const std::string& path, Rows<const float> rows) {
  std::string file;
  if (ends_with(path, ".npy")) file = make_npy_header(rows.count, rows.dim);
  const std::size_t row_bytes = rows.dim * sizeof(float);
  const std::size_t header = file.size();
  file.resize(header + rows.count * row_bytes);
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (row_bytes != 0)
      std::memcpy(file.data() + header + i * row_bytes, rows[i].data(), row_bytes);
  }
  write_file(path, file);
}

std::vector<std::int32_t> read_token_file(const std::string& path) {
  const std::vector<std::byte> file = read_file(path);
  const char* text = reinterpret_cast<const char*>(file.data());
  nlohmann::json document = parse_json({text, file.size()}, path);
  if (document.is_object()) {
    const auto found = document.find("tokens");
    if (found == document.end()) throw InputError(path + ": an object without \"tokens\"");
    nlohmann::json ids = std::move(*found);
    document = std::move(ids);
  }
  if (!document.is_array()) {
    throw InputError(path + ": expected an array of token ids, or an object with \"tokens\"");
  }
  std::vector<std::int32_t> tokens;
  tokens.reserve(document.size());
  for (const auto& id : document) {
    const bool whole = id.is_number_unsigned() &&
                       id.get<std::uint64_t>() <= std::numeric_limits<std::int32_t>::max();
    if (!whole) {
      throw InputError(path + ": entry " + std::to_string(tokens.size()) + " is " +
                       id.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
                       ", expected a token id");
    }
    tokens.push_back(id.get<std::int32_t>());
  }
  return tokens;
}

}  // namespace kakeya
