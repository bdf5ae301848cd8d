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
};

/// Reads one. Throws CorruptStream when it is missing, of another kind or, of whole numbers,
/// negative.
struct GetField {
  const h5::File& file;
  const std::string& path;
  void operator()(const char* name, std::string& value) const { value = file.text("/", name); }
  void operator()(const char* name, double& value) const { value = file.real("/", name); }
  void operator()(const char* name, int& value) const {
    const std::int64_t stored = file.integer("/", name);
    if (stored < 0 || stored > INT32_MAX) {
      throw CorruptStream(path + ": " + name + " " + std::to_string(stored));
    }
    value = static_cast<int>(stored);
  }
};

/// The fields of a ProfileOrigin.
template <typename Origin, typename Visit>
void visit_origin(Origin& origin, const Visit& field) {
  field("model_name", origin.model_name);
  field("model_sha256", origin.model_sha256);
  field("text_name", origin.text_name);
  field("text_sha256", origin.text_sha256);
  field("tokens_sha256", origin.tokens_sha256);
  field("tap", origin.tap);
  field("dtype", origin.dtype);
  field("layers", origin.layers);
  field("kv_heads", origin.kv_heads);
  field("head_dim", origin.head_dim);
  field("passages", origin.passages);
  field("context", origin.context);
  field("sinks", origin.sinks);
}

/// Throws CorruptStream unless the file says that it has this format and this schema.
void require_profile_format(const h5::File& file, const std::string& path,
                            const std::string& format, std::int64_t schema);

}  // namespace kakeya
