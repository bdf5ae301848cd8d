// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "codec_options.h"

namespace kakeya {

// The subcommands of kakeya-codec for a whole cache in one file.

/// Packs the passage of a dump, reads it back, and says what it took and what came back.
void pack(const CodecOptions& options);

/// Writes the dump of a packed cache.
void unpack(const CodecOptions& options);

/// Says what the saved sequence of a live cache `file` is of.
void print_sequence_info(const CodecOptions& options, std::span<const std::byte> file);

/// Says what the packed cache `file` holds.
void print_cache_info(const CodecOptions& options, std::span<const std::byte> file);

}  // namespace kakeya
