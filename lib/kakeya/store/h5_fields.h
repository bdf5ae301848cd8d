// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/kv.h"
#include "kakeya/store/h5.h"

namespace kakeya {

// How the attributes and arrays of files are written and read: one list of fields for both ways.

/// Writes a field as an attribute of the root.
struct PutField {
  h5::File& file;
  void operator()(const char* name, const std::string& value) const {
    file.set_text("/", name, value);
  }
  void operator()(const char* name, double value) const { file.set_real("/", name, value); }
  void operator()(const char* name, TapPoint tap) const {
    file.set_text("/", name, std::string(tap_name(tap)));
  }
  void operator()(const char* name, std::uint64_t value) const {
    file.set_unsigned("/", name, value);
  }
  template <std::signed_integral Count>
  void operator()(const char* name, Count value) const {
    file.set_integer("/", name, value);
  }
  void operator()(const char* name, bool value) const { file.set_integer("/", name, value); }
};

/// Reads one. Throws CorruptStream when it is missing, of another kind or, of counts, negative or
/// more than `most`.
struct GetField {
  const h5::File& file;
  const std::string& path;
  int most = INT32_MAX;
  void operator()(const char* name, std::string& value) const { value = file.text("/", name); }
  void operator()(const char* name, double& value) const { value = file.real("/", name); }
  void operator()(const char* name, TapPoint& tap) const {
    try {
      tap = parse_tap(file.text("/", name));
    } catch (const SpecError& error) {
      throw CorruptStream(path + ": " + error.what());
    }
  }
  void operator()(const char* name, std::uint64_t& value) const {
    value = file.unsigned_integer("/", name);
  }
  void operator()(const char* name, int& value) const { value = count(name, most); }
  void operator()(const char* name, bool& value) const { value = count(name, 1) != 0; }

 private:
  int count(const char* name, int limit) const {
    const std::int64_t stored = file.integer("/", name);
    if (stored >= 0 && stored <= limit) return static_cast<int>(stored);
    throw CorruptStream(path + ": " + name + " " + std::to_string(stored) + ", expected 0 to " +
                        std::to_string(limit));
  }
};

/// Writes an array as a dataset of `group`.
struct PutArray {
  h5::File& file;
  std::string group = {};
  template <typename Value>
  void operator()(const std::string& name, h5::Scalar scalar, std::vector<std::uint64_t> shape,
                  const std::vector<Value>& values) const {
    file.write(group + name, scalar, shape, values.data());
  }
};

/// Reads one. Memory is asked for after the file has been seen to hold as much.
struct GetArray {
  const h5::File& file;
  std::string group = {};
  template <typename Value>
  void operator()(const std::string& name, h5::Scalar scalar, std::vector<std::uint64_t> shape,
                  std::vector<Value>& values) const {
    file.check(group + name, scalar, shape);
    values.resize(std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()));
    file.read(group + name, scalar, shape, values.data());
  }
};

}  // namespace kakeya
