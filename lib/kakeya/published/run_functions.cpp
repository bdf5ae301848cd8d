// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "kakeya/codec/codec.h"
#include "kakeya/core/error.h"
#include "kakeya/published/functions.h"

namespace kakeya {
namespace {

using Numbers = std::vector<double>;
using Arguments = std::span<const FormulaValue>;

constexpr double kLongContext = 131072;  // tokens, of the published storage tables
// Two-sided 95 % t that the published n=32 tables use: the entry for 30 degrees of freedom.
constexpr double kPublishedT = 2.042;

/// Bits that our own codec charges for a vector of `dim`.
double charged_bits(const std::string& codec, std::size_t dim) {
  if (codec == "bf16") return 16.0 * static_cast<double>(dim);
  // Every variant of the ablation is charged as the full codec.
  const std::string spec = codec.starts_with("ablation-") ? "d4:q=38" : codec;
  const std::optional<double> bits =
      make_codec(spec, CodecInput{.dim = dim})->rates().charged_bits_per_vector;
  if (!bits) throw InputError(codec + ": no formula of its bits was published");
  return *bits;
}

/// The layers of a run, as they are counted at 128k tokens.
struct CacheShape {
  Numbers head_dim, kv_heads;
  std::vector<bool> exact;  ///< boundary layers

  explicit CacheShape(const PublishedRow& run) {
    const auto layers = static_cast<std::size_t>(numbers_of(run, "layers").front());
    head_dim = numbers_of(run, "head_dim");
    kv_heads = numbers_of(run, "kv_heads");
    if (head_dim.size() == 1) head_dim.resize(layers, head_dim.front());
    if (kv_heads.size() == 1) kv_heads.resize(layers, kv_heads.front());
    exact.resize(layers);
    for (double layer : numbers_of(run, "boundary"))
      exact.at(static_cast<std::size_t>(layer)) = true;
  }

