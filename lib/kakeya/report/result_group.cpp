// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/result_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "kakeya/codec/descriptor.h"
#include "kakeya/core/error.h"
#include "kakeya/report/control.h"
#include "kakeya/report/provenance_text.h"
#include "kakeya/stats/quantile.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/whole_cache.h"

namespace kakeya {
namespace {

constexpr std::array<std::string_view, 5> kModes = {"inforward", "decode", "snapshot", "prefix",
                                                    "distortion"};

std::size_t mode_rank(const std::string& mode) {
  return static_cast<std::size_t>(std::find(kModes.begin(), kModes.end(), mode) - kModes.begin());
}

std::string where(const StoredResults& results, const Sample& sample) {
  return fmt::format("{}: {} / {}, passage {}, {}", results.folder, sample.key.codec_k,
                     sample.key.codec_v, sample.key.passage, sample.key.mode);
}

void require_sound(const StoredResults& results, const Sample& sample) {
  if (sample.values == 0) throw InputError(where(results, sample) + ": no values were coded");
  const double bits =
      8.0 * static_cast<double>(sample.bytes_written) / static_cast<double>(sample.values);
  if (std::fabs(bits - sample.bits_per_value) > 1e-9 * bits) {
    throw InputError(fmt::format("{}: bits_per_value {}, but its bytes and values give {}",
                                 where(results, sample), sample.bits_per_value, bits));
  }
  if (sample.cache_values < sample.values) {
    throw InputError(fmt::format("{}: a cache of {} values, expected at least the {} coded ones",
                                 where(results, sample), sample.cache_values, sample.values));
  }
  if (const auto& stored = sample.whole_cache_bits_per_value) {
    const double whole = whole_cache_bits(sample);
    if (std::fabs(whole - *stored) > 1e-9 * whole) {
      throw InputError(
          fmt::format("{}: whole_cache_bits_per_value {}, but its bytes and values give {}",
                      where(results, sample), *stored, whole));
    }
  }
  if (sample.ledger_k && sample.ledger_v) {
    RateLedger both = *sample.ledger_k;
    both.merge(*sample.ledger_v);
    if (both.values != sample.values || both.written_bits() != 8 * sample.bytes_written) {
      throw InputError(
          fmt::format("{}: its ledgers hold {} bits of {} values, expected the {} of its {} bytes "
                      "and {} values",
                      where(results, sample), both.written_bits(), both.values,
                      8 * sample.bytes_written, sample.bytes_written, sample.values));
    }
  }
  if (sample.key.mode == "distortion") return;
  for (const char* compared : {"kld_mean", "delta_ppl"}) {
    if (!metric(compared).value(sample)) {
      throw InputError(fmt::format("{}: no {}", where(results, sample), compared));
    }
  }
}

RateKeys rate_keys_of(const StoredResults& results) {
  RateKeys keys;
  for (const Provenance& run : results.runs) {
    for (const PluginRecord& plugin : run.plugins) {
      for (const PluginCodec& codec : plugin.codecs) keys.try_emplace(codec.name, codec.rate);
    }
  }
  return keys;
}

CodecResult named(const std::string& codec_k, const std::string& codec_v, const RateKeys& plugins) {
  CodecResult codec;
  codec.codec_k = codec_k;
  codec.codec_v = codec_v;
  const SpecParts k = split_spec(codec_k, plugins), v = split_spec(codec_v, plugins);
  if (codec_k == codec_v) {
    codec.label = codec_k;
    codec.family = k.family;
    codec.rate_keys = k.rate_key;
    codec.rate = k.rate;
    return codec;
  }
  codec.label = fmt::format("K {}, V {}", codec_k, codec_v);
  codec.family = fmt::format("K {}, V {}", k.family, v.family);
  const bool both = !k.rate.empty() && !v.rate.empty();
  codec.rate_keys = both ? k.rate_key + "/" + v.rate_key : k.rate_key + v.rate_key;
  codec.rate = both ? k.rate + "/" + v.rate : k.rate + v.rate;
  return codec;
}

std::string list(const std::vector<int>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ", "));
}

