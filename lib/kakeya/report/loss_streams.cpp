// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/loss_streams.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/report/chart_families.h"
#include "kakeya/report/stored_streams.h"

namespace kakeya {
namespace {

constexpr const char* kRelMse = "rel-MSE";
constexpr const char* kKl = "KL divergence";

/// Bits a value of a ledger; of samples without ledgers, what they say of both parts.
double bits_of(const std::optional<RateLedger>& ledger, double both, ThresholdBits bits,
               const std::string& label) {
  if (bits == ThresholdBits::measured) {
    if (!ledger || ledger->values == 0) return both;
    return static_cast<double>(ledger->written_bits()) / static_cast<double>(ledger->values);
  }
  if (!ledger || ledger->values == 0 || !ledger->nominal_bits) {
    throw InputError(
        fmt::format("thresholds: {}: no nominal bits: expected --bits measured", label));
  }
  return *ledger->nominal_bits / static_cast<double>(ledger->values);
}

/// What a stream takes of a sample.
struct PartOfSample {
  enum class Of { keys, values, both } of;
  const char* metric;
  std::string stream;
  std::optional<double> (*loss)(const Sample&);
};

const PartOfSample kKeys = {PartOfSample::Of::keys, kRelMse, "K",
                            [](const Sample& s) { return std::optional(s.rel_mse_k); }};
const PartOfSample kValues = {PartOfSample::Of::values, kRelMse, "V",
                              [](const Sample& s) { return std::optional(s.rel_mse_v); }};
const PartOfSample kBoth = {PartOfSample::Of::both, kKl, "K and V",
                            [](const Sample& s) { return s.kld_mean; }};

LossSetting setting_of(const CodecResult& codec, const PartOfSample& part,
                       std::span<const int> passages, ThresholdBits bits) {
  LossSetting setting{codec.label, 0, {}};
  for (const int passage : passages) {
    const auto at =
        std::find_if(codec.samples.begin(), codec.samples.end(),
                     [&](const Sample* sample) { return sample->key.passage == passage; });
    if (at == codec.samples.end()) {
      throw InputError(
          fmt::format("thresholds: {}: passage {} is missing: expected all passages "
                      "of the reference (finish the sweep)",
                      codec.label, passage));
    }
    const std::optional<double> loss = part.loss(**at);
    if (!loss) {
      throw InputError(
          fmt::format("thresholds: {}: passage {} has no {}: expected one of all samples",
                      codec.label, passage, part.metric));
    }
    setting.losses.push_back(*loss);
  }
  std::optional<RateLedger> ledger =
      part.of == PartOfSample::Of::values ? codec.ledger_v : codec.ledger_k;
  if (part.of == PartOfSample::Of::both && ledger && codec.ledger_v) {
    ledger->merge(*codec.ledger_v);
  }
  setting.bits = bits_of(ledger, codec.coded_bits, bits, codec.label);
  return setting;
}

/// Keys and values, and both together where predictions were measured; of a KV stream itself alone.
std::vector<PartOfSample> parts_of(const ResultGroup& group) {
  if (const auto& stream = group.results->plan.stream) {
    return {{PartOfSample::Of::keys, kRelMse, stream->name, kKeys.loss}};
  }
  std::vector<PartOfSample> parts = {kKeys, kValues};
  if (group.likelihoods()) parts.push_back(kBoth);
  return parts;
}

double weight_of(const CodecResult& codec, const PartOfSample& part) {
  const bool known = codec.ledger_k && codec.ledger_v && codec.ledger_v->values > 0;
  if (!known || part.of == PartOfSample::Of::both) return 1;
  const RateLedger& ledger = part.of == PartOfSample::Of::keys ? *codec.ledger_k : *codec.ledger_v;
  return static_cast<double>(ledger.values);
}

const CodecResult& find_reference(const ResultGroup& group, const std::string& reference) {
  std::vector<std::string> there;
  for (const CodecResult& codec : group.codecs) {
    if (codec.label == reference) return codec;
    there.push_back(codec.label);
  }
  throw InputError(fmt::format("thresholds: {}: no samples of {}, the reference; there are {}",
                               group.source, reference, fmt::join(there, ", ")));
}

LossFamily& family_named(std::vector<LossFamily>& all, const std::string& metric,
                         const std::string& family) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const LossFamily& each) {
    return each.metric == metric && each.family == family;
  });
  if (at != all.end()) return *at;
  return all.emplace_back(LossFamily{metric, family, {}});
}