  /// Keys and values in whole bytes a vector, as published.
  double bytes(const std::string& codec, bool keys, bool values) const {
    double sum = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const auto dim = static_cast<std::size_t>(head_dim[i]);
      const double plain = 2.0 * head_dim[i];
      const double coded = exact[i] ? plain : std::floor(charged_bits(codec, dim) / 8);
      sum += kv_heads[i] * ((keys ? coded : plain) + (values ? coded : plain));
    }
    return kLongContext * sum;
  }
};

const PublishedRow* run_row(const PublishedRecord& record, const std::string& run) {
  return record.find({"run", {{"run", run}}});
}

const PublishedRow* channel_row(const PublishedRecord& record, const std::string& run,
                                const std::string& codec, const std::string& part) {
  return record.find({"ppl", {{"run", run}, {"codec", codec}, {"part", part}}});
}

Numbers absolute_delta(const PublishedRow& row) {
  Numbers delta = numbers_of(row, "delta_ppl");
  for (double& each : delta) each = std::abs(each);
  return delta;
}

double mean(const Numbers& numbers) {
  double sum = 0;
  for (double each : numbers) sum += each;
  return sum / static_cast<double>(numbers.size());
}

double published_half_width(const Numbers& numbers) {
  const double centre = mean(numbers), count = static_cast<double>(numbers.size());
  double sum = 0;
  for (double each : numbers) sum += (each - centre) * (each - centre);
  return kPublishedT * std::sqrt(sum / (count - 1) / count);
}

FormulaValue charged(Arguments a, const PublishedRecord&) {
  return charged_bits(to_word(a[0]), static_cast<std::size_t>(to_number(a[1])));
}

FormulaValue cache_bytes(Arguments a, const PublishedRecord& record) {
  const PublishedRow* run = run_row(record, to_word(a[0]));
  if (run == nullptr) return {};
  const std::string& part = to_word(a[2]);
  return CacheShape(*run).bytes(to_word(a[1]), part != "v", part != "k");
}

FormulaValue ratio(Arguments a, const PublishedRecord& record) {
  const PublishedRow* run = run_row(record, to_word(a[0]));
  if (run == nullptr) return {};
  const CacheShape shape(*run);
  return shape.bytes("bf16", true, true) / shape.bytes(to_word(a[1]), true, true);
}

FormulaValue abs_delta(Arguments a, const PublishedRecord& record) {
  const PublishedRow* row = channel_row(record, to_word(a[0]), to_word(a[1]), to_word(a[2]));
  if (row == nullptr) return {};
  return absolute_delta(*row);
}

/// The codec of a family with the highest ratio whose loss stays within the budget.
FormulaValue best(Arguments a, const PublishedRecord& record) {
  const std::string &run = to_word(a[0]), &family = to_word(a[1]), &rule = to_word(a[3]);
  if (rule != "mean" && rule != "upper") throw InputError(rule + ": expected mean or upper");
  const PublishedRow* described = run_row(record, run);
  if (described == nullptr) return {};
  const CacheShape shape(*described);
  std::optional<double> fewest;
  std::string found = "oor";
  for (const PublishedRow* row : record.all({"ppl", {{"run", run}, {"part", "kv"}}})) {
    const std::string& codec = row->names.at("codec");
    if (!codec.starts_with(family + ":")) continue;
    const Numbers delta = absolute_delta(*row);
    const double loss = mean(delta) + (rule == "upper" ? published_half_width(delta) : 0);
    const double bytes = shape.bytes(codec, true, true);
    if (100 * loss > to_number(a[2]) || (fewest && bytes >= *fewest)) continue;
    fewest = bytes;
    found = codec;
  }
  return found;
}

/// The first Q, in ascending order, whose error stays within `factor` times that of FP8.
FormulaValue first_within(Arguments a, const PublishedRecord& record) {
  const std::string &study = to_word(a[0]), &stream = to_word(a[1]), &rule = to_word(a[3]);
  if (rule != "mean" && rule != "upper") throw InputError(rule + ": expected mean or upper");
  constexpr double t = 2.365;  // published, for n = 8
  const PublishedRow* fp8 =
      record.find({"v4_sweep", {{"study", study}, {"stream", stream}, {"codec", "fp8"}}});
  if (fp8 == nullptr) return {};
  const double budget = to_number(a[2]) * numbers_of(*fp8, "rel_mse_mean").front();
  double fewest_bits = INFINITY;
  std::string found = "oor";
  for (const PublishedRow* row : record.all({"v4_sweep", {{"study", study}, {"stream", stream}}})) {
    if (row == fp8) continue;
    double error = numbers_of(*row, "rel_mse_mean").front();
    if (rule == "upper") {
      error += t * numbers_of(*row, "rel_mse_sd").front() /
               std::sqrt(numbers_of(*row, "passages").front());
    }
    const double bits = charged_bits(row->names.at("codec"), 512);
    if (error > budget || bits >= fewest_bits) continue;
    fewest_bits = bits;
    found = row->names.at("codec");
  }
  return found;
}

/// Of an older codec, measured at one context, the ratio at another: blocks of the same size seal
/// the oldest tokens, the rest is exact; half the bytes of what is sealed, as published.
FormulaValue v0_ratio(Arguments a, const PublishedRecord& record) {
  const PublishedRow* row =
      record.find({"v0",
                   {{"model", to_word(a[0])},
                    {"context", std::to_string(static_cast<long>(to_number(a[1])))}}});
  if (row == nullptr) return {};
  const auto number = [&](const char* name) { return numbers_of(*row, name).front(); };
  const double tokens = to_number(a[2]), context = number("context"), size = number("block_tokens");
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
    {"charged", 2, "bits that our codec charges: charged(codec, dim)", charged},
    {"cache_bytes", 3, "bytes at 131072 tokens: cache_bytes(run, codec, part)", cache_bytes},
    {"ratio", 2, "bf16 bytes over coded bytes: ratio(run, codec)", ratio},
    {"abs_delta", 3, "absolute delta-ppl by passage: abs_delta(run, codec, part)", abs_delta},
    {"best", 4,
     "codec of a family with the highest ratio whose mean (or mean + half width) of |delta-ppl| "
     "is within a budget in percent: best(run, family, budget, mean|upper)",
     best},
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
