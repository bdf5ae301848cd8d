// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/cache/cache_file.h"
#include "kakeya/codec/codec.h"
#include "kakeya/profile/profile_file.h"
#include "kakeya/profile/profile_shelf.h"

namespace kakeya::python {

namespace nb = nanobind;

/// What Python calls Codec. The shelf stays while the codec does.
struct PyCodec {
  std::shared_ptr<const ProfileShelf> shelf;
  std::shared_ptr<const Codec> codec;
};

/// The profiles of an argument: None, a Profile, the path of one, or a list of these. Throws
/// TypeError on others, and as load_profile().
std::shared_ptr<ProfileShelf> shelf_of(nb::handle profile);

/// The path of an argument: str or os.PathLike.
std::string path_of(nb::handle path);

/// One codec for both parts, or one each, of which one may be left out and is then `identity`.
/// Throws SpecError.
CodecPair specs_of(const std::optional<std::string>& codec,
                   const std::optional<std::string>& codec_k,
                   const std::optional<std::string>& codec_v);

/// CodecPlan::text() of a plan, a path or a dict. Throws IoError, and SpecError of CodecPlan::parse().
std::string plan_text(nb::handle plan);

/// What says how a cache is coded: a plan, as a path or a dict, or codecs; and which layers.
struct CodingWords {
  std::optional<std::string> codec, codec_k, codec_v;
  nb::handle plan;
  std::optional<std::string> coded_layers, skip_layers;
};

/// The codecs that they name; makes `policy`, of skipped_layers and tokens, skip what they say. Throws
/// SpecError where a plan stands beside what it says itself.
CodecPair coding_of(const CodingWords& words, CachePolicy& policy);

/// "key" or "value". Throws InputError on others.
Part part_of(const std::string& name);

/// Sets the keyword arguments that say where a cache came from; the dict of all facts. Throws
/// TypeError on keywords that are none of them.
void set_facts(CacheFacts& facts, const nb::dict& keywords);
nb::dict dict_of(const CacheFacts& facts);

/// (layer, part) or (layer, part, head): kakeya.Site is such a tuple. Throws TypeError on others.
KvSite site_of(nb::handle site);

void bind_profile(nb::module_& module);
void bind_codec(nb::module_& module);
void bind_page_writer(nb::module_& module);
void bind_cache(nb::module_& module);
void bind_cache_file(nb::module_& module);
void bind_own_codec(nb::module_& module);
void bind_plugin(nb::module_& module);

}  // namespace kakeya::python
