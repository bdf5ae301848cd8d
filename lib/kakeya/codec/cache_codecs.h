// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kakeya/codec/site_codecs.h"
#include "kakeya/codec/token_codecs.h"

namespace kakeya {

/// A codec for the keys and one for the values; or a plan's text (CodecPlan::text()), twice.
struct CodecPair {
  std::string keys, values;
  bool operator==(const CodecPair&) const = default;

  /// "e8:q=10", or "K e8:q=10, V fp8" where they differ.
  std::string label() const { return keys == values ? keys : "K " + keys + ", V " + values; }
};

/// What codes a whole cache: codecs of single heads, for its keys and its values, or of whole
/// tokens. Cheap to copy.
struct CacheCodecs {
  std::optional<SiteCodecs> keys, values;  ///< both, or
  std::optional<TokenCodecs> tokens;       ///< this one
  std::optional<CodecPlan> plan = {};      ///< canonical, where they are a plan's

  /// Canonical; the same twice, of a codec of whole tokens and of a plan.
  CodecPair canonical() const;

  /// `asked`, but that a plan says which layers are skipped.
  CachePolicy policy_of(CachePolicy asked) const;

  /// Throws InputError unless a plan, where these are one's, skips the layers of `policy`.
  void require_policy(const CachePolicy& policy) const;

  /// Bytes of profiles that a reader of keys and values needs once a model.
  std::size_t profile_bytes() const;
};

/// What `specs` names, for the layers of a cache that `cache` does not skip. Throws as make_codec(),
/// and SpecError where a codec of whole tokens is given for keys or values alone. Where it is a
/// plan's text: as make_plan_codecs().
CacheCodecs make_cache_codecs(const CodecPair& specs, const CacheInput& cache);

/// What a plan names; which layers are skipped is the plan's to say, not `cache`'s. Throws SpecError
/// of PlanLayout, SiteCodecs and TokenCodecs, and where some codecs are of whole tokens and others
/// of single heads.
CacheCodecs make_plan_codecs(const CodecPlan& plan, CacheInput cache);

/// The same codecs with other layers skipped, as a plan of the name "layers": what cache files and
/// live caches take where the skipped layers are not as many at either end. Throws SpecError of a
/// plan, which says for itself.
CodecPair with_skipped(const CodecPair& specs, const IndexSet& skipped);

/// Every spec that `specs` names: one or two, or all of a plan. Throws SpecError on a text that is
/// no plan though it begins as one.
std::vector<std::string> specs_in(const CodecPair& specs);

/// Whether some codec of `specs` needs a profile, or codes whole tokens. Throws as specs_in().
bool is_calibrated(const CodecPair& specs);
bool codes_tokens(const CodecPair& specs);

}  // namespace kakeya
