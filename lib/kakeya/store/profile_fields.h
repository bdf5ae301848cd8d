// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "kakeya/profile/profile_origin.h"
#include "kakeya/store/h5_fields.h"

namespace kakeya {

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