/// Whether a setting is of the families asked for; no patterns ask for all.
bool is_chosen(const CodecResult& codec, std::span<const std::string> patterns) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const auto& each) {
           return family_matches(each, codec.family);
         });
}

bool is_mixed(const CodecResult& codec) { return codec.codec_k != codec.codec_v; }

/// The stream of that name, made as `like` where the family has none yet.
LossStream& stream_in(LossFamily& family, const LossStream& like) {
  const auto at = std::find_if(family.streams.begin(), family.streams.end(),
                               [&](const LossStream& each) { return each.name == like.name; });
  if (at != family.streams.end()) return *at;
  return family.streams.emplace_back(like);
}

void require_some(const std::vector<LossFamily>& families, const std::string& where,
                  const std::string& reference) {
  if (!families.empty()) return;
  throw InputError(fmt::format(
      "thresholds: {}: nothing to compare with {}: expected settings of another lossy codec", where,
      reference));
}

/// The reference on the same passages in every stream: losses of one are beside those of another.
void require_joint_passages(std::span<const ResultGroup> groups, const std::string& reference) {
  const auto name_of = [](const ResultGroup& group) { return group.results->plan.stream->name; };
  const std::vector<int> first = find_reference(groups.front(), reference).passages();
  for (const ResultGroup& group : groups) {
    require_same_passages("thresholds: " + group.results->folder, name_of(group),
                          find_reference(group, reference).passages(), name_of(groups.front()),
                          first);
  }
}

/// As many passages of every KV stream as of the first: dumps number them from 0.
void require_as_many_passages(const SourceResult& result, const RatePoint& base,
                              const SourceResult& first, std::size_t expected) {
  const auto below = [](std::size_t count) {
    std::vector<int> passages(count);
    std::iota(passages.begin(), passages.end(), 0);
    return passages;
  };
  require_same_passages("thresholds: " + result.facts.title, result.facts.name,
                        below(base.batch_rel_mse.size()), first.facts.name, below(expected));
}

void add_families(const ResultGroup& group, const std::string& reference,
                  std::span<const std::string> patterns, ThresholdBits bits,
                  std::vector<LossFamily>& families) {
  const CodecResult& base = find_reference(group, reference);
  for (const std::string& pattern : patterns) {
    const bool some = std::any_of(
        group.codecs.begin(), group.codecs.end(),
        [&](const CodecResult& codec) { return family_matches(pattern, codec.family); });
    if (!some) {
      throw InputError(fmt::format("thresholds: {}: no family {}: there are {}", group.source,
                                   pattern, fmt::join(group.families(), ", ")));
    }
  }
  const std::vector<int> passages = base.passages();
  const auto& facts = group.results->plan.stream;
  for (const PartOfSample& part : parts_of(group)) {
    const LossSetting against = setting_of(base, part, passages, bits);
    const double weight = facts ? facts->byte_share : weight_of(base, part);
    const LossStream like{part.stream, weight, against.losses, against.bits, {}};
    for (const CodecResult& codec : group.codecs) {
      if (codec.identity() || &codec == &base || is_mixed(codec) || !is_chosen(codec, patterns))
        continue;
      LossFamily& family = family_named(families, part.metric, codec.family);
      stream_in(family, like).settings.push_back(setting_of(codec, part, passages, bits));
    }
  }
}

}  // namespace

std::vector<LossFamily> loss_families(const ResultGroup& group, const std::string& reference,
                                      std::span<const std::string> patterns, ThresholdBits bits) {
  std::vector<LossFamily> families;
  add_families(group, reference, patterns, bits, families);
  require_some(families, group.source, reference);
  return families;
}

