// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/plan_slots.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "kakeya/codec/descriptor.h"
#include "kakeya/codec/spec.h"
#include "kakeya/codec/spec_pattern.h"
#include "kakeya/core/error.h"
#include "kakeya/core/json.h"

namespace kakeya {
namespace {

double number_of(const SpecItem& item) {
  double number = 0;
  std::from_chars(item.value.data(), item.value.data() + item.value.size(), number);
  return number;
}

/// The pattern that a family alone means: "ece8:bits={1.5,2,3,4,5},center=mean" of
/// "ece8:center=mean". What has a rate, or is no spec of a codec that has one, stays as it is.
std::string with_rates(const std::string& pattern) {
  const std::optional<Spec> spec = Spec::try_parse(pattern);
  const CodecDescriptor* const codec = spec ? find_descriptor(*spec) : nullptr;
  if (codec == nullptr) return pattern;
  const auto key = std::find_if(codec->keys.begin(), codec->keys.end(),
                                [](const CodecKey& each) { return each.rate; });
  if (key == codec->keys.end()) return pattern;
  for (const CodecKey& each : codec->keys)
    if (each.rate && spec->find(each.name) != nullptr) return pattern;
  if (codec->whole_cache()) {
    throw SpecError("--codec " + pattern +
                    ": codes a cache as a whole, which leaves no layers to share " +
                    "bits out among: expected a codec of vectors or of single layers");
  }
  if (codec->plan_rates.empty()) {
    throw SpecError("--codec " + pattern + ": no rates of its own for plans: expected some, as " +
                    spec->name() + ":" + std::string(key->name) + "={2,3,4}");
  }
  std::string rates(codec->plan_rates);
  std::replace(rates.begin(), rates.end(), ' ', ',');
  return spec->led_by({std::string(key->name), "{" + rates + "}"}).text();
}

/// Sums over the passages of a cell.
struct CellMean {
  double kld = 0, bits = 0;
  std::size_t count = 0;
};

/// Measured bits a value of the part that is coded: both, or the one that is not `identity`.
double bits_of(const Sample& sample, const std::optional<Part>& part) {
  if (!part) return sample.bits_per_value;
  const std::optional<RateLedger>& ledger = *part == Part::key ? sample.ledger_k : sample.ledger_v;
  return static_cast<double>(ledger->written_bits()) / static_cast<double>(ledger->values);
}

}  // namespace

std::string RateLadder::at(double rate) const {
  return Spec::parse(specs.front()).without(key).led_by({key, json_number(rate)}).text();
}

RateLadder ladder_of(const std::string& pattern) {
  RateLadder ladder;
  std::vector<std::pair<double, std::string>> settings;
  for (const std::string& text : expand_specs({{with_rates(pattern)}})) {
    const Spec spec = Spec::parse(text);
    const SpecItem* rate = spec.rate();
    if (rate == nullptr) {
      throw SpecError("--codec " + pattern + ": " + text +
                      " has no key of a rate that comes first");
    }
    if (!settings.empty() && spec.family() != Spec::parse(settings.front().second).family()) {
      throw SpecError("--codec " + pattern + ": expected one codec at several rates, got " +
                      settings.front().second + " and " + text);
    }
    ladder.key = rate->key;
    settings.emplace_back(number_of(*rate), text);
    ladder.continuous = find_descriptor(spec)->find_key(rate->key)->kind == KeyKind::real;
  }
  if (settings.size() < 2) {
    throw SpecError("--codec " + pattern +
                    ": expected one codec at two rates or more, as e8:q={4,10,38}");
  }
  std::sort(settings.begin(), settings.end());
  for (auto& [rate, text] : settings) {
    ladder.rates.push_back(rate);
    ladder.specs.push_back(std::move(text));
  }
  ladder.tokens = scope_of(ladder.specs.front()) == VectorScope::token;
  return ladder;
}

std::vector<PlanSlot> slots_of(const CachePolicy& policy, int group, bool tokens) {
  std::vector<std::vector<int>> groups;
  for (int layer = 0; layer < policy.layers; ++layer) {
    if (!policy.codes(layer)) continue;
    const bool full = groups.empty() || groups.back().size() == static_cast<std::size_t>(group);
    if (full) groups.emplace_back();
    groups.back().push_back(layer);
  }
  std::vector<PlanSlot> slots;
  for (const std::vector<int>& layers : groups) {
    if (tokens) {
      slots.push_back({IndexSet::of(layers), std::nullopt, {}, {}, {}});
      continue;
    }
    for (const Part part : {Part::key, Part::value}) {
      slots.push_back({IndexSet::of(layers), part, {}, {}, {}});
    }
  }
  return slots;
}

CodecPlan plan_of_slot(const PlanSlot& slot, const std::string& spec, int layers) {
  CodecPlan plan;
  plan.name = "slot";
  plan.skip = slot.layers.others(layers);
  plan.keys = plan.values = spec;
  if (slot.part) (*slot.part == Part::key ? plan.values : plan.keys) = "identity";
  return plan;
}

CodecPlan plan_of_slots(std::span<const PlanSlot> slots, const std::vector<std::string>& specs,
                        const CachePolicy& policy) {
  CodecPlan plan;
  plan.skip = policy.all_skipped();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    plan.entries.push_back({slots[i].layers, slots[i].part, {}, specs[i]});
  }
  return plan;
}

void fit_slots(std::vector<PlanSlot>& slots, const std::vector<std::vector<std::string>>& labels,
               const RateLadder& ladder, std::span<const Sample> samples) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    PlanSlot& slot = slots[i];
    for (std::size_t rate = 0; rate < labels[i].size(); ++rate) {
      CellMean mean;
      for (const Sample& sample : samples) {
        if (sample.key.codec_k != labels[i][rate]) continue;
        mean.kld += sample.kld_mean.value();
        mean.bits += bits_of(sample, slot.part);
        ++mean.count;
      }
      if (mean.count == 0) throw InputError(labels[i][rate] + ": no sample of it");
      const auto count = static_cast<double>(mean.count);
      slot.points.push_back({mean.bits / count, mean.kld / count});
      slot.rates.push_back(ladder.rates[rate]);
    }
    const auto parts = slot.part ? 1.0 : 2.0;
    slot.curve = fit_loss_curve(slot.points, parts * static_cast<double>(slot.layers.count()));
    slot.misfit = misfit(slot.curve, slot.points);
  }
}

}  // namespace kakeya
