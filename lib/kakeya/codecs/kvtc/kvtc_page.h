// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kakeya/codecs/kvtc/kvtc_plan.h"
#include "kakeya/codecs/kvtc/kvtc_transform.h"

namespace kakeya {

/// The keys or the values of a page as two DEFLATE streams, laid out so that what looks alike lies
/// together:
///
///   scales    the high bytes of all scales, group after group, of each all tokens; then the low
///             bytes. Group after group a token's would hide what a group's have in common.
///   indices   group after group the codes of its first component in all tokens, of its second, ...
///             in fields of the group's width, least significant bit first, filled up to a byte;
///             a new DEFLATE block where the width changes
struct KvtcPage {
  std::vector<std::byte> scales, indices;
};

/// Bytes that both streams of a page of `tokens` tokens take at most.
std::size_t kvtc_page_bound(std::span<const KvtcGroup> groups, std::size_t tokens);

/// Quantises the coefficients and writes them.
KvtcPage write_kvtc_page(std::span<const KvtcGroup> groups, const KvtcCoefficients& coefficients);

/// What was quantised. Throws CorruptStream, beginning with `codec`, when the streams are not such
/// as write_kvtc_page() writes for as many groups and tokens.
KvtcCoefficients read_kvtc_page(std::span<const KvtcGroup> groups, std::size_t tokens,
                                std::span<const std::byte> scales,
                                std::span<const std::byte> indices, const std::string& codec);

/// Order-0 entropy in bits of the codes of all tokens, each group by itself.
double kvtc_entropy(std::span<const KvtcGroup> groups, const KvtcCoefficients& coefficients);

}  // namespace kakeya
