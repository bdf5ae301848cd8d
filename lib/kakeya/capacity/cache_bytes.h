// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kakeya/capacity/codec_cost.h"
#include "kakeya/capacity/decoder.h"
#include "kakeya/core/kv.h"

namespace kakeya {

/// Where the last page stands.
enum class OpenPage {
  mean,  ///< on the mean over all lengths: half a page waits; all tokens where they fill none
  exact  ///< at exactly this many tokens
};

/// `policy` for the layers of `decoder`. Throws InputError where it leaves none to code, or keeps
/// other tokens than first and last ones.
CachePolicy policy_for(const Decoder& decoder, CachePolicy policy);

/// What one sequence takes of one or several streams.
struct CacheBytes {
  double coded = 0;      ///< in full pages, with the headers of frames
  double open = 0;       ///< bf16: what waits for its page to fill, seen by a window or not
  double exact = 0;      ///< bf16 for good: sinks, residual window, skipped layers
  double stale = 0;      ///< coded: what a sliding window has left, of pages that it still needs
  double bf16 = 0;       ///< of the same tokens without a codec
  bool nominal = false;  ///< some of `coded` is of a nominal rate

  double total() const { return coded + open + exact + stale; }
  double ratio() const { return bf16 / total(); }
  CacheBytes& operator+=(const CacheBytes& other);
};

/// One codec for all streams of a decoder. Costs are counted once for each dim and part.
class CodecOfCache {
 public:
  /// Throws as codec_cost() for any of the dims.
  CodecOfCache(std::string_view spec, const Decoder& decoder,
               PlainVectors plain = PlainVectors::as_cached);

  const std::string& spec() const { return spec_; }
  bool nominal() const { return nominal_; }

  /// Of one sequence of `tokens` tokens, in one stream. `policy.layers` is the decoder's; what it
  /// keeps stays bf16. A stream that pools counts sinks and the
  /// residual window in pooled vectors, rounded up. Sinks that a window has left are gone, as are
  /// sealed pages; what waits for its page is held however short the window is.
  CacheBytes bytes(const CacheStream& stream, std::size_t tokens, const CachePolicy& policy,
                   OpenPage open) const;

  /// Of all streams.
  CacheBytes bytes(const Decoder& decoder, std::size_t tokens, const CachePolicy& policy,
                   OpenPage open) const;

  /// Lengths, in order, at which some stream seals its first page, before which all of it waits. There
  /// the bytes of OpenPage::mean fall.
  std::vector<std::size_t> first_full_pages(const Decoder& decoder,
                                            const CachePolicy& policy) const;

  /// Of profiles, once a card, of the layers that are coded; 0 where codec_cost() knows none.
  double profile_bytes(const Decoder& decoder, const CachePolicy& policy) const;

 private:
  const CodecCost& cost(std::size_t dim, Part part) const;

  std::string spec_;
  bool nominal_ = false;
  std::map<std::pair<std::size_t, Part>, CodecCost> costs_;
};

}  // namespace kakeya
