// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "kakeya/core/error.h"
#include "kakeya/stats/winner.h"
#include "kakeya/studies/published/cache_shape.h"
#include "kakeya/studies/published/functions.h"

namespace kakeya {
namespace {

using Numbers = std::vector<double>;
using Arguments = std::span<const FormulaValue>;

// Two-sided 95 % t that the published n=32 tables use: the entry for 30 degrees of freedom.
constexpr double kPublishedT = 2.042;

std::size_t whole(const FormulaValue& value, const std::string& name) {
  constexpr double kMost = 1 << 30;
  const double number = to_number(value);
  if (number >= 1 && number <= kMost && number == std::floor(number)) {
    return static_cast<std::size_t>(number);
  }
  throw InputError(name + ": " + std::to_string(number) + ", expected a whole number from 1 on");
}

const PublishedRow& run_row(const PublishedRecord& record, const std::string& run) {
  return record.at({"run", {{"run", run}}});
}

const PublishedRow& channel_row(const PublishedRecord& record, const std::string& run,
                                const std::string& codec, const std::string& part) {
  return record.at({"ppl", {{"run", run}, {"codec", codec}, {"part", part}}});
}

Numbers absolute_delta(const PublishedRow& row) {
  Numbers delta = numbers_of(row, "delta_ppl");
  if (delta.empty()) throw InputError(to_text(row) + ": delta_ppl: no numbers, expected passages");
  for (double& each : delta) each = std::abs(each);
  return delta;
}

double mean(const Numbers& numbers) {
  double sum = 0;
  for (double each : numbers) sum += each;
  return sum / static_cast<double>(numbers.size());
}

/// Of at least two numbers.
double published_half_width(const Numbers& numbers) {
  if (numbers.size() < 2) throw InputError("half width: one passage, expected at least two");
  const double centre = mean(numbers), count = static_cast<double>(numbers.size());
  double sum = 0;
  for (double each : numbers) sum += (each - centre) * (each - centre);
  return kPublishedT * std::sqrt(sum / (count - 1) / count);
}

FormulaValue nominal_bits(Arguments a, const PublishedRecord&) {
  return published_bits(to_word(a[0]), whole(a[1], "dim"));
}

FormulaValue cache_bytes(Arguments a, const PublishedRecord& record) {
  const PublishedRow& run = run_row(record, to_word(a[0]));
  const std::string& part = to_word(a[2]);
  return PublishedCacheShape(run).bytes(to_word(a[1]), part != "v", part != "k");
}

FormulaValue ratio(Arguments a, const PublishedRecord& record) {
  const PublishedRow& run = run_row(record, to_word(a[0]));
  const PublishedCacheShape shape(run);
  return shape.bytes("bf16", true, true) / shape.bytes(to_word(a[1]), true, true);
}

FormulaValue abs_delta(Arguments a, const PublishedRecord& record) {
  return absolute_delta(channel_row(record, to_word(a[0]), to_word(a[1]), to_word(a[2])));
}

/// The channels of a family, keys and values. Throws InputError where there is none.
std::vector<const PublishedRow*> channels_of(const PublishedRecord& record, const std::string& run,
                                             const std::string& family) {
  std::vector<const PublishedRow*> channels = record.all({"ppl", {{"run", run}, {"part", "kv"}}});
  std::erase_if(channels, [&](const PublishedRow* row) {
    return !name_of(*row, "codec").starts_with(family + ":");
  });
  if (channels.empty()) throw InputError("run " + run + ": no channel of " + family);
  return channels;
}

/// The codec of a family with the highest ratio whose loss stays within the budget.
FormulaValue best(Arguments a, const PublishedRecord& record) {
  const std::string &run = to_word(a[0]), &family = to_word(a[1]), &rule = to_word(a[3]);
  if (rule != "mean" && rule != "upper") throw InputError(rule + ": expected mean or upper");
  const PublishedCacheShape shape(run_row(record, run));
  std::optional<double> fewest;
  std::string found = "oor";
  for (const PublishedRow* row : channels_of(record, run, family)) {
    const std::string& codec = name_of(*row, "codec");
    const Numbers delta = absolute_delta(*row);
    const double loss = mean(delta) + (rule == "upper" ? published_half_width(delta) : 0);
    const double bytes = shape.bytes(codec, true, true);
    if (100 * loss > to_number(a[2]) || (fewest && bytes >= *fewest)) continue;
    fewest = bytes;
    found = codec;
  }
  return found;
}

/// All channels of a family, keys and values, with their ratios and losses.
std::vector<RatedSetting> rated_family(const PublishedRecord& record, const std::string& run,
                                       const PublishedCacheShape& shape,
                                       const std::string& family) {
  std::vector<RatedSetting> settings;
  const double plain = shape.bytes("bf16", true, true);
  for (const PublishedRow* row : channels_of(record, run, family)) {
    const std::string& codec = name_of(*row, "codec");
    settings.push_back({plain / shape.bytes(codec, true, true), absolute_delta(*row)});
  }
  return settings;
}

FormulaValue advantage(Arguments a, const PublishedRecord& record) {
  constexpr std::uint64_t kResamples = 10'000, kSeed = 1;
  const std::string& run = to_word(a[0]);
  const PublishedCacheShape shape(run_row(record, run));
  const auto found = winner_advantage(rated_family(record, run, shape, to_word(a[1])),
                                      rated_family(record, run, shape, to_word(a[2])),
                                      to_number(a[3]) / 100, kResamples, kSeed);
  if (!found) return std::string("oor");
  return Numbers{100 * found->advantage, 100 * found->interval.low, 100 * found->interval.high,
                 100 * found->share_reached, 100 * found->share_ahead};
}

/// The first Q, in ascending order, whose error stays within `factor` times that of FP8.
FormulaValue first_within(Arguments a, const PublishedRecord& record) {
  const std::string &study = to_word(a[0]), &stream = to_word(a[1]), &rule = to_word(a[3]);
  if (rule != "mean" && rule != "upper") throw InputError(rule + ": expected mean or upper");
  constexpr double t = 2.365;  // published, for n = 8
  const PublishedRow& fp8 =
      record.at({"v4_sweep", {{"study", study}, {"stream", stream}, {"codec", "fp8"}}});
  const double budget = to_number(a[2]) * number_of(fp8, "rel_mse_mean");
  double fewest_bits = INFINITY;
  std::string found = "oor";
  for (const PublishedRow* row : record.all({"v4_sweep", {{"study", study}, {"stream", stream}}})) {
    if (row == &fp8) continue;
    double error = number_of(*row, "rel_mse_mean");
    if (rule == "upper") {
      error += t * number_of(*row, "rel_mse_sd") / std::sqrt(number_of(*row, "passages"));
    }
    const double bits = published_bits(name_of(*row, "codec"), 512);
    if (error > budget || bits >= fewest_bits) continue;
    fewest_bits = bits;
    found = name_of(*row, "codec");
  }
  return found;
}

/// Of an older codec, measured at one context, the ratio at another: blocks of the same size seal
/// the oldest tokens, the rest is exact; half the bytes of what is sealed, as published.
FormulaValue v0_ratio(Arguments a, const PublishedRecord& record) {
  const PublishedRow& row = record.at(
      {"v0", {{"model", to_word(a[0])}, {"context", std::to_string(whole(a[1], "context"))}}});
  const auto number = [&](const char* name) { return number_of(row, name); };
  const double tokens = to_number(a[2]), context = number("context"), size = number("block_tokens");
  if (!(number("blocks") > 0 && size > 0 && context > number("blocks") * size)) {
    throw InputError(to_text(row) + ": expected blocks, and tokens that are in none");
  }
  const double blocks = std::max(0.0, std::floor((tokens - number("residual_tokens")) / size));
  const double sealed =
      number("skeleton_bytes") / number("blocks") + number("encoded_bytes") / number("blocks");
  const double tail = number("tail_bytes") / (context - number("blocks") * size);
  const double compressed = blocks * sealed, divisor = to_number(a[3]);
  const double exact = (tokens - blocks * size) * tail + number("sliding_bytes");
  return Numbers{number("baseline_full_bytes") * tokens / context + number("sliding_bytes"),
                 exact + compressed / divisor};
}

constexpr FormulaFunction kFunctions[] = {
    {"nominal_bits", 2, "of a vector, by our codec: nominal_bits(codec, dim)", nominal_bits},
    {"cache_bytes", 3, "bytes at 131072 tokens: cache_bytes(run, codec, part)", cache_bytes},
    {"ratio", 2, "bf16 bytes over coded bytes: ratio(run, codec)", ratio},
    {"abs_delta", 3, "absolute delta-ppl by passage: abs_delta(run, codec, part)", abs_delta},
    {"best", 4,
     "codec of a family with the highest ratio whose mean (or mean + half width) of |delta-ppl| "
     "is within a budget in percent: best(run, family, budget, mean|upper)",
     best},
    {"winner_advantage", 4,
     "of best() of a family over best() of another, in percent: the gain in ratio, the ends of its "
     "95 % bootstrap interval (both chosen anew from each of 10000 draws of the passages), the "
     "share of draws in which both reach the budget, and of these the share with a gain above 0: "
     "winner_advantage(run, family, other, budget in percent)",
     advantage},
    {"first_within", 4,
     "E8 codec of a V4 sweep with the fewest bits whose rel-MSE is within a multiple of that of "
     "FP8: first_within(study, stream, factor, mean|upper)",
     first_within},
    {"v0_bytes", 4,
     "bf16 and coded bytes of the oldest codec, measured at one context, at another: "
     "v0_bytes(model, measured, tokens, divisor of sealed bytes)",
     v0_ratio},
};

}  // namespace

std::span<const FormulaFunction> run_functions() { return kFunctions; }

}  // namespace kakeya
