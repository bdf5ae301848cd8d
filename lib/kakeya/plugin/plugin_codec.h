// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bindings/c/kakeya_plugin.h"
#include "kakeya/codec/foreign_codec.h"

namespace kakeya {

/// What register_codec() takes of a plugin's table, whose functions the coders call. Throws SpecError
/// where it is of another version or lacks a function.
ForeignDescriptor descriptor_of(const kakeya_plugin_codec& table);

}  // namespace kakeya
