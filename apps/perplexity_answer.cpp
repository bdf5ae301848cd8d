// SPDX-License-Identifier: Apache-2.0
#include "perplexity_answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace kakeya {

using nlohmann::json;

namespace {

json ends(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high)) return json{nullptr, nullptr};
  return json{low, high};
}

json ends(const Interval& interval) { return ends(interval.low(), interval.high()); }

std::string with_half_width(const Interval& interval) {
  return std::isfinite(interval.half_width)
             ? fmt::format("{:.3g} ± {:.2g}", interval.mean, interval.half_width)
             : fmt::format("{:.3g}", interval.mean);
}

/// The columns that controls have too.
std::string changes(const TextScore& score) {
  const Interval& change = score.nll_change;
  const double mean = 100 * std::expm1(change.mean);
  // Of so small a change the interval of exp is that of its argument, times exp(mean).
  const double half = 100 * std::exp(change.mean) * change.half_width;
  return fmt::format("{:>10.4f}  {:>20}  {:>22}  {:>5.1f}%", std::exp(score.nll.mean),
                     std::isfinite(half) ? fmt::format("{:+.3f} ± {:.3f} %", mean, half)
                                         : fmt::format("{:+.3f} %", mean),
                     with_half_width(score.kld), 100 * score.top1);
}

}  // namespace

json score_json(const TextScore& score) {
  const Interval& change = score.nll_change;
  return {{"codec", score.specs.label()},
          {"codec_k", score.specs.keys},
          {"codec_v", score.specs.values},
          {"nll_mean", score.nll.mean},
          {"nll_ci", ends(score.nll)},
          {"perplexity", std::exp(score.nll.mean)},
          {"nll_reference_mean", score.nll_reference.mean},
          {"perplexity_reference", std::exp(score.nll_reference.mean)},
          {"nll_change_mean", change.mean},
          {"nll_change_ci", ends(change)},
          {"delta_ppl", std::expm1(change.mean)},
          {"delta_ppl_ci", ends(std::expm1(change.low()), std::expm1(change.high()))},
          {"kld_mean", score.kld.mean},
          {"kld_ci", ends(score.kld)},
          {"kld_max", score.kld_max},
          {"top1", score.top1},
          {"bits_per_value", score.bits_per_value},
          {"bits_per_value_whole_cache", score.bits_per_value_whole_cache}};
}

json controls_json(const std::vector<TextScore>& controls) {
  json list = json::array();
  for (const TextScore& control : controls) {
    json of = score_json(control);
    for (const char* name :
         {"codec", "codec_k", "codec_v", "bits_per_value", "bits_per_value_whole_cache"})
      of.erase(name);
    of["control"] = control.specs.keys;
    list.push_back(std::move(of));
  }
  return list;
}

void print_controls(const std::vector<TextScore>& controls) {
  if (controls.empty()) return;
  fmt::print("\n{:<17}  perplexity  {:>20}  {:>22}   top-1\n", "nothing coded", "delta-ppl",
             "KL nats");
  for (const TextScore& control : controls) {
    fmt::print("{:<17}  {}\n",
               control.specs.keys + (control.specs.keys == "fused" ? " attention" : " arithmetic"),
               changes(control));
  }
}

void print_scores(const ModelFacts& facts, const ScoredText& text, const ScoringTask& task,
                  const std::vector<TextScore>& scores, std::size_t scored, double seconds) {
  fmt::print("model       {} ({}; {})\n", facts.name, facts.architecture, facts.weight_types);
  fmt::print("tokens      {}, {} scored in {} {} of {}{}\n", task.tokens.size(), scored,
             text.windows.size(), text.windows.size() == 1 ? "window" : "windows", task.context,
             task.stride > 0 ? fmt::format(", stride {}", task.stride) : "");
  const Interval& reference = scores.front().nll_reference;
  fmt::print("uncoded     perplexity {:.4f}, nll {:.6f} nats a token (bf16 cache)\n",
             std::exp(reference.mean), reference.mean);
  fmt::print("speed       {:.1f} s\n\n", seconds);
  std::size_t width = 5;
  for (const TextScore& score : scores) width = std::max(width, score.specs.label().size());
  fmt::print("{:<{}}  measured bits  whole cache  perplexity  {:>20}  {:>22}   top-1\n", "codec",
             width, "delta-ppl", "KL nats");
  for (const TextScore& score : scores) {
    fmt::print("{:<{}}  {:>13.3f}  {:>11.3f}  {}\n", score.specs.label(), width,
               score.bits_per_value, score.bits_per_value_whole_cache, changes(score));
  }
  fmt::print(
      "bits per value: measured: of the coded layers, sinks and residual window included; whole "
      "cache: skipped layers and open pages as bf16 too\nmeans over scored tokens; ±: 95 % Student-t over windows, paired "
      "with the uncoded pass\n");
}

}  // namespace kakeya