std::vector<LossFamily> stream_loss_families(std::span<const ResultGroup> groups,
                                             const std::string& reference,
                                             std::span<const std::string> patterns,
                                             ThresholdBits bits) {
  std::vector<StoredStream> streams;
  for (const ResultGroup& group : groups) {
    const StoredResults& of = *group.results;
    streams.push_back({of.folder, of.plan.origin, of.plan.stream});
  }
  require_one_model(streams);
  require_joint_passages(groups, reference);
  std::vector<LossFamily> families;
  for (const ResultGroup& group : groups) add_families(group, reference, patterns, bits, families);
  require_some(families, groups.front().source, reference);
  for (const LossFamily& family : families) {
    for (const StoredStream& stream : streams) {
      const auto is_it = [&](const LossStream& each) { return each.name == stream.facts->name; };
      if (std::ranges::any_of(family.streams, is_it)) continue;
      throw InputError(fmt::format(
          "thresholds: {}: no settings of {}: expected some on every stream (finish the "
          "sweeps, or name other families)",
          stream.path, family.family));
    }
  }
  return families;
}

std::vector<std::string> mixed_settings(const ResultGroup& group,
                                        std::span<const std::string> patterns) {
  std::vector<std::string> labels;
  for (const CodecResult& codec : group.codecs) {
    if (is_mixed(codec) && is_chosen(codec, patterns)) labels.push_back(codec.label);
  }
  return labels;
}

std::vector<LossFamily> loss_families(std::span<const SourceResult> results,
                                      const std::string& reference, ThresholdBits bits) {
  std::vector<LossFamily> families;
  const auto bits_of_point = [&](const RatePoint& point) {
    if (bits == ThresholdBits::measured) return point.measured_bits_per_value();
    const std::optional<double> nominal = point.rates().nominal;
    if (nominal) return *nominal;
    throw InputError(
        fmt::format("thresholds: {}: no nominal bits: expected --bits measured", point.spec));
  };
  std::size_t passages = 0;  // of the first
  for (const SourceResult& result : results) {
    const auto base = std::find_if(result.points.begin(), result.points.end(),
                                   [&](const RatePoint& each) { return each.spec == reference; });
    if (base == result.points.end()) {
      throw InputError(fmt::format("thresholds: {}: not measured with {}, the reference",
                                   result.facts.title, reference));
    }
    if (&result == &results.front()) passages = base->batch_rel_mse.size();
    if (result.facts.byte_share) require_as_many_passages(result, *base, results.front(), passages);
    const LossStream like{result.facts.name,
                          result.facts.byte_share.value_or(static_cast<double>(result.values)),
                          base->batch_rel_mse,
                          bits_of_point(*base),
                          {}};
    for (const RatePoint& point : result.points) {
      if (&point == &*base || point.distortion.rel_mse() == 0) continue;
      LossFamily& family = family_named(families, kRelMse, split_spec(point.spec).family);
      stream_in(family, like)
          .settings.push_back({point.spec, bits_of_point(point), point.batch_rel_mse});
    }
  }
  require_some(families, "dump", reference);
  return families;
}

void set_weights(std::span<const std::string> weights, std::vector<LossFamily>& families) {
  if (weights.empty()) return;
  for (LossFamily& family : families) {
    // Both parts together are one stream, which needs no weight.
    if (family.streams.size() < 2) continue;
    for (LossStream& stream : family.streams) stream.weight = 0;
    std::set<std::string> seen;
    for (const std::string& text : weights) {
      const std::size_t equals = text.rfind('=');
      const std::string name = text.substr(0, equals);
      const auto at = std::find_if(family.streams.begin(), family.streams.end(),
                                   [&](const LossStream& each) { return each.name == name; });
      std::vector<std::string> names;
      for (const LossStream& stream : family.streams) names.push_back(stream.name);
      if (equals == std::string::npos || at == family.streams.end()) {
        throw SpecError(fmt::format("--weights {}: expected NAME=WEIGHT, a name of {}", text,
                                    fmt::join(names, ", ")));
      }
      if (!seen.insert(name).second) {
        throw SpecError(fmt::format("--weights {}: {} is there already: expected each stream once",
                                    text, name));
      }
      const char* const end = text.data() + text.size();
      const auto [read, error] = std::from_chars(text.data() + equals + 1, end, at->weight);
      if (error != std::errc() || read != end || !(at->weight > 0) || !std::isfinite(at->weight)) {
        throw SpecError(fmt::format("--weights {}: expected a weight above 0", text));
      }
    }
    for (const LossStream& stream : family.streams) {
      if (stream.weight > 0) continue;
      throw SpecError(
          fmt::format("--weights: none of {}: expected one of every stream", stream.name));
    }
  }
}

}  // namespace kakeya