void add_warnings(ResultGroup& group) {
  for (const Failure& failure : group.results->failures) {
    if (failure.key.mode != group.mode) continue;
    group.warnings.push_back(fmt::format("FAILED CELL: {} on passage {}: {}",
                                         named(failure.key.codec_k, failure.key.codec_v, {}).label,
                                         failure.key.passage, failure.reason));
  }
  // A stopped run leaves many settings that lack passages, most of them the same: one warning.
  std::map<std::vector<int>, std::vector<const CodecResult*>> lacking;
  for (const CodecResult& codec : group.codecs) {
    std::vector<int> missing;
    const std::vector<int> own = codec.passages();
    std::set_difference(group.passages.begin(), group.passages.end(), own.begin(), own.end(),
                        std::back_inserter(missing));
    if (!missing.empty()) lacking[missing].push_back(&codec);
  }
  std::vector<std::string> which;
  for (const auto& [missing, codecs] : lacking) {
    const std::string& first = codecs.front()->label;
    const std::size_t all = group.passages.size(), others = codecs.size() - 1;
    which.push_back(fmt::format(
        "{} {} of {} passages (missing: {})",
        others == 0 ? first + " has" : fmt::format("{} and {} more have", first, others),
        all - missing.size(), all, list(missing)));
  }
  if (!which.empty())
    group.warnings.push_back(fmt::format(
        "UNEQUAL PASSAGES: {}; rows are of other text, and pairs use the passages common to both",
        fmt::join(which, ", ")));
  for (const ProfileRecord& profile : profile_records(group)) {
    if (!profile.shared_passages) continue;
    std::vector<int> seen;
    std::ranges::set_intersection(group.passages, *profile.shared_passages,
                                  std::back_inserter(seen));
    if (seen.empty()) continue;
    group.warnings.push_back(fmt::format(
        "SEEN IN CALIBRATION: {} of {} passages ({}) share text with what profile {} was calibrated "
        "on ({}): its codecs look better than they are",
        seen.size(), group.passages.size(), list(seen), short_digest(profile.sha256),
        profile.text_name));
  }
  if (const std::optional<std::string> broken = broken_control(group)) {
    group.warnings.push_back(*broken);
    group.control_broken = true;
  }
}

ResultGroup make_group(const StoredResults& results, const std::string& mode,
                       const std::string& source, BitsOf bits_of) {
  ResultGroup group;
  group.bits_of = bits_of;
  group.source = source;
  group.mode = mode;
  group.results = &results;
  std::map<std::pair<std::string, std::string>, CodecResult> codecs;
  std::set<int> passages;
  const RateKeys plugins = rate_keys_of(results);
  for (const Sample& sample : results.samples) {
    if (sample.key.mode != mode || is_layer_study_label(sample.key.codec_k)) continue;
    require_sound(results, sample);
    passages.insert(sample.key.passage);
    auto [at, fresh] = codecs.try_emplace({sample.key.codec_k, sample.key.codec_v});
    if (fresh) at->second = named(sample.key.codec_k, sample.key.codec_v, plugins);
    at->second.samples.push_back(&sample);
  }
  group.passages.assign(passages.begin(), passages.end());
  for (auto& [key, codec] : codecs) {
    std::sort(codec.samples.begin(), codec.samples.end(),
              [](const Sample* a, const Sample* b) { return a->key.passage < b->key.passage; });
    for (std::size_t i = 1; i < codec.samples.size(); ++i) {
      if (codec.samples[i]->key.passage == codec.samples[i - 1]->key.passage) {
        throw InputError(where(results, *codec.samples[i]) + ": stored twice");
      }
    }
    codec.bits_of = bits_of;
    codec.rates = rates_of(codec.samples, bits_of);
    codec.coded_bits = rates_of(codec.samples).measured;
    codec.whole_cache_bits = rates_of(codec.samples, BitsOf::whole_cache).measured;
    codec.open_page_known = std::all_of(codec.samples.begin(), codec.samples.end(),
                                        [](const Sample* each) { return knows_open_page(*each); });
    codec.ledger_k = sum_of_ledgers(codec.samples, &Sample::ledger_k);
    codec.ledger_v = sum_of_ledgers(codec.samples, &Sample::ledger_v);
    group.codecs.push_back(std::move(codec));
  }
  std::sort(group.codecs.begin(), group.codecs.end(),
            [](const CodecResult& a, const CodecResult& b) {
              return std::make_tuple(family_rank(a.family), a.family, a.rates.measured, a.label) <
                     std::make_tuple(family_rank(b.family), b.family, b.rates.measured, b.label);
            });
  add_warnings(group);
  return group;
}

