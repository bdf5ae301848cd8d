// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The public headers of kakeya::codec: all that is installed, and all that stays compatible within
/// a minor version. They need C++20 and nothing but the standard library.
///
///     find_package(kakeya REQUIRED)                      # or add_subdirectory(), FetchContent
///     target_link_libraries(engine PRIVATE kakeya::codec)
///
/// From vectors to bytes and back: make_codec("e8:q=10", {.dim = 128}), then Codec::encode() and
/// Codec::decode(). A codec is immutable, so any number of threads may use one. Everything is
/// thrown as kakeya::Error (core/error.h); bytes from outside are checked always and give
/// CorruptStream. apps/examples has three programs to begin with.

// Numbers, errors, the words for a cache.
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/core/half.h"
#include "kakeya/core/index_set.h"
#include "kakeya/core/json.h"
#include "kakeya/core/kv.h"
#include "kakeya/core/layer_choice.h"
#include "kakeya/core/ledger.h"
#include "kakeya/core/origin.h"
#include "kakeya/core/rows.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/version.h"

// What calibration knows of a model: profiles, read from flat files (.kkp).
#include "kakeya/profile/int8_matrix.h"
#include "kakeya/profile/key_bias.h"
#include "kakeya/profile/kvtc_profile.h"
#include "kakeya/profile/profile.h"
#include "kakeya/profile/profile_file.h"
#include "kakeya/profile/profile_origin.h"
#include "kakeya/profile/profile_shelf.h"
#include "kakeya/profile/profile_source.h"

// Codecs and what their frames cost: of vectors, of vectors that arrive a few at a time, of the sites of a cache, of whole
// tokens.
#include "kakeya/codec/cache_codecs.h"
#include "kakeya/codec/codec.h"
#include "kakeya/codec/codec_list.h"
#include "kakeya/codec/codec_plan.h"
#include "kakeya/codec/coded_pages.h"
#include "kakeya/codec/foreign_codec.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/codec/page_writer.h"
#include "kakeya/codec/segment_reader.h"
#include "kakeya/codec/site_codecs.h"
#include "kakeya/codec/spec.h"
#include "kakeya/codec/token_codecs.h"

// Codecs that are not ours, as shared libraries.
#include "kakeya/plugin/plugin.h"

// A whole cache in one file (.kkv).
#include "kakeya/cache/block_table.h"
#include "kakeya/cache/cache_file.h"
#include "kakeya/cache/cache_reader.h"
#include "kakeya/cache/kv_cache.h"
#include "kakeya/cache/pack_cache.h"
#include "kakeya/cache/part_codec.h"
#include "kakeya/cache/partition.h"

// A cache that lives packed.
#include "kakeya/cache/packed_cache.h"
#include "kakeya/cache/sequence_file.h"
