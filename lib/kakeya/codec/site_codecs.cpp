// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/site_codecs.h"

#include <map>
#include <set>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

/// Runs work() and says of an error which site of which plan it is about.
template <typename Work>
void at_site(const PlanLayout& plan, KvSite site, const Work& work) {
  const auto where = [&] { return plan.name() + ": " + site_name(site) + ": "; };
  try {
    work();
  } catch (const SpecError& error) {
    throw SpecError(where() + error.what());
  } catch (const InputError& error) {
    throw InputError(where() + error.what());
  }
}

}  // namespace

SiteCodecs::SiteCodecs(std::string_view spec, const CacheInput& cache, Part part) {
  const std::size_t dim = cache.shape.dim();
  if (scope_of(spec) == VectorScope::any) {
    codecs_.push_back(make_codec(spec, {dim}));
    return;
  }
  heads_ = cache.shape.heads();
  policy_ = cache.policy();
  for (int layer = 0; layer < cache.shape.layers; ++layer) {
    for (int head = 0; head < cache.shape.kv_heads; ++head) {
      codecs_.push_back(make_codec(spec, {dim, cache.profiles, KvSite{layer, part, head}}));
    }
  }
  if (codecs_.empty()) throw InputError(std::string(spec) + ": no layer to code");
}

SiteCodecs::SiteCodecs(PlanLayout& plan, const CacheInput& cache, Part part) {
  const std::size_t dim = cache.shape.dim();
  heads_ = cache.shape.heads();
  policy_ = cache.policy();
  std::map<std::string, std::shared_ptr<const Codec>> anywhere;  // of VectorScope::any, by spec
  for (int layer = 0; layer < cache.shape.layers; ++layer) {
    for (int head = 0; head < cache.shape.kv_heads; ++head) {
      codecs_.emplace_back();
      if (plan.skips(layer)) continue;
      const KvSite site{layer, part, head};
      const std::string spec = plan.at(site);
      at_site(plan, site, [&] {
        if (scope_of(spec) == VectorScope::token) {
          throw SpecError(spec + ": codes whole tokens, which only a plan of such codecs takes");
        }
        const bool shared = scope_of(spec) == VectorScope::any;
        std::shared_ptr<const Codec> made = shared ? anywhere[spec] : nullptr;
        if (made == nullptr) {
          CodecInput input{dim, cache.profiles};
          if (!shared) input.site = site;
          made = make_codec(spec, input);
        }
        if (shared) anywhere[spec] = made;
        plan.set(site, made->spec());
        codecs_.back() = std::move(made);
      });
    }
  }
}

const Codec& SiteCodecs::at(int layer, std::size_t head) const {
  const std::size_t site = static_cast<std::size_t>(layer) * heads_ + head;
  const std::shared_ptr<const Codec>& codec = codecs_[codecs_.size() == 1 ? 0 : site];
  if (codec == nullptr) {
    throw InputError("layer " + std::to_string(layer) + ": the plan skips it, asked for its codec");
  }
  return *codec;
}

std::size_t SiteCodecs::side_bytes() const {
  std::set<std::string> seen;
  std::size_t bytes = 0;
  for (const auto& codec : codecs_) {
    if (codec != nullptr && seen.insert(codec->spec()).second)
      bytes += codec->account().side_bytes();
  }
  return bytes;
}

std::size_t SiteCodecs::profile_bytes() const {
  if (codecs_.size() == 1) return codecs_.front()->account().profile_bytes();
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < codecs_.size(); ++i) {
    if (codecs_[i] != nullptr && policy_.codes(static_cast<int>(i / heads_)))
      bytes += codecs_[i]->account().profile_bytes();
  }
  return bytes;
}

}  // namespace kakeya