/// "results/a: no finished cell of 48 planned, 3 failed".
std::string emptiness(const StoredResults& results) {
  std::string text = results.folder + ": no finished cell";
  const std::size_t planned = planned_cells(results);
  if (planned > 0) text += fmt::format(" of {} planned", planned);
  if (!results.failures.empty()) text += fmt::format(", {} failed", results.failures.size());
  return text;
}

/// Whether it is of the form of a spec with this name and some key.
bool is_label(std::string_view codec, std::string_view name) {
  const std::optional<Spec> spec = Spec::try_parse(codec);
  return spec && spec->name() == name && !spec->items().empty();
}

}  // namespace

SpecParts split_spec(const std::string& text) {
  const std::optional<Spec> spec = Spec::try_parse(text);
  const SpecItem* rate = spec ? spec->rate() : nullptr;
  // Settings whose bits their author claims (kakeya-sweep --replace): of one name one family.
  if (is_claimed_label(text) && spec->items().front().key == "bits")
    return {spec->without("bits").text(), "bits", spec->items().front().value};
  if (spec && is_plan_label(text) && spec->items().front().key == "bits")
    return {spec->without("bits").without("digest").text(), "bits", spec->items().front().value};
  if (rate == nullptr) return {text, "", ""};
  return {spec->family(), rate->key, rate->value};
}

bool is_claimed_label(std::string_view codec) { return is_label(codec, "claimed"); }

bool is_plan_label(std::string_view codec) { return is_label(codec, "plan"); }

bool is_layer_study_label(std::string_view codec) {
  return is_plan_label(codec) && Spec::parse(codec).items().front() == SpecItem{"name", "layers"};
}

SweepPlan plan_for(const SweepPlan& plan, const CodecResult& codec) {
  if (!is_plan_label(codec.codec_k) || codec.samples.empty()) return plan;
  std::vector<int> coded;
  for (const LayerSample& layer : codec.samples.front()->layers) coded.push_back(layer.layer);
  SweepPlan own = plan;
  own.policy.layers = plan.shape.layers;
  own.policy.skip(IndexSet::of(coded).others(plan.shape.layers));
  return own;
}

SpecParts split_spec(const std::string& text, const RateKeys& plugins) {
  const std::optional<Spec> spec = Spec::try_parse(text);
  const auto known = spec ? plugins.find(spec->name()) : plugins.end();
  if (known == plugins.end() || spec->items().empty()) return split_spec(text);
  const SpecItem& first = spec->items().front();
  if (first.key != known->second) return {text, "", ""};
  return {spec->without(first.key).text(), first.key, first.value};
}

std::vector<int> CodecResult::passages() const {
  std::vector<int> result;
  for (const Sample* sample : samples) result.push_back(sample->key.passage);
  return result;
}

std::vector<std::string> ResultGroup::families() const {
  std::vector<std::string> result;
  for (const CodecResult& codec : codecs) {
    if (!codec.identity() &&
        std::find(result.begin(), result.end(), codec.family) == result.end()) {
      result.push_back(codec.family);
    }
  }
  return result;
}

std::string display_name(const std::string& folder, std::span<const StoredResults> results) {
  const std::string name = last_part(folder);
  const auto same = std::count_if(results.begin(), results.end(), [&](const StoredResults& other) {
    return last_part(other.folder) == name;
  });
  return same > 1 || name.empty() ? folder : name;
}

std::size_t planned_cells(const StoredResults& results) {
  std::size_t planned = 0;
  for (const std::optional<std::size_t>& cells : results.cells_planned) {
    planned = std::max(planned, cells.value_or(0));
  }
  return planned;
}

