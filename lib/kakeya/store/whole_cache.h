// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "kakeya/store/result_store.h"

namespace kakeya {

/// Whether a cache grows in this mode ("inforward", "decode"), so that a page that is not full is held in
/// bf16. In all others a finished cache is coded once, and its last page is as long as it is.
bool cache_grows(std::string_view mode);

/// Whether what is open of its pages is known, or is of no concern: it is not of older samples in
/// which a cache grows.
bool knows_open_page(const Sample& sample);

/// Whether a cache that grows has filled no page: but for its exact tokens it is bf16 to the end, and its
/// whole-cache bits are those of bf16, while the losses are those of coded values.
bool fills_no_page(const Sample& sample);

/// Bytes of the whole cache: what was coded, the sinks and the residual window among it, the skipped
/// layers as bf16, and where the cache grows what lies in pages that are not full as bf16 instead of
/// as written, by one rule for all codecs. Where that is not known, as written: of codecs with pages
/// too few.
double whole_cache_bytes(const Sample& sample);

/// 8 x those bytes / all values of the cache. Throws InputError where the sample has none.
double whole_cache_bits(const Sample& sample);

}  // namespace kakeya
