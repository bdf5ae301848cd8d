// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/plan_calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "kakeya/calibrate/plan_slots.h"
#include "kakeya/codec/spec.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/measure/plans/plan_cells.h"

namespace kakeya {
namespace {

constexpr int kMostTries = 4;

/// The name of a codec as a plan's: "ece8.center-mean" of "ece8:center=mean".
std::string word_of(const std::string& family) {
  std::string word = family;
  for (char& c : word) {
    if (c == ':' || c == ',') c = '.';
    if (c == '=') c = '-';
  }
  return word;
}

/// Bits of a slot at a rate of the ladder's key, between the rates that were measured.
double bits_at(const PlanSlot& slot, double rate) {
  std::size_t next = 1;
  while (next + 1 < slot.rates.size() && slot.rates[next] < rate) ++next;
  const double from = slot.rates[next - 1], to = slot.rates[next];
  const double part = (rate - from) / (to - from);
  return slot.points[next - 1].bits + part * (slot.points[next].bits - slot.points[next - 1].bits);
}

/// And the rate that has them.
double rate_at(const PlanSlot& slot, double bits) {
  std::size_t next = 1;
  while (next + 1 < slot.points.size() && slot.points[next].bits < bits) ++next;
  const double from = slot.points[next - 1].bits, to = slot.points[next].bits;
  if (to <= from) return slot.rates[next];
  const double part = std::clamp((bits - from) / (to - from), 0.0, 1.0);
  return slot.rates[next - 1] + part * (slot.rates[next] - slot.rates[next - 1]);
}

class PlanCalibration {
 public:
  PlanCalibration(const PlanRequest& request, const std::vector<std::string>& arguments,
                  const std::function<void(const SweepEvent&)>& notify)
      : request_(request),
        arguments_(arguments),
        notify_(notify),
        ladder_(ladder_of(request.codec)) {
    SweepConfig sweep = request.sweep;
    sweep.grid.both = ladder_.specs;  // uniform ones too, what plans are seen beside
    ready_ = prepare_sweep(sweep);
    if (ready_.plan.scored == 0) throw SpecError("--plan: expected a model and texts, no dump");
    if (ready_.subject->modes().size() != 1) {
      throw SpecError("--mode: expected one, whose losses the bits are shared out by");
    }
  }

  PlanResult run() {
    const CachePolicy& policy = ready_.plan.policy;
    result_.slots = slots_of(policy, request_.layer_group, ladder_.tokens);
    std::vector<CodecPair> pairs;
    for (const PlanSlot& slot : result_.slots) {
      for (const std::string& spec : ladder_.specs) {
        const std::string text = plan_of_slot(slot, spec, policy.layers).text();
        pairs.push_back({text, text});
      }
    }
    const std::vector<std::string> labels = measure(pairs);
    std::vector<std::vector<std::string>> of_slots;
    for (std::size_t i = 0; i < labels.size(); i += ladder_.specs.size()) {
      const auto first = labels.begin() + static_cast<std::ptrdiff_t>(i);
      of_slots.emplace_back(first, first + static_cast<std::ptrdiff_t>(ladder_.specs.size()));
    }
    fit_slots(result_.slots, of_slots, ladder_, samples_);
    result_.continuous = ladder_.continuous;
    ladder_.continuous ? allocate_numbers() : allocate_choices();
    finish();
    return std::move(result_);
  }

 private:
  CacheInput cache() const {
    CacheInput input{ready_.plan.shape, ready_.plan.policy, ready_.profiles.get()};
    input.layer_devices = ready_.model->facts().layer_devices;
    return input;
  }

  std::string folder() const {
    return request_.measured.empty() ? request_.out + ".measured" : request_.measured;
  }

  /// Measures what of `pairs` is not there yet, beside the uniform settings; their labels.
  std::vector<std::string> measure(const std::vector<CodecPair>& pairs) {
    std::vector<std::string> labels;
    std::vector<CodecPair> others;
    for (const CodecPair& pair : pairs) {
      labels.push_back(plan_label(*make_cache_codecs(pair, cache()).plan));
      if (asked_.insert(labels.back()).second) others.push_back(pair);
    }
    if (others.empty()) return labels;
    std::vector<GridCell> made = build_grid(others, cache());
    if (ready_.codec_device != "cpu") {
      add_device_codecs(made, cache(), request_.sweep.codec_device == "auto");
    }
    for (GridCell& cell : made) ready_.grid.push_back(std::move(cell));
    const std::size_t cells = ready_.grid.size() * ready_.subject->modes().size() *
                              static_cast<std::size_t>(ready_.subject->passages());
    ResultStore store(folder(), ready_.plan, ready_.provenance(arguments_), cells);
    result_.outcome = run_sweep(*ready_.subject, ready_.grid, store, notify_);
    if (!result_.outcome.failed.empty()) {
      throw Error(folder() + ": " + std::to_string(result_.outcome.failed.size()) +
                  " cells failed, the first: " + result_.outcome.failed.front().reason);
    }
    samples_ = read_results(folder()).samples;
    // The folder may have other passages too, of another run.
    const int first = ready_.subject->first_passage(), end = first + ready_.subject->passages();
    std::erase_if(samples_, [&](const Sample& sample) {
      return sample.key.passage < first || sample.key.passage >= end;
    });
    return labels;
  }

  std::vector<double> shares() const {
    std::vector<double> shares;
    for (const PlanSlot& slot : result_.slots) shares.push_back(slot.curve.share);
    return shares;
  }

