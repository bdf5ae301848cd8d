// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/profile/profile_origin.h"
#include "kakeya/store/h5.h"

namespace kakeya {

// How the attributes of profiles are written and read: one list of fields for both ways.

/// Writes a field as an attribute of the root.
struct PutField {
  h5::File& file;
  void operator()(const char* name, const std::string& value) const {
    file.set_text("/", name, value);
  }
  void operator()(const char* name, int value) const { file.set_integer("/", name, value); }
  void operator()(const char* name, double value) const { file.set_real("/", name, value); }
  void operator()(const char* name, TapPoint tap) const {
    file.set_text("/", name, std::string(tap_name(tap)));
  }
};

/// Reads one. Throws CorruptStream when it is missing, of another kind or, of whole numbers,
/// negative.
struct GetField {
  const h5::File& file;
  const std::string& path;
  void operator()(const char* name, std::string& value) const { value = file.text("/", name); }
  void operator()(const char* name, double& value) const { value = file.real("/", name); }
  void operator()(const char* name, TapPoint& tap) const {
    try {
      tap = parse_tap(file.text("/", name));
    } catch (const SpecError& error) {
      throw CorruptStream(path + ": " + error.what());
    }
  }
  void operator()(const char* name, int& value) const {
    const std::int64_t stored = file.integer("/", name);
    if (stored < 0 || stored > INT32_MAX) {
      throw CorruptStream(path + ": " + name + " " + std::to_string(stored));
    }
    value = static_cast<int>(stored);
  }
};

/// The fields of a ProfileHead.
template <typename Head, typename Visit>
void visit_head(Head& head, const Visit& field) {
  field("model_name", head.origin.model.name);
  field("model_sha256", head.origin.model.sha256);
  field("text_name", head.origin.text.name);
  field("text_sha256", head.origin.text.sha256);
  field("tokens_sha256", head.tokens_sha256);
  field("tap", head.tap);
  field("dtype", head.dtype);
  field("layers", head.shape.layers);
  field("kv_heads", head.shape.kv_heads);
  field("head_dim", head.shape.head_dim);
  field("passages", head.passages);
  field("context", head.context);
  field("sinks", head.sinks);
}

/// Throws CorruptStream unless the file says that it has this format and this schema.
void require_profile_format(const h5::File& file, const std::string& path,
                            const std::string& format, std::int64_t schema);

}  // namespace kakeya