std::vector<ResultGroup> group_results(std::span<const StoredResults> results, BitsOf bits_of) {
  std::vector<ResultGroup> groups;
  std::set<std::string> folders_seen;
  for (const StoredResults& stored : results) {
    if (!folders_seen.insert(stored.folder).second)
      throw InputError(stored.folder + ": given twice");
    std::set<std::pair<std::size_t, std::string>> modes;
    for (const Sample& sample : stored.samples)
      modes.emplace(mode_rank(sample.key.mode), sample.key.mode);
    for (const Failure& failure : stored.failures)
      modes.emplace(mode_rank(failure.key.mode), failure.key.mode);
    for (const auto& [rank, mode] : modes) {
      groups.push_back(make_group(stored, mode, display_name(stored.folder, results), bits_of));
    }
  }
  const bool any = std::any_of(groups.begin(), groups.end(),
                               [](const ResultGroup& group) { return !group.codecs.empty(); });
  if (!any) {
    std::vector<std::string> folders;
    for (const StoredResults& stored : results) folders.push_back(emptiness(stored));
    throw InputError(
        fmt::format("{}: expected at least one line in samples.jsonl", fmt::join(folders, "; ")));
  }
  return groups;
}

Cell whole_cache_cell(const CodecResult& codec) {
  return number_cell(
      codec.whole_cache_bits,
      fmt::format("{}{:.3f}", codec.open_page_known ? "" : "≥ ", codec.whole_cache_bits));
}

Column whole_cache_column() {
  return {"whole-cache bits",
          "whole_cache_bits_per_value (written, skipped layers and open pages)"};
}

Table group_table(const ResultGroup& group, std::string name, std::string title) {
  Table table = named_table(std::move(name), std::move(title));
  table.source = group.source;
  table.mode = group.mode;
  return table;
}

std::vector<double> series(const CodecResult& codec, const Metric& metric,
                           std::span<const int> passages) {
  std::vector<double> values;
  const auto take = [&](const Sample& sample) {
    const std::optional<double> value = metric.value(sample);
    if (!value) {
      throw InputError(fmt::format("{}: {} was not measured on passage {}", codec.label,
                                   metric.name, sample.key.passage));
    }
    values.push_back(*value);
  };
  if (passages.empty()) {
    for (const Sample* sample : codec.samples) take(*sample);
    return values;
  }
  for (int passage : passages) {
    const auto at =
        std::find_if(codec.samples.begin(), codec.samples.end(),
                     [&](const Sample* sample) { return sample->key.passage == passage; });
    if (at == codec.samples.end())
      throw InputError(fmt::format("{}: no passage {}", codec.label, passage));
    take(**at);
  }
  return values;
}

Interval summary(const CodecResult& codec, const Metric& metric) {
  const std::vector<double> values = series(codec, metric);
  if (metric.summary == Summary::mean) return t_interval(values);
  Interval result;
  result.count = values.size();
  if (metric.summary == Summary::maximum) {
    result.mean = *std::max_element(values.begin(), values.end());
  } else {
    std::vector<double> tokens;
    for (const Sample* sample : codec.samples) {
      tokens.insert(tokens.end(), sample->kld_tokens.begin(), sample->kld_tokens.end());
    }
    std::sort(tokens.begin(), tokens.end());
    result.mean = quantile(tokens, kTail);
  }
  result.standard_error = result.half_width = std::numeric_limits<double>::infinity();
  return result;
}

std::vector<int> common_passages(const CodecResult& a, const CodecResult& b) {
  const std::vector<int> of_a = a.passages(), of_b = b.passages();
  std::vector<int> common;
  std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                        std::back_inserter(common));
  return common;
}

std::vector<OperatingPoint> operating_points(const ResultGroup& group, const Metric& metric) {
  std::vector<OperatingPoint> points;
  for (const CodecResult& codec : group.codecs) {
    points.push_back({codec.rates.measured, summary(codec, metric).mean});
  }
  return points;
}

}  // namespace kakeya