  /// Sums of the slots' curves at the bits that they have at their rates.
  double predicted(const std::vector<double>& rates) const {
    double loss = 0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      loss += result_.slots[i].curve.loss(bits_at(result_.slots[i], rates[i]));
    }
    return loss;
  }

  std::vector<LossCurve> curves() const {
    std::vector<LossCurve> curves;
    for (const PlanSlot& slot : result_.slots) curves.push_back(slot.curve);
    return curves;
  }

  void refuse_bits() const {
    const BitRange reached = mean_range(curves());
    if (reached.lowest <= request_.bits && request_.bits <= reached.highest) return;
    throw SpecError("--bits " + std::to_string(request_.bits) + ": " + request_.codec + " takes " +
                    std::to_string(reached.lowest) + " to " + std::to_string(reached.highest) +
                    " measured bits a coded value here: expected a number between them");
  }

  /// Of a key that takes any number. The codec may write other bits than its key says, and than the
  /// slots alone did: the plan is measured, and made again at so many bits more or fewer. The best
  /// try is kept: the nearest within the budget, or the cheapest.
  void allocate_numbers() {
    refuse_bits();
    const std::vector<LossCurve> all = curves();
    const BitRange range = mean_range(all);
    double aim = request_.bits;
    std::optional<PlanResult> best;
    for (int attempt = 0; attempt < kMostTries; ++attempt) {
      const WaterLevel water = fill_water(all, aim);
      result_.kkt_residual = water.kkt_residual;
      result_.rates.clear();
      for (std::size_t i = 0; i < all.size(); ++i) {
        const double rate = rate_at(result_.slots[i], water.bits[i]);
        result_.rates.push_back(std::round(rate * 100) / 100);
      }
      measure_plan();
      if (!best || better(result_.reached_bits, best->reached_bits)) best = result_;
      const double off = request_.bits - result_.reached_bits;
      const double next = std::clamp(aim + off, range.lowest, range.highest);
      if (std::fabs(off) <= kPlanBitsOff || next == aim) break;
      aim = next;
    }
    const SweepOutcome outcome = result_.outcome;
    result_ = *std::move(best);
    result_.outcome = outcome;
  }

  /// Whether a plan of some bits is a better answer than one of others.
  bool better(double bits, double others) const {
    const double most = request_.bits + kPlanBitsOff;
    if ((bits <= most) != (others <= most)) return bits <= most;
    return bits <= most ? bits > others : bits < others;
  }

  /// Of whole numbers: the settings that were measured.
  void allocate_choices() {
    refuse_bits();
    std::vector<std::vector<SlotOption>> options;
    for (const PlanSlot& slot : result_.slots) {
      options.emplace_back();
      for (const CurvePoint& point : slot.points) {
        options.back().push_back({point.bits, slot.curve.loss(point.bits)});
      }
    }
    const Choice choice = exchange_greedily(options, shares(), request_.bits);
    result_.exchanges = choice.exchanges;
    for (const std::size_t option : choice.options) result_.rates.push_back(ladder_.rates[option]);
    measure_plan();
  }

  /// The plan at result_.rates, on the same texts.
  void measure_plan() {
    std::vector<std::string> specs;
    for (const double rate : result_.rates) specs.push_back(ladder_.at(rate));
    CodecPlan plan = plan_of_slots(result_.slots, specs, ready_.plan.policy);
    plan.name = request_.name.empty() ? word_of(Spec::parse(ladder_.specs.front()).family())
                                      : request_.name;
    plan.bits = request_.bits;
    const std::string text = plan.text();
    const std::string label = measure({{text, text}}).front();
    result_.plan = *make_cache_codecs({text, text}, cache()).plan;
    CellSums sums;
    for (const Sample& sample : samples_) {
      if (sample.key.codec_k == label) sums.add(sample);
    }
    result_.measured_kld = sums.kld / sums.count;
    result_.reached_bits = sums.bits / sums.count;
    result_.reached_bits_whole_cache = sums.whole_cache_bits / sums.count;
  }

  void finish() {
    result_.predicted_kld = predicted(result_.rates);
    for (const PlanSlot& slot : result_.slots) {
      result_.predicted_uniform_kld += slot.curve.loss(result_.reached_bits);
    }
    result_.digest = plan_digest(result_.plan);
    const std::string document = result_.plan.document();
    write_file(request_.out, document.data(), document.size());
  }

  struct CellSums {
    double kld = 0, bits = 0, whole_cache_bits = 0, count = 0;
    void add(const Sample& sample) {
      kld += sample.kld_mean.value();
      bits += sample.bits_per_value;
      whole_cache_bits += sample.whole_cache_bits_per_value.value();
      ++count;
    }
  };

  const PlanRequest& request_;
  const std::vector<std::string>& arguments_;
  const std::function<void(const SweepEvent&)>& notify_;
  RateLadder ladder_;
  PreparedSweep ready_;
  std::set<std::string> asked_;  // labels of plans that are in the grid
  std::vector<Sample> samples_;
  PlanResult result_;
};

}  // namespace

PlanResult calibrate_plan(const PlanRequest& request, const std::vector<std::string>& arguments,
                          const std::function<void(const SweepEvent&)>& notify) {
  if (request.layer_group < 1) {
    throw SpecError("--layer-group " + std::to_string(request.layer_group) +
                    ": expected at least 1");
  }
  return PlanCalibration(request, arguments, notify).run();
}

}  // namespace kakeya
